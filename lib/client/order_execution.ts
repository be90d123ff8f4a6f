import { checkOptions, type OptionRules, rule, SIGNAL } from "../errors/option_rules.ts";
import { computeOrderUid } from "../evm/orders/order_digest.ts";
import { isNotComputable, type NotComputable } from "../metrics/not_computable.ts";
import { type Fill, sumFills } from "../metrics/orders/fills.ts";
import {
  type Baseline,
  byBaseline,
  type NoBaselineReason,
} from "../metrics/quotes/quote_baseline.ts";
import {
  type AnsweredQuote,
  type FillWithPolicies,
  type Slippage,
  slippage,
  slippageAgainstQuoteResponse,
} from "../metrics/slippage/slippage.ts";
import { surplusAtoms, surplusAtomsOfFills, surplusToken } from "../metrics/surplus.ts";
import type { ExecutedProtocolFee, Order, Trade } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import type { OrderBook } from "./order_book.ts";
import { tradesOf } from "./trade_request.ts";

/** Options of {@linkcode orderExecution}. */
export interface ExecutionOptions {
  /** Aborts the requests; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The `quote` of the quote response that the order was placed with. */
  readonly answer?: AnsweredQuote;
}

const OPTIONS: OptionRules<ExecutionOptions> = {
  signal: SIGNAL,
  answer: rule(
    "the `quote` of a quote response",
    (value) => typeof value === "object" && value !== null,
  ),
};

/** Slippage of a fill against its quote, by baseline, or the reason why it cannot be computed. */
export type SlippageByBaseline = Readonly<
  Record<Baseline, Slippage | NotComputable<NoBaselineReason>>
>;

/** One fill with its surplus and slippage. */
export interface ExecutedFill {
  /** The fill, as reported by the service. */
  readonly trade: Trade;
  /** Its surplus over the limit price, in atoms of the surplus token. */
  readonly surplusAtoms: bigint | NotComputable<"limit_without_price">;
  /** Its slippage against the quote stored with the order. */
  readonly slippage: SlippageByBaseline;
}

/** Execution of an order, according to its trades. */
export interface OrderExecution {
  /** The order, as reported by the service. */
  readonly order: Order;
  /** Its fills, oldest first. */
  readonly fills: readonly ExecutedFill[];
  /** All fills as one. */
  readonly total: Fill;
  /** Sum of the surplus of each fill over the limit price, in atoms of `surplusToken`. */
  readonly surplusAtoms: bigint | NotComputable<"limit_without_price">;
  /** Token of surplus and protocol fees. */
  readonly surplusToken: string;
  /** Protocol and partner fees of all fills, in order; `null` if a fill does not report them. */
  readonly protocolFees: readonly ExecutedProtocolFee[] | null;
  /** Sum of all fees, in sell-token atoms; `null` if the service does not report them. */
  readonly executedFeeAtoms: bigint | null;
  /** Slippage of all fills together against the quote stored with the order. */
  readonly slippage: SlippageByBaseline;
  /** Slippage of all fills together against the quote response; `null` if it is not passed. */
  readonly overAnswer: Slippage | NotComputable<NoBaselineReason> | null;
  /** Contradictions between order, trades and limit; empty if there are none. */
  readonly differences: readonly string[];
}

/**
 * Returns the execution of an order, verified by its trades: fills, surplus, fees, and slippage
 * against its quote.
 *
 * Checks that the UID matches the order's terms, that the trades add up to the executed amounts of
 * the order, and that no fill is below the limit. Violations are listed in `differences`; trades
 * that are not indexed yet count as one.
 *
 * @param book Order book of the order.
 * @param uid UID of the order.
 * @param options The quote response that it was placed with, as a further baseline.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {IncompleteListError} If a trade cannot be decoded.
 * @example An order of a recording
 * ```ts
 * import { connect, orderExecution } from "orderlens";
 * import { isNotComputable } from "orderlens/metrics";
 * import { replay } from "orderlens/recordings";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const [, uid] = recording.recorded.orderUids;
 * const { fills, surplusAtoms, differences } = await orderExecution(connect(recording), uid!);
 *
 * assertEquals([fills.length, differences], [1, []]);
 * assert(!isNotComputable(surplusAtoms) && surplusAtoms > 0n);
 * ```
 */
export async function orderExecution(
  book: OrderBook,
  uid: string,
  options: ExecutionOptions = {},
): Promise<OrderExecution> {
  checkOptions(options, OPTIONS, "Cannot verify an order");
  const { signal, answer } = options;
  const call = { signal };
  const order = await book.order(uid, call);
  const trades = await tradesOf(book, uid, call);
  const total = sumFills(trades);
  const fills = trades.map((trade) => ({
    trade,
    surplusAtoms: surplusAtoms(trade, order),
    slippage: slippages(trade, order),
  }));
  const whole = { ...total, executedProtocolFees: commonFees(trades) };
  return {
    order,
    fills,
    total,
    surplusAtoms: surplusAtomsOfFills(trades, order),
    surplusToken: surplusToken(order),
    protocolFees: trades.every(({ executedProtocolFees }) => executedProtocolFees !== undefined)
      ? trades.flatMap(({ executedProtocolFees = [] }) => executedProtocolFees)
      : null,
    executedFeeAtoms: order.executedFee ?? null,
    slippage: slippages(whole, order),
    overAnswer: answer === undefined ? null : slippageAgainstQuoteResponse(total, order, answer),
    differences: differencesOf(book, order, { total, fills }),
  };
}

function slippages(fill: FillWithPolicies, order: Order): SlippageByBaseline {
  return byBaseline((baseline) => slippage(fill, order, order.quote, baseline));
}

/** The policies of the fills, if their volume fees are equal: then they also apply to the sum. */
function commonFees(trades: readonly Trade[]): Trade["executedProtocolFees"] {
  const [first] = trades;
  const [volumes] = trades.map(volumesOf);
  return trades.every((trade) => volumesOf(trade) === volumes)
    ? first?.executedProtocolFees
    : undefined;
}

function volumesOf({ executedProtocolFees }: Trade): string {
  return JSON.stringify(
    executedProtocolFees?.map(({ policy }) => policy?.volume?.factor ?? null) ?? "unknown",
  );
}

function differencesOf(
  book: OrderBook,
  order: Order,
  { total, fills }: Pick<OrderExecution, "total" | "fills">,
): string[] {
  const differences: string[] = [];
  if (!sameHex(computeOrderUid(book.domain, order), order.uid)) {
    differences.push("The UID does not match the order's terms");
  }
  const { sellAmount, buyAmount } = total;
  const { executedSellAmount, executedBuyAmount } = order;
  if (sellAmount !== executedSellAmount || buyAmount !== executedBuyAmount) {
    differences.push(
      `The trades add up to ${sellAmount} sold and ${buyAmount} bought, the order reports ` +
        `${executedSellAmount} and ${executedBuyAmount}`,
    );
  }
  for (const { trade, surplusAtoms: surplus } of fills) {
    if (!isNotComputable(surplus) && surplus < 0n) {
      differences.push(
        `The fill in block ${trade.blockNumber} gave ${-surplus} atoms less than the limit`,
      );
    }
  }
  return differences;
}
