import { type OptionRules, TEXT, wholeFrom } from "../../errors/option_rules.ts";
import { SCORING_TERMS, type ScoringTerms } from "./score_solution.ts";

/** What a replay uses besides the answer. */
export interface ReplayOptions extends Partial<ScoringTerms> {
  /**
   * Maximum number of winning solutions, a whole number of at least 1. No answer contains it:
   * {@linkcode inferMaxWinners} infers it from a set of auctions.
   *
   * @default {20}
   */
  readonly maxWinners?: number;
  /**
   * Maximum number of solutions of one solver, to check it. The service drops any others before the
   * auction starts.
   */
  readonly maxSolutionsPerSolver?: number;
  /**
   * Address of the wrapped native token, which counts as the native token when winners are picked.
   * Without it, the two are different tokens.
   */
  readonly wrappedNativeToken?: string;
}

/** Allowed values of the {@linkcode ReplayOptions}. */
export const REPLAY_OPTIONS: OptionRules<ReplayOptions> = {
  ...SCORING_TERMS,
  maxWinners: wholeFrom(1),
  maxSolutionsPerSolver: wholeFrom(1),
  wrappedNativeToken: TEXT,
};
