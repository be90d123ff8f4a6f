import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError, packOrderUid } from "orderlens";
import { auctionBrackets, AuctionTimes, fillTime } from "orderlens/metrics";
import { MARKET_3, timeOfBlock } from "./market_3_times.ts";

const { auctions, orders, fills } = MARKET_3;
const NOON = Date.parse("2026-11-21T12:00:00Z") / 1_000;
const MOST = 2 ** 32 - 1;

function at(second: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds((NOON + second) * 1_000);
}

/** An order created and expiring so many seconds after noon. */
function orderOf(created: number, expires: number | null) {
  const uid = packOrderUid({
    digest: `0x${(created + 1_000).toString(16).padStart(64, "0")}`,
    owner: `0x${"02".repeat(20)}`,
    validTo: expires === null ? MOST : NOON + expires,
  });
  return { uid, creationDate: at(created) };
}

function auctionOf(auctionId: number, uids: readonly string[]) {
  return { auctionId, auctionStartBlock: 100 + auctionId, auction: { orders: uids } };
}

Deno.test("auctionBrackets() uses the newest creation up to an auction and the earliest expiry from it on", () => {
  const [early, late, last] = [orderOf(10, 600), orderOf(20, 900), orderOf(40, 300)];
  // In any order, and with UIDs in any case.
  const orders = new Map([early, late, last].map((order) => [order.uid.toUpperCase(), order]));
  const brackets = auctionBrackets([
    auctionOf(10, [late.uid]),
    auctionOf(7, [early.uid, late.uid]),
    // Nothing new: what held before still holds.
    auctionOf(8, [early.uid]),
    auctionOf(9, [early.uid, last.uid]),
  ], { orders });
  assertEquals([...brackets], [
    [7, { min: at(20), max: at(300) }],
    [8, { min: at(20), max: at(300) }],
    [9, { min: at(40), max: at(300) }],
    [10, { min: at(40), max: at(900) }],
  ]);
});

Deno.test("auctionBrackets() leaves out the expiry that EthFlow orders are signed with", () => {
  const [ethflow, other] = [orderOf(10, null), orderOf(5, 600)];
  const brackets = (uids: string[]) =>
    auctionBrackets([auctionOf(7, uids)], { orders: [ethflow, other] }).get(7);
  assertEquals(brackets([ethflow.uid]), { min: at(10), max: null });
  assertEquals(brackets([ethflow.uid, other.uid]), { min: at(10), max: at(600) });
});

Deno.test("auctionBrackets() leaves out auctions without a creation date or with contradictory bounds", () => {
  const [first, second, wrong] = [orderOf(10, 600), orderOf(20, 700), orderOf(500, 100)];
  const auctions = [auctionOf(7, [first.uid]), auctionOf(8, [second.uid])];
  assertEquals(auctionBrackets(auctions), new Map());
  assertEquals([...auctionBrackets(auctions, { orders: [second] }).keys()], [8]);
  assertEquals(auctionBrackets([auctionOf(7, [wrong.uid])], { orders: [wrong] }), new Map());
  assertEquals(auctionBrackets([]), new Map());
});

Deno.test("auctionBrackets() contain every auction of market_3, and start close to nine of ten", () => {
  const brackets = auctionBrackets(auctions, { orders });
  assertEquals(brackets.size, 104);
  let close = 0;
  for (const { auctionId, auctionStartBlock } of auctions) {
    const { min, max } = brackets.get(auctionId)!;
    const start = timeOfBlock(auctionStartBlock).epochMilliseconds;
    assert(min.epochMilliseconds <= start + 1_000, `auction ${auctionId} begins before ${min}`);
    assert(max!.epochMilliseconds >= start, `auction ${auctionId} begins after ${max}`);
    if (Math.abs(min.epochMilliseconds - start) <= 5_000) close++;
  }
  assertEquals(close, 95);
});

Deno.test("auctionBrackets() follow start blocks, not ids: a quote took an id long before its auction", () => {
  // The quote took id 7; its order arrived in block 112, in the same block as auction 12 began.
  const [early, fast, middle, late] = [
    orderOf(10, 900),
    orderOf(50, 70),
    orderOf(30, 800),
    orderOf(52, 700),
  ];
  const dated = (auctionId: number, auctionStartBlock: number, uids: readonly string[]) => ({
    ...auctionOf(auctionId, uids),
    auctionStartBlock,
  });
  const brackets = auctionBrackets([
    dated(6, 106, [early.uid]),
    dated(7, 112, [fast.uid]),
    dated(8, 108, [early.uid, middle.uid]),
    dated(12, 112, [early.uid, middle.uid]),
    dated(13, 113, [late.uid, early.uid]),
  ], { orders: [early, fast, middle, late] });
  assertEquals([...brackets], [
    // What expires at 70 was listed in block 112, after these two.
    [6, { min: at(10), max: at(70) }],
    [7, { min: at(50), max: at(70) }],
    // By ids, it would not have begun before 50.
    [8, { min: at(30), max: at(70) }],
    // Of the same block as the fast order: neither after 50 nor before 70 for certain.
    [12, { min: at(30), max: at(700) }],
    [13, { min: at(52), max: at(700) }],
  ]);
});

Deno.test("AuctionTimes brackets a block by known blocks on both sides", () => {
  const blockTimes = new Map([[100, at(0)], [105, at(60)], [110, at(120)]]);
  const times = new AuctionTimes([], { blockTimes });
  assertEquals(times.block(105), { at: at(60), basis: "block", bracket: null });
  assertEquals(times.block(107)?.bracket, { min: at(60), max: at(120) });
  assertEquals(times.block(104)?.bracket, { min: at(0), max: at(60) });
  assertEquals(times.block(111)?.bracket, { min: at(120), max: null });
  assertEquals(times.block(99), null);
  assertEquals(new AuctionTimes([auctionOf(7, [])]).auction(7), null);
});

Deno.test("AuctionTimes has every fill of market_3 in its bracket, by creations or by start blocks", () => {
  const starts = auctions.map(({ auctionStartBlock }) => auctionStartBlock);
  const blockTimes = new Map(starts.map((block) => [block, timeOfBlock(block)]));
  for (const known of [{ orders }, { blockTimes }]) {
    const times = new AuctionTimes(auctions, known);
    const late: number[] = [];
    for (const { blockNumber, order } of fills) {
      const time = "orders" in known
        ? fillTime({ blockNumber }, { times, order })
        : times.block(blockNumber);
      const { at, bracket } = time!;
      const truth = timeOfBlock(blockNumber).epochMilliseconds;
      const { min, max } = bracket ?? { min: at, max: at };
      assert(min.epochMilliseconds <= truth, `block ${blockNumber} is before ${min}`);
      assert((max?.epochMilliseconds ?? Infinity) >= truth, `block ${blockNumber} is after ${max}`);
      late.push(truth - min.epochMilliseconds);
    }
    late.sort((a, b) => a - b);
    assertEquals(late.length, 147);
    assert(late[Math.floor(late.length / 2)]! < 3_000);
  }
});

Deno.test("AuctionTimes believes no timestamps of blocks that contradict the orders", () => {
  const created = [0, 100, 200, 300].map((second) => orderOf(second, second + 600));
  const all = created.map(({ uid }, index) => auctionOf(index + 1, [uid]));
  const timesOf = (behind: readonly number[]) =>
    new AuctionTimes(all, {
      orders: created,
      blockTimes: new Map(behind.map((seconds, index) => [101 + index, at(index * 100 - seconds)])),
    });
  const basesOf = (times: AuctionTimes) => [1, 2, 3, 4].map((id) => times.auction(id)?.basis);
  // An auction may begin as long after its start block.
  assertEquals(basesOf(timesOf([0, 45, 12, 0])), ["block", "block", "block", "block"]);
  const single = timesOf([0, 46, 12, 0]);
  assertEquals(basesOf(single), ["block", "bracketed", "block", "block"]);
  assertEquals([single.statedBlock(102), single.statedBlock(9)], [at(54), null]);
  // The clock of the chain is behind the service: that of the last is not believed either.
  const behind = timesOf([60, 60, 60, 30]);
  assertEquals(basesOf(behind), ["bracketed", "bracketed", "bracketed", "bracketed"]);
  assertEquals([behind.block(104)?.basis, behind.statedBlock(104)], ["bracketed", at(270)]);
});

Deno.test("AuctionTimes and auctionBrackets() reject values of another kind", () => {
  const made = (options: object) => () => new AuctionTimes([], options);
  const action = "Cannot compute times of auctions";
  assertThrows(made({ blockTimes: [[1, at(0)]] }), InputError, action);
  assertThrows(made({ orders: 7 }), InputError, action);
  assertThrows(() => auctionBrackets([], { orders: 7 } as never), InputError, action);
  assertThrows(() => auctionBrackets(7 as never), InputError, action);
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
