import { checkOptions, type OptionRules, rule, SIGNAL } from "../errors/option_rules.ts";
import { computeOrderUid } from "../evm/mod.ts";
import {
  type AnsweredQuote,
  type Baseline,
  type Fill,
  type FillWithPolicies,
  type NoBaselineReason,
  type NotComputable,
  type Slippage,
  slippage,
  slippageAgainstQuoteResponse,
  sumFills,
  surplusAtoms,
  surplusAtomsOfFills,
  surplusToken,
} from "../metrics/mod.ts";
import type { ExecutedProtocolFee, Order, Trade } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import type { OrderBook } from "./order_book.ts";
import { tradesOf } from "./trades_of.ts";

/** What `orderExecution` may need beside the order's UID. */
export interface ExecutionOptions {
  /** Ends the requests; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The `quote` of the answer that the order was placed with. */
  readonly answer?: AnsweredQuote;
}

const OPTIONS: OptionRules<ExecutionOptions> = {
  signal: SIGNAL,
  answer: rule("the `quote` of an answer", (value) => typeof value === "object" && value !== null),
};

/** How far a fill was from its quote, by every baseline; or why there is no such number. */
export type SlippageByBaseline = Readonly<
  Record<Baseline, Slippage | NotComputable<NoBaselineReason>>
>;

/** One fill, measured. */
export interface ExecutedFill {
  /** The fill, as the service reports it. */
  readonly trade: Trade;
  /** What it gave beyond the limit, in atoms of the surplus token. */
  readonly surplusAtoms: bigint;
  /** How far it was from the quote stored with the order. */
  readonly slippage: SlippageByBaseline;
}

/** What became of an order, by its trades. */
export interface OrderExecution {
  /** The order, as the service reports it. */
  readonly order: Order;
  /** Its fills, oldest first. */
  readonly fills: readonly ExecutedFill[];
  /** All fills as one. */
  readonly total: Fill;
  /** What they gave beyond the limit, each by itself; atoms of `surplusToken`. */
  readonly surplusAtoms: bigint;
  /** Token that surplus and protocol fees are in. */
  readonly surplusToken: string;
  /** Protocol and partner fees of all fills, in order; `null` where a fill does not tell them. */
  readonly protocolFees: readonly ExecutedProtocolFee[] | null;
  /** All fees together, in sell-token atoms; `null` where the service does not tell. */
  readonly executedFeeAtoms: bigint | null;
  /** How far all fills together were from the quote stored with the order. */
  readonly slippage: SlippageByBaseline;
  /** How far they were from what the trader was answered; `null` without the answer. */
  readonly overAnswer: Slippage | NotComputable<NoBaselineReason> | null;
  /** Where order and trades contradict each other or the limit; empty where all agrees. */
  readonly differences: readonly string[];
}

/**
 * What became of an order, verified by its trades: fills, surplus, fees, and how far it was from its
 * quote.
 *
 * Three things are checked: that the UID follows from the order's terms, that the trades sum up to the
 * executed amounts of the order, and that no fill is below the limit. What does not hold is named in
 * `differences`; trades that are not indexed yet are such a difference.
 *
 * @param book Where the order is.
 * @param uid UID of the order.
 * @param options The answer that it was placed with, to be measured against as well.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {IncompleteListError} If a trade cannot be decoded.
 * @example An order of a recording
 * ```ts
 * import { connect, orderExecution } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const [, uid] = tape.recorded.orderUids;
 * const { fills, surplusAtoms, differences } = await orderExecution(connect(tape), uid!);
 *
 * assertEquals([fills.length, differences], [1, []]);
 * assert(surplusAtoms > 0n);
 * ```
 */
export async function orderExecution(
  book: OrderBook,
  uid: string,
  options: ExecutionOptions = {},
): Promise<OrderExecution> {
  checkOptions(options, OPTIONS, "Cannot verify an order");
  const { signal, answer } = options;
  const call = signal === undefined ? {} : { signal };
  const order = await book.order(uid, call);
  const trades = await tradesOf(book, uid, call);
  const total = sumFills(trades);
  const fills = trades.map((trade) => ({
    trade,
    surplusAtoms: surplusAtoms(trade, order),
    slippage: byBaseline(trade, order),
  }));
  const whole = { ...total, executedProtocolFees: feesOfAll(trades) };
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
    slippage: byBaseline(whole, order),
    overAnswer: answer === undefined ? null : slippageAgainstQuoteResponse(total, order, answer),
    differences: differencesOf(book, order, { total, fills }),
  };
}

function byBaseline(fill: FillWithPolicies, order: Order): SlippageByBaseline {
  const against = (baseline: Baseline) => slippage(fill, order, order.quote, baseline);
  return {
    gross: against("gross"),
    net: against("net"),
    userShown: against("userShown"),
    limit: against("limit"),
  };
}

/** The policies of the fills where all have the same volume fees; they hold for the sum then. */
function feesOfAll(trades: readonly Trade[]): Trade["executedProtocolFees"] {
  const [first] = trades;
  const [one] = trades.map(volumesOf);
  return trades.every((trade) => volumesOf(trade) === one)
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
    differences.push("The UID does not follow from the order's terms");
  }
  const { sellAmount, buyAmount } = total;
  const { executedSellAmount, executedBuyAmount } = order;
  if (sellAmount !== executedSellAmount || buyAmount !== executedBuyAmount) {
    differences.push(
      `The trades sum up to ${sellAmount} sold and ${buyAmount} bought, the order says ` +
        `${executedSellAmount} and ${executedBuyAmount}`,
    );
  }
  for (const { trade, surplusAtoms: surplus } of fills) {
    if (surplus < 0n) {
      differences.push(
        `The fill in block ${trade.blockNumber} gave ${-surplus} atoms less than the limit`,
      );
    }
  }
  return differences;
}
