import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { AuctionTimes, fillTime } from "orderlens/metrics";
import { recordedScenario } from "../recorded_scenario.ts";
import { MARKET_3, timeOfBlock } from "./market_3_times.ts";

function at(second: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(1_763_726_400_000 + 1_000 * second);
}

function auctionOf(auctionId: number, auctionStartBlock: number, uids: readonly string[] = []) {
  return { auctionId, auctionStartBlock, auction: { orders: uids } };
}

const { auctions, orders, fills } = MARKET_3;

Deno.test("AuctionTimes prefers the timestamp of the start block to the bracket", () => {
  const [first, second] = auctions;
  const blockTimes = new Map([[first!.auctionStartBlock, timeOfBlock(first!.auctionStartBlock)]]);
  const times = new AuctionTimes(auctions, { orders, blockTimes });
  assertEquals(times.auction(first!.auctionId), {
    at: timeOfBlock(first!.auctionStartBlock),
    basis: "block",
    bracket: null,
  });
  const bracketed = times.auction(second!.auctionId);
  assertEquals([bracketed?.basis, bracketed?.at], ["bracketed", bracketed?.bracket?.min]);
  assertEquals(times.auction(1), null);
});

Deno.test("AuctionTimes returns null without any input", () => {
  const times = new AuctionTimes([auctionOf(7, 100)]);
  assertEquals([times.auction(7), times.block(100)], [null, null]);
});

Deno.test("AuctionTimes brackets a block by known blocks on both sides", () => {
  const blockTimes = new Map([[100, at(0)], [105, at(60)], [110, at(120)]]);
  const times = new AuctionTimes([], { blockTimes });
  assertEquals(times.block(105), { at: at(60), basis: "block", bracket: null });
  assertEquals(times.block(107)?.bracket, { min: at(60), max: at(120) });
  assertEquals(times.block(104)?.bracket, { min: at(0), max: at(60) });
  assertEquals(times.block(111)?.bracket, { min: at(120), max: null });
  assertEquals(times.block(99), null);
});

Deno.test("AuctionTimes brackets every fill of market_3 by its auctions alone", () => {
  const times = new AuctionTimes(auctions, { orders });
  const late: number[] = [];
  for (const { blockNumber, order } of fills) {
    const time = fillTime({ blockNumber }, { times, order });
    const seconds = timeOfBlock(blockNumber).epochMilliseconds / 1_000;
    assert(time?.bracket != null, `fill in block ${blockNumber}`);
    const { min, max } = time.bracket;
    assert(min.epochMilliseconds / 1_000 <= seconds, `block ${blockNumber} is before ${min}`);
    assert(max!.epochMilliseconds / 1_000 >= seconds, `block ${blockNumber} is after ${max}`);
    late.push(seconds - min.epochMilliseconds / 1_000);
  }
  late.sort((a, b) => a - b);
  assertEquals(late.length, 147);
  assert(late[Math.floor(late.length / 2)]! < 3);
});

Deno.test("AuctionTimes brackets every fill of market_3 closer where start blocks are known", () => {
  const starts = auctions.map(({ auctionStartBlock }) => auctionStartBlock);
  const blockTimes = new Map(starts.map((block) => [block, timeOfBlock(block)]));
  const times = new AuctionTimes(auctions, { blockTimes });
  for (const { blockNumber } of fills) {
    const time = times.block(blockNumber)!;
    const truth = timeOfBlock(blockNumber).epochMilliseconds;
    if (time.basis === "block") assertEquals(time.at.epochMilliseconds, truth);
    else {
      assert(time.bracket!.min.epochMilliseconds <= truth);
      assert((time.bracket!.max?.epochMilliseconds ?? Infinity) >= truth);
    }
  }
});

Deno.test("AuctionTimes takes the event of a fill for the time of its block", async () => {
  const { competitions, orders, reports } = await recordedScenario("market_1");
  const times = new AuctionTimes(competitions.values(), {
    orders,
    debugReports: reports.values(),
  });
  const report = [...reports.values()].find(({ trades }) => trades.length === 1)!;
  const traded = report.events.find(({ label }) => label === "traded")!.timestamp;
  const time = times.block(report.trades[0]!.blockNumber)!;
  assertEquals(time.basis, "event");
  assert(Temporal.Instant.compare(time.at, traded) <= 0);
  // Without a debug report, its interval contains the time of indexing but for the delay.
  const bracketed = new AuctionTimes(competitions.values(), { orders });
  const { min, max } = bracketed.block(report.trades[0]!.blockNumber)!.bracket!;
  assert(Temporal.Instant.compare(min, traded) <= 0);
  assert(Temporal.Instant.compare(traded, max!) <= 0);
});

Deno.test("AuctionTimes rejects options that there are not", () => {
  const made = (options: object) => () => new AuctionTimes([], options);
  const action = "Cannot compute times of auctions";
  assertThrows(made({ blocks: new Map() }), InputError, action);
  assertThrows(made({ blockTimes: [[1, at(0)]] }), InputError, action);
  assertThrows(made({ orders: 7 }), InputError, action);
});

Deno.test("fillTime() prefers a block to an event, and an event to a bracket", () => {
  const fill = { blockNumber: 105 };
  const exact = new AuctionTimes([], { blockTimes: new Map([[105, at(60)]]) });
  const around = new AuctionTimes([], { blockTimes: new Map([[100, at(0)], [110, at(120)]]) });
  assertEquals(fillTime(fill, { times: exact, indexedAt: at(62) })?.at, at(60));
  assertEquals(fillTime(fill, { times: around, indexedAt: at(62) })?.basis, "event");
  assertEquals(fillTime(fill, { times: around })?.bracket, { min: at(0), max: at(120) });
  assertEquals(fillTime(fill, {}), null);
});

Deno.test("fillTime() narrows an interval by the dates of the order, if they fit", () => {
  const times = new AuctionTimes([], { blockTimes: new Map([[100, at(0)], [110, at(120)]]) });
  const bracketOf = (created: number, expires: number) =>
    fillTime({ blockNumber: 105 }, {
      times,
      order: {
        creationDate: at(created),
        validTo: at(expires).epochMilliseconds / 1_000,
      },
    })?.bracket;
  assertEquals(bracketOf(30, 90), { min: at(30), max: at(90) });
  assertEquals(bracketOf(-30, 900), { min: at(0), max: at(120) });
  assertEquals(bracketOf(200, 900), { min: at(0), max: at(120) });
});
