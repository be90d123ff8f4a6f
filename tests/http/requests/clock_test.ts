import { systemClock } from "orderlens/http";
import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";

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
