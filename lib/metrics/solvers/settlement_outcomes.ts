import { checkOptions, type OptionRules, wholeNumber } from "../../errors/option_rules.ts";
import type {
  Competition,
  DebugReport,
  SettlementAttempt,
  Solution,
  Trade,
} from "../../schemas/mod.ts";
import { groupByHex, HexMap, type Ratio, ratio } from "../../units/mod.ts";
import { mayHaveSettled } from "../auctions/replay_competition.ts";
import { type Interval, wilsonInterval } from "../intervals.ts";
import { list } from "../not_computable.ts";
import { isAttemptToSettle } from "../orders/lifecycle_facts.ts";

/**
 * The outcome of a winning solution.
 *
 * - `"in_time"`: settled in the deadline block or before
 * - `"late"`: settled after it
 * - `"absent"`: not settled, and no longer possible in time
 * - `"pending"`: not settled yet, before the deadline
 * - `"unknown"`: cannot be determined from the records passed
 */
export type SettlementResult = "in_time" | "late" | "absent" | "pending" | "unknown";

/**
 * Basis of an outcome.
 *
 * - `"trade_block"`: the block of a trade of the transaction, compared with the deadline
 * - `"attempt"`: the service's own settlement attempt, from a debug report
 * - `"latest_block"`: no transaction is known; the deadline is compared with the chain's latest
 *   block
 * - `"no_block"`: the transaction is known, but none of its trades
 * - `"network_deadline"`: the response has no deadline, as those before 2025-12-09; the block is within the
 *   network's number of blocks after the start block, and deadlines were never earlier
 * - `"no_deadline"`: the response has no deadline, and nothing else decides
 * - `"nothing"`: neither transaction nor attempt nor latest block is known
 */
export type SettlementBasis =
  | "trade_block"
  | "attempt"
  | "latest_block"
  | "no_block"
  | "network_deadline"
  | "no_deadline"
  | "nothing";

/** The outcome of one winning solution. */
export interface SolutionOutcome {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Rank of the solution, from 1. */
  readonly ranking: number;
  /** Address of the solver. */
  readonly solver: string;
  /** Score of the solution, in native atoms. */
  readonly score: bigint;
  /** UIDs of the orders it executes. */
  readonly orders: readonly string[];
  /** Its outcome. */
  readonly result: SettlementResult;
  /** Basis of the outcome. */
  readonly basis: SettlementBasis;
  /** Settlement transaction; `null` if unknown. */
  readonly txHash: string | null;
  /** Block of the settlement; `null` if unknown. */
  readonly block: number | null;
  /** Last block in which it is in time; `null` if the response has none. */
  readonly deadlineBlock: number | null;
  /** The service's attempts to settle it, from debug reports; empty without one. */
  readonly attempts: readonly SettlementAttempt[];
}

/** Outcomes of the winning solutions of a solver. */
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
  /** Unknown. */
  readonly unknown: number;
  /**
   * Settled in time, out of those in time, late or absent; pending and unknown ones do not count.
   */
  readonly successRate: Rate;
}

/** The outcomes of the winning solutions of a set of auctions. */
export interface SettlementOutcomes {
  /** One for each winning solution, by auction in the order given, then by rank. */
  readonly solutions: readonly SolutionOutcome[];
  /** One for each solver that won, most wins first. */
  readonly solvers: readonly SolverOutcomes[];
}

/** Records that contain the blocks of settlements, and attempts. */
export interface SettlementOptions {
  /** Trades of the settlements: their blocks decide. */
  readonly trades?: Iterable<Trade>;
  /**
   * Debug reports of orders in the auctions: blocks of their trades, and all attempts of each
   * auction.
   */
  readonly debugReports?: Iterable<DebugReport>;
  /**
   * The latest block whose trades were passed: without a trade by then, a solution is not settled.
   */
  readonly latestBlock?: number | undefined;
  /**
   * Whether the fills of an order are known, by its UID: whether `trades` has all of them, of which
   * there may be none. A solution that shows no settlement is absent only if those of one of its orders
   * are known; otherwise it stays unknown whatever `latestBlock` is. @default {those of all orders are}
   */
  readonly hasFills?: ((uid: string) => boolean) | undefined;
  /**
   * Number of blocks that winners had for settling after an auction, such as the first of
   * `network(name).deadlines`, for responses without a deadline: it counts from the end of the auction,
   * some blocks after its start block. @default {unknown}
   */
  readonly deadlineBlocks?: number | undefined;
}

const OPTIONS: OptionRules<SettlementOptions> = {
  trades: list(),
  debugReports: list(),
  latestBlock: wholeNumber(0),
  hasFills: Function,
  deadlineBlocks: wholeNumber(0),
};

/**
 * Determines the outcome of each winning solution: settled in time, late, not at all, or not yet.
 *
 * In time means that the block of a trade is at or before the auction's deadline block; a
 * transaction in the response is not enough, because late settlements have one too. If the block is
 * unknown, an attempt that the service counts as a success and that ended by the deadline shows
 * that it was in time. A solution without a transaction is absent if its attempt failed or the
 * latest block is past the deadline, and pending before.
 *
 * @param competitions Auctions, as returned by `v2/solver_competition`; each auction counts once.
 * @returns Outcomes by solution and by solver; empty for no auctions.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/run_loop.rs | settlement attempts in the service}
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
  checkOptions(options, OPTIONS, "Cannot determine the outcomes of solutions");
  const evidence = new SettlementEvidence(options);
  const solutions: SolutionOutcome[] = [];
  const auctionIds = new Set<number>();
  for (const competition of competitions) {
    if (auctionIds.has(competition.auctionId)) continue;
    auctionIds.add(competition.auctionId);
    const winners = competition.solutions.filter(({ isWinner }) => isWinner);
    for (const winner of winners.sort((a, b) => a.ranking - b.ranking)) {
      const txHash = winner.txHash ?? findOnlyTransaction(competition, winners.length);
      const { auctionId } = competition;
      const facts = {
        txHash,
        block: txHash === null ? null : evidence.findBlock(txHash),
        deadlineBlock: competition.auctionDeadlineBlock ?? null,
        attempts: evidence.listAttempts(auctionId, winner),
      };
      solutions.push({
        auctionId,
        ranking: winner.ranking,
        solver: winner.solverAddress,
        score: winner.score,
        orders: winner.orders.map(({ id }) => id),
        ...judgeOutcome(facts, {
          // A settlement fills all orders of its solution, so the fills of one of them show it.
          latestBlock: mayHaveSettled(winner) && areFillsKnown(winner, options)
            ? options.latestBlock
            : undefined,
          minDeadline: options.deadlineBlocks === undefined
            ? undefined
            : competition.auctionStartBlock + options.deadlineBlocks,
        }),
        ...facts,
      });
    }
  }
  return { solutions, solvers: summarizeBySolver(solutions) };
}

function areFillsKnown({ orders }: Solution, { hasFills }: SettlementOptions): boolean {
  return hasFills === undefined || orders.some(({ id }) => hasFills(id));
}

/**
 * Finds the newest block that auctions prove to be on the chain: the latest start block of any. Trades
 * that were requested with them, or later, are those up to it: it is the `latestBlock` of their outcomes.
 *
 * @returns `undefined` without auctions.
 *
 * @example Two auctions
 * ```ts
 * import { findLatestStart } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(findLatestStart([{ auctionStartBlock: 7 }, { auctionStartBlock: 5 }]), 7);
 * ```
 */
export function findLatestStart(
  competitions: Iterable<Pick<Competition, "auctionStartBlock">>,
): number | undefined {
  let latest: number | undefined;
  for (const { auctionStartBlock: block } of competitions) {
    if (latest === undefined || block > latest) latest = block;
  }
  return latest;
}

/** Finds the only transaction: old responses list them for the auction, so with one winner it is the winner's. */
function findOnlyTransaction(competition: Competition, winners: number): string | null {
  const [only, ...otherHashes] = competition.transactionHashes;
  return winners === 1 && otherHashes.length === 0 ? only ?? null : null;
}

function judgeOutcome(
  { txHash, block, deadlineBlock, attempts }: Pick<
    SolutionOutcome,
    "txHash" | "block" | "deadlineBlock" | "attempts"
  >,
  { latestBlock, minDeadline }: {
    readonly latestBlock: number | undefined;
    /** The earliest that the deadline can be, where the response has none. */
    readonly minDeadline: number | undefined;
  },
): Pick<SolutionOutcome, "result" | "basis"> {
  if (deadlineBlock === null) {
    return block !== null && minDeadline !== undefined && block <= minDeadline
      ? { result: "in_time", basis: "network_deadline" }
      : { result: "unknown", basis: "no_deadline" };
  }
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

/** Summarizes the outcomes of each solver, most wins first. */
export function summarizeBySolver(solutions: readonly SolutionOutcome[]): SolverOutcomes[] {
  return groupByHex(solutions, ({ solver }) => solver).values().map((group) => {
    const count = (result: SettlementResult) =>
      group.filter((outcome) => outcome.result === result).length;
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

/** Blocks of settlement transactions, and the settlement attempts of each auction. */
class SettlementEvidence {
  readonly #blocks = new HexMap<number>();
  readonly #attempts = new Map<number, readonly SettlementAttempt[]>();

  /** Reads all records. Many reports repeat the attempts of an auction: the longest list counts. */
  constructor({ trades = [], debugReports = [] }: SettlementOptions) {
    for (const trade of trades) this.#addBlock(trade.txHash, trade.blockNumber);
    for (const { trades, auctions } of debugReports) {
      for (const trade of trades) this.#addBlock(trade.txHash, trade.blockNumber);
      for (const { id, settlementAttempts } of auctions) {
        const longest = this.#attempts.get(id);
        if (longest === undefined || longest.length < settlementAttempts.length) {
          this.#attempts.set(id, settlementAttempts);
        }
      }
    }
  }

  /** Finds the block of a transaction, if one of its trades is known. */
  findBlock(txHash: string): number | null {
    return this.#blocks.get(txHash) ?? null;
  }

  /** Lists the attempts to settle one winning solution of an auction. */
  listAttempts(auctionId: number, winner: Solution): readonly SettlementAttempt[] {
    const solution = { ranking: winner.ranking, solver: winner.solverAddress };
    return (this.#attempts.get(auctionId) ?? [])
      .filter((attempt) => isAttemptToSettle(attempt, solution));
  }

  #addBlock(txHash: string | null | undefined, block: number): void {
    if (txHash != null) this.#blocks.set(txHash, block);
  }
}

/** Number of successes out of all trials. */
export interface Rate {
  /** Number of successes. */
  readonly successes: number;
  /** Number of trials. */
  readonly trials: number;
  /** `successes / trials`, exactly; `null` for no trials. */
  readonly share: Ratio | null;
  /** The 95% interval of the true rate, by {@linkcode wilsonInterval}; `null` for no trials. */
  readonly interval: Interval | null;
}

/**
 * Computes a rate with its Wilson interval.
 *
 * @param successes A whole number from 0 to `trials`.
 * @param trials A whole number.
 * @throws {RangeError} If the counts are not such numbers.
 *
 * @example Three of four
 * ```ts
 * import { rate } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(rate(3, 4).share, { numerator: 3n, denominator: 4n });
 * assertEquals(rate(0, 0), { successes: 0, trials: 0, share: null, interval: null });
 * ```
 */
export function rate(successes: number, trials: number): Rate {
  const interval = wilsonInterval(successes, trials);
  return {
    successes,
    trials,
    share: trials === 0 ? null : ratio(BigInt(successes), BigInt(trials)),
    interval,
  };
}
