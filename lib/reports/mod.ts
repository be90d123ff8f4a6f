/**
 * What happened to one order, auction, solver, account or transaction, and why: facts, a verdict and
 * its evidence, as data, as text and as a page.
 *
 * @module
 */
export { type InspectOptions, inspectOrder } from "./order/inspect_order.ts";
export type {
  AlsoHappened,
  AnswerPresence,
  OrderReport,
  ReportedAppData,
  ReportedAuction,
  ReportedBid,
  ReportedDeployment,
  ReportedFill,
  ReportedIdentity,
  ReportedUnknown,
  ReportEvidence,
  TimelineBasis,
  TimelineEntry,
  WalkedAuctions,
} from "./order/order_report.ts";
export type {
  FundsMomentName,
  ReportedFunds,
  ReportedPlacement,
  ReportedRefund,
  ReportedState,
} from "./order/reported_chain.ts";
export type { AuctionOutcome } from "./order/judge_auction.ts";
export type {
  AuctionCause,
  EndingCause,
  LastingCause,
  OrderCause,
  OrderVerdict,
  PendingCause,
} from "./order/verdicts.ts";
export { locate, type Located, type LocateOptions, type Location } from "./places/locate.ts";
export { type OrderCharts, orderCharts } from "./page/order_charts.ts";
export type { AuctionReport, ReportedSolution } from "./subjects/auction_report.ts";
export type { InspectNounOptions } from "./subjects/inspect_options.ts";
export { inspectAuction } from "./subjects/inspect_auction.ts";
export {
  type AccountOrder,
  type AccountReport,
  inspectAccount,
  type InspectAccountOptions,
} from "./subjects/inspect_account.ts";
export {
  inspectSolver,
  type InspectSolverOptions,
  type SolverReport,
} from "./subjects/inspect_solver.ts";
export { inspectTransaction, type TransactionReport } from "./subjects/inspect_transaction.ts";
export type { SettledOrder } from "./subjects/settled_orders.ts";
export { accountPage } from "./page/account_page.ts";
export { accountText } from "./page/account_text.ts";
export { auctionPage } from "./page/auction_page.ts";
export { auctionText } from "./page/auction_text.ts";
export { solverPage } from "./page/solver_page.ts";
export { solverText } from "./page/solver_text.ts";
export { transactionPage } from "./page/transaction_page.ts";
export { transactionText } from "./page/transaction_text.ts";
export { orderText } from "./page/order_text.ts";
export { reportJson } from "./page/report_json.ts";
export type { TextOptions } from "./page/text_page.ts";
export { orderPage, type PageOptions } from "./page/order_page.ts";
export { type TriageOptions, triageOrders } from "./triage/triage_orders.ts";
export { TRIAGE_COLUMNS, type TriageAnswer, type TriageRow } from "./triage/triage_row.ts";
export { type WatchOptions, watchOrders } from "./watch/watch_orders.ts";
export type { WatchCause, WatchEvent } from "./watch/watch_event.ts";
export type { WatchedOrder, WatchState } from "./watch/watch_state.ts";
