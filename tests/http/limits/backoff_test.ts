import { assertEquals } from "@std/assert";
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
