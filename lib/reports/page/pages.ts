import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AuctionReport } from "../subjects/auction_report.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { accountContent, transactionContent } from "./subject_contents.ts";
import { auctionContent } from "./auction_content.ts";
import { htmlPage } from "./html_page.ts";
import { orderContent } from "./order_content.ts";
import { solverContent } from "./subject_texts.ts";
import { withOrderCharts } from "./shown_report.ts";

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
  const content = orderContent(report, tokens);
  return htmlPage(charts ? await withOrderCharts(content, report) : content);
}

/**
 * The report of an account as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAccount} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function accountPage(report: AccountReport, tokens: TokenOptions = {}): string {
  return htmlPage(accountContent(report, tokens));
}

/**
 * The report of an auction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAuction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function auctionPage(report: AuctionReport, tokens: TokenOptions = {}): string {
  return htmlPage(auctionContent(report, tokens));
}

/**
 * The report of a solver as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function solverPage(report: SolverReport, tokens: TokenOptions = {}): string {
  return htmlPage(solverContent(report, tokens));
}

/**
 * The report of a transaction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectTransaction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function transactionPage(report: TransactionReport, tokens: TokenOptions = {}): string {
  return htmlPage(transactionContent(report, tokens));
}
