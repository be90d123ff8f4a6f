import { connect, Decimal } from "orderlens";
import { type FilledOrder, findContradictions } from "orderlens/metrics";
import { replay } from "orderlens/recordings";
import type { DebugAuction, DebugReport, FeePolicy, Order, Trade } from "orderlens/schemas";
import { assertEquals } from "@std/assert";

const book = connect(await replay("market_1"));

/** Two orders that auction 2108 settled together; the policies of the first compare with its quote. */
const UIDS = [
  "0x579fdd780991d8b342d8af8997c4d625b3a4d3909618b30a028ae69482abe23528436801e7093ba424a28a66512aa31760c192b66b01b620",
  "0x7e08696c0d4cb9c793734abe07aa9ffa1100e749a3c929f04b19fff6d0923b7cd217e8a0924a6806c7616a4ab0c39df86e0bf8896b01b621",
];
const AUCTION = await book.competition(2108);

async function readOrder(uid: string) {
  const [order, report] = [await book.order(uid), await book.debugReport(uid)];
  const [trade] = await Array.fromAsync(book.trades({ orderUid: uid }));
  return { order, trade: trade!, report };
}

const [first, second] = [await readOrder(UIDS[0]!), await readOrder(UIDS[1]!)];

/** Kinds and differences of the contradictions that a change of the first order makes. */
function find(change: { order?: Order; trade?: Trade; report?: DebugReport } = {}): string[] {
  const orders = [{ ...first, ...change }, second]
    .map(({ order, trade, report }): FilledOrder => ({
      order,
      trades: [trade],
      debugReport: report,
    }));
  return [...findContradictions({ orders, competitions: [AUCTION] })]
    .map(({ kind, difference }) => difference === null ? kind : `${kind} ${difference}`);
}

Deno.test("findContradictions() finds none among the fees and attempts of one auction", () => {
  assertEquals(find(), []);
  const counts = [first, second].map(({ report }) => report.auctions[0]!.settlementAttempts.length);
  assertEquals(counts, [1, 1]);
});

/** The first order with another quote, in its debug report too. */
function findQuoted(quote: Partial<NonNullable<Order["quote"]>>): string[] {
  const order = { ...first.order, quote: { ...first.order.quote!, ...quote } };
  return find({ order, report: { ...first.report, order } });
}

Deno.test("findContradictions() compares the quote of an order with those of fee policies", () => {
  const { sellAmount, buyAmount, gasAmount } = first.order.quote!;
  assertEquals(findQuoted({ sellAmount: sellAmount + 7n }), ["fill_quote -7"]);
  assertEquals(findQuoted({ buyAmount: buyAmount - 9n }), ["fill_quote 9"]);
  // Rounded down, 308,124 units of gas at 1,050,000,002 wei over the price of the sell token are
  // 32,387,007,314,760,714 atoms, and 308,125 are 32,387,112,425,064,731, by exact fractions.
  const dearer = Decimal.parse(String(gasAmount.toNumber() + 1));
  assertEquals(findQuoted({ gasAmount: dearer }), ["fill_quote -105110304017"]);
  // Without a price, no fee is computed.
  assertEquals(findQuoted({ sellTokenPrice: Decimal.parse("0") }), []);
  assertEquals(find({ order: { ...first.order, quote: null } as Order }), []);
});

/** The fill of the first order with another policy of its second fee. */
function withPolicy(policy: FeePolicy | undefined): Trade {
  const [improvement, volume] = first.trade.executedProtocolFees!;
  const { policy: _, ...fee } = volume!;
  const changed = policy === undefined ? fee : { ...fee, policy };
  return { ...first.trade, executedProtocolFees: [improvement!, changed] };
}

Deno.test("findContradictions() compares fee policies of a fill with those of its debug report", () => {
  assertEquals(find({ trade: withPolicy({ volume: { factor: 0.0003 } }) }), ["report_executions"]);
  // Another fill of the order has the same place in its block.
  const [reportedFill] = first.report.trades;
  const trades = [{ ...reportedFill!, blockNumber: 1, auctionId: 1 }, reportedFill!];
  assertEquals(
    find({
      trade: withPolicy({ volume: { factor: 0.0003 } }),
      report: { ...first.report, trades },
    }),
    ["report_executions"],
  );
  const surplus = { factor: 0.0002, maxVolumeFactor: 0.01 };
  assertEquals(find({ trade: withPolicy({ surplus }) }), ["report_executions"]);
  // A policy that is missing or of an unknown kind says nothing.
  assertEquals(find({ trade: withPolicy(undefined) }), []);
  assertEquals(find({ trade: withPolicy({}) }), []);
  const [auction] = first.report.auctions;
  const reported = (feePolicies: DebugAuction["feePolicies"]) =>
    find({ report: { ...first.report, auctions: [{ ...auction!, feePolicies }] } });
  const [improvement, volume] = auction!.feePolicies;
  assertEquals(reported([]), []);
  assertEquals(reported([volume!, improvement!]), ["report_executions"]);
  const capped = { ...improvement!, priceImprovementMaxVolumeFactor: 0.01 };
  assertEquals(reported([capped, volume!]), ["report_executions"]);
});

type AttemptChange = Partial<DebugAuction["settlementAttempts"][number]>;

const PENDING: AttemptChange = { outcome: null, endBlock: null, endTimestamp: null };

/** The report of the first order with another attempt. */
function withAttempt(change: AttemptChange): DebugReport {
  const [auction] = first.report.auctions;
  const [attempt] = auction!.settlementAttempts;
  const settlementAttempts = [{ ...attempt!, ...change }];
  return { ...first.report, auctions: [{ ...auction!, settlementAttempts }] };
}

function findAttempted(change: AttemptChange): string[] {
  return find({ report: withAttempt(change) });
}

Deno.test("findContradictions() compares attempts with their auction and with other reports", () => {
  const { startTimestamp } = first.report.auctions[0]!.settlementAttempts[0]!;
  // Those of the auction and of the solution, and those of the other report.
  assertEquals(findAttempted({ deadlineBlock: 1511 }), ["report_attempts -1", "report_attempts 1"]);
  const solver = `0x${"12".repeat(20)}`;
  assertEquals(findAttempted({ solver }), ["report_attempts", "report_attempts"]);
  assertEquals(findAttempted({ outcome: "timeout" }), ["report_attempts"]);
  assertEquals(findAttempted({ endBlock: 1507 }), ["report_attempts 1"]);
  const later = startTimestamp.add({ microseconds: 1 });
  assertEquals(findAttempted({ startTimestamp: later }), ["report_attempts"]);
  // No solution has this ranking.
  assertEquals(findAttempted({ solutionUid: 99 }), ["report_attempts"]);
  // An earlier report states an attempt that is pending.
  assertEquals(findAttempted(PENDING), []);
  const orders = [withAttempt(PENDING), second.report, withAttempt({ outcome: "timeout" })]
    .map((debugReport) => ({ order: debugReport.order, trades: null, debugReport }));
  const [ended, ...more] = findContradictions({ orders, competitions: [AUCTION] });
  assertEquals([ended?.kind, more], ["report_attempts", []]);
});
