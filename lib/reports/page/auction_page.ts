import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { AuctionReport } from "../subjects/auction_report.ts";
import { auctionContent } from "./auction_content.ts";
import { htmlPage } from "./html_page.ts";

/**
 * The report of an auction as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectAuction} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function auctionPage(report: AuctionReport, tokens: TokenOptions = {}): string {
  return htmlPage(auctionContent(report, tokens));
}
