import { inspectTransaction } from "../../reports/mod.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { transactionContent } from "../../reports/page/transaction_content.ts";
import { FailureError } from "./error_pages.ts";
import { orderSection, tradeSection } from "./related_rows.ts";
import type { Shown } from "./shown.ts";

/** The page of a settlement, with what the lists have of it. */
export async function transactionPage(shown: Shown, hash: string): Promise<PageContent> {
  const { source, node, listings } = shown;
  const { book, solvers, tokens } = source;
  const report = await inspectTransaction(book, hash, { solvers, ...node !== null && { node } });
  const content = transactionContent(report, tokens);
  if (report.settled.length > 0) return content;
  const { trades, orders } = await listings.current();
  const fills = trades.filter(({ txHash }) => txHash?.toLowerCase() === hash);
  const uids = new Set(fills.map(({ uid }) => uid));
  if (!report.isFound && fills.length === 0) throw unknownHere(hash, source.name);
  const own = orders.filter(({ uid }) => uids.has(uid));
  const sections = [...orderSection(own, shown), ...tradeSection(fills, shown)];
  return { ...content, sections: [...sections, ...content.sections] };
}

function unknownHere(hash: string, name: string): FailureError {
  return new FailureError({
    status: 404,
    what: `${name} knows no settlement ${hash}`,
    why: "It is of another network, not a settlement, or not indexed yet",
    remedy: "Look at the network that it is of, or come back later",
  });
}
