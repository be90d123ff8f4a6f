import { type Cell, cell, type PageContent } from "../../reports/page/page_content.ts";
import { solverCell, transactionCell, uidCell } from "../../reports/page/page_words.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import { auctionRow } from "../lists/list_rows.ts";
import { plainContent } from "../markup/plain_content.ts";
import type { Shown } from "./shown.ts";

/** The page of an auction: its solutions by rank, and the amounts that they offer. */
export async function auctionContent(shown: Shown, id: string): Promise<PageContent> {
  const { source } = shown;
  const competition = await source.book.competition(Number(id));
  const { auctionId, auctionStartBlock, auctionDeadlineBlock, auction } = competition;
  const { settlements, winners } = auctionRow(competition);
  const ranked = [...competition.solutions].sort((a, b) => a.ranking - b.ranking);
  return plainContent({
    title: `Auction ${auctionId}`,
    subject: { auction: auctionId },
    sentence: sentenceOf(competition, winners.length, settlements.length),
    facts: [
      { name: "Start block", value: cell(auctionStartBlock) },
      { name: "Deadline", value: cell(auctionDeadlineBlock) },
      { name: "Orders", value: cell(auction.orders.length) },
      ...settlements.map(({ txHash }) => ({ name: "Settled in", value: transactionCell(txHash) })),
    ],
    sections: [
      {
        id: "solutions",
        title: "Solutions",
        note: "Scores are in native atoms.",
        table: {
          columns: [
            { name: "Rank", isNumber: true },
            { name: "Solver" },
            { name: "Score", isNumber: true },
            { name: "Orders", isNumber: true },
            { name: "Outcome" },
          ],
          rows: ranked.map((solution) => [
            cell(solution.ranking),
            solverCell(solution.solverAddress, source.solverName(solution.solverAddress)),
            cell(solution.score.toString()),
            cell(solution.orders.length),
            cell(outcomeOf(solution)),
          ]),
        },
      },
      {
        id: "bids",
        title: "Bids on orders",
        table: {
          columns: [
            { name: "Order" },
            { name: "Rank", isNumber: true },
            { name: "Solver" },
            { name: "Sells", isNumber: true },
            { name: "Buys", isNumber: true },
          ],
          rows: ranked.flatMap((solution) => bidRows(solution, shown)),
        },
      },
    ],
    data: competition,
  });
}

function sentenceOf({ solutions }: Competition, winners: number, settlements: number): string {
  const bid = `${solutions.length} ${solutions.length === 1 ? "solution" : "solutions"}`;
  return winners === 0
    ? `${bid}, and nobody won`
    : `${bid}: ${winners} ${winners === 1 ? "solver" : "solvers"} won, ` +
      `${settlements} ${settlements === 1 ? "settlement is" : "settlements are"} known`;
}

function outcomeOf({ isWinner, filteredOut }: Solution): string {
  return isWinner ? "won" : filteredOut ? "filtered out" : "lost";
}

function bidRows(solution: Solution, { source, words }: Shown): Cell[][] {
  const { ranking, solverAddress, orders } = solution;
  return orders.map(({ id, sellAmount, buyAmount, sellToken, buyToken }) => [
    uidCell(id),
    cell(ranking),
    solverCell(solverAddress, source.solverName(solverAddress)),
    sellToken === undefined ? cell(`${sellAmount} atoms`) : words.amount(sellAmount, sellToken),
    buyToken === undefined ? cell(`${buyAmount} atoms`) : words.amount(buyAmount, buyToken),
  ]);
}
