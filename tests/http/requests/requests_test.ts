import configuration from "../../../deno.json" with { type: "json" };
import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";
import { systemClock, VERSION } from "orderlens/http";
import { redact, USER_AGENT } from "../../../lib/http/transport.ts";

Deno.test("systemClock.sleep() waits at least as long as requested", async () => {
  const { signal } = new AbortController();
  const startMs = systemClock.now();
  await systemClock.sleep(12.3, signal);
  assertGreaterOrEqual(systemClock.now() - startMs, 12.3);
});

Deno.test("systemClock.sleep() rejects immediately with the signal's reason, and leaves no timer", async () => {
  for (const ms of [60_000, Number.MAX_SAFE_INTEGER]) {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(ms, controller.signal).catch((reason) => reason);
    controller.abort("enough");
    assertEquals(await sleeping, "enough");
  }
  assertEquals(await systemClock.sleep(9, AbortSignal.abort("late")).catch((e) => e), "late");
});

Deno.test("systemClock.now() is the time of day and never runs backwards", () => {
  const times = Array.from({ length: 100 }, () => systemClock.now());
  assertEquals(times, times.toSorted((a, b) => a - b));
  assert(Math.abs(systemClock.now() - Date.now()) < 60_000);
});

Deno.test("redact() hides credentials of a URL and secrets of a query", () => {
  for (
    const [text, shown] of [
      ["https://mira:key@host/x", "https://[hidden]@host/x"],
      ["sent to (https://key@host:80/x).", "sent to (https://[hidden]@host:80/x)."],
      ["/x?limit=3&api_key=ab&b=1", "/x?limit=3&api_key=[hidden]&b=1"],
      ["/x?access_token=ab#c", "/x?access_token=[hidden]#c"],
      [
        "for url (http://host/x?X-Signature=ab): no",
        "for url (http://host/x?X-Signature=[hidden]): no",
      ],
    ] as const
  ) assertEquals(redact(text), shown);
});

Deno.test("redact() leaves everything else", () => {
  for (
    const text of [
      "/api/v1/token/0xab/native_price",
      "/api/v2/trades?owner=0xab&offset=0&limit=10",
      "https://host/@scope/x?q=a@b",
      "at file:///src/npm/pkg@1.0.0/x.ts",
    ]
  ) assertEquals(redact(text), text);
});

Deno.test("VERSION and USER_AGENT match deno.json", () => {
  assertEquals(VERSION, configuration.version);
  assertEquals(USER_AGENT, `orderlens/${configuration.version}`);
});
