import { connect, formatInstant, parseInstant } from "orderlens";
import {
  type ConsistencyRecords,
  type FilledOrder,
  findContradictions,
  formatContradiction,
} from "orderlens/metrics";
import { replay } from "orderlens/recordings";
import type { Competition, DebugReport, Order, Trade } from "orderlens/schemas";
import { assert, assertEquals } from "@std/assert";
import { toExactTime } from "../../../lib/metrics/orders/fills.ts";

const book = connect(await replay("market_1"));

/** Records of one recorded fill, each of which a test may replace. */
interface FillRecords {
  order: Order;
  trade: Trade;
  report: DebugReport | null;
  competition: Competition;
  /** Timestamp of its block. */
  at: Temporal.Instant;
  /** Gas cost of its receipt, in wei; with so many trades. */
  gas: { gasCost: bigint; tradeCount: number };
}

/** A recorded sell order that one solution settled whole, with everything that is known of it. */
async function recordedFill(): Promise<FillRecords & { report: DebugReport }> {
  for await (const { competition } of book.competitions({ from: 2600, to: 2624 })) {
    const winner = competition?.solutions.find((one) => one.isWinner && one.txHash != null);
    const uid = winner?.orders[0]?.id;
    if (competition == null || uid === undefined) continue;
    const [order, report] = [await book.order(uid), await book.debugReport(uid)];
    const trades = await Array.fromAsync(book.trades({ orderUid: uid }));
    const [trade] = trades;
    if (order.kind !== "sell" || trade === undefined || trades.length > 1) continue;
    if (report.auctions.length > 1) continue;
    const at = order.creationDate.add({ seconds: 5 });
    return { order, trade, report, competition, at, gas: { gasCost: 100n, tradeCount: 1 } };
  }
  throw new Error("The recording has no such fill");
}

const recorded = await recordedFill();

function toRecords({ order, trade, report, competition, at, gas }: FillRecords) {
  const facts: FilledOrder = { order, trades: [trade], debugReport: report };
  const { chainId, settlementContract } = book;
  return {
    orders: [facts],
    competitions: [competition],
    times: { block: () => toExactTime(at, "block") },
    settlements: [{ txHash: trade.txHash!, ...gas }],
    deployment: { chainId, settlementContract },
  } satisfies ConsistencyRecords;
}

/** Kinds and differences of the contradictions that a change makes. */
function found(change: (records: FillRecords) => Partial<FillRecords>): string[] {
  const records = { ...recorded, ...change(recorded) };
  return [...findContradictions(toRecords(records))]
    .map(({ kind, difference }) => difference === null ? kind : `${kind} ${difference}`);
}

Deno.test("findContradictions() finds none in recorded records", () => {
  assertEquals(found(() => ({})), []);
  assert(recorded.report.trades.length === 1 && recorded.report.events.length > 2);
});

Deno.test("findContradictions() compares an order with its fills", () => {
  const { order, trade } = recorded;
  const ofMore = { ...trade, buyAmount: trade.buyAmount + 7n };
  assertEquals(found(() => ({ trade: ofMore, report: null })), [
    "executed_amounts 7",
    "solution_amounts",
  ]);
  assertEquals(found(() => ({ trade: { ...trade, owner: `0x${"12".repeat(20)}` } })), [
    "fill_terms",
  ]);
  const open: Order = { ...order, status: "open", executedBuyAmount: order.executedBuyAmount - 5n };
  // It is fulfilled by its amounts; its later fill is no contradiction.
  assertEquals(found(() => ({ order: open })), ["order_status"]);
  assertEquals(found(() => ({ order: { ...order, status: "open" } })), ["order_status"]);
});

Deno.test("findContradictions() misses no fill of a settled solution", () => {
  const { order, competition } = recorded;
  const none: Order = {
    ...order,
    status: "expired",
    executedSellAmount: 0n,
    executedBuyAmount: 0n,
    executedSellAmountBeforeFees: 0n,
  };
  const facts: FilledOrder = { order: none, trades: [], debugReport: null };
  const kinds = [...findContradictions({ orders: [facts], competitions: [competition] })]
    .map(({ kind }) => kind);
  assertEquals(kinds, ["solution_amounts"]);
});

Deno.test("findContradictions() recomputes the UID for chain and contract", () => {
  const { chainId, settlementContract } = book;
  const { orders, competitions } = toRecords(recorded);
  const kinds = (deployment: { chainId: number; settlementContract: string }) =>
    [...findContradictions({ orders, competitions, deployment })].map(({ kind }) => kind);
  assertEquals(kinds({ chainId, settlementContract }), []);
  assertEquals(kinds({ chainId: 100, settlementContract }), ["order_uid"]);
});

Deno.test("findContradictions() compares a debug report with order, fill and solutions", () => {
  const { report, competition } = recorded;
  const [auction] = report.auctions;
  const [proposed, ...others] = auction!.proposedSolutions;
  const proposedSolutions = [{ ...proposed!, score: proposed!.score + 3n }, ...others];
  assertEquals(
    found(() => ({ report: { ...report, auctions: [{ ...auction!, proposedSolutions }] } })),
    ["report_solutions 3"],
  );
  const later = { ...competition, auctionStartBlock: competition.auctionStartBlock + 2 };
  assertEquals(found(() => ({ competition: later })), ["report_solutions -2"]);
  const [token, price] = Object.entries(competition.auction.prices)
    .find(([token]) => token === recorded.order.buyToken)!;
  const prices = { ...competition.auction.prices, [token]: price + 6n };
  assertEquals(
    found(() => ({ competition: { ...competition, auction: { ...competition.auction, prices } } })),
    ["report_solutions -6"],
  );
  const { order } = report;
  const redated = { ...order, creationDate: order.creationDate.subtract({ seconds: 9 }) };
  assertEquals(found(() => ({ report: { ...report, order: redated } })), ["report_order"]);
  const inOther = { ...order, executedFeeToken: order.buyToken };
  assertEquals(found(() => ({ report: { ...report, order: inOther } })), ["report_order"]);
  const cheaper = { ...order, quote: { ...order.quote!, feeAmount: 1n } };
  const feeDifference = 1n - recorded.order.quote!.feeAmount!;
  assertEquals(found(() => ({ report: { ...report, order: cheaper } })), [
    `report_order ${feeDifference}`,
  ]);
  const feeOf = recorded.order.executedFee! + 8n;
  assertEquals(found(() => ({ order: { ...recorded.order, executedFee: feeOf } })), [
    "report_executions -8",
  ]);
  const trades = report.trades.map((trade) => ({ ...trade, sellAmount: trade.sellAmount - 4n }));
  assertEquals(found(() => ({ report: { ...report, trades } })), ["report_fills -4"]);
  const executions = auction!.executions.map((execution) => ({
    ...execution,
    protocolFees: execution.protocolFees.map((fee) => ({ ...fee, amount: fee.amount + 1n })),
  }));
  assertEquals(
    found(() => ({ report: { ...report, auctions: [{ ...auction!, executions }] } })),
    executions[0]!.protocolFees.length > 0 ? ["report_executions"] : [],
  );
});

Deno.test("findContradictions() compares gas costs with the receipt, split over its user trades", () => {
  const { trade } = recorded;
  const gas = { gasCost: 100n, tradeCount: 3 };
  const costing = (gasCost: bigint) => found(() => ({ trade: { ...trade, gasCost }, gas }));
  // Among one, two or three user trades.
  for (const gasCost of [100n, 50n, 33n]) assertEquals(costing(gasCost), []);
  assertEquals(costing(34n), ["gas_cost -1"]);
  assertEquals(costing(1_000n), ["gas_cost -967"]);
});

Deno.test("findContradictions() compares times of blocks, events, creation and expiry", () => {
  const { order, report } = recorded;
  const at = (time: Temporal.Instant) => found(() => ({ at: time, report: null }));
  const created = order.creationDate;
  // The timestamp of a block is whole seconds, rounded down.
  assertEquals(at(created.subtract({ milliseconds: 999 })), []);
  assertEquals(at(created.subtract({ seconds: 60 })), ["fill_time -60"]);
  // A fact is what the response has, to its last digit.
  const late = { ...recorded.order, creationDate: parseInstant("2026-11-21T15:00:23.268390Z") };
  const early = {
    ...recorded,
    order: late,
    at: parseInstant("2026-11-21T14:00:00Z"),
    report: null,
  };
  const factsOf = (records: FillRecords) =>
    [...findContradictions(toRecords(records))].map(({ facts }) => facts.map(({ value }) => value));
  assertEquals(factsOf(early), [["2026-11-21T15:00:23.268390Z", "2026-11-21T14:00:00Z"]]);
  const reported = { ...report, order: { ...report.order, creationDate: late.creationDate } };
  assertEquals(factsOf({ ...recorded, report: reported }), [
    [formatInstant(created), "2026-11-21T15:00:23.268390Z"],
  ]);
  const expiry = Temporal.Instant.fromEpochMilliseconds(order.validTo * 1_000);
  assertEquals(at(expiry), []);
  assertEquals(at(expiry.add({ seconds: 2 })), ["fill_time 2"]);
  const traded = report.events.find(({ label }) => label === "traded")!.timestamp;
  const blockAt = traded.add({ seconds: 61 });
  const events = report.events.map((event) => ({ ...event }));
  assertEquals(found(() => ({ at: blockAt })), ["event_time -61"]);
  events[0]!.timestamp = events[0]!.timestamp.subtract({ seconds: 30 });
  assertEquals(found(() => ({ report: { ...report, events } })), ["event_time -30"]);
  events[0]!.timestamp = parseInstant("2026-11-21T14:00:00.268390Z");
  assertEquals(factsOf({ ...recorded, report: { ...report, events } }), [
    [formatInstant(created), "2026-11-21T14:00:00.268390Z"],
  ]);
});

Deno.test("findContradictions() finds blocks whose time runs backwards", () => {
  const { competition } = recorded;
  const times = new Map([
    [100, Temporal.Instant.from("2026-11-21T15:00:12Z")],
    [101, Temporal.Instant.from("2026-11-21T15:00:00Z")],
  ]);
  const competitions = [100, 101].map((block) => ({ ...competition, auctionStartBlock: block }));
  const [contradiction, ...others] = findContradictions({
    orders: [],
    competitions,
    times: { block: (number) => toExactTime(times.get(number)!, "block") },
  });
  assertEquals(others, []);
  assertEquals(
    formatContradiction(contradiction!),
    "block 101: timestamp of the earlier block 100 is 2026-11-21T15:00:12Z, " +
      "but timestamp of block 101 is 2026-11-21T15:00:00Z",
  );
});

Deno.test("findContradictions() finds absurd native prices from both sides of fills", () => {
  const { order, trade, competition, report } = recorded;
  const { sellToken, buyToken } = order;
  const ETH = 10n ** 18n;
  const sold: Trade = { ...trade, sellAmount: ETH, sellAmountBeforeFees: ETH, buyAmount: ETH };
  const ofPrice = (price: bigint | undefined, reported?: bigint) => {
    const prices = { [sellToken]: ETH, ...price === undefined ? {} : { [buyToken]: price } };
    const auction = { ...competition.auction, prices };
    const auctions = report.auctions.map((each) => ({
      ...each,
      nativePrices: { [buyToken]: reported! },
    }));
    return [...findContradictions(toRecords({
      ...recorded,
      trade: sold,
      competition: { ...competition, auction },
      report: reported === undefined ? null : { ...report, auctions },
    }))].filter(({ kind }) => kind === "price_sides");
  };
  assertEquals(ofPrice(ETH), []);
  assertEquals(ofPrice(999n * ETH), []);
  assertEquals(ofPrice(undefined), []);
  const [absurd, ...others] = ofPrice(1_001n * ETH);
  assertEquals(others, []);
  assertEquals(absurd?.difference, 1_000n * ETH);
  assertEquals(
    formatContradiction(absurd!),
    `fill of order ${order.uid} in block ${trade.blockNumber}, log ${trade.logIndex}: value of ` +
      `${ETH} atoms sold at the native price of ${sellToken} in auction ${competition.auctionId} ` +
      `is ${ETH} native atoms, but value of ${ETH} atoms bought at that of ${buyToken} is ` +
      `${1_001n * ETH} native atoms (+${1_000n * ETH})`,
  );
  // Tables value fills at the prices of the report where it has them.
  assertEquals(ofPrice(1_001n * ETH, ETH), []);
  assertEquals(ofPrice(ETH, 1_001n * ETH).length, 1);
});
