import { inspectAuction } from "../../reports/mod.ts";
import { auctionContent } from "../../reports/page/auction_content.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { FailureError } from "./error_pages.ts";
import type { Shown } from "./shown.ts";

/** The page of an auction. */
export async function auctionPage({ source, node }: Shown, id: string): Promise<PageContent> {
  const { book, solvers, tokens } = source;
  const report = await inspectAuction(book, Number(id), {
    solvers,
    ...node !== null && { node },
  });
  if (report.isFound) return auctionContent(report, tokens);
  throw new FailureError({
    status: 404,
    what: `${source.name} has no auction ${Number(id)}`,
    why: report.unknown[0]?.why ?? "It had no solutions, is of another network, or is too new",
    remedy: "Look for it in the list of auctions, or come back later",
  });
}
