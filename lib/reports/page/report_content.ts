import type { Rate } from "../../metrics/mod.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { pluralize } from "../../units/format.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { formatPercent } from "../../units/mod.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AuctionReport, ReportedSolution } from "../subjects/inspect_auction.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { toOrderContent } from "./order_content.ts";
import {
  buildTable,
  type Cell,
  cell,
  type Fact,
  listSection,
  numberColumn,
  type PageContent,
  type Section,
  textColumn,
  toFacts,
} from "./page_content.ts";
import {
  CellFormatter,
  shortenHex,
  toAccountCell,
  toAuctionCell,
  toSolverCell,
  toTimeCell,
  toTransactionCell,
  toUidCell,
} from "./cell_formatter.ts";
import { listTokens, namePageTokens } from "./node_tokens.ts";
import { buildTokensSection } from "./tokens_section.ts";
import { toTransactionContent } from "./transaction_content.ts";
import {
  buildProgrammaticSections,
  buildSettledSection,
  toDeploymentCell,
  toSubjectContent,
} from "./subject_sections.ts";

/** Any report that a page can show. */
export type Report = OrderReport | AuctionReport | AccountReport | SolverReport | TransactionReport;

/** A report as words and cells, without pictures. */
export function toPageContent(report: Report, facts: TokenOptions = {}): PageContent {
  const tokens = listTokens(report);
  // Its page has what the trader sold, and the order what the EthFlow contract wrapped.
  if (report.schema === "orderlens/inspect@1" && report.order?.ethflowData != null) {
    tokens.add(NATIVE_TOKEN_ADDRESS);
  }
  const amounts = new CellFormatter(namePageTokens(tokens, facts, report.deployment));
  const content = describeReport(report, amounts);
  const section = buildTokensSection(tokens, amounts);
  if (section === null) return content;
  // Before what is not known, which comes last.
  const last = content.sections.findIndex(({ id }) => id === "unknown");
  const index = last === -1 ? content.sections.length : last;
  return { ...content, sections: content.sections.toSpliced(index, 0, section) };
}

function describeReport(report: Report, amounts: CellFormatter): PageContent {
  switch (report.schema) {
    case "orderlens/inspect@1":
      return toOrderContent(report, amounts);
    case "orderlens/inspect-auction@1":
      return toAuctionContent(report, amounts);
    case "orderlens/inspect-account@1":
      return toAccountContent(report, amounts);
    case "orderlens/inspect-solver@1":
      return toSolverContent(report, amounts);
    case "orderlens/inspect-transaction@1":
      return toTransactionContent(report, amounts);
  }
}

/** The report of an auction as a page. */
function toAuctionContent(report: AuctionReport, amounts: CellFormatter): PageContent {
  const { auctionId, isFound, replay } = report;
  return toSubjectContent(report, auctionId, {
    title: `Auction ${auctionId}`,
    subject: { auction: auctionId },
    tone: !isFound ? "neutral" : replay?.agrees === false ? "warning" : "good",
    facts: buildAuctionFacts(report, amounts),
    sections: [
      buildSolutionsSection(report, amounts),
      buildBidsSection(report, amounts),
      buildSettledSection(report.settled, amounts),
      buildReplaySection(report, amounts),
      buildAuctionOrdersSection(report),
    ],
  });
}

function buildAuctionFacts(report: AuctionReport, amounts: CellFormatter): Fact[] {
  const { deployment, isFound, block, deadlineBlock, at: startAt, orderUids, replay, totalScore } =
    report;
  const facts = { Deployment: toDeploymentCell(deployment) };
  if (!isFound) return toFacts(facts);
  return toFacts({
    ...facts,
    "Start block": cell(block),
    "Deadline block": cell(deadlineBlock),
    "Start block at": startAt === null ? null : toTimeCell(startAt),
    Orders: cell(orderUids.length),
    "Score of winners": amounts.formatNative(totalScore),
    Replayed: replay?.agrees === true
      ? { text: "as reported", tone: "good" }
      : { text: pluralize(replay?.differences.length ?? 0, "difference"), tone: "warning" },
  });
}

function buildSolutionsSection(
  { solutions, replay }: AuctionReport,
  amounts: CellFormatter,
): Section | null {
  const note = replay?.path === "fast_path"
    ? "By rank. The quote decided who won; a bid below the order's limit is filtered out."
    : "By rank: winners, then others, then those filtered out as unfair; each by score.";
  return listSection({ id: "solutions", title: "Solutions", note, rows: solutions }, [
    numberColumn("Rank", ({ ranking }) => cell(ranking)),
    textColumn("Solver", ({ solver, solverName }) => toSolverCell(solver, solverName)),
    numberColumn("Score", ({ score }) => amounts.formatNative(score)),
    numberColumn("Orders", ({ orders }) => cell(orders.length)),
    textColumn("Outcome", toOutcomeCell),
    textColumn("Transaction", ({ txHash }) => toTransactionCell(txHash)),
  ]);
}

const WON_CELLS = {
  in_time: { text: "won, settled in time", tone: "good" },
  late: { text: "won, settled late", tone: "bad" },
  absent: { text: "won, not settled", tone: "bad" },
  pending: { text: "won, being settled", tone: "neutral" },
  unknown: { text: "won", tone: "neutral" },
} as const;

function toOutcomeCell({ isWinner, filteredOut, settled: result }: ReportedSolution): Cell {
  if (isWinner) return WON_CELLS[result ?? "unknown"];
  return cell(filteredOut ? "filtered out" : "lost");
}

function buildBidsSection({ solutions }: AuctionReport, amounts: CellFormatter): Section | null {
  const toAmountCell = (atoms: bigint | string, token: string | undefined) =>
    token === undefined ? cell(String(atoms)) : amounts.formatAmount(BigInt(atoms), token);
  const rows = solutions.flatMap(({ orders, ...solution }) =>
    orders.map((order) => ({ solution, ...order }))
  ).sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  return listSection({ id: "bids", title: "Bids on orders", rows }, [
    textColumn("Order", ({ id }) => toUidCell(id)),
    numberColumn("Rank", ({ solution }) => cell(solution.ranking)),
    textColumn("Solver", ({ solution }) => toSolverCell(solution.solver, solution.solverName)),
    numberColumn("Sells", ({ sellAmount, sellToken }) => toAmountCell(sellAmount, sellToken)),
    numberColumn("Buys", ({ buyAmount, buyToken }) => toAmountCell(buyAmount, buyToken)),
  ]);
}

function buildReplaySection(
  { replay, solutions }: AuctionReport,
  amounts: CellFormatter,
): Section | null {
  if (replay === null) return null;
  const missedRows = solutions.flatMap(({ missedBaselines, ...solution }) =>
    missedBaselines.map((baseline) => ({ ...solution, ...baseline }))
  );
  const differences = replay.differences.map(({ what, solver, reported, replayed }) =>
    `${what} of ${solver}: ${reported} reported, ${replayed} by the rules`
  );
  const note = replay.agrees
    ? replay.path === "fast_path"
      ? "On the fast path: filter flags, winner and reference score match its rule."
      : "Filter flags, winners, ranks and reference scores match the rules."
    : `${differences.join("; ")}. Possible reasons: ${
      replay.possibleReasons.join(", ").replaceAll("_", " ") || "none known"
    }.`;
  return {
    id: "replay",
    title: "Replayed by the rules",
    note,
    table: missedRows.length === 0 ? undefined : buildTable(missedRows, [
      numberColumn("Rank", ({ ranking }) => cell(ranking)),
      textColumn("Solver", ({ solver, solverName }) => toSolverCell(solver, solverName)),
      numberColumn(
        "Score on the pair, at most",
        ({ pairScore }) => amounts.formatNative(pairScore.high),
      ),
      numberColumn("Baseline", ({ baseline }) => amounts.formatNative(baseline)),
      textColumn("Unfair", ({ isCertain, pairScore, baseline }) =>
        cell(
          !isCertain
            ? "possible"
            : pairScore.high < baseline
            ? "certain"
            : "certain: the only possible pair",
        )),
    ]),
  };
}

function buildAuctionOrdersSection({ orderUids, solutions }: AuctionReport): Section | null {
  const bidCounts = new Map<string, number>();
  for (const { id } of solutions.flatMap((solution) => solution.orders)) {
    bidCounts.set(id.toLowerCase(), (bidCounts.get(id.toLowerCase()) ?? 0) + 1);
  }
  return listSection({ id: "orders", title: "Orders", rows: orderUids }, [
    textColumn("Order", toUidCell),
    numberColumn("Bids", (uid) => cell(bidCounts.get(uid.toLowerCase()) ?? 0)),
  ]);
}

/** The report of a solver as a page. */
function toSolverContent(report: SolverReport, amounts: CellFormatter): PageContent {
  const { solver, solverName } = report;
  return toSubjectContent(report, solver, {
    title: `Solver ${solverName ?? shortenHex(solver)}`,
    subject: { solver },
    tone: "neutral",
    facts: buildSolverFacts(report, amounts),
    sections: [buildWonSection(report, amounts), buildPairsSection(report, amounts)],
  });
}

function buildSolverFacts(
  { solver, solverName, deployment, auctions, ...details }: SolverReport,
  amounts: CellFormatter,
): Fact[] {
  const { statistics, outcomes, place: rank, solvers } = details;
  const facts = {
    Address: toSolverCell(solver, null),
    Name: solverName === null ? null : cell(solverName),
    Deployment: toDeploymentCell(deployment),
    Auctions: cell(auctions === null ? null : `${auctions.from} to ${auctions.to}`),
  };
  if (statistics === null) return toFacts(facts);
  return toFacts({
    ...facts,
    Place: cell(`${rank} of ${solvers} by score won`),
    "Auctions won": toRateCell(statistics.winRate),
    "Settled in time": toRateCell(outcomes?.successRate ?? null),
    Bids: cell(statistics.bids),
    "Filtered out": cell(statistics.filteredBids),
    "Score won": amounts.formatNative(statistics.scoreWon),
    "Win margin": amounts.formatNative(statistics.winMarginSum),
  });
}

function toRateCell(rate: Rate | null): Cell {
  if (rate === null || rate.share === null) return cell(null);
  const { successes, trials, share } = rate;
  return cell(
    `${successes} of ${trials}, ${formatPercent(share, { digits: 1, rounding: "floor" })}`,
  );
}

const SETTLED_CELLS = {
  in_time: { text: "in time", tone: "good" },
  late: { text: "late", tone: "bad" },
  absent: { text: "not settled", tone: "bad" },
  pending: { text: "pending", tone: "neutral" },
  unknown: { text: "not known", tone: "neutral" },
} as const;

function buildWonSection({ won }: SolverReport, amounts: CellFormatter): Section | null {
  return listSection({ id: "won", title: "Solutions that won", rows: won }, [
    numberColumn("Auction", ({ auctionId }) => toAuctionCell(auctionId)),
    numberColumn("Rank", ({ ranking }) => cell(ranking)),
    numberColumn("Score", ({ score }) => amounts.formatNative(score)),
    numberColumn("Orders", ({ orders }) => cell(orders.length)),
    textColumn("Settled", ({ result }) => SETTLED_CELLS[result]),
    numberColumn("Block", ({ block }) => cell(block)),
    numberColumn("Deadline", ({ deadlineBlock }) => cell(deadlineBlock)),
    textColumn("Transaction", ({ txHash }) => toTransactionCell(txHash)),
  ]);
}

function buildPairsSection({ statistics }: SolverReport, amounts: CellFormatter): Section | null {
  return listSection({ id: "pairs", title: "Pairs", rows: statistics?.pairs ?? [] }, [
    textColumn("Pair", ({ sellToken, buyToken }) => cell(amounts.formatPair(sellToken, buyToken))),
    numberColumn("Bids", ({ bids }) => cell(bids)),
    numberColumn("Wins", ({ wins }) => cell(wins)),
    numberColumn("Volume won", ({ volumeWon }) => amounts.formatNative(volumeWon)),
  ]);
}

/** The report of an account as a page. */
function toAccountContent(report: AccountReport, amounts: CellFormatter): PageContent {
  const { account, deployment, totalSurplus } = report;
  return toSubjectContent(report, account, {
    title: `Account ${shortenHex(account)}`,
    subject: { account },
    tone: "neutral",
    facts: toFacts({
      Address: toAccountCell(account),
      Deployment: toDeploymentCell(deployment),
      "Total surplus": amounts.formatNative(totalSurplus),
    }),
    sections: [
      buildVerdictsSection(report),
      buildAccountOrdersSection(report, amounts),
      ...buildProgrammaticSections(report.programmatic, amounts),
    ],
  });
}

function buildVerdictsSection({ verdicts }: AccountReport): Section | null {
  return listSection({ id: "verdicts", title: "Verdicts", rows: verdicts }, [
    textColumn("Verdict", ({ verdict }) => cell(verdict)),
    numberColumn("Orders", ({ count }) => cell(count)),
  ]);
}

function buildAccountOrdersSection(
  { orders, hasMore }: AccountReport,
  amounts: CellFormatter,
): Section | null {
  const title = hasMore ? "Newest orders" : "Orders";
  return listSection({ id: "orders", title, rows: orders }, [
    textColumn("Created", ({ creationDate }) => toTimeCell(creationDate), { isWhole: true }),
    textColumn("Order", ({ uid }) => toUidCell(uid)),
    textColumn("Kind", ({ kind }) => cell(kind)),
    numberColumn(
      "Sells",
      ({ sellAmount, sellToken }) => amounts.formatAmount(sellAmount, sellToken),
    ),
    numberColumn("Buys", ({ buyAmount, buyToken }) => amounts.formatAmount(buyAmount, buyToken)),
    numberColumn(
      "Limit rate",
      (order) => amounts.formatRate(order, order.sellAmount, order.buyAmount) ?? cell(null),
    ),
    textColumn("What happened", ({ sentence, verdict }) => ({ text: sentence, exact: verdict })),
  ]);
}
