import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import { accountContent } from "./account_content.ts";
import { htmlPage } from "./html_page.ts";

/**
 * The report of an account as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAccount} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function accountPage(report: AccountReport, tokens: TokenOptions = {}): string {
  return htmlPage(accountContent(report, tokens));
}
