/**
 * Reports about one order, auction, solver, account or transaction: facts, a verdict and
 * its evidence, as data, as text and as a page.
 *
 * @module
 */
export { type DollarsPerAtom } from "./order/dollar_amounts.ts";
export { type ReportedDeposit } from "./order/ethflow_deposit.ts";
export {
  type InspectBudget,
  type InspectNounOptions,
  type InspectOptions,
  inspectOrder,
} from "./order/inspect_order.ts";
export type {
  AlsoHappened,
  AnswerPresence,
  DistanceSummary,
  LimitDistance,
  NextAction,
  NextStep,
  OrderReport,
  ReportedAppData,
  ReportedAuction,
  ReportedBid,
  ReportedDeployment,
  ReportedFill,
  ReportedIdentity,
  ReportedNow,
  ReportedPairOffer,
  ReportedStageBid,
  ReportedUnknown,
  ReportEvidence,
  TimelineBasis,
  TimelineEntry,
  WalkedAuctions,
} from "./order/order_report.ts";
export type {
  AuctionCause,
  AuctionOutcome,
  EndingCause,
  FundsMomentName,
  LastingCause,
  OrderCause,
  OrderVerdict,
  PendingCause,
  ReportedFunds,
  ReportedPlacement,
  ReportedProgrammaticOrder,
  ReportedRefund,
  ReportedState,
  ReportedTwapPart,
  StatusVerdict,
  TwapPartState,
} from "./order/verdicts.ts";
export type { FailureSimulation, ReportedFailure } from "./order/reported_failure.ts";
export type {
  MoneyCall,
  MoneyMove,
  MoneyPlace,
  MoneyPlaceName,
  ReportedMoney,
} from "./order/reported_money.ts";
export { locate, type LocateOptions, type LocateResult, type Location } from "./locate.ts";
export { type OrderCharts, orderCharts, reportJson } from "./page/page_content.ts";
export {
  type AuctionReport,
  inspectAuction,
  type InspectAuctionOptions,
  type ReportedSolution,
} from "./subjects/inspect_auction.ts";
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
export type { ReportedCall, ReportedSettlement } from "./subjects/settlement_onchain.ts";
export {
  accountPage,
  accountText,
  auctionPage,
  auctionText,
  orderPage,
  orderText,
  type PageOptions,
  solverPage,
  solverText,
  transactionPage,
  transactionText,
} from "./page/pages.ts";
export type { TextOptions } from "./page/text_page.ts";
export { type TriageOptions, triageOrders } from "./triage/triage_orders.ts";
export { TRIAGE_COLUMNS, type TriageAnswer, type TriageRow } from "./triage/triage_row.ts";
export { type WatchOptions, watchOrders, type WatchOutage } from "./watch/watch_orders.ts";
export type {
  WatchCause,
  WatchedOrder,
  WatchEvent,
  WatchEventType,
  WatchState,
} from "./watch/watch_state.ts";
