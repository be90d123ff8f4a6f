/**
 * What happened to one order, auction, solver, account or transaction, and why: facts, a verdict and
 * its evidence, as data, as text and as a page.
 *
 * @module
 */
export { type InspectOptions, inspectOrder } from "./order/inspect_order.ts";
export type {
  AlsoHappened,
  OrderReport,
  ReportedAppData,
  ReportedAuction,
  ReportedBid,
  ReportedDeployment,
  ReportedFill,
  ReportedIdentity,
  ReportedUnknown,
  ReportEvidence,
  TimelineEntry,
} from "./order/order_report.ts";
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
export { orderText } from "./page/order_text.ts";
export { reportJson } from "./page/report_json.ts";
export type { TextOptions } from "./page/text_page.ts";
export { orderPage } from "./page/order_page.ts";
export { type TriageOptions, triageOrders } from "./triage/triage_orders.ts";
export { TRIAGE_COLUMNS, type TriageAnswer, type TriageRow } from "./triage/triage_row.ts";
export { type WatchOptions, watchOrders } from "./watch/watch_orders.ts";
export type { WatchCause, WatchEvent } from "./watch/watch_event.ts";
export type { WatchedOrder, WatchState } from "./watch/watch_state.ts";
