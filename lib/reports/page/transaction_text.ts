import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { transactionContent } from "./transaction_content.ts";
import { type TextOptions, textPage } from "./text_page.ts";

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
  return textPage(transactionContent(report, options), options);
}
