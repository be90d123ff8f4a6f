import type { Rate } from "../../metrics/mod.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { formatPercent } from "../../units/mod.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import {
  type Cell,
  cell,
  type Fact,
  factsOf,
  listSection,
  numbers,
  type PageContent,
  type Section,
  words,
} from "./page_content.ts";
import { auctionCell, PageWords, shortHex, solverCell, transactionCell } from "./page_words.ts";
import { commandOf, deploymentCell, unknownSection } from "./subject_sections.ts";

/** The report of a solver as a page. */
export function solverContent(report: SolverReport, tokens: TokenOptions = {}): PageContent {
  const amounts = new PageWords(tokens);
  const { solver, solverName, deployment, sentence } = report;
  return {
    title: `Solver ${solverName ?? shortHex(solver)}`,
    subject: { solver },
    sentence,
    tone: "neutral",
    facts: head(report),
    sections: [won(report), pairs(report, amounts), unknownSection(report.unknown)]
      .flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(solver, deployment),
    data: report,
  };
}

function head({ solver, solverName, deployment, auctions, ...rest }: SolverReport): Fact[] {
  const { statistics, outcomes, place, solvers } = rest;
  const facts = {
    Address: solverCell(solver, null),
    Name: solverName === null ? null : cell(solverName),
    Deployment: deploymentCell(deployment),
    Auctions: cell(auctions === null ? null : `${auctions.from} to ${auctions.to}`),
  };
  if (statistics === null) return factsOf(facts);
  return factsOf({
    ...facts,
    Place: cell(`${place} of ${solvers} by score won`),
    "Auctions won": rateCell(statistics.winRate),
    "Settled in time": rateCell(outcomes?.successRate ?? null),
    Bids: cell(statistics.bids),
    "Filtered out": cell(statistics.filteredBids),
    "Score won": PageWords.native(statistics.scoreWon),
    "Win margin": PageWords.native(statistics.winMarginSum),
  });
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
  return listSection({ id: "won", title: "Solutions that won", rows: won }, [
    numbers("Auction", ({ auctionId }) => auctionCell(auctionId)),
    numbers("Rank", ({ ranking }) => cell(ranking)),
    numbers("Score", ({ score }) => PageWords.native(score)),
    numbers("Orders", ({ orders }) => cell(orders.length)),
    words("Settled", ({ result }) => SETTLED[result]),
    numbers("Block", ({ block }) => cell(block)),
    numbers("Deadline", ({ deadlineBlock }) => cell(deadlineBlock)),
    words("Transaction", ({ txHash }) => transactionCell(txHash)),
  ]);
}

function pairs({ statistics }: SolverReport, amounts: PageWords): Section | null {
  return listSection({ id: "pairs", title: "Pairs", rows: statistics?.pairs ?? [] }, [
    words("Pair", ({ sellToken, buyToken }) => cell(amounts.pair(sellToken, buyToken))),
    numbers("Bids", ({ bids }) => cell(bids)),
    numbers("Wins", ({ wins }) => cell(wins)),
    numbers(
      "Volume won",
      ({ volumeWon }) => volumeWon === null ? cell(null) : PageWords.native(volumeWon),
    ),
  ]);
}
