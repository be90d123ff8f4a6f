import type { OrderBook } from "../../client/order_book.ts";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, defineRule, isWhole, type OptionRules } from "../../errors/option_rules.ts";
import {
  type AuctionPath,
  type CompetitionReplay,
  completeTerms,
  type MissedBaseline,
  missedBaselines,
  replayCompetition,
  settlementOutcomes,
  type SettlementResult,
  type SolutionOutcome,
} from "../../metrics/mod.ts";
import { indexInstanceLimits } from "../../metrics/auctions/instance_terms.ts";
import { listTransactions } from "../../metrics/orders/fills.ts";
import type { Competition, Instance, Order, SolutionOrder } from "../../schemas/mod.ts";
import {
  createReportNode,
  reportDeployment,
  type ReportedDeployment,
  type ReportedUnknown,
  type TimelineBasis,
} from "../order/order_report.ts";
import { createNameLookup, type NameLookup } from "../order/report_parts.ts";
import {
  fetchOptional,
  fetchSubject,
  MissingResponses,
  recordOrNull,
} from "../order/report_requests.ts";
import { INSPECT_NOUN_OPTIONS, type InspectNounOptions } from "../order/inspect_order.ts";
import { pluralize } from "../../units/format.ts";
import { type BlockTime, readBlockTime } from "./block_time.ts";
import {
  fetchTradesByUid,
  formatCounts,
  listSettledOrders,
  type SettledOrder,
  type TradesByUid,
} from "./settled_orders.ts";

/** One solution of a reported auction. */
export interface ReportedSolution {
  /** Rank, from 1. */
  readonly ranking: number;
  /** Solver. */
  readonly solver: string;
  /** Its name; `null` if unknown. */
  readonly solverName: string | null;
  /** Score, in native atoms. */
  readonly score: bigint;
  /** Whether it won. */
  readonly isWinner: boolean;
  /** Whether it was filtered out: as unfair, or on the fast path as below the order's limit. */
  readonly filteredOut: boolean;
  /** Its orders, with their amounts after all fees. */
  readonly orders: readonly SolutionOrder[];
  /** Whether it was settled; `null` unless it won. */
  readonly settled: SettlementResult | null;
  /** Its settlement; `null` if unknown or none. */
  readonly txHash: string | null;
  /** Block of the settlement; `null` if unknown or none. */
  readonly block: number | null;
  /** Pairs to which it was unfair; empty unless it was filtered out. */
  readonly missedBaselines: readonly MissedBaseline[];
}

/** The report of one auction, as plain data. Scores are in native atoms. */
export interface AuctionReport {
  /** Always `orderlens/inspect-auction@1`. */
  readonly schema: "orderlens/inspect-auction@1";
  /** Id that was requested. */
  readonly auctionId: number;
  /** Deployment of the auction. */
  readonly deployment: ReportedDeployment;
  /** Summary of the auction, as one sentence. */
  readonly sentence: string;
  /** Whether the deployment has its competition. */
  readonly isFound: boolean;
  /** Start block; `null` without the competition. */
  readonly block: number | null;
  /** Last block in which to settle; `null` if unknown. */
  readonly deadlineBlock: number | null;
  /** Time at which its start block was produced; `null` without a node. */
  readonly at: Temporal.Instant | null;
  /** Basis of the time; `null` without one. */
  readonly basis: TimelineBasis | null;
  /** UIDs of the orders that it listed. */
  readonly orderUids: readonly string[];
  /** Native prices: native atoms for 10^18 atoms of each token. */
  readonly prices: Readonly<Record<string, bigint>>;
  /** Solutions, best rank first. */
  readonly solutions: readonly ReportedSolution[];
  /** Sum of the scores of all winners. */
  readonly totalScore: bigint;
  /** Reference score of each winning solver. */
  readonly referenceScores: Readonly<Record<string, bigint>>;
  /** Filter, winners, places and reference scores by the rules; `null` without the competition. */
  readonly replay: CompetitionReplay | null;
  /** Part that the instance of the auction has in the replay; absent if none was passed. */
  readonly instance?: {
    /** Orders of its solutions whose limit is that of the instance, since there is no record. */
    readonly limits: number;
    /** Whether it says whose orders capture surplus. */
    readonly hasOwners: boolean;
  };
  /** Settlement transactions. */
  readonly transactions: readonly string[];
  /** Orders that were settled from it, with their fills. */
  readonly settled: readonly SettledOrder[];
  /** Facts that cannot be determined. */
  readonly unknown: readonly ReportedUnknown[];
}

/** Options of {@linkcode inspectAuction}. */
export interface InspectAuctionOptions extends InspectNounOptions {
  /**
   * Instance of the auction, by which the replay knows limits of orders without a record, and whose orders
   * capture surplus. @default {none}
   */
  instance?: Instance | undefined;
}

const OPTIONS: OptionRules<InspectAuctionOptions> = {
  ...INSPECT_NOUN_OPTIONS,
  instance: defineRule(
    "a decoded instance",
    (value) => typeof value === "object" && value !== null,
  ),
};

const ACTION = "Cannot inspect an auction";

/**
 * Inspects one auction: its solutions, the winners replayed by the rules, and what was
 * settled, with fees.
 *
 * Asks for the competition, then for the orders of winning solutions, 128 in one request, and for
 * the trades of each.
 *
 * @param book The deployment, a recording, a dataset or the sandbox.
 * @param auctionId Id of the auction.
 * @returns Plain data with every amount in atoms.
 * @throws {InputError} If the id or an option is invalid.
 * @throws {OrderlensError} If a request fails for another reason than that something is missing.
 *
 * @example An auction of a recording
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectAuction } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const report = await inspectAuction(connect(await replay("market_1")), 2624);
 *
 * assertEquals([report.solutions.length, report.replay?.agrees], [3, true]);
 * ```
 */
export async function inspectAuction(
  book: OrderBook,
  auctionId: number,
  options: InspectAuctionOptions = {},
): Promise<AuctionReport> {
  checkOptions(options, OPTIONS, ACTION);
  if (!isWhole(auctionId, 0)) {
    throw new InputError(`${ACTION}: ${JSON.stringify(auctionId)} is not an auction id`, {
      remedy: "Pass a whole number from 0",
    });
  }
  const { signal } = options;
  const competition = await fetchSubject(() => book.competition(auctionId, { signal }));
  return competition === null
    ? reportNotFound(book, auctionId)
    : await reportCompetition(book, competition, options);
}

async function reportCompetition(
  book: OrderBook,
  competition: Competition,
  { node, solvers, instance, signal }: InspectAuctionOptions,
): Promise<AuctionReport> {
  const { auctionId, auctionStartBlock, auction, referenceScores } = competition;
  const findName = createNameLookup(solvers, book);
  const winningUids = new Set(
    competition.solutions.filter(({ isWinner }) => isWinner).flatMap(({ orders }) =>
      orders.map(({ id }) => id)
    ),
  );
  const gaps = new MissingResponses();
  const source = createReportNode(node, { chainId: book.chainId, signal });
  const [trades, response, time] = await Promise.all([
    fetchTradesByUid(book, winningUids, { gaps, signal }),
    fetchOptional(
      () => book.orders(winningUids, { signal }),
      gaps.note("orders_lookup", "The orders of its winners"),
    ),
    readBlockTime(source, auctionStartBlock, signal),
  ]);
  const orders = recordOrNull(response)?.orders ?? [];
  const transactions = [...new Set(listTransactions(competition))];
  const solutions = reportSolutions(competition, { trades, findName });
  const { at: startAt } = time;
  const replay = replayCompetition(competition, completeTerms(instance, { orders }));
  return {
    schema: "orderlens/inspect-auction@1",
    auctionId,
    deployment: reportDeployment(book),
    sentence: formatSentence(competition, { solutions, path: replay.path }),
    isFound: true,
    block: auctionStartBlock,
    deadlineBlock: competition.auctionDeadlineBlock ?? null,
    at: startAt,
    basis: startAt === null ? null : "block",
    orderUids: auction.orders,
    prices: auction.prices,
    solutions,
    totalScore: solutions.reduce(
      (sum, solution) => solution.isWinner ? sum + solution.score : sum,
      0n,
    ),
    referenceScores,
    replay,
    ...instance !== undefined && { instance: describeInstance(instance, competition, orders) },
    transactions,
    settled: listSettledOrders(book, orders, { trades, competition, transactions, findName }),
    unknown: [
      ...gaps.unknown,
      ...listUnknowns(competition, { winning: winningUids.size, known: orders.length, time }),
    ],
  };
}

/** Describes what a replay takes from an instance. */
function describeInstance(
  instance: Instance,
  { solutions }: Competition,
  orders: readonly Order[],
): NonNullable<AuctionReport["instance"]> {
  const limits = indexInstanceLimits(instance);
  const recordedUids = new Set(orders.map(({ uid }) => uid.toLowerCase()));
  const bidUids = new Set(
    solutions.flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase())),
  );
  return {
    limits: [...bidUids.difference(recordedUids)].filter((uid) => limits.has(uid)).length,
    hasOwners: instance.surplusCapturingJitOrderOwners !== undefined,
  };
}

function reportSolutions(
  competition: Competition,
  { trades, findName }: { readonly trades: TradesByUid; readonly findName: NameLookup },
): ReportedSolution[] {
  const { solutions } = settlementOutcomes([competition], { trades: [...trades.values()].flat() });
  const missed = missedBaselines(competition);
  const outcomes = new Map(
    solutions.map((outcome): [number, SolutionOutcome] => [outcome.ranking, outcome]),
  );
  return competition.solutions.map((solution, solutionIndex) => {
    const { ranking, solverAddress, score, isWinner, filteredOut, orders } = solution;
    const outcome = outcomes.get(ranking);
    return {
      ranking,
      solver: solverAddress,
      solverName: findName(solverAddress),
      score,
      isWinner,
      filteredOut,
      orders,
      settled: outcome?.result ?? null,
      txHash: outcome?.txHash ?? solution.txHash ?? null,
      block: outcome?.block ?? null,
      missedBaselines: missed.filter(({ index }) => index === solutionIndex),
    };
  }).sort((a, b) => a.ranking - b.ranking);
}

const NAMES = new Intl.ListFormat("en");

function formatSentence(
  { auction }: Competition,
  { solutions, path }: Pick<AuctionReport, "solutions"> & { readonly path: AuctionPath },
): string {
  const winners = solutions.filter(({ isWinner }) => isWinner);
  const filtered = solutions.filter(({ filteredOut }) => filteredOut).length;
  const bids = `${pluralize(solutions.length, "solution")} for ${
    pluralize(auction.orders.length, "order")
  }`;
  if (winners.length === 0) return `${bids}, and no winner.`;
  const names = [...new Set(winners.map(({ solver, solverName }) => solverName ?? solver))];
  const won = winners.length === 1
    ? `${names[0]} won`
    : `${pluralize(winners.length, "solution")} of ${NAMES.format(names)} won`;
  const reason = path === "fast_path" ? "below the order's limit" : "as unfair";
  const out = filtered === 0 ? "" : `, ${filtered} filtered out ${reason}`;
  const pathText = path === "fast_path" ? " on the fast path, by the order's quote" : "";
  return `${bids}${out}: ${won}${pathText}${formatSettled(winners)}.`;
}

function formatSettled(winners: readonly ReportedSolution[]): string {
  const countResults = (result: ReportedSolution["settled"]) =>
    winners.filter(({ settled }) => settled === result).length;
  const [inTime, late, absent] = [
    countResults("in_time"),
    countResults("late"),
    countResults("absent"),
  ];
  if (inTime === winners.length) {
    return winners.length === 1 ? " and settled in time" : ", and all settled in time";
  }
  // Auctions before 2025-12 name no deadline.
  const undated =
    winners.filter(({ settled, block }) => settled === "unknown" && block !== null).length;
  const parts = formatCounts(
    [inTime, "settled in time"],
    [late, "settled late"],
    [undated, "settled, and its deadline is not known"],
    [absent, "not settled"],
  );
  const unknownCount = winners.length - inTime - late - undated - absent;
  if (parts.length === 0) return "; the responses do not show a settlement";
  return `; ${parts.join(", ")}${unknownCount === 0 ? "" : `, ${unknownCount} not known`}`;
}

function listUnknowns(
  { auctionId }: Competition,
  { winning, known, time }: {
    readonly winning: number;
    readonly known: number;
    readonly time: BlockTime;
  },
): ReportedUnknown[] {
  return [
    ...time.unknown,
    ...time.at !== null || time.unknown.length > 0 ? [] : [{
      what: "time",
      why: "A competition reports its start block, but not its time",
      remedy: "Pass the URL of a node",
    }],
    ...known === winning ? [] : [{
      what: "orders",
      why: `${winning - known} of the ${winning} orders in winning solutions could not be read`,
      remedy: `Inspect auction ${auctionId} again, or use a recording that has them`,
    }],
    {
      what: "attempts",
      why: "Failed attempts to settle are only in debug reports of its orders",
      remedy: "Inspect one of its orders with an API key of a partner",
    },
  ];
}

function reportNotFound(book: OrderBook, auctionId: number): AuctionReport {
  return {
    schema: "orderlens/inspect-auction@1",
    auctionId,
    deployment: reportDeployment(book),
    sentence: `This deployment shows no competition of auction ${auctionId}.`,
    isFound: false,
    block: null,
    deadlineBlock: null,
    at: null,
    basis: null,
    orderUids: [],
    prices: {},
    solutions: [],
    totalScore: 0n,
    referenceScores: {},
    replay: null,
    transactions: [],
    settled: [],
    unknown: [{
      what: "auction",
      why: "Nobody bid in it, the id was skipped, or its deadline has not passed yet",
      remedy: "Try an id near it, the same id later, or another network or environment",
    }],
  };
}
