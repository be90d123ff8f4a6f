import { connect, type OrderBook } from "orderlens";
import { replay } from "orderlens/recordings";
import { inspectOrder, type OrderReport, type TimelineEntry } from "orderlens/reports";
import { assert, assertEquals } from "@std/assert";
import { refuseReports } from "../../../tools/metrics/check_verdicts.ts";
import { unpack } from "../../metrics/recorded_run.ts";

/** Auctions of `market_3` begin up to one block, of at most two seconds, after their start block. */
const BLOCK_MS = 2_000;

const recording = await replay("market_3");
const { blocks }: { blocks: Record<string, number> } = JSON.parse(
  await unpack("market_3.chain.json.gz"),
);

/** Reports of every recorded order. */
async function everyOrder(book: OrderBook): Promise<OrderReport[]> {
  return await Promise.all(recording.recorded.orderUids.map((uid) => inspectOrder(book, uid)));
}

const REPORTED = await everyOrder(connect(recording));

function nanoseconds({ at }: TimelineEntry): bigint {
  return at!.epochNanoseconds;
}

function entryOf({ timeline }: OrderReport, kind: TimelineEntry["kind"], auctionId: number | null) {
  return timeline.findIndex((entry) => entry.kind === kind && entry.auctionId === auctionId);
}

Deno.test("a timeline never runs backwards, and has auctions before what ended them", async () => {
  let [fills, ends] = [0, 0];
  for (const report of [...REPORTED, ...await everyOrder(connect(refuseReports(recording)))]) {
    const { timeline, uid } = report;
    const created = timeline.find(({ kind }) => kind === "created");
    assertEquals(`${created?.at}`, `${report.order!.creationDate}`);
    const times = timeline.filter(({ at }) => at !== null).map(nanoseconds);
    assertEquals(times, times.toSorted((a, b) => Number(a - b)), uid);
    for (const { auctionId, bids } of report.auctions) {
      const began = entryOf(report, "auction", auctionId);
      const filled = entryOf(report, "fill", auctionId);
      if (filled !== -1) {
        fills++;
        assert(began < filled, uid);
        assert(nanoseconds(timeline[filled]!) >= nanoseconds(timeline[began]!), uid);
      }
      const attempt = entryOf(report, "attempt", auctionId);
      assert(attempt === -1 || began < attempt, uid);
      const won = timeline.findLastIndex(({ label }) => label === "executing");
      if (won === -1 || !bids.some(({ isWinner }) => isWinner)) continue;
      ends++;
      assert(began < won, uid);
    }
  }
  assert(fills >= 200 && ends >= 100, `${fills} fills, ${ends} ends`);
});

Deno.test("the intervals of a timeline have the blocks in them, and none ends after a fill", () => {
  let checked = 0;
  for (const report of REPORTED) {
    const { uid, timeline } = report;
    for (const { basis, at, latestAt, block, auctionId } of timeline) {
      if (basis !== "bracketed") continue;
      const truth = blocks[block!]! * 1_000;
      checked++;
      assert(at!.epochMilliseconds <= truth + BLOCK_MS, `${uid} at ${at}`);
      assert(latestAt!.epochMilliseconds >= truth, `${uid} until ${latestAt}`);
      const filled = timeline[entryOf(report, "fill", auctionId)]?.latestAt;
      if (filled == null) continue;
      assert(latestAt!.epochNanoseconds <= filled.epochNanoseconds, uid);
    }
  }
  assert(checked >= 4_000, `${checked}`);
});

Deno.test("a timeline counts how an auction of a debug report began by its block, with a node", async () => {
  const book = connect(recording);
  const uid = recording.recorded.orderUids.find((each) => each.startsWith("0x67b463e3"))!;
  const node = {
    baseUrl: recording.baseUrl,
    rpc: (calls: readonly { method: string; params: readonly unknown[] }[]) =>
      Promise.resolve(calls.map(({ method, params: [block] }) => ({
        result: method === "eth_chainId"
          ? `0x${book.chainId.toString(16)}`
          : { number: block, timestamp: `0x${blocks[Number(block)]!.toString(16)}` },
      }))),
  };
  const { timeline } = await inspectOrder(book, uid, { node });
  const auctions = timeline.filter(({ kind }) => kind === "auction");
  assertEquals(auctions.map(({ auctionId, basis }) => [auctionId, basis]), [
    [709, "block"],
    [710, "block"],
    [712, "block"],
  ]);
});

Deno.test("an auction after a settlement that failed began after the order was in flight", async () => {
  const market = await replay("market_1");
  const uid = market.recorded.orderUids.find((each) => each.startsWith("0x500b5278"))!;
  const { timeline } = await inspectOrder(connect(market), uid);
  const held = timeline.find(({ reason }) => reason === "in_flight")!;
  const next = timeline.find(({ kind, auctionId }) => kind === "auction" && auctionId === 2033)!;
  assert(nanoseconds(next) >= nanoseconds(held));
  // In block 1261: an attempt of auction 2031 ended in block 1255, its own first one began in block 1264.
  const { at: earliest, latestAt, basis } = next;
  assertEquals([`${earliest}`, `${latestAt}`, basis], [
    "2026-11-21T15:12:58.156234Z",
    "2026-11-21T15:13:01.415633Z",
    "bracketed",
  ]);
});

Deno.test("attempts to settle any solution of its auctions bound them", () => {
  const { timeline } = REPORTED.find(({ uid }) => uid.startsWith("0xca5e7102"))!;
  const auctions = timeline.filter(({ kind }) => kind === "auction");
  const ends = [auctions[0]!, auctions.at(-1)!].map(({ auctionId, latestAt }) => [
    auctionId,
    `${latestAt}`,
  ]);
  // The first attempts of auctions 967 and 1030 in its debug report; nobody bid on it there.
  assertEquals(ends, [
    [967, "2026-11-22T04:54:02.417813Z"],
    [1030, "2026-11-22T04:56:30.646445Z"],
  ]);
});
