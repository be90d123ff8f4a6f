import {
  isNotComputable,
  orderFill,
  type Rate,
  surplusBpsOfLimit,
  surplusToken,
} from "../../metrics/mod.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { formatPercent } from "../../units/mod.ts";
import { nameVerdict } from "../order/verdicts.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AuctionReport } from "../subjects/inspect_auction.ts";
import type { AccountOrder, AccountReport } from "../subjects/inspect_account.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { toFilledStatusCell } from "./order_amounts.ts";
import { toOrderContent } from "./order_content.ts";
import {
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
  toBpsCell,
  toSolverCell,
  toTimeCell,
  toTransactionCell,
  toUidCell,
} from "./cell_formatter.ts";
import { listTokens, namePageTokens } from "./node_tokens.ts";
import { toAuctionContent } from "./auction_content.ts";
import { buildTokensSection } from "./tokens_section.ts";
import { toTransactionContent } from "./transaction_content.ts";
import {
  buildDeploymentFacts,
  buildProgrammaticSections,
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
    ...buildDeploymentFacts(deployment),
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
      ...buildDeploymentFacts(deployment),
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
    textColumn("Verdict", ({ verdict }) => ({ text: nameVerdict(verdict), exact: verdict })),
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
    textColumn("Status", (order) => toFilledStatusCell(order.status, order)),
    textColumn("Terms", (order) => cell(amounts.formatLimit(order))),
    numberColumn(
      "Limit rate",
      (order) => amounts.formatRate(order, order.sellAmount, order.buyAmount) ?? cell(null),
    ),
    numberColumn("Over limit", (order) => toOverLimitCell(order, amounts)),
    textColumn("What happened", ({ sentence, verdict }) => ({ text: sentence, exact: verdict })),
  ]);
}

/** The surplus of an order's fills as a share of its limit; `exact` has the amount. */
function toOverLimitCell(order: AccountOrder, amounts: CellFormatter): Cell {
  const { surplusAtoms } = order;
  const bps = surplusBpsOfLimit(orderFill(order), order);
  if (surplusAtoms === null || isNotComputable(bps)) return cell(null);
  const amount = amounts.formatAmount(surplusAtoms, surplusToken(order));
  return { ...toBpsCell(bps), exact: `${amount.text}: ${amount.exact}` };
}
