import { checkOptions, type OptionRules, wholeFrom } from "../../errors/option_rules.ts";
import type { Competition, DebugReport, SettlementAttempt, Trade } from "../../schemas/mod.ts";
import { groupByHex } from "../../units/mod.ts";
import { list } from "../option_kinds.ts";
import type { Rate } from "./rate.ts";
import { rate } from "./rate.ts";
import { SettlementEvidence } from "./settlement_evidence.ts";

/**
 * What became of a winning solution.
 *
 * - `"in_time"`: settled in the deadline block or before
 * - `"late"`: settled after it
 * - `"absent"`: not settled, and it can no more be in time
 * - `"pending"`: not settled yet, and the deadline is not over
 * - `"unknown"`: what was given does not tell
 */
export type SettlementResult = "in_time" | "late" | "absent" | "pending" | "unknown";

/**
 * What a result stands on.
 *
 * - `"trade_block"`: the block of a trade of the transaction, against the deadline
 * - `"attempt"`: the service's own try to settle, from a debug report
 * - `"latest_block"`: no transaction is known, and the deadline against the chain's latest block
 * - `"no_block"`: the transaction is known, but none of its trades
 * - `"no_deadline"`: the answer has no deadline, as in old ones
 * - `"nothing"`: neither transaction, nor try, nor latest block
 */
export type SettlementBasis =
  | "trade_block"
  | "attempt"
  | "latest_block"
  | "no_block"
  | "no_deadline"
  | "nothing";

/** What became of one winning solution. */
export interface SolutionOutcome {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Place of the solution, from 1. */
  readonly ranking: number;
  /** Address of the solver. */
  readonly solver: string;
  /** Score of the solution, in native atoms. */
  readonly score: bigint;
  /** UIDs of the orders it executes. */
  readonly orders: readonly string[];
  /** What became of it. */
  readonly result: SettlementResult;
  /** What that stands on. */
  readonly basis: SettlementBasis;
  /** Settlement transaction; `null` where none is known. */
  readonly txHash: string | null;
  /** Block of the settlement; `null` where it is not known. */
  readonly block: number | null;
  /** Last block in which it is in time; `null` where the answer has none. */
  readonly deadlineBlock: number | null;
  /** The service's tries to settle it, from debug reports; empty without one. */
  readonly attempts: readonly SettlementAttempt[];
}

/** How reliably a solver settled what it won. */
export interface SolverOutcomes {
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Winning solutions. */
  readonly won: number;
  /** Settled in time. */
  readonly inTime: number;
  /** Settled late. */
  readonly late: number;
  /** Not settled. */
  readonly absent: number;
  /** Not settled yet. */
  readonly pending: number;
  /** Not known. */
  readonly unknown: number;
  /** In time of those in time, late or absent; those pending or unknown do not count. */
  readonly successRate: Rate;
}

/** What became of the winning solutions of a set of auctions. */
export interface SettlementOutcomes {
  /** One for each winning solution, by auction in the order given, then by place. */
  readonly solutions: readonly SolutionOutcome[];
  /** One for each solver that won, most wins first. */
  readonly solvers: readonly SolverOutcomes[];
}

/** What tells the blocks of settlements, and what was tried. */
export interface SettlementOptions {
  /** Trades of the settlements: their blocks are the truth. */
  readonly trades?: Iterable<Trade>;
  /** Debug reports of orders in the auctions: their trades' blocks, and all tries of each auction. */
  readonly debugReports?: Iterable<DebugReport>;
  /** The latest block of which trades would be known: what has none by then is not settled. */
  readonly latestBlock?: number;
}

const OPTIONS: OptionRules<SettlementOptions> = {
  trades: list(),
  debugReports: list(),
  latestBlock: wholeFrom(0),
};

/**
 * What became of each winning solution: settled in time, late, not at all, or not yet.
 *
 * In time means a trade's block at or before the auction's deadline block; a transaction in the
 * answer alone does not, because late settlements have one too. Where the block is not known, a try
 * that the service counts as a success and that ended by the deadline shows that it was in time. A
 * solution without a transaction is absent when its try failed, or when the latest block is past the
 * deadline, and pending before.
 *
 * @param competitions Auctions, as `v2/solver_competition` answers; each auction counts once.
 * @returns Outcomes by solution and by solver; empty for no auctions.
 * @throws {InputError} If an option is misspelt.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/run_loop.rs | tries to settle in the service}
 *
 * @example Two winners, of whom one came a block late
 * ```ts
 * import { settlementOutcomes } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const won = { clearingPrices: {}, orders: [], isWinner: true, filteredOut: false, score: 5n };
 * const competition = {
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   auctionDeadlineBlock: 103,
 *   transactionHashes: ["0x01", "0x02"],
 *   referenceScores: {},
 *   auction: { orders: [], prices: {} },
 *   solutions: [
 *     { ...won, solverAddress: "0xb0", ranking: 2, txHash: "0x02" },
 *     { ...won, solverAddress: "0xa0", ranking: 1, txHash: "0x01" },
 *   ],
 * };
 * const trade = (txHash: string, blockNumber: number) => ({
 *   blockNumber,
 *   logIndex: 0,
 *   orderUid: "0x",
 *   buyAmount: 1n,
 *   sellAmount: 1n,
 *   sellAmountBeforeFees: 1n,
 *   owner: "0x",
 *   buyToken: "0x",
 *   sellToken: "0x",
 *   txHash,
 * });
 * const trades = [trade("0x01", 103), trade("0x02", 104)];
 *
 * const { solutions } = settlementOutcomes([competition], { trades });
 *
 * assertEquals(solutions.map(({ result }) => result), ["in_time", "late"]);
 * ```
 */
export function settlementOutcomes(
  competitions: Iterable<Competition>,
  options: SettlementOptions = {},
): SettlementOutcomes {
  checkOptions(options, OPTIONS, "Cannot tell what became of solutions");
  const evidence = new SettlementEvidence(options);
  const solutions: SolutionOutcome[] = [];
  const seen = new Set<number>();
  for (const competition of competitions) {
    if (seen.has(competition.auctionId)) continue;
    seen.add(competition.auctionId);
    const winners = competition.solutions.filter(({ isWinner }) => isWinner);
    for (const winner of winners.sort((a, b) => a.ranking - b.ranking)) {
      const txHash = winner.txHash ?? onlyTransaction(competition, winners.length);
      const deadlineBlock = competition.auctionDeadlineBlock ?? null;
      const { auctionId } = competition;
      const attempts = evidence.attemptsOf(auctionId, winner);
      const block = txHash === null ? null : evidence.blockOf(txHash);
      solutions.push({
        auctionId,
        ranking: winner.ranking,
        solver: winner.solverAddress,
        score: winner.score,
        orders: winner.orders.map(({ id }) => id),
        ...judge({ txHash, block, deadlineBlock, attempts, latestBlock: options.latestBlock }),
        txHash,
        block,
        deadlineBlock,
        attempts,
      });
    }
  }
  return { solutions, solvers: settlementsBySolver(solutions) };
}

/** Old answers name transactions only for the auction: with one winner and one it is its own. */
function onlyTransaction(competition: Competition, winners: number): string | null {
  const [only, ...others] = competition.transactionHashes;
  return winners === 1 && others.length === 0 ? only ?? null : null;
}

interface Facts {
  readonly txHash: string | null;
  readonly block: number | null;
  readonly deadlineBlock: number | null;
  readonly attempts: readonly SettlementAttempt[];
  readonly latestBlock: number | undefined;
}

interface Judgement {
  readonly result: SettlementResult;
  readonly basis: SettlementBasis;
}

function judge(facts: Facts): Judgement {
  const { txHash, block, deadlineBlock, attempts, latestBlock } = facts;
  if (deadlineBlock === null) return { result: "unknown", basis: "no_deadline" };
  if (block !== null) {
    return { result: block <= deadlineBlock ? "in_time" : "late", basis: "trade_block" };
  }
  const succeeded = attempts.find(({ outcome }) => outcome === "success");
  if (succeeded?.endBlock != null && succeeded.endBlock <= deadlineBlock) {
    return { result: "in_time", basis: "attempt" };
  }
  if (txHash !== null || succeeded !== undefined) return { result: "unknown", basis: "no_block" };
  if (attempts.some(({ outcome }) => outcome != null)) {
    return { result: "absent", basis: "attempt" };
  }
  if (latestBlock !== undefined) {
    return { result: latestBlock > deadlineBlock ? "absent" : "pending", basis: "latest_block" };
  }
  return attempts.length > 0
    ? { result: "pending", basis: "attempt" }
    : { result: "unknown", basis: "nothing" };
}

/** How reliably each solver settled, most wins first. */
export function settlementsBySolver(solutions: readonly SolutionOutcome[]): SolverOutcomes[] {
  return groupByHex(solutions, ({ solver }) => solver).values().map((group) => {
    const count = (result: SettlementResult) =>
      group.filter((each) => each.result === result).length;
    const [inTime, late, absent] = [count("in_time"), count("late"), count("absent")];
    return {
      solver: group[0]!.solver,
      won: group.length,
      inTime,
      late,
      absent,
      pending: count("pending"),
      unknown: count("unknown"),
      successRate: rate(inTime, inTime + late + absent),
    };
  }).toArray().sort((a, b) => b.won - a.won || (a.solver < b.solver ? -1 : 1));
}
