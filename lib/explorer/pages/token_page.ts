import { cell, type PageContent } from "../../reports/page/page_content.ts";
import { sameHex } from "../../units/mod.ts";
import { plainContent } from "../markup/plain_content.ts";
import { orNull } from "./missing.ts";
import { orderSection, relatedData, tradeSection } from "./related_rows.ts";
import type { Shown } from "./shown.ts";

/** The page of a token: its native price, and the orders and fills that have it. */
export async function tokenPage(shown: Shown, token: string): Promise<PageContent> {
  const { source, listings, words } = shown;
  const [price, listing] = await Promise.all([
    orNull(() => source.book.nativePrice(token)),
    listings.current(),
  ]);
  const has = (row: { readonly sellToken: string; readonly buyToken: string }) =>
    sameHex(row.sellToken, token) || sameHex(row.buyToken, token);
  const orders = listing.orders.filter(has);
  const trades = listing.trades.filter(has);
  return plainContent({
    title: "Token",
    subject: { token },
    sentence: `${words.token(token).text} is in ${orders.length} orders and ${trades.length} fills`,
    facts: [
      { name: "Address", value: { text: token, exact: token } },
      { name: "Symbol", value: cell(words.token(token).text) },
      { name: "Native price", value: cell(price === null ? null : `${price}`) },
      { name: "Lists", value: cell(listing.note) },
    ],
    sections: [...orderSection(orders, shown), ...tradeSection(trades, shown)],
    data: {
      token,
      symbol: words.token(token).text,
      nativePrice: price,
      ...relatedData(orders, trades),
    },
  });
}
