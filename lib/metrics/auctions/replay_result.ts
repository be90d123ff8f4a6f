/** One solution as the replay places it. */
export interface ReplayedSolution {
  /** Index in the competition's `solutions`. */
  readonly index: number;
  /** Place in the replay, from 1: winners by score, then others by score, then filtered ones. */
  readonly ranking: number;
  /** Whether it wins in the replay. */
  readonly isWinner: boolean;
  /** Whether it is filtered out as unfair in the replay. */
  readonly filteredOut: boolean;
  /**
   * What the filter flag stands on: `"single"`, a solution of one directed pair, which is never
   * filtered; `"scores"`, its pairs' scores against the baselines; `"reported"`, the answer's own
   * flag, because the scores of its pairs are not known well enough.
   */
  readonly filterFrom: "single" | "scores" | "reported";
}

/** A solution of which the replay says something else than the answer. */
export interface SolutionDifference<What extends string, Value> {
  /** What differs. */
  readonly what: What;
  /** Index in the competition's `solutions`. */
  readonly index: number;
  /** Solver of the solution. */
  readonly solver: string;
  /** What the answer says. */
  readonly reported: Value;
  /** What the replay says. */
  readonly replayed: Value;
}

/** A solver whose reference score differs. */
export interface ReferenceDifference {
  /** What differs. */
  readonly what: "referenceScore";
  /** Address of the solver. */
  readonly solver: string;
  /** What the answer says, in native atoms; `null` where it names the solver nowhere. */
  readonly reported: bigint | null;
  /** What the replay says, in native atoms; `null` where the solver does not win in the replay. */
  readonly replayed: bigint | null;
}

/** A solver with more solutions than one may have. */
export interface SolutionCountDifference {
  /** What differs. */
  readonly what: "solutions_per_solver";
  /** Address of the solver. */
  readonly solver: string;
  /** How many solutions of it the answer has. */
  readonly reported: number;
  /** How many it may have. */
  readonly replayed: number;
}

/** One thing of which the replay says something else than the answer. */
export type ReplayDifference =
  | SolutionDifference<"filteredOut", boolean>
  | SolutionDifference<"isWinner", boolean>
  | SolutionDifference<"ranking", number>
  | ReferenceDifference
  | SolutionCountDifference;

/**
 * Why a replay may differ from a right answer; none of these shows in the answer itself.
 *
 * - `"tie"`: solutions of equal score were ordered by a hash of them, which the answer does not have
 * - `"maxWinners"`: the service's maximum may be another than the one used
 * - `"orders_missing"`: the service leaves orders of unknown tokens out of its answers, and with them
 *   the pairs they claim
 * - `"jit_orders"`: orders that solvers placed themselves count for a score when their owner captures
 *   surplus, and those owners were not given
 * - `"native_token"`: the wrapped native token was not given, so its pairs count as others
 */
export type ReplayReason = "tie" | "max_winners" | "orders_missing" | "jit_orders" | "native_token";

/** What a replay stands on. */
export interface ReplayBasis {
  /** The most winners an auction can have, as used. */
  readonly maxWinners: number;
  /** Whether that was given, or is the service's default. */
  readonly maxWinnersFrom: "given" | "default";
  /** Filter flags that follow from the answer and what was given beside it. */
  readonly filterFlagsReplayed: number;
  /** Filter flags that had to be taken as reported. */
  readonly filterFlagsReported: number;
  /** Solutions whose score another solution has too: their order was taken as reported. */
  readonly tiedSolutions: number;
}

/** What the auction's rules make of the bids of a competition, beside what was reported. */
export interface CompetitionReplay {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Whether everything that was replayed is as reported. */
  readonly agrees: boolean;
  /** What is not; empty when it agrees. */
  readonly differences: readonly ReplayDifference[];
  /** What may be behind the differences, other than a wrong answer; empty when it agrees. */
  readonly possibleReasons: readonly ReplayReason[];
  /** All solutions, best first. */
  readonly solutions: readonly ReplayedSolution[];
  /** Sum of the scores of the winners in the replay, in native atoms. */
  readonly totalScore: bigint;
  /** Reference score of each solver that wins in the replay, in native atoms, by address. */
  readonly referenceScores: ReadonlyMap<string, bigint>;
  /** What the replay stands on. */
  readonly basis: ReplayBasis;
}
