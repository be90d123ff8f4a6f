import { type OptionRules, TEXT, wholeFrom } from "../../errors/option_rules.ts";
import { SCORING_TERMS, type ScoringTerms } from "./score_solution.ts";

/** What a replay may know beside the answer. */
export interface ReplayOptions extends Partial<ScoringTerms> {
  /**
   * The most solutions that can win; a whole number of at least 1. No answer contains it:
   * {@linkcode inferMaxWinners} finds it over a set of auctions.
   *
   * @default {20}
   */
  readonly maxWinners?: number;
  /**
   * The most solutions that one solver may have, where that is to be checked. The service drops the
   * others before the auction, so that they take part in nothing.
   */
  readonly maxSolutionsPerSolver?: number;
  /**
   * Address of the wrapped native token: in picking winners it stands for the native token. Without
   * it the two are different tokens.
   */
  readonly wrappedNativeToken?: string;
}

/** What each of the {@linkcode ReplayOptions} may be. */
export const REPLAY_OPTIONS: OptionRules<ReplayOptions> = {
  ...SCORING_TERMS,
  maxWinners: wholeFrom(1),
  maxSolutionsPerSolver: wholeFrom(1),
  wrappedNativeToken: TEXT,
};
