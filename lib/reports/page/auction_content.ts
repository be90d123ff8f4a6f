import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { AuctionReport, ReportedSolution } from "../subjects/auction_report.ts";
import {
  type Cell,
  cell,
  type Fact,
  factsOf,
  listSection,
  numbers,
  type PageContent,
  type Section,
  tableOf,
  words,
} from "./page_content.ts";
import { PageWords, solverCell, timeCell, transactionCell, uidCell } from "./page_words.ts";
import { commandOf, deploymentCell, settledSection, unknownSection } from "./subject_sections.ts";

/** The report of an auction as a page. */
export function auctionContent(report: AuctionReport, tokens: TokenOptions = {}): PageContent {
  const amounts = new PageWords(tokens);
  const { auctionId, deployment, sentence, isFound, replay } = report;
  return {
    title: `Auction ${auctionId}`,
    subject: { auction: auctionId },
    sentence,
    tone: !isFound ? "neutral" : replay?.agrees === false ? "warning" : "good",
    facts: head(report),
    sections: [
      solutions(report),
      bids(report, amounts),
      settledSection(report.settled, amounts),
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
  const facts = { Deployment: deploymentCell(deployment) };
  if (!isFound) return factsOf(facts);
  return factsOf({
    ...facts,
    "Start block": cell(block),
    "Deadline block": cell(deadlineBlock),
    "Start block at": at === null ? null : timeCell(at),
    Orders: cell(orderUids.length),
    "Score of winners": PageWords.native(totalScore),
    Replayed: replay?.agrees === true
      ? { text: "as reported", tone: "good" }
      : { text: `${replay?.differences.length ?? 0} differences`, tone: "warning" },
  });
}

function solutions({ solutions }: AuctionReport): Section | null {
  const note = "By rank: winners, then others, then those filtered out as unfair; each by score.";
  return listSection({ id: "solutions", title: "Solutions", note, rows: solutions }, [
    numbers("Rank", ({ ranking }) => cell(ranking)),
    words("Solver", ({ solver, solverName }) => solverCell(solver, solverName)),
    numbers("Score", ({ score }) => PageWords.native(score)),
    numbers("Orders", ({ orders }) => cell(orders.length)),
    words("Outcome", outcomeCell),
    words("Transaction", ({ txHash }) => transactionCell(txHash)),
  ]);
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

function bids({ solutions }: AuctionReport, amounts: PageWords): Section | null {
  const amountCell = (atoms: bigint | string, token: string | undefined) =>
    token === undefined ? cell(String(atoms)) : amounts.amount(BigInt(atoms), token);
  const rows = solutions.flatMap(({ orders, ...solution }) =>
    orders.map((order) => ({ solution, ...order }))
  ).sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return listSection({ id: "bids", title: "Bids on orders", rows }, [
    words("Order", ({ id }) => uidCell(id)),
    numbers("Rank", ({ solution }) => cell(solution.ranking)),
    words("Solver", ({ solution }) => solverCell(solution.solver, solution.solverName)),
    numbers("Sells", ({ sellAmount, sellToken }) => amountCell(sellAmount, sellToken)),
    numbers("Buys", ({ buyAmount, buyToken }) => amountCell(buyAmount, buyToken)),
  ]);
}

function replayed({ replay, solutions }: AuctionReport): Section | null {
  if (replay === null) return null;
  const missed = solutions.flatMap(({ missedBaselines, ...solution }) =>
    missedBaselines.map((baseline) => ({ ...solution, ...baseline }))
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
    table: missed.length === 0 ? undefined : tableOf(missed, [
      numbers("Rank", ({ ranking }) => cell(ranking)),
      words("Solver", ({ solver, solverName }) => solverCell(solver, solverName)),
      numbers("Score on a pair, at most", ({ pairScore }) => PageWords.native(pairScore.high)),
      numbers("Baseline", ({ baseline }) => PageWords.native(baseline)),
      words("Unfair", ({ isCertain }) => cell(isCertain ? "certain" : "possible")),
    ]),
  };
}

function orders({ orderUids, solutions }: AuctionReport): Section | null {
  const bidOn = new Map<string, number>();
  for (const { id } of solutions.flatMap((solution) => solution.orders)) {
    bidOn.set(id.toLowerCase(), (bidOn.get(id.toLowerCase()) ?? 0) + 1);
  }
  return listSection({ id: "orders", title: "Orders", rows: orderUids }, [
    words("Order", uidCell),
    numbers("Bids", (uid) => cell(bidOn.get(uid.toLowerCase()) ?? 0)),
  ]);
}
