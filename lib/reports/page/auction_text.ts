import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { AuctionReport } from "../subjects/auction_report.ts";
import { auctionContent } from "./auction_content.ts";
import { type TextOptions, textPage } from "./text_page.ts";

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
  return textPage(auctionContent(report, options), options);
}
