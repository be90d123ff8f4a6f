import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { transactionContent } from "./transaction_content.ts";
import { htmlPage } from "./html_page.ts";

/**
 * The report of a transaction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectTransaction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function transactionPage(report: TransactionReport, tokens: TokenOptions = {}): string {
  return htmlPage(transactionContent(report, tokens));
}
