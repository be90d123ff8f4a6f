import { inspectSolver } from "../../reports/mod.ts";
import { cell, type PageContent } from "../../reports/page/page_content.ts";
import { accountCell } from "../../reports/page/page_words.ts";
import { solverContent } from "../../reports/page/solver_content.ts";
import { sameHex } from "../../units/mod.ts";
import { plainContent } from "../markup/plain_content.ts";
import { auctionTable } from "../markup/row_cells.ts";
import { MOST_RELATED, relatedData, tradeSection } from "./related_rows.ts";
import type { Shown } from "./shown.ts";

/** Auction ids of which its report is made, at most. */
const MOST_IDS = 1_500;

/** The page of a solver: the auctions in which it bid, those that it won, and its settlements. */
export async function solverPage(shown: Shown, solver: string): Promise<PageContent> {
  const { source, listings } = shown;
  const { auctions, trades, solverOf, note } = await listings.current();
  const isOwn = (one: string) => sameHex(one, solver);
  const bid = auctions.filter(({ solvers }) => solvers.some(isOwn));
  const won = bid.filter(({ winners }) => winners.some(isOwn));
  const settled = trades.filter(({ txHash }) => isOwn(solverOf.get(txHash ?? "") ?? ""));
  const name = source.solverName(solver);
  const sections = [
    {
      id: "listed-auctions",
      title: "Auctions that it won",
      note: won.length > MOST_RELATED
        ? `The newest ${MOST_RELATED} of ${won.length}. ${note}`
        : note,
      table: auctionTable(won.slice(0, MOST_RELATED), source),
    },
    ...tradeSection(settled, shown),
  ];
  // It asks for each of its auctions, which is too much of a public deployment.
  if (source.isLocal) {
    const { book, solvers, tokens } = source;
    const ids = 1 + (auctions[0]?.auctionId ?? 0) - (auctions.at(-1)?.auctionId ?? 0);
    const last = Math.min(Math.max(ids, 1), MOST_IDS);
    const report = await inspectSolver(book, solver, { solvers, auctions: { last } });
    const content = solverContent(report, tokens);
    const part = ids > last
      ? [{ name: "Auctions read", value: cell(`the newest ${last} of ${ids} ids`) }]
      : [];
    const facts = [...content.facts, ...part];
    return { ...content, facts, sections: [...content.sections, ...sections] };
  }
  return plainContent({
    title: `Solver ${name ?? ""}`.trim(),
    subject: { solver },
    sentence: bid.length === 0
      ? "No auction here has a solution of this solver"
      : `${name ?? "This solver"} bid in ${bid.length} auctions and won ${won.length} of them`,
    facts: [
      { name: "Address", value: accountCell(solver) },
      { name: "Name", value: cell(name) },
      { name: "Auctions", value: cell(auctions.length) },
    ],
    sections,
    data: {
      solver,
      name,
      auctionsBid: bid.length,
      auctionsWon: won.length,
      won: won.slice(0, MOST_RELATED),
      ...relatedData([], settled),
    },
  });
}
