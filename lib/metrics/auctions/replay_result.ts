/** One solution in the ranking of the replay. */
export interface ReplayedSolution {
  /** Index in the competition's `solutions`. */
  readonly index: number;
  /** Rank in the replay, from 1: winners by score, then others by score, then filtered ones. */
  readonly ranking: number;
  /** Whether it wins in the replay. */
  readonly isWinner: boolean;
  /** Whether it is filtered out as unfair in the replay. */
  readonly filteredOut: boolean;
  /**
   * What the filter flag is based on: `"single"`, a solution of one directed pair, which is never
   * filtered; `"scores"`, its pair scores against the baselines; `"reported"`, the flag in the
   * answer, because its pair scores are not known well enough.
   */
  readonly filterFrom: "single" | "scores" | "reported";
}

/** A solution for which the replay differs from the answer. */
export interface SolutionDifference<What extends string, Value> {
  /** What differs. */
  readonly what: What;
  /** Index in the competition's `solutions`. */
  readonly index: number;
  /** Solver of the solution. */
  readonly solver: string;
  /** Value in the answer. */
  readonly reported: Value;
  /** Value in the replay. */
  readonly replayed: Value;
}

/** A solver whose reference score differs. */
export interface ReferenceDifference {
  /** What differs. */
  readonly what: "referenceScore";
  /** Address of the solver. */
  readonly solver: string;
  /** Value in the answer, in native atoms; `null` if it does not name the solver. */
  readonly reported: bigint | null;
  /** Value in the replay, in native atoms; `null` if the solver does not win there. */
  readonly replayed: bigint | null;
}

/** A solver with more solutions than allowed. */
export interface SolutionCountDifference {
  /** What differs. */
  readonly what: "solutions_per_solver";
  /** Address of the solver. */
  readonly solver: string;
  /** Number of its solutions in the answer. */
  readonly reported: number;
  /** Number of solutions allowed. */
  readonly replayed: number;
}

/** A difference between the replay and the answer. */
export type ReplayDifference =
  | SolutionDifference<"filteredOut", boolean>
  | SolutionDifference<"isWinner", boolean>
  | SolutionDifference<"ranking", number>
  | ReferenceDifference
  | SolutionCountDifference;

/**
 * Why a replay may differ from a correct answer; the answer shows none of these.
 *
 * - `"tie"`: the service orders solutions of equal score by a hash, which the answer does not
 *   contain
 * - `"max_winners"`: the service's maximum may differ from the one used
 * - `"orders_missing"`: the service omits orders of unknown tokens from its answers, and with them
 *   the pairs they claim
 * - `"jit_orders"`: orders that solvers provided count for the score if their owner captures
 *   surplus, and those owners were not passed
 * - `"native_token"`: the wrapped native token was not passed, so it counts as another token
 */
export type ReplayReason = "tie" | "max_winners" | "orders_missing" | "jit_orders" | "native_token";

/** What a replay is based on. */
export interface ReplayBasis {
  /** The maximum number of winners that was used. */
  readonly maxWinners: number;
  /** Whether the caller passed it, or it is the service's default. */
  readonly maxWinnersFrom: "given" | "default";
  /** Number of filter flags computed from the answer and the options. */
  readonly filterFlagsReplayed: number;
  /** Number of filter flags taken from the answer. */
  readonly filterFlagsReported: number;
  /** Number of solutions that share their score with another one; they keep the reported order. */
  readonly tiedSolutions: number;
}

/** An auction replayed by its rules, compared with what was reported. */
export interface CompetitionReplay {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Whether everything replayed is as reported. */
  readonly agrees: boolean;
  /** The differences; empty if it agrees. */
  readonly differences: readonly ReplayDifference[];
  /** Possible reasons for the differences, other than a wrong answer; empty if it agrees. */
  readonly possibleReasons: readonly ReplayReason[];
  /** All solutions, best first. */
  readonly solutions: readonly ReplayedSolution[];
  /** Sum of the scores of the winners in the replay, in native atoms. */
  readonly totalScore: bigint;
  /** Reference score of each winner of the replay, in native atoms, by address. */
  readonly referenceScores: ReadonlyMap<string, bigint>;
  /** What the replay is based on. */
  readonly basis: ReplayBasis;
}
