import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AuctionReport } from "../subjects/auction_report.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { htmlPage } from "./html_page.ts";
import { contentOf } from "./report_content.ts";
import { withOrderCharts } from "./shown_report.ts";
import { type TextOptions, textPage } from "./text_page.ts";

/** How a page of a report is made. */
export interface PageOptions extends TokenOptions {
  /** Whether it has pictures, which take most of its time. @default {true} */
  charts?: boolean | undefined;
}

/**
 * The report of an order as one HTML file of at most 300,000 bytes: it loads nothing, runs no script,
 * prints well, and is readable in the dark and on phones. The report is in it as JSON.
 *
 * Texts of other people stay texts. What is too long for a page is cut, which the page says.
 *
 * @param report What {@linkcode inspectOrder} returns.
 * @param options Facts about tokens, for amounts in whole tokens, and whether to draw pictures.
 * @returns The text of the file.
 *
 * @example A page of an order, without pictures
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectOrder, orderPage } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const report = await inspectOrder(connect(recording), recording.recorded.orderUids[0]!);
 * const page = await orderPage(report, { charts: false });
 *
 * assertStringIncludes(page, report.uid);
 * ```
 */
export async function orderPage(report: OrderReport, options: PageOptions = {}): Promise<string> {
  const { charts = true, ...tokens } = options;
  const content = contentOf(report, tokens);
  return htmlPage(charts ? await withOrderCharts(content, report) : content);
}

/**
 * The report of an account as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAccount} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function accountPage(report: AccountReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of an auction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAuction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function auctionPage(report: AuctionReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of a solver as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function solverPage(report: SolverReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of a transaction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectTransaction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function transactionPage(report: TransactionReport, tokens: TokenOptions = {}): string {
  return htmlPage(contentOf(report, tokens));
}

/**
 * The report of a solver as text for a terminal: wins, settlements and pairs.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function solverText(report: SolverReport, options: TextOptions & TokenOptions = {}): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of an auction as text for a terminal: solutions, bids, fills with fees, the replay.
 *
 * @param report What {@linkcode inspectAuction} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function auctionText(
  report: AuctionReport,
  options: TextOptions & TokenOptions = {},
): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of a transaction as text for a terminal: auction, solver, orders and fees.
 *
 * @param report What {@linkcode inspectTransaction} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function transactionText(
  report: TransactionReport,
  options: TextOptions & TokenOptions = {},
): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of an account as text for a terminal: verdicts of its newest orders.
 *
 * @param report What {@linkcode inspectAccount} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function accountText(
  report: AccountReport,
  options: TextOptions & TokenOptions = {},
): string {
  return textPage(contentOf(report, options), options);
}

/**
 * The report of an order as text for a terminal: verdict, timeline, amounts, bids, fees, unknowns.
 *
 * Amounts are in whole tokens where their decimals are known. Control characters in other people's
 * words are replaced.
 *
 * @param report What {@linkcode inspectOrder} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function orderText(report: OrderReport, options: TextOptions & TokenOptions = {}): string {
  return textPage(contentOf(report, options), options);
}
