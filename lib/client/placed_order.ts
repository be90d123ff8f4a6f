import { ServiceError, UnconfirmedCancellationError } from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules } from "../errors/option_rules.ts";
import { parseOrderUid } from "../evm/orders/order_uid.ts";
import type { OrderSigner } from "../evm/orders/request_signature.ts";
import { signCancellations } from "../evm/orders/sign_order.ts";
import type { QuoteStages } from "../metrics/mod.ts";
import {
  type CompetitionStatusType,
  type ExecutedProtocolFee,
  isClosedStatus,
  type Order,
  type OrderCancellations,
  type OrderCreation,
  type QuoteResponse,
  type Trade,
} from "../schemas/mod.ts";
import { isTransient } from "./connect_options.ts";
import type { OrderBook } from "./order_book.ts";
import {
  assessOrder,
  fetchStage,
  type ObservedEnd,
  type OrderChange,
  type TrackOptions,
  trackOrder,
  updateEnd,
} from "./track_order.ts";
import { computeOrderUid } from "../evm/orders/order_digest.ts";
import { isNotComputable, type NotComputable } from "../metrics/not_computable.ts";
import { type Fill, sumFills } from "../metrics/orders/fills.ts";
import {
  type Baseline,
  measureByBaseline,
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
import { pluralize } from "../units/format.ts";
import { sameHex } from "../units/mod.ts";
import { fetchTrades } from "./trade_request.ts";

/** Parts of a {@linkcode PlacedOrder}. */
export interface PlacedOrderParts {
  /** Order book it was placed at. */
  readonly book: OrderBook;
  /** Account that placed it and may cancel it. */
  readonly account: OrderSigner;
  /** Its UID. */
  readonly uid: string;
  /** The order as sent. */
  readonly creation: OrderCreation;
  /** The quote it was placed with. */
  readonly answer: QuoteResponse;
  /** The quote by its stages. */
  readonly stages: QuoteStages;
}

/** A placed order, to track, verify and cancel. Created by {@linkcode placeOrder}. */
export class PlacedOrder {
  /** Its UID. */
  readonly uid: string;
  /** The order as sent: terms, signature and app data. */
  readonly creation: OrderCreation;
  /** The quote it was placed with. */
  readonly answer: QuoteResponse;
  /** The quote by its stages, with the amounts that were signed. */
  readonly stages: QuoteStages;
  readonly #book: OrderBook;
  readonly #account: OrderSigner;

  /** Binds a handle to an order; {@linkcode placeOrder} is the usual way. */
  constructor(parts: PlacedOrderParts) {
    const { book, account, uid, creation, answer, stages } = parts;
    this.uid = uid;
    this.creation = creation;
    this.answer = answer;
    this.stages = stages;
    this.#book = book;
    this.#account = account;
  }

  /**
   * Yields its current state, and every change until it is filled or can no longer be settled, or the signal
   * aborts; see {@linkcode trackOrder}.
   */
  track(options: TrackOptions = {}): AsyncGenerator<OrderChange, void, undefined> {
    return trackOrder(this.#book, this.uid, options);
  }

  /** Returns its execution, verified by its trades; see {@linkcode orderExecution}. */
  execution(options: Omit<ExecutionOptions, "answer"> = {}): Promise<OrderExecution> {
    return orderExecution(this.#book, this.uid, { ...options, answer: this.answer.quote });
  }

  /**
   * Cancels it off-chain, on a best-effort basis: if a solver may be settling it, waits to see
   * whether it is filled anyway.
   *
   * @returns The outcome, by the status that the service reports afterwards; an order that was already
   * over is not an error.
   * @throws {InputError} If the account has no key: contracts cancel on-chain.
   * @throws {ServiceError} If the service rejects it for any reason other than that the order is
   * already over.
   */
  async cancel(options: CancelOptions = {}): Promise<CancelOutcome> {
    checkOptions(options, CANCEL_OPTIONS, "Cannot cancel an order");
    const { waitMs = 60_000, signal = new AbortController().signal } = options;
    const book = this.#book;
    const cancellations = await signCancellations(this.#account, book.domain, [this.uid], {
      signingScheme: this.creation.signingScheme === "ethsign" ? "ethsign" : "eip712",
      from: parseOrderUid(this.uid).owner,
    });
    // The stage is requested first: that of a cancelled order does not show a pending settlement.
    const stage = await fetchStage(book, this.uid, signal);
    await cancelUnlessOver(book, cancellations, signal);
    const untilMs = book.clock.now() + waitMs;
    return await waitForOutcome(book, this.uid, { stage, untilMs, signal });
  }
}

/** Options of a cancellation. */
export interface CancelOptions {
  /** Aborts the requests and the wait; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Maximum wait for a pending settlement, in milliseconds; 0 does not wait.
   *
   * @default {60000}
   */
  readonly waitMs?: number;
}

const CANCEL_OPTIONS: OptionRules<CancelOptions> = {
  signal: AbortSignal,
  waitMs: defineRule(
    "a number of milliseconds, 0 or more",
    (value) => typeof value === "number" && value >= 0,
  ),
};

/** Outcome of a cancellation. */
export interface CancelOutcome {
  /**
   * Its status afterwards. `"settled"`: the order was filled despite the cancellation; `"expired"`: it
   * had already expired; `"open"`: the service took the cancellation, and still reported the order as
   * open, or with another status that is none of these, when the time was up.
   */
  readonly outcome: "cancelled" | "settled" | "expired" | "open";
  /** The order afterwards; a cancelled order may be partially filled. */
  readonly order: Order;
  /**
   * Whether the order may still be filled, by the rule of {@linkcode assessSettlement}: it is open; or
   * it had been in an auction when it ended, two minutes at most have passed since, and no fill was seen.
   */
  readonly mayStillSettle: boolean;
}

/** Error types that mean that nothing is left to cancel. */
const OVER_ERRORS: readonly string[] = ["AlreadyCancelled", "OrderFullyExecuted", "OrderExpired"];
const POLL_MS = 2_000;

async function cancelUnlessOver(
  book: OrderBook,
  cancellations: OrderCancellations,
  signal: AbortSignal,
): Promise<void> {
  try {
    await book.cancelOrders(cancellations, { signal });
  } catch (error) {
    const isOver = error instanceof UnconfirmedCancellationError
      ? cancellations.orderUids.every((uid) => isClosedStatus(error.statuses.get(uid) ?? ""))
      : error instanceof ServiceError && OVER_ERRORS.includes(error.errorType);
    if (!isOver) throw error;
  }
}

/** Polls the order until its outcome is known or the time is up. */
async function waitForOutcome(
  book: OrderBook,
  uid: string,
  { stage, untilMs, signal }: {
    stage: CompetitionStatusType | null;
    untilMs: number;
    signal: AbortSignal;
  },
): Promise<CancelOutcome> {
  let end: ObservedEnd | null = null;
  while (true) {
    const isTimeUp = book.clock.now() >= untilMs;
    const order = await pollOrder(book, uid, { signal, isTimeUp });
    if (order !== null) {
      const seenAt = Temporal.Instant.fromEpochMilliseconds(Math.trunc(book.clock.now()));
      end = updateEnd(end, order, seenAt);
      const mayStillSettle = assessOrder(book, order, { stage, end }).mayStillSettle !== false;
      if (isTimeUp || !mayStillSettle) {
        return { outcome: nameOutcome(order), order, mayStillSettle };
      }
    }
    await book.clock.sleep(POLL_MS, signal);
  }
}

/** Names the outcome of a status; `"open"` if the order is not known to have ended. */
function nameOutcome({ status }: Order): CancelOutcome["outcome"] {
  if (!isClosedStatus(status)) return "open";
  return status === "fulfilled" ? "settled" : status;
}

/** Fetches the order; `null` if that fails and there is time to retry. */
async function pollOrder(
  book: OrderBook,
  uid: string,
  { signal, isTimeUp }: { signal: AbortSignal; isTimeUp: boolean },
): Promise<Order | null> {
  try {
    return await book.order(uid, { signal });
  } catch (error) {
    if (isTimeUp || signal.aborted || !isTransient(error)) throw error;
    return null;
  }
}

/** Options of {@linkcode orderExecution}. */
export interface ExecutionOptions {
  /** Aborts the requests; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The `quote` of the quote response that the order was placed with. */
  readonly answer?: AnsweredQuote;
}

const EXECUTION_OPTIONS: OptionRules<ExecutionOptions> = {
  signal: AbortSignal,
  answer: defineRule(
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
  checkOptions(options, EXECUTION_OPTIONS, "Cannot verify an order");
  const { signal, answer } = options;
  const call = { signal };
  const order = await book.order(uid, call);
  const trades = await fetchTrades(book, uid, call);
  const total = sumFills(trades);
  const fills = trades.map((trade) => ({
    trade,
    surplusAtoms: surplusAtoms(trade, order),
    slippage: measureSlippages(trade, order),
  }));
  const totalWithPolicies = { ...total, executedProtocolFees: findCommonFees(trades) };
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
    slippage: measureSlippages(totalWithPolicies, order),
    overAnswer: answer === undefined ? null : slippageAgainstQuoteResponse(total, order, answer),
    differences: findDifferences(book, order, { total, fills }),
  };
}

function measureSlippages(fill: FillWithPolicies, order: Order): SlippageByBaseline {
  return measureByBaseline((baseline) => slippage(fill, order, order.quote, baseline));
}

/** Finds the policies of the fills, if their volume fees are equal: then they also apply to the sum. */
function findCommonFees(trades: readonly Trade[]): Trade["executedProtocolFees"] {
  const [first] = trades;
  const [volumes] = trades.map(formatVolumeFactors);
  return trades.every((trade) => formatVolumeFactors(trade) === volumes)
    ? first?.executedProtocolFees
    : undefined;
}

function formatVolumeFactors({ executedProtocolFees }: Trade): string {
  return JSON.stringify(
    executedProtocolFees?.map(({ policy }) => policy?.volume?.factor ?? null) ?? "unknown",
  );
}

function findDifferences(
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
        `The fill in block ${trade.blockNumber} gave ${
          pluralize(-surplus, "atom")
        } less than the limit`,
      );
    }
  }
  return differences;
}
