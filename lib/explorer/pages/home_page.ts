import { plainContent } from "../markup/plain_content.ts";
import { auctionTable, orderTable } from "../markup/row_cells.ts";
import { sitePage } from "../markup/site_page.ts";
import { pageReply, type Reply } from "./reply.ts";
import type { Shown } from "./shown.ts";

const NEWEST = 10;

/** The first page: the newest auctions and orders, below the search box. */
export async function homePage({ source, listings, words }: Shown): Promise<Reply> {
  const { orders, auctions, trades, note } = await listings.current();
  const content = plainContent({
    title: "Orderlens",
    sentence: `What happened in ${source.name}`,
    sections: [
      {
        id: "auctions",
        title: "Newest auctions",
        note: `${note} Auctions: ${auctions.length}, orders: ${orders.length}, ` +
          `fills: ${trades.length}.`,
        table: auctionTable(auctions.slice(0, NEWEST), source),
      },
      {
        id: "orders",
        title: "Newest orders",
        table: orderTable(
          orders.slice(0, NEWEST).map((row) => ({ ...row, verdict: null })),
          words,
        ),
      },
    ],
    data: { auctions: auctions.length, orders: orders.length, trades: trades.length },
  });
  return pageReply(sitePage(content, { name: source.name }));
}
