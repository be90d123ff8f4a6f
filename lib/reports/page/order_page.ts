import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { OrderReport } from "../order/order_report.ts";
import { htmlPage } from "./html_page.ts";
import { orderContent } from "./order_content.ts";

/**
 * The report of an order as one HTML file: it loads nothing, runs no script, prints well, and is
 * readable in the dark and on phones. The report is in it as JSON.
 *
 * @param report What {@linkcode inspectOrder} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function orderPage(report: OrderReport, tokens: TokenOptions = {}): string {
  return htmlPage(orderContent(report, tokens));
}
