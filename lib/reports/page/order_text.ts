import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { OrderReport } from "../order/order_report.ts";
import { orderContent } from "./order_content.ts";
import { type TextOptions, textPage } from "./text_page.ts";

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
  return textPage(orderContent(report, options), options);
}
