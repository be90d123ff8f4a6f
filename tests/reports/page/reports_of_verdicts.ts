import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import {
  accountPage,
  auctionPage,
  inspectAccount,
  inspectAuction,
  inspectOrder,
  inspectSolver,
  inspectTransaction,
  type OrderReport,
  solverPage,
  transactionPage,
} from "orderlens/reports";

/** One recorded order of each verdict, by the beginning of its UID. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  market_1: [
    "0x500b5278", // filled, after an attempt that failed
    "0x00142bf0", // expired_no_bid_at_a_fair_limit
    "0x0185da7b", // expired_no_bid_limit_beyond_market
    "0x05dfd14d", // expired_presignature_missing
    "0x15837072", // expired_ready_in_no_stored_auction
    "0x4bf7d775", // partly_filled_open_ready_in_no_stored_auction
    "0xb737868e", // filled_late
    "0xd5f3d087", // open_no_bid_at_a_fair_limit
    "0x3798275c", // open_no_bid_limit_beyond_market
  ],
  simulated_1: [
    "0x09abeb19", // open_executing
    "0x1a8ea493", // partly_filled_cancelled
    "0x4ee5911b", // expired_invalid
    "0xf73fb58d", // open_filtered
  ],
  app_data__app_data: ["0x0234e4dc"], // open_no_bid_at_a_fair_limit
  ethflow__eth_flow_indexing_after_refund: ["0x34c6ca97"], // cancelled
  solver_competition__cannot_replace_order_bid_on_by_non_winning_solution: ["0xd7352b9a"],
};

/** The report of an order that was filled after an attempt that failed. */
export async function filledReport(): Promise<OrderReport> {
  const [report] = await reportsOf("market_1", ["0x500b5278"]);
  return report!;
}

/** One report for each verdict of recorded orders. */
export async function reportsOfVerdicts(): Promise<OrderReport[]> {
  const reports = await Promise.all(
    Object.entries(ORDERS).map(([recording, orders]) => reportsOf(recording, orders)),
  );
  return reports.flat();
}

/** Reports of orders of a recording, by the beginnings of their UIDs. */
export async function reportsOf(name: string, orders: readonly string[]): Promise<OrderReport[]> {
  const recording = await replay(name);
  const book = connect(recording);
  return await Promise.all(
    orders.map((start) =>
      inspectOrder(book, recording.recorded.orderUids.find((uid) => uid.startsWith(start))!)
    ),
  );
}

/** Pages of an auction, an account, a solver and a transaction. */
export async function pagesOfOthers(): Promise<[name: string, html: string][]> {
  const recording = await replay("market_1");
  const book = connect(recording);
  const { order, fills: [fill] } = await filledReport();
  return [
    ["auction", auctionPage(await inspectAuction(book, fill!.auctionId!))],
    ["account", accountPage(await inspectAccount(book, order!.owner, { orders: 5 }))],
    ["solver", solverPage(await inspectSolver(book, fill!.solver!))],
    ["transaction", transactionPage(await inspectTransaction(book, fill!.txHash!))],
  ];
}

/** Fields whose texts decide what is drawn, not what is written. */
export const KEPT: ReadonlySet<string> = new Set([
  "schema",
  "kind",
  "debugReport",
  "stage",
  "basis",
  "outcome",
  "cause",
]);

/** A copy of plain data with every text replaced that `replace` gives another one for. */
export function withTexts<Value>(
  value: Value,
  replace: (text: string, key: string) => string,
): Value {
  const copy = (one: unknown, key: string): unknown => {
    if (typeof one === "string") return replace(one, key);
    if (Array.isArray(one)) return one.map((each) => copy(each, key));
    const isRecord = typeof one === "object" && one !== null &&
      Object.getPrototypeOf(one) === Object.prototype;
    if (!isRecord) return one;
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, copy(each, name)]));
  };
  return copy(value, "") as Value;
}
