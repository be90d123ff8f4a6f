import { assertEquals } from "@std/assert";
import { BLOCK_MS, MarketTime } from "../../../../lib/sandbox/market/market_quote.ts";

const OPENING = Temporal.Instant.from("2026-11-21T00:00:00Z");

Deno.test("MarketTime starts at its opening and advances by blocks", () => {
  const time = new MarketTime();
  assertEquals(time.instant, OPENING);
  time.tick();
  assertEquals(time.ms, OPENING.epochMilliseconds + BLOCK_MS);
  assertEquals(time.seconds, OPENING.epochMilliseconds / 1_000 + 2);
});

Deno.test("MarketTime follows a clock that is ahead", () => {
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

Deno.test("MarketTime keeps advancing when it follows a clock that is behind", () => {
  const time = new MarketTime();
  let wall = OPENING.epochMilliseconds - 86_400_000;
  time.follow(() => wall);
  assertEquals(time.instant, OPENING);
  wall += 2_500;
  assertEquals(time.ms, OPENING.epochMilliseconds + 2_500);
});

Deno.test("MarketTime stamps each event later than the previous one, in microseconds", () => {
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
