/**
 * A pair of facts that contradict each other:
 *
 * - `executed_amounts`: amounts that an order executed, and the sums of its fills
 * - `order_status`: the status of an order, and the status that its amounts, its expiry and its
 *   cancellation allow
 * - `fill_terms`: owner and tokens of a fill, and those of its order
 * - `fill_quote`: the quote of an order, and those of the fee policies of a fill
 * - `solution_amounts`: a fill, and the solution that settled it
 * - `report_order`, `report_fills`, `report_executions`, `report_solutions`: a debug report, and the
 *   order, its fills, their fees and policies, and the solutions of the auction
 * - `report_attempts`: settlement attempts of a debug report, and the auction and other reports
 * - `gas_cost`: gas cost of a fill, and the receipt of its transaction
 * - `block_time`: two times of one block, or times that run against block numbers
 * - `fill_time`: the time of a fill, and creation and expiry of its order
 * - `event_time`: events of a debug report, and the creation of the order and the blocks of its fills
 * - `order_uid`: the UID of an order, and the chain and contract of the deployment
 * - `missing_record`: a record that others name, and of which a dataset keeps no response
 * - `settlement_auction`: a settlement within the available auctions that none of them names
 * - `price_sides`: what a fill sold and what it bought, at native prices of its auction that are
 *   absurd: one is worth more than 1,000 times the other
 * - `instance_price`, `instance_order`, `instance_limit`: the instance of an auction, and the native
 *   prices of the auction, its list of orders, and what was signed by their records
 */
export type ContradictionKind =
  | "executed_amounts"
  | "order_status"
  | "fill_terms"
  | "fill_quote"
  | "solution_amounts"
  | "report_order"
  | "report_fills"
  | "report_executions"
  | "report_solutions"
  | "report_attempts"
  | "gas_cost"
  | "block_time"
  | "fill_time"
  | "event_time"
  | "order_uid"
  | "missing_record"
  | "settlement_auction"
  | "price_sides"
  | "instance_price"
  | "instance_order"
  | "instance_limit";

/** One of two facts that contradict each other. */
export interface StatedFact {
  /** Record and field that state it, such as `order.executedSellAmount`. */
  readonly source: string;
  /** The value, as text. */
  readonly value: string;
}

/** Two facts about one thing that cannot both hold. */
export interface Contradiction {
  /** The pair of facts. */
  readonly kind: ContradictionKind;
  /** The order, transaction, auction or block that both are about, such as `order 0x…`. */
  readonly subject: string;
  /** Both facts. */
  readonly facts: readonly [StatedFact, StatedFact];
  /** Second value less the first, in atoms or seconds; `null` where they are no such amounts. */
  readonly difference: bigint | null;
}

/**
 * Formats a contradiction as a sentence: both facts, their sources, and their difference.
 *
 * @example An order that executed more than its fills add up to
 * ```ts
 * import { formatContradiction } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const text = formatContradiction({
 *   kind: "executed_amounts",
 *   subject: "order 0x0a",
 *   facts: [
 *     { source: "order.executedSellAmount", value: "30" },
 *     { source: "sum of 1 trade.sellAmount", value: "10" },
 *   ],
 *   difference: -20n,
 * });
 *
 * assertEquals(
 *   text,
 *   "order 0x0a: order.executedSellAmount is 30, but sum of 1 trade.sellAmount is 10 (-20)",
 * );
 * ```
 */
export function formatContradiction({ subject, facts, difference }: Contradiction): string {
  const [first, second] = facts;
  const amount = difference === null ? "" : ` (${difference > 0n ? "+" : ""}${difference})`;
  return `${subject}: ${first.source} is ${first.value}, but ${second.source} is ${second.value}` +
    amount;
}

/** Compares two values of one thing; yields a contradiction where they differ. */
export function* compareFacts(
  kind: ContradictionKind,
  subject: string,
  [firstSource, first]: readonly [source: string, value: bigint | string | boolean | null],
  [secondSource, second]: readonly [source: string, value: bigint | string | boolean | null],
): Generator<Contradiction> {
  if (first === second) return;
  const areAmounts = typeof first === "bigint" && typeof second === "bigint";
  if (typeof first === "string" && typeof second === "string") {
    if (first.toLowerCase() === second.toLowerCase()) return;
  }
  yield {
    kind,
    subject,
    facts: [
      { source: firstSource, value: String(first) },
      { source: secondSource, value: String(second) },
    ],
    difference: areAmounts ? second - first : null,
  };
}
