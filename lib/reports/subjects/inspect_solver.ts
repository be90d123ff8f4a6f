import { AuctionReader } from "../../client/auction_reader.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { requireHex } from "../../endpoints/calls.ts";
import type { AuctionIds, LatestAuctionIds, Progress } from "../../endpoints/mod.ts";
import { listIds, walkAuctions } from "../../endpoints/walk_auctions.ts";
import { NotFoundError } from "../../errors/mod.ts";
import { checkOptions, defineRule, isWhole, type OptionRules } from "../../errors/option_rules.ts";
import {
  findLatestStart,
  settlementOutcomes,
  type SolutionOutcome,
  type SolverOutcomes,
  type SolverStatistics,
  solverStatistics,
} from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import {
  reportDeployment,
  type ReportedDeployment,
  type ReportedUnknown,
} from "../order/order_report.ts";
import { createNameLookup } from "../order/report_parts.ts";
import { MissingResponses } from "../order/report_requests.ts";
import { readLatest } from "../order/walk_lifetime.ts";
import { INSPECT_NOUN_OPTIONS, type InspectNounOptions } from "../order/inspect_order.ts";
import { pluralize } from "../../units/format.ts";
import { fetchTradesByUid, formatCounts } from "./settled_orders.ts";

/** Options of {@linkcode inspectSolver}. */
export interface InspectSolverOptions extends Omit<InspectNounOptions, "node"> {
  /** Auctions to look at. @default {{ last: 100 }} */
  auctions?: AuctionIds | LatestAuctionIds | undefined;
  /** Called for each auction id. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** The report of one solver in some auctions, as plain data. Scores are in native atoms. */
export interface SolverReport {
  /** Always `orderlens/inspect-solver@1`. */
  readonly schema: "orderlens/inspect-solver@1";
  /** Address that was requested, in lower case. */
  readonly solver: string;
  /** Its name; `null` if unknown. */
  readonly solverName: string | null;
  /** Deployment of the solver. */
  readonly deployment: ReportedDeployment;
  /** Summary of the solver, as one sentence. */
  readonly sentence: string;
  /** Auction ids that were looked at; `null` if the deployment shows no auction. */
  readonly auctions: {
    /** First id. */
    readonly from: number;
    /** Last id. */
    readonly to: number;
    /** Competitions among them. */
    readonly found: number;
    /** Ids that could not be read, or were not recorded. */
    readonly unread: number;
  } | null;
  /** Solvers that bid in them. */
  readonly solvers: number;
  /** Its place by the scores that it won, from 1; `null` if it did not bid. */
  readonly place: number | null;
  /** Its bids, wins, scores and pairs; `null` if it did not bid. */
  readonly statistics: SolverStatistics | null;
  /** Reliability of its settlements; `null` if it did not win. */
  readonly outcomes: SolverOutcomes | null;
  /** Its winning solutions, oldest first. */
  readonly won: readonly SolutionOutcome[];
  /** Facts that cannot be determined. */
  readonly unknown: readonly ReportedUnknown[];
}

const ACTION = "Cannot inspect a solver";
const DEFAULT_AUCTIONS = { last: 100 };

const { node: _, ...NOUN_OPTIONS } = INSPECT_NOUN_OPTIONS;

const OPTIONS: OptionRules<InspectSolverOptions> = {
  ...NOUN_OPTIONS,
  auctions: defineRule("{ last } from 1, or { from, to } in order", isRange),
  onProgress: Function,
};

function isRange(value: unknown): boolean {
  const { last, from, to } = Object(value);
  return last === undefined
    ? isWhole(from, 0) && isWhole(to, 0) && Number(from) <= Number(to)
    : isWhole(last, 1);
}

/**
 * Inspects one solver in some auctions: how often it bid and won, for which pairs, and how reliably
 * it settled.
 *
 * Asks for each auction, four at a time, and for the trades of one order of each solution that it
 * won: their block tells whether it settled in time.
 *
 * @param book The deployment, a recording, a dataset or the sandbox.
 * @param address Address that the solver settles from.
 * @returns Plain data with every amount in atoms.
 * @throws {InputError} If the address or an option is invalid.
 * @throws {OrderlensError} If a request fails for another reason than that something is missing.
 *
 * @example A solver in the last ten auctions of a recording
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectSolver } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect(await replay("market_1"));
 * const { solutions } = await book.competition("latest");
 * const { solverAddress } = solutions.at(-1)!;
 * const report = await inspectSolver(book, solverAddress, { auctions: { last: 10 } });
 *
 * assertEquals([report.auctions?.to, report.won.length > 0], [2624, true]);
 * ```
 */
export async function inspectSolver(
  book: OrderBook,
  address: string,
  options: InspectSolverOptions = {},
): Promise<SolverReport> {
  checkOptions(options, OPTIONS, ACTION);
  requireHex(address, "an address");
  const { solvers: names, signal } = options;
  const { range, competitions, unread } = await readAuctions(book, options);
  const ownCompetitions = competitions.map((competition) => ({
    ...competition,
    solutions: competition.solutions.filter(({ solverAddress }) => sameHex(solverAddress, address)),
  }));
  const sampleUids = ownCompetitions.flatMap(({ solutions }) =>
    solutions.flatMap(({ isWinner, orders }) => isWinner ? orders[0]?.id ?? [] : [])
  );
  const gaps = new MissingResponses();
  const trades = await fetchTradesByUid(book, sampleUids, { gaps, signal });
  const outcomes = settlementOutcomes(ownCompetitions, {
    trades: [...trades.values()].flat(),
    latestBlock: findLatestStart(competitions),
  });
  const market = solverStatistics(competitions, { outcomes: outcomes });
  const index = market.solvers.findIndex(({ solver }) => sameHex(solver, address));
  const solver = address.toLowerCase();
  const facts = {
    solver,
    solverName: createNameLookup(names, book)(solver),
    auctions: range === null ? null : { ...range, found: competitions.length, unread },
    statistics: market.solvers[index] ?? null,
    outcomes: outcomes.solvers[0] ?? null,
  };
  return {
    schema: "orderlens/inspect-solver@1",
    deployment: reportDeployment(book),
    sentence: formatSentence(facts),
    ...facts,
    solvers: market.solvers.length,
    place: index === -1 ? null : index + 1,
    won: outcomes.solutions,
    unknown: [...gaps.unknown, ...listUnknowns(facts)],
  };
}

async function readAuctions(
  book: OrderBook,
  { auctions = DEFAULT_AUCTIONS, onProgress, signal }: InspectSolverOptions,
) {
  const latest = await readLatest(new AuctionReader(book.transport, signal));
  if (latest === null) return { range: null, competitions: [], unread: 0 };
  const range = "last" in auctions
    ? { from: Math.max(0, latest.auctionId - auctions.last + 1), to: latest.auctionId }
    : { from: auctions.from, to: Math.max(auctions.from, Math.min(auctions.to, latest.auctionId)) };
  const competitions: Competition[] = [];
  let [unread, done] = [0, 0];
  const ids = listIds(range.from, range.to);
  for await (const { competition, error } of walkAuctions(book.transport, ids, { signal })) {
    onProgress?.({ done: ++done, total: range.to - range.from + 1 });
    if (competition !== null) competitions.push(competition);
    else if (!(error instanceof NotFoundError)) unread++;
  }
  return { range, competitions, unread };
}

type Facts = Pick<
  SolverReport,
  "solver" | "solverName" | "auctions" | "statistics" | "outcomes"
>;

function formatSentence({ solver, solverName, auctions, statistics, outcomes }: Facts): string {
  const name = solverName ?? solver;
  if (auctions === null) return "This deployment shows no auction.";
  const auctionsText = pluralize(auctions.found, "auction");
  if (statistics === null) return `${name} did not bid in any of ${auctionsText}.`;
  const { winRate } = statistics;
  const bid = `${name} bid in ${winRate.trials} of ${auctionsText}`;
  if (winRate.successes === 0 || outcomes === null) return `${bid} and won none.`;
  const { inTime, late, absent, pending, unknown: unknownCount, won } = outcomes;
  const parts = formatCounts([inTime, "in time"], [late, "late"], [absent, "not at all"]);
  const open = [
    ...formatCounts([pending, "may still settle"]),
    ...unknownCount === 0 ? [] : [`the outcome of ${unknownCount} is unknown`],
  ];
  const settledText = parts.length === 0 ? [] : [`it settled ${parts.join(", ")}`];
  const results = [...settledText, ...open].join("; ");
  const suffix = results === "" ? "" : `; of ${pluralize(won, "winning solution")} ${results}`;
  return `${bid} and won ${winRate.successes}${suffix}.`;
}

function listUnknowns({ auctions, outcomes }: Facts): ReportedUnknown[] {
  return [
    ...auctions === null || auctions.unread === 0 ? [] : [{
      what: "auctions",
      why: `${auctions.unread} of the ids ${auctions.from} to ${auctions.to} could not be read`,
      remedy: "Try again, or use a recording that has all auctions of the range",
    }],
    ...(outcomes?.unknown ?? 0) === 0 ? [] : [{
      what: "outcomes",
      why: `The block of ${pluralize(outcomes!.unknown, "settlement")} could not be read`,
      remedy: "Try again, or use a recording that has the trades",
    }],
  ];
}
