import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import { accountContent } from "./account_content.ts";
import { type TextOptions, textPage } from "./text_page.ts";

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
  return textPage(accountContent(report, options), options);
}
