import { assertEquals } from "@std/assert";
import { BLOCK_MS, MarketTime } from "../../../../lib/sandbox/market/state/market_time.ts";

const OPENING = Temporal.Instant.from("2026-11-21T00:00:00Z");

Deno.test("MarketTime begins at its opening and moves on by blocks", () => {
  const time = new MarketTime();
  assertEquals(time.instant, OPENING);
  time.tick();
  assertEquals(time.ms, OPENING.epochMilliseconds + BLOCK_MS);
  assertEquals(time.seconds, OPENING.epochMilliseconds / 1_000 + 2);
});

Deno.test("MarketTime follows a clock that is ahead, and is moved by it alone", () => {
  const time = new MarketTime();
  let wall = OPENING.epochMilliseconds + 60_000;
  time.follow(() => wall);
  assertEquals(time.ms, wall);
  time.tick();
  assertEquals(time.ms, wall);
  wall += 1_500;
  assertEquals(time.ms, wall);
  wall -= 10_000;
  assertEquals(time.ms, wall + 10_000, "it never runs backwards");
});

Deno.test("MarketTime does not stand still behind a clock that it is ahead of", () => {
  const time = new MarketTime();
  let wall = OPENING.epochMilliseconds - 86_400_000;
  time.follow(() => wall);
  assertEquals(time.instant, OPENING);
  wall += 2_500;
  assertEquals(time.ms, OPENING.epochMilliseconds + 2_500);
});

Deno.test("MarketTime stamps every moment later than the one before, in microseconds", () => {
  const time = new MarketTime();
  const stamps = [time.stamp(), time.stamp()];
  time.tick();
  stamps.push(time.stamp());
  assertEquals(stamps.map(String), [
    "2026-11-21T00:00:00Z",
    "2026-11-21T00:00:00.000001Z",
    "2026-11-21T00:00:02Z",
  ]);
});
