import { cell, type PageContent } from "../../reports/page/page_content.ts";
import { auctionCell, solverCell, transactionCell } from "../../reports/page/page_words.ts";
import { auctionRow, orderRow } from "../lists/list_rows.ts";
import { plainContent } from "../markup/plain_content.ts";
import { FailureError } from "./error_pages.ts";
import { orNull } from "./missing.ts";
import { orderSection, relatedData, tradeSection } from "./related_rows.ts";
import type { Shown } from "./shown.ts";

/** The page of a settlement: its auction and the orders that it filled. */
export async function transactionContent(shown: Shown, hash: string): Promise<PageContent> {
  const { source, listings } = shown;
  const [competition, settled, { trades, orders }] = await Promise.all([
    orNull(() => source.book.competition(hash)),
    orNull(() => source.book.transactionOrders(hash)),
    listings.current(),
  ]);
  const fills = trades.filter(({ txHash }) => txHash?.toLowerCase() === hash);
  const uids = new Set(fills.map(({ uid }) => uid));
  const rows = settled?.map(orderRow) ?? orders.filter(({ uid }) => uids.has(uid));
  if (competition === null && rows.length === 0 && fills.length === 0) throw unknownHere(hash);
  const auction = competition === null ? null : auctionRow(competition);
  const solver = auction?.settlements.find(({ txHash }) => txHash.toLowerCase() === hash)?.solver ??
    null;
  return plainContent({
    title: "Transaction",
    subject: { transaction: hash },
    sentence: `This settlement filled ${rows.length} ${rows.length === 1 ? "order" : "orders"}`,
    tone: "good",
    facts: [
      { name: "Transaction", value: transactionCell(hash) },
      { name: "Auction", value: auctionCell(auction?.auctionId ?? null) },
      {
        name: "Solver",
        value: solver === null ? cell(null) : solverCell(solver, source.solverName(solver)),
      },
    ],
    sections: [...orderSection(rows, shown), ...tradeSection(fills, shown)],
    network: source.book.network?.name ?? null,
    data: { txHash: hash, auction, ...relatedData(rows, fills) },
  });
}

function unknownHere(hash: string): FailureError {
  return new FailureError({
    status: 404,
    what: `No settlement ${hash} is known here`,
    why: "It is of another network, not a settlement, or not indexed yet",
    remedy: "Look at the network that it is of, or come back later",
  });
}
