/** Why a result cannot be computed from the records passed; returned in place of the result. */
export interface NotComputable<Reason extends string> {
  /** Why, as one of a closed set of words in snake_case. */
  readonly reason: Reason;
  /** The same as a sentence, with the values that cause it. */
  readonly detail: string;
}

/**
 * Whether a metric returned a reason in place of a result.
 *
 * @param answer What a metric returned.
 * @returns `true` if `reason` and `detail` say why there is no result; `false` for a result, and
 * the compiler narrows its type.
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
