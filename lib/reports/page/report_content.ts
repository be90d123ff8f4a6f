import type { Rate } from "../../metrics/mod.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { pluralize } from "../../units/format.ts";
import { formatPercent } from "../../units/mod.ts";
import { commandOf } from "../command_text.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AuctionReport, ReportedSolution } from "../subjects/inspect_auction.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { orderContent } from "./order_content.ts";
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
import {
  accountCell,
  auctionCell,
  nameNativeToken,
  PageWords,
  shortHex,
  solverCell,
  timeCell,
  transactionCell,
  uidCell,
} from "./page_words.ts";
import {
  deploymentCell,
  programmaticSections,
  settledSection,
  unknownSection,
} from "./subject_sections.ts";

/** What a page can be about. */
export type Report = OrderReport | AuctionReport | AccountReport | SolverReport | TransactionReport;

/** A report as words and cells, without pictures. */
export function contentOf(report: Report, facts: TokenOptions = {}): PageContent {
  const tokens = nameNativeToken(facts, report.deployment.chainId);
  switch (report.schema) {
    case "orderlens/inspect@1":
      return orderContent(report, tokens);
    case "orderlens/inspect-auction@1":
      return auctionContent(report, tokens);
    case "orderlens/inspect-account@1":
      return accountContent(report, tokens);
    case "orderlens/inspect-solver@1":
      return solverContent(report, tokens);
    case "orderlens/inspect-transaction@1":
      return transactionContent(report, tokens);
  }
}

/** The report of an auction as a page. */
function auctionContent(report: AuctionReport, tokens: TokenOptions): PageContent {
  const amounts = new PageWords(tokens);
  const { auctionId, isFound, replay } = report;
  return subjectContent(report, auctionId, {
    title: `Auction ${auctionId}`,
    subject: { auction: auctionId },
    tone: !isFound ? "neutral" : replay?.agrees === false ? "warning" : "good",
    facts: auctionHead(report),
    sections: [
      solutions(report),
      bids(report, amounts),
      settledSection(report.settled, amounts),
      replayed(report),
      auctionOrders(report),
    ],
  });
}

function auctionHead(report: AuctionReport): Fact[] {
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
      : { text: pluralize(replay?.differences.length ?? 0, "difference"), tone: "warning" },
  });
}

function solutions({ solutions, replay }: AuctionReport): Section | null {
  const note = replay?.path === "fast_path"
    ? "By rank. The quote decided who won; a bid below the order's limit is filtered out."
    : "By rank: winners, then others, then those filtered out as unfair; each by score.";
  return listSection({ id: "solutions", title: "Solutions", note, rows: solutions }, [
    numbers("Rank", ({ ranking }) => cell(ranking)),
    words("Solver", ({ solver, solverName }) => solverCell(solver, solverName)),
    numbers("Score", ({ score }) => PageWords.native(score)),
    numbers("Orders", ({ orders }) => cell(orders.length)),
    words("Outcome", outcomeCell),
    words("Transaction", ({ txHash }) => transactionCell(txHash)),
  ]);
}

const WON = {
  in_time: { text: "won, settled in time", tone: "good" },
  late: { text: "won, settled late", tone: "bad" },
  absent: { text: "won, not settled", tone: "bad" },
  pending: { text: "won, being settled", tone: "neutral" },
  unknown: { text: "won", tone: "neutral" },
} as const;

function outcomeCell({ isWinner, filteredOut, settled }: ReportedSolution): Cell {
  if (isWinner) return WON[settled ?? "unknown"];
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
    ? replay.path === "fast_path"
      ? "On the fast path: filter flags, winner and reference score are what its rule gives."
      : "Filter flags, winners, places and reference scores are what the rules give."
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
      words("Unfair", ({ isCertain, pairScore, baseline }) =>
        cell(
          !isCertain
            ? "possible"
            : pairScore.high < baseline
            ? "certain"
            : "certain: no other pair can be",
        )),
    ]),
  };
}

function auctionOrders({ orderUids, solutions }: AuctionReport): Section | null {
  const bidOn = new Map<string, number>();
  for (const { id } of solutions.flatMap((solution) => solution.orders)) {
    bidOn.set(id.toLowerCase(), (bidOn.get(id.toLowerCase()) ?? 0) + 1);
  }
  return listSection({ id: "orders", title: "Orders", rows: orderUids }, [
    words("Order", uidCell),
    numbers("Bids", (uid) => cell(bidOn.get(uid.toLowerCase()) ?? 0)),
  ]);
}

/** The report of a solver as a page. */
function solverContent(report: SolverReport, tokens: TokenOptions): PageContent {
  const { solver, solverName } = report;
  return subjectContent(report, solver, {
    title: `Solver ${solverName ?? shortHex(solver)}`,
    subject: { solver },
    tone: "neutral",
    facts: solverHead(report),
    sections: [won(report), pairs(report, new PageWords(tokens))],
  });
}

function solverHead({ solver, solverName, deployment, auctions, ...rest }: SolverReport): Fact[] {
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
    numbers("Volume won", ({ volumeWon }) => PageWords.native(volumeWon)),
  ]);
}

/** The report of an account as a page. */
function accountContent(report: AccountReport, tokens: TokenOptions): PageContent {
  const amounts = new PageWords(tokens);
  const { account, deployment, totalSurplus } = report;
  return subjectContent(report, account, {
    title: `Account ${shortHex(account)}`,
    subject: { account },
    tone: "neutral",
    facts: factsOf({
      Address: accountCell(account),
      Deployment: deploymentCell(deployment),
      "Total surplus": PageWords.native(totalSurplus),
    }),
    sections: [
      verdicts(report),
      accountOrders(report, amounts),
      ...programmaticSections(report.programmatic, amounts),
    ],
  });
}

function verdicts({ verdicts }: AccountReport): Section | null {
  return listSection({ id: "verdicts", title: "Verdicts", rows: verdicts }, [
    words("Verdict", ({ verdict }) => cell(verdict)),
    numbers("Orders", ({ count }) => cell(count)),
  ]);
}

function accountOrders({ orders, hasMore }: AccountReport, amounts: PageWords): Section | null {
  const title = hasMore ? "Newest orders" : "Orders";
  return listSection({ id: "orders", title, rows: orders }, [
    words("Created", ({ creationDate }) => timeCell(creationDate), { isWhole: true }),
    words("Order", ({ uid }) => uidCell(uid)),
    words("Kind", ({ kind }) => cell(kind)),
    numbers("Sells", ({ sellAmount, sellToken }) => amounts.amount(sellAmount, sellToken)),
    numbers("Buys", ({ buyAmount, buyToken }) => amounts.amount(buyAmount, buyToken)),
    words("What happened", ({ sentence, verdict }) => ({ text: sentence, exact: verdict })),
  ]);
}

/** The report of a transaction as a page. */
function transactionContent(report: TransactionReport, tokens: TokenOptions = {}): PageContent {
  const amounts = new PageWords(tokens);
  const { txHash, isFound, blocksLate } = report;
  const isLate = blocksLate !== null && blocksLate > 0;
  return subjectContent(report, txHash, {
    title: `Transaction ${shortHex(txHash)}`,
    subject: { transaction: txHash },
    tone: !isFound ? "neutral" : isLate ? "warning" : "good",
    facts: transactionHead(report),
    sections: [
      settledSection(report.settled, amounts),
      ...programmaticSections(report.programmatic, amounts),
    ],
  });
}

function transactionHead(report: TransactionReport): Fact[] {
  const { txHash, deployment, isFound, block, at, auctionId, solver, solverName } = report;
  const { ranking, score, settlementCount } = report;
  const facts = { Hash: transactionCell(txHash), Deployment: deploymentCell(deployment) };
  if (!isFound) return factsOf(facts);
  return factsOf({
    ...facts,
    Block: cell(block),
    "Block at": at === null ? null : timeCell(at),
    Settlements: settlementCount !== null && settlementCount > 1 ? cell(settlementCount) : null,
    Auction: auctionCell(auctionId),
    Solver: solverCell(solver, solverName),
    Rank: cell(ranking),
    Score: PageWords.native(score),
  });
}

/** What the pages of all subjects but orders have in common. */
function subjectContent(
  report: Exclude<Report, OrderReport>,
  subject: string | number,
  { sections, ...content }:
    & Omit<
      PageContent,
      "sentence" | "sections" | "network" | "command" | "data"
    >
    & { readonly sections: readonly (Section | null)[] },
): PageContent {
  const { deployment, sentence, unknown } = report;
  return {
    ...content,
    sentence,
    sections: [...sections, unknownSection(unknown)].flatMap((section) => section ?? []),
    network: deployment.network,
    command: commandOf(subject, deployment),
    data: report,
  };
}
