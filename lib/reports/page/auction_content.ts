import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { AuctionReport, ReportedSolution } from "../subjects/auction_report.ts";
import { type Cell, cell, type Fact, type PageContent, type Section } from "./page_content.ts";
import { PageWords, solverCell, timeCell, transactionCell, uidCell } from "./page_words.ts";
import { commandOf, deploymentFact, settledSection, unknownSection } from "./subject_sections.ts";

/** The report of an auction as a page. */
export function auctionContent(report: AuctionReport, tokens: TokenOptions = {}): PageContent {
  const words = new PageWords(tokens);
  const { auctionId, deployment, sentence, isFound, replay } = report;
  return {
    title: `Auction ${auctionId}`,
    subject: { auction: auctionId },
    sentence,
    tone: !isFound ? "neutral" : replay?.agrees === false ? "warning" : "good",
    facts: head(report),
    sections: [
      solutions(report),
      bids(report, words),
      settledSection(report.settled, words),
      replayed(report),
      orders(report),
      unknownSection(report.unknown),
    ].flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(auctionId, deployment),
    data: report,
  };
}

function head(report: AuctionReport): Fact[] {
  const { deployment, isFound, block, deadlineBlock, at, orderUids, replay, totalScore } = report;
  const facts = [deploymentFact(deployment)];
  if (!isFound) return facts;
  return [
    ...facts,
    { name: "Start block", value: cell(block) },
    { name: "Deadline block", value: cell(deadlineBlock) },
    ...at === null ? [] : [{ name: "Start block at", value: timeCell(at) }],
    { name: "Orders", value: cell(orderUids.length) },
    { name: "Score of winners", value: PageWords.native(totalScore) },
    {
      name: "Replayed",
      value: replay?.agrees === true
        ? { text: "as reported", tone: "good" }
        : { text: `${replay?.differences.length ?? 0} differences`, tone: "warning" },
    },
  ];
}

function solutions({ solutions }: AuctionReport): Section | null {
  if (solutions.length === 0) return null;
  return {
    id: "solutions",
    title: "Solutions",
    note: "By rank: winners, then others, then those filtered out as unfair; each by score.",
    table: {
      columns: [
        { name: "Rank", isNumber: true },
        { name: "Solver" },
        { name: "Score", isNumber: true },
        { name: "Orders", isNumber: true },
        { name: "Outcome" },
        { name: "Transaction" },
      ],
      rows: solutions.map((solution) => [
        cell(solution.ranking),
        solverCell(solution.solver, solution.solverName),
        PageWords.native(solution.score),
        cell(solution.orders.length),
        outcomeCell(solution),
        transactionCell(solution.txHash),
      ]),
    },
  };
}

const SETTLED = {
  in_time: { text: "won, settled in time", tone: "good" },
  late: { text: "won, settled late", tone: "bad" },
  absent: { text: "won, not settled", tone: "bad" },
  pending: { text: "won, being settled", tone: "neutral" },
  unknown: { text: "won", tone: "neutral" },
} as const;

function outcomeCell({ isWinner, filteredOut, settled }: ReportedSolution): Cell {
  if (isWinner) return SETTLED[settled ?? "unknown"];
  return cell(filteredOut ? "filtered out" : "lost");
}

function bids({ solutions }: AuctionReport, words: PageWords): Section | null {
  const rows = solutions.flatMap(({ ranking, solver, solverName, orders }) =>
    orders.map(({ id, sellAmount, buyAmount, sellToken, buyToken }) => [
      uidCell(id),
      cell(ranking),
      solverCell(solver, solverName),
      sellToken === undefined ? cell(String(sellAmount)) : words.amount(sellAmount, sellToken),
      buyToken === undefined ? cell(String(buyAmount)) : words.amount(buyAmount, buyToken),
    ])
  );
  if (rows.length === 0) return null;
  return {
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
      rows: rows.sort((a, b) =>
        a[0]!.exact! < b[0]!.exact! ? -1 : a[0]!.exact! > b[0]!.exact! ? 1 : 0
      ),
    },
  };
}

function replayed({ replay, solutions }: AuctionReport): Section | null {
  if (replay === null) return null;
  const missed = solutions.flatMap(({ ranking, solver, solverName, missedBaselines }) =>
    missedBaselines.map(({ pairScore, baseline, isCertain }) => [
      cell(ranking),
      solverCell(solver, solverName),
      PageWords.native(pairScore.high),
      PageWords.native(baseline),
      cell(isCertain ? "certain" : "possible"),
    ])
  );
  const differences = replay.differences.map(({ what, solver, reported, replayed }) =>
    `${what} of ${solver}: ${reported} reported, ${replayed} by the rules`
  );
  const note = replay.agrees
    ? "Filter flags, winners, places and reference scores are what the rules give."
    : `${differences.join("; ")}. Possible reasons: ${
      replay.possibleReasons.join(", ").replaceAll("_", " ") || "none known"
    }.`;
  return {
    id: "replay",
    title: "Replayed by the rules",
    note,
    ...missed.length === 0 ? {} : {
      table: {
        columns: [
          { name: "Rank", isNumber: true },
          { name: "Solver" },
          { name: "Score on a pair, at most", isNumber: true },
          { name: "Baseline", isNumber: true },
          { name: "Unfair" },
        ],
        rows: missed,
      },
    },
  };
}

function orders({ orderUids, solutions }: AuctionReport): Section | null {
  if (orderUids.length === 0) return null;
  const bidOn = new Map<string, number>();
  for (const { orders } of solutions) {
    for (const { id } of orders) {
      bidOn.set(id.toLowerCase(), (bidOn.get(id.toLowerCase()) ?? 0) + 1);
    }
  }
  return {
    id: "orders",
    title: "Orders",
    table: {
      columns: [{ name: "Order" }, { name: "Bids", isNumber: true }],
      rows: orderUids.map((uid) => [uidCell(uid), cell(bidOn.get(uid.toLowerCase()) ?? 0)]),
    },
  };
}
