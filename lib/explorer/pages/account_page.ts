import { inspectAccount } from "../../reports/mod.ts";
import { accountContent } from "../../reports/page/account_content.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { accountCell } from "../../reports/page/page_words.ts";
import { sameHex } from "../../units/mod.ts";
import { orderRow, tradeRow } from "../lists/list_rows.ts";
import { plainContent } from "../markup/plain_content.ts";
import { orNull } from "./missing.ts";
import { MOST_RELATED, orderSection, relatedData, tradeSection } from "./related_rows.ts";
import type { Shown } from "./shown.ts";

/** The page of an account: its orders and fills. */
export async function accountPage(shown: Shown, account: string): Promise<PageContent> {
  const { orders, trades } = shown.source.isFixed
    ? await fromLists(shown, account)
    : await fromBook(shown, account);
  const sections = [...orderSection(orders, shown), ...tradeSection(trades, shown)];
  // It asks for all answers about each order, which is too much of a public deployment.
  if (shown.source.isLocal) {
    const { book, solvers, tokens } = shown.source;
    const report = await inspectAccount(book, account, { solvers });
    const content = accountContent(report, tokens);
    if (report.orders.length > 0) {
      return { ...content, sections: [...content.sections, ...sections] };
    }
  }
  return plainContent({
    title: "Account",
    subject: { account },
    sentence: orders.length === 0 && trades.length === 0
      ? "No order of this account is known here"
      : `${orders.length} orders and ${trades.length} fills of this account are known here`,
    facts: [{ name: "Account", value: accountCell(account) }],
    sections,
    data: { account, ...relatedData(orders, trades) },
  });
}

async function fromLists({ listings }: Shown, account: string) {
  const { orders, trades } = await listings.current();
  return {
    orders: orders.filter(({ owner }) => sameHex(owner, account)),
    trades: trades.filter(({ owner }) => sameHex(owner, account)),
  };
}

/** The newest of each, so that an account with very many takes two requests. */
async function fromBook({ source: { book } }: Shown, owner: string) {
  const limit = MOST_RELATED;
  const [orders, trades] = await Promise.all([
    orNull(() => Array.fromAsync(book.accountOrders(owner, { limit }))),
    orNull(() => Array.fromAsync(book.trades({ owner }, { limit }))),
  ]);
  return { orders: (orders ?? []).map(orderRow), trades: (trades ?? []).map(tradeRow) };
}
