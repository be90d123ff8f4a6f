/** Why an answer cannot be computed from the records at hand; it stands in place of the answer. */
export interface NotComputable<Reason extends string> {
  /** Why, as one of a closed set of words in snake_case. */
  readonly reason: Reason;
  /** The same as a sentence with the values at fault. */
  readonly detail: string;
}

/**
 * Whether a metric gave a reason in place of an answer.
 *
 * @param answer What a metric returned.
 * @returns `true` where `reason` and `detail` say why there is no answer; `false` for an answer, which
 * the compiler then knows it to be.
 *
 * @example A fill of an order without a stored quote
 * ```ts
 * import { isNotComputable, slippage } from "orderlens/metrics";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1n, buyAmount: 2_000n } as const;
 * const fill = { sellAmount: 1n, buyAmount: 2_100n };
 * const ofQuote = slippage(fill, order, null, "gross");
 * const ofLimit = slippage(fill, order, null, "limit");
 *
 * assert(isNotComputable(ofQuote) && !isNotComputable(ofLimit));
 * assertEquals(ofQuote.reason, "no_quote");
 * assertEquals(ofLimit.atoms, 100n);
 * ```
 */
export function isNotComputable<Answer>(
  answer: Answer,
): answer is Extract<Answer, NotComputable<string>> {
  return typeof answer === "object" && answer !== null &&
    "reason" in answer && typeof answer.reason === "string" &&
    "detail" in answer && typeof answer.detail === "string";
}
