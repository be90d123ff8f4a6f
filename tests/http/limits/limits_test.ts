import { assertEquals } from "@std/assert";
import { retryAfterMs } from "orderlens/http";
import { backoffMs } from "../../../lib/http/limits.ts";

Deno.test("backoffMs() doubles up to the cap, with full jitter", () => {
  const backoff = { baseMs: 500, capMs: 3000 };
  for (
    const [random, waits] of [
      [0, [0, 0, 0, 0, 0]],
      [0.5, [250, 500, 1000, 1500, 1500]],
      [1, [500, 1000, 2000, 3000, 3000]],
    ] as const
  ) {
    const drawn = [1, 2, 3, 4, 5000].map((n) => backoffMs(n, { ...backoff, random: () => random }));
    assertEquals(drawn, [...waits]);
  }
});

const now = Date.UTC(2026, 9, 3, 10);

Deno.test("retryAfterMs() reads seconds", () => {
  for (const [text, ms] of [["0", 0], ["1", 1000], [" 120 ", 120_000]] as const) {
    assertEquals(retryAfterMs(new Headers({ "retry-after": text }), now), ms);
  }
});

Deno.test("retryAfterMs() reads a date relative to the answer's date, else to now", () => {
  const retryAfter = { "retry-after": "Sat, 03 Oct 2026 10:01:00 GMT" };
  const date = "Sat, 03 Oct 2026 10:00:45 GMT";

  assertEquals(retryAfterMs(new Headers(retryAfter), now), 60_000);
  assertEquals(retryAfterMs(new Headers({ ...retryAfter, date }), now), 15_000);
  assertEquals(retryAfterMs(new Headers({ ...retryAfter, date: "soon" }), now), 60_000);
});

Deno.test("retryAfterMs() is 0 for a date that has passed", () => {
  const headers = new Headers({ "retry-after": "Sat, 03 Oct 2026 09:59:59 GMT" });
  assertEquals(retryAfterMs(headers, now), 0);
});

Deno.test("retryAfterMs() is undefined if the header is missing or unreadable", () => {
  for (const text of ["", "-1", "1.5", "soon", "Sat, 99 Oct 2026 10:00:00 GMT", "1 minute"]) {
    assertEquals(retryAfterMs(new Headers({ "retry-after": text }), now), undefined, text);
  }
  assertEquals(retryAfterMs(new Headers(), now), undefined);
});
