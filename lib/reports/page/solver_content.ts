import type { Rate } from "../../metrics/mod.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { formatPercent } from "../../units/mod.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import { type Cell, cell, type Fact, type PageContent, type Section } from "./page_content.ts";
import { auctionCell, PageWords, shortHex, solverCell, transactionCell } from "./page_words.ts";
import { commandOf, deploymentFact, unknownSection } from "./subject_sections.ts";

/** The report of a solver as a page. */
export function solverContent(report: SolverReport, tokens: TokenOptions = {}): PageContent {
  const words = new PageWords(tokens);
  const { solver, solverName, deployment, sentence } = report;
  return {
    title: `Solver ${solverName ?? shortHex(solver)}`,
    subject: { solver },
    sentence,
    tone: "neutral",
    facts: head(report),
    sections: [won(report), pairs(report, words), unknownSection(report.unknown)]
      .flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(solver, deployment),
    data: report,
  };
}

function head({ solver, solverName, deployment, auctions, ...rest }: SolverReport): Fact[] {
  const { statistics, outcomes, place, solvers } = rest;
  const facts: Fact[] = [
    { name: "Address", value: { ...solverCell(solver, null), exact: solver } },
    ...solverName === null ? [] : [{ name: "Name", value: cell(solverName) }],
    deploymentFact(deployment),
    {
      name: "Auctions",
      value: cell(auctions === null ? null : `${auctions.from} to ${auctions.to}`),
    },
  ];
  if (statistics === null) return facts;
  return [
    ...facts,
    { name: "Place", value: cell(`${place} of ${solvers} by score won`) },
    { name: "Auctions won", value: rateCell(statistics.winRate) },
    { name: "Settled in time", value: rateCell(outcomes?.successRate ?? null) },
    { name: "Bids", value: cell(statistics.bids) },
    { name: "Filtered out", value: cell(statistics.filteredBids) },
    { name: "Score won", value: PageWords.native(statistics.scoreWon) },
    { name: "Win margin", value: PageWords.native(statistics.winMarginSum) },
  ];
}

function rateCell(rate: Rate | null): Cell {
  if (rate === null || rate.share === null) return cell(null);
  const { successes, trials, share } = rate;
  return cell(
    `${successes} of ${trials}, ${formatPercent(share, { digits: 1, rounding: "floor" })}`,
  );
}

const SETTLED = {
  in_time: { text: "in time", tone: "good" },
  late: { text: "late", tone: "bad" },
  absent: { text: "not settled", tone: "bad" },
  pending: { text: "pending", tone: "neutral" },
  unknown: { text: "not known", tone: "neutral" },
} as const;

function won({ won }: SolverReport): Section | null {
  if (won.length === 0) return null;
  return {
    id: "won",
    title: "Solutions that won",
    table: {
      columns: [
        { name: "Auction", isNumber: true },
        { name: "Rank", isNumber: true },
        { name: "Score", isNumber: true },
        { name: "Orders", isNumber: true },
        { name: "Settled" },
        { name: "Block", isNumber: true },
        { name: "Deadline", isNumber: true },
        { name: "Transaction" },
      ],
      rows: won.map((
        { auctionId, ranking, score, orders, result, block, deadlineBlock, txHash },
      ) => [
        auctionCell(auctionId),
        cell(ranking),
        PageWords.native(score),
        cell(orders.length),
        SETTLED[result],
        cell(block),
        cell(deadlineBlock),
        transactionCell(txHash),
      ]),
    },
  };
}

function pairs({ statistics }: SolverReport, words: PageWords): Section | null {
  if (statistics === null || statistics.pairs.length === 0) return null;
  return {
    id: "pairs",
    title: "Pairs",
    table: {
      columns: [
        { name: "Pair" },
        { name: "Bids", isNumber: true },
        { name: "Wins", isNumber: true },
        { name: "Volume won", isNumber: true },
      ],
      rows: statistics.pairs.map(({ sellToken, buyToken, bids, wins, volumeWon }) => [
        cell(words.pair(sellToken, buyToken)),
        cell(bids),
        cell(wins),
        volumeWon === null ? cell(null) : PageWords.native(volumeWon),
      ]),
    },
  };
}
