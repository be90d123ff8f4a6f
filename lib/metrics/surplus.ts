import { checkOptions, required } from "../errors/option_rules.ts";
import {
  bpsRatio,
  HexMap,
  mulDivDown,
  mulDivUp,
  nativeValue,
  type Ratio,
  ratio,
} from "../units/mod.ts";
import { isNotComputable, type NotComputable } from "./not_computable.ts";
import {
  checkLimitPrice,
  exchangedSellAmount,
  type Fill,
  type OrderLimit,
  type OrderPair,
} from "./orders/fills.ts";
import {
  type AuctionRole,
  resolveRole,
  ROLE_UNKNOWN,
  type RoleHints,
} from "./orders/order_bids.ts";
import { findNativePrice } from "./prices/price_interval.ts";
import type { StoredQuote } from "./quotes/quote_baseline.ts";

/** The fees that {@linkcode surplusBpsBeforeFees} adds back. */
export interface SurplusBeforeFeesOptions {
  /**
   * Fees of the fill in atoms of the *surplus token*, `>= 0n`: the protocol fees alone, or with the
   * network fee from `networkFee`, for the amount that the solver traded.
   */
  readonly feeAtoms: bigint;
}

/**
 * Returns surplus in basis points of the amount before fees: the trader's share of the gross execution.
 *
 * Sell: `10^4 * surplus / (b + fees)`, since fees are deducted from the amount bought. Buy:
 * `10^4 * surplus / (s - fees)`, since fees are added to the amount sold. The surplus itself is
 * after fees, as in every other metric.
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * fixes `0n`, or the amount before fees is not positive.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus before and after fees in the service}
 *
 * @example A surplus of 100 after a fee of 100
 * ```ts
 * import { isNotComputable, surplusBpsBeforeFees } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1n, buyAmount: 1_800n } as const;
 * const fill = { sellAmount: 1n, buyAmount: 1_900n };
 * const bps = surplusBpsBeforeFees(fill, order, { feeAtoms: 100n });
 *
 * assertEquals(isNotComputable(bps) ? bps : ratioToNumber(bps), 500);
 * ```
 */
export function surplusBpsBeforeFees(
  fill: Fill,
  order: OrderLimit,
  options: SurplusBeforeFeesOptions,
): Ratio | NotComputable<"limit_without_price" | "nothing_executed" | "fees_above_volume"> {
  checkOptions(options, { feeAtoms: required(BigInt) }, "Cannot measure surplus before fees");
  const { feeAtoms } = options;
  const surplus = surplusAtoms(fill, order);
  if (isNotComputable(surplus)) return surplus;
  const executedAtoms = order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
  const gross = order.kind === "sell" ? executedAtoms + feeAtoms : executedAtoms - feeAtoms;
  if (gross > 0n) return bpsRatio(surplus, gross);
  return executedAtoms === 0n
    ? { reason: "nothing_executed", detail: "The fill executed 0 atoms" }
    : {
      reason: "fees_above_volume",
      detail: `The fees are ${feeAtoms} of ${executedAtoms} atoms executed`,
    };
}

/**
 * Returns surplus in basis points of the executed amount of the surplus token, as the explorer shows it.
 *
 * Sell: `10^4 * surplus / b`. Buy: `10^4 * surplus / s`. With surplus, this is smaller than
 * `surplusBpsOfLimit` for a sell order, and larger for a buy order.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * fixes `0n`, or nothing of the surplus token was executed.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example 50 saved of a limit of 2,100, that is 50 of the 2,050 sold
 * ```ts
 * import { surplusBpsOfExecuted } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 1n } as const;
 * const bps = surplusBpsOfExecuted({ sellAmount: 2_050n, buyAmount: 1n }, order);
 *
 * assertEquals(bps, { numerator: 500_000n, denominator: 2_050n });
 * ```
 */
export function surplusBpsOfExecuted(
  fill: Fill,
  order: OrderLimit,
): Ratio | NotComputable<"limit_without_price" | "nothing_executed"> {
  const executedAtoms = order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
  const surplus = surplusAtoms(fill, order);
  if (isNotComputable(surplus)) return surplus;
  return executedAtoms === 0n
    ? { reason: "nothing_executed", detail: "The fill executed 0 atoms" }
    : bpsRatio(surplus, executedAtoms);
}

/**
 * Returns the surplus of several fills of one order, each computed separately: the sum of their
 * {@linkcode surplusAtoms}.
 *
 * Every fill rounds its own limit in the trader's favour, so the sum is at most the surplus of the
 * totals, `surplusAtoms(sumFills(fills), order)`, and below it by less than one atom per fill.
 *
 * @param fills Fills of one order, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Atoms of the surplus token, `0n` for no fills; or `"limit_without_price"` for fills of
 * an order that fixes `0n`.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service, which sees one fill at a time}
 *
 * @example Two fills of a limit that divides badly
 * ```ts
 * import { sumFills, surplusAtoms, surplusAtomsOfFills } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 3n, buyAmount: 10n } as const;
 * const fills = [{ sellAmount: 1n, buyAmount: 5n }, { sellAmount: 1n, buyAmount: 5n }];
 *
 * assertEquals(surplusAtomsOfFills(fills, order), 2n);
 * assertEquals(surplusAtoms(sumFills(fills), order), 3n);
 * ```
 */
export function surplusAtomsOfFills(
  fills: Iterable<Fill>,
  order: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  let sum = 0n;
  for (const fill of fills) {
    const surplus = surplusAtoms(fill, order);
    if (isNotComputable(surplus)) return surplus;
    sum += surplus;
  }
  return sum;
}

/**
 * Returns the amount that a trader received beyond the limit price of a fill, in atoms of the surplus token.
 *
 * Sell: `b - ceil(s * B / S)` buy-token atoms. Buy: `floor(S * b / B) - s` sell-token atoms. The
 * limit is scaled to the fill and rounded in the trader's favour, as in the settlement contract, so
 * the surpluses of parts never sum to more than the surplus of the whole.
 *
 * The service credits no surplus to an order that a solver provided as liquidity;
 * {@linkcode settledSurplus} does the same.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the signed limit `(S, B)`.
 * @returns Atoms of the surplus token: `0n` at the limit price, negative below it, which the
 * contract does not allow; or `"limit_without_price"` if the order fixes `0n`.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example 3 of 10 ether sold for 6,100 USDC, at a limit of 2,000 USDC each
 * ```ts
 * import { surplusAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n ** 19n, buyAmount: 20_000_000_000n } as const;
 * const fill = { sellAmount: 3n * 10n ** 18n, buyAmount: 6_100_000_000n };
 *
 * assertEquals(surplusAtoms(fill, order), 100_000_000n);
 * ```
 */
export function surplusAtoms(
  fill: Fill,
  order: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  return surplusOverLimit(fill, order);
}

/** Options of {@linkcode surplusNativeAtoms}. */
export interface SurplusNativeOptions {
  /**
   * Native price of the *surplus token* in the auction: native atoms for 10^18 of its atoms,
   * `>= 0n`. `surplusToken` returns that token.
   */
  readonly nativePrice: bigint;
}

/**
 * Returns the amount that a trader received beyond the limit price of a fill, in the native token.
 *
 * `floor(surplus * price / 10^18)` of {@linkcode surplusAtoms}, at the native price of the surplus
 * token. Rounds down as in the service. It is not a score: a score adds the protocol fees, and
 * first converts the surplus of a buy order to the buy token at the limit price. The service
 * credits 0 to an order that a solver provided as liquidity ({@linkcode settledSurplus}).
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Native atoms: `0n` at the limit price or at a price of `0n`, rounded down if negative
 * too; or `"limit_without_price"` if the order fixes `0n`.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount or the price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_in_ether of the service}
 *
 * @example 100 USDC of surplus at 0.0004 ETH a USDC
 * ```ts
 * import { surplusNativeAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
 * const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
 * const nativePrice = 400_000_000_000_000_000_000_000_000n;
 *
 * assertEquals(surplusNativeAtoms(fill, order, { nativePrice }), 40_000_000_000_000_000n);
 * ```
 */
export function surplusNativeAtoms(
  fill: Fill,
  order: OrderLimit,
  options: SurplusNativeOptions,
): bigint | NotComputable<"limit_without_price"> {
  checkOptions(options, { nativePrice: required(BigInt) }, "Cannot value surplus in native atoms");
  const surplus = surplusAtoms(fill, order);
  return isNotComputable(surplus) ? surplus : nativeValue(surplus, options.nativePrice);
}

/**
 * Returns surplus over the *limit* in basis points of the quoted amount, scaled to the fill. The
 * difference from the quote itself is `slippage`.
 *
 * Sell: `10^4 * surplus / (q.buy * s / q.sell)`. Buy: `10^4 * surplus / (q.sell * b / q.buy)`. The
 * quoted amount is the gross one, before network and volume fees, and is not rounded.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the limit.
 * @param quote The order's stored quote, which is gross, or the quote of a policy.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * or the quote fixes `0n`, the quote promises `0n`, or nothing was executed.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example A surplus of 100, half of a quote of 2,500 filled
 * ```ts
 * import { isNotComputable, surplusBpsOfQuote } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n, buyAmount: 2_000n } as const;
 * const quote = { sellAmount: 10n, buyAmount: 2_500n, fee: 0n };
 * const bps = surplusBpsOfQuote({ sellAmount: 5n, buyAmount: 1_100n }, order, quote);
 *
 * assertEquals(isNotComputable(bps) ? bps : ratioToNumber(bps), 800);
 * ```
 */
export function surplusBpsOfQuote(
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote,
):
  | Ratio
  | NotComputable<
    "limit_without_price" | "quote_without_price" | "zero_baseline" | "nothing_executed"
  > {
  const surplus = surplusAtoms(fill, order);
  if (isNotComputable(surplus)) return surplus;
  const [quotedAtoms, fixed, executedAtoms] = order.kind === "sell"
    ? [quote.buyAmount, quote.sellAmount, exchangedSellAmount(fill)]
    : [quote.sellAmount, quote.buyAmount, fill.buyAmount];
  if (fixed === 0n) return { reason: "quote_without_price", detail: "The quote fixes 0 atoms" };
  if (quotedAtoms === 0n) return { reason: "zero_baseline", detail: "The quote promises 0 atoms" };
  if (executedAtoms === 0n) {
    return { reason: "nothing_executed", detail: "The fill executed 0 atoms" };
  }
  return ratio(10_000n * surplus * fixed, quotedAtoms * executedAtoms);
}

/**
 * Returns the token of an order's surplus and its protocol fees: the one whose amount the order does
 * not fix.
 *
 * @param order Which amount is fixed, and both tokens.
 * @returns The buy token of a sell order, the sell token of a buy order, in the letter case given.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_token of the service}
 *
 * @example A buy order saves what it sells
 * ```ts
 * import { surplusToken } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const token = surplusToken({
 *   kind: "buy",
 *   sellAmount: 10n,
 *   buyAmount: 3n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 * });
 *
 * assertEquals(token, "0xa1");
 * ```
 */
export function surplusToken(order: OrderPair): string {
  return order.kind === "sell" ? order.buyToken : order.sellToken;
}

/**
 * Scales the limit of an order to a fill: the minimum to buy (sell order), or the maximum to sell (buy
 * order).
 *
 * Sell: `ceil(s * Lb / Ls)`. Buy: `floor(Ls * b / Lb)`. Both are rounded in the trader's favour:
 * the contract rounds up what it pays out, and rounds down what it takes in. `s` is the fill's sell
 * amount without a legacy fee, `b` its buy amount, `(Ls, Lb)` the limit.
 *
 * @param fill One execution, in atoms, amounts `>= 0n`.
 * @param limit An order, or any pair of amounts in place of its limit, such as a quote.
 * @returns Atoms of the surplus token: buy token of a sell order, sell token of a buy order; or
 * `"limit_without_price"` if the amount that the limit fixes is `0n` (`sellAmount` of a sell order,
 * `buyAmount` of a buy order).
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | surplus_over of the service}
 *
 * @example A third of a limit of 10 atoms
 * ```ts
 * import { scaledLimit } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const sell = { kind: "sell", sellAmount: 3n, buyAmount: 10n } as const;
 * const buy = { kind: "buy", sellAmount: 10n, buyAmount: 3n } as const;
 *
 * assertEquals(scaledLimit({ sellAmount: 1n, buyAmount: 5n }, sell), 4n);
 * assertEquals(scaledLimit({ sellAmount: 2n, buyAmount: 1n }, buy), 3n);
 * ```
 */
export function scaledLimit(
  fill: Fill,
  limit: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  const unpriced = checkLimitPrice(limit);
  if (unpriced !== undefined) return unpriced;
  return limit.kind === "sell"
    ? mulDivUp(exchangedSellAmount(fill), limit.buyAmount, limit.sellAmount)
    : mulDivDown(limit.sellAmount, fill.buyAmount, limit.buyAmount);
}

/**
 * Returns the amount by which a fill was better than a limit: the core of surplus, of price improvement
 * and of scores.
 *
 * Sell: `b - ceil(s * Lb / Ls)`. Buy: `floor(Ls * b / Lb) - s`. The limit is scaled to the fill by
 * {@linkcode scaledLimit}, so an atom that was owed never counts as surplus.
 *
 * @param fill One execution, in atoms, amounts `>= 0n`, after all fees.
 * @param limit An order, or any pair of amounts in place of its limit, such as a quote.
 * @returns Atoms of the surplus token, `0n` at the limit, negative below it; or
 * `"limit_without_price"` if the amount that the limit fixes is `0n`.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | surplus_over of the service}
 *
 * @example 3 of 10 sold, at a limit of 2,000 each
 * ```ts
 * import { surplusOverLimit } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const limit = { kind: "sell", sellAmount: 10n, buyAmount: 20_000n } as const;
 *
 * assertEquals(surplusOverLimit({ sellAmount: 3n, buyAmount: 6_100n }, limit), 100n);
 * ```
 */
export function surplusOverLimit(
  fill: Fill,
  limit: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  const scaled = scaledLimit(fill, limit);
  if (isNotComputable(scaled)) return scaled;
  return limit.kind === "sell" ? fill.buyAmount - scaled : scaled - exchangedSellAmount(fill);
}

/**
 * Returns surplus in basis points of the limit amount, scaled to the fill: the improvement on the signed
 * price. This is the usual metric, and the one in the protocol's documentation.
 *
 * `10^4 * surplus / limit`, with the limit in the same whole atoms as in `surplusAtoms`:
 * sell `ceil(s * B / S)`, buy `floor(S * b / B)`. So the ratio times the limit is the surplus again,
 * exactly.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * fixes `0n`, or the scaled limit is `0n`, as for an order that would sell for nothing.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example 2,100 for a limit of 2,000
 * ```ts
 * import { isNotComputable, surplusBpsOfLimit } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1n, buyAmount: 2_000n } as const;
 * const bps = surplusBpsOfLimit({ sellAmount: 1n, buyAmount: 2_100n }, order);
 *
 * assertEquals(isNotComputable(bps) ? bps : ratioToNumber(bps), 500);
 * ```
 */
export function surplusBpsOfLimit(
  fill: Fill,
  order: OrderLimit,
): Ratio | NotComputable<"limit_without_price" | "zero_baseline"> {
  const limit = scaledLimit(fill, order);
  if (isNotComputable(limit)) return limit;
  if (limit === 0n) {
    return { reason: "zero_baseline", detail: "The limit of this fill is 0 atoms" };
  }
  const surplus = order.kind === "sell"
    ? fill.buyAmount - limit
    : limit - exchangedSellAmount(fill);
  return bpsRatio(surplus, limit);
}

/** A fill to sum, with its order and its fees and prices where known. */
export interface TotalledFill {
  /** The fixed amount, the limit, and the tokens. */
  readonly order: OrderPair & RoleHints;
  /** The executed amounts, after all fees. */
  readonly fill: Fill;
  /** Protocol and partner fees, as in trades; absent if unknown. */
  readonly protocolFees?:
    | readonly { readonly amount: bigint; readonly token: string }[]
    | undefined;
  /** All fees of this fill, in sell-token atoms; absent if unknown. */
  readonly executedFee?: bigint | undefined;
  /** Native prices of the fill's auction, by token: native atoms for 10^18 of the token's atoms. */
  readonly prices?: Readonly<Record<string, bigint>> | undefined;
  /** Role of the order in its auction, from `auctionRole`. @default {that without the auction} */
  readonly role?: AuctionRole | undefined;
}

/** The sum of one token. */
export interface TokenTotal {
  /** Address of the token, as first written. */
  readonly token: string;
  /** Atoms of the token. */
  readonly atoms: bigint;
  /** Native value of the amounts that have a price. */
  readonly nativeAtoms: bigint;
  /** Number of amounts without a price, which `nativeAtoms` excludes. */
  readonly unpriced: number;
}

/** The sum of one quantity over all tokens. */
export interface Total {
  /** By token, in the order of first occurrence. */
  readonly tokens: readonly TokenTotal[];
  /** Native value of all amounts that have a price. */
  readonly nativeAtoms: bigint;
  /** Number of amounts without a price. */
  readonly unpriced: number;
  /** Number of fills whose amount is unknown. */
  readonly unknown: number;
}

/** Sums over fills. */
export interface Totals {
  /** Number of fills. */
  readonly fills: number;
  /** Volume sold, all fees included. */
  readonly sold: Total;
  /** Volume bought, after all fees. */
  readonly bought: Total;
  /** Surplus over the limit prices, after all fees; 0 for a solver's liquidity. */
  readonly surplus: Total;
  /** Protocol and partner fees. */
  readonly protocolFees: Total;
  /** All fees, network and protocol, in the sell tokens. */
  readonly allFees: Total;
}

/**
 * Sums volume, surplus and fees over many fills: by token, and in the native token.
 *
 * Each amount is valued separately at the native price of its own auction,
 * `floor(atoms * price / 10^18)`, rounded down as in the service, and the values are summed. An
 * amount whose token has no price there is in the sum of its token, but not in the native sum, and
 * counts as unpriced. Unknown fees count as unknown, and so does the surplus of an order of unknown
 * role or without a limit price. `sold` and `bought` are two views of the same volume: never add
 * them.
 *
 * @param fills Fills, each once.
 * @returns Sums; zeros for no fills.
 * @throws {InputError} If a role is unknown.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | native values in the service}
 *
 * @example Two fills, one of them of a token without a price
 * ```ts
 * import { totals } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 10n,
 *   buyAmount: 20n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 * } as const;
 * const prices = { "0xb2": 2n * 10n ** 18n };
 * const sums = totals([
 *   { order, fill: { sellAmount: 10n, buyAmount: 25n }, prices },
 *   { order, fill: { sellAmount: 5n, buyAmount: 11n } },
 * ]);
 *
 * assertEquals(sums.surplus.tokens, [
 *   { token: "0xb2", atoms: 6n, nativeAtoms: 10n, unpriced: 1 },
 * ]);
 * assertEquals(sums.protocolFees.unknown, 2);
 * ```
 */
export function totals(fills: Iterable<TotalledFill>): Totals {
  const [sold, bought, surplus] = [new TokenSums(), new TokenSums(), new TokenSums()];
  const [protocolFees, allFees] = [new TokenSums(), new TokenSums()];
  let count = 0;
  for (const { order, fill, prices, protocolFees: fees, executedFee, role } of fills) {
    count++;
    sold.add(order.sellToken, fill.sellAmount, prices);
    bought.add(order.buyToken, fill.buyAmount, prices);
    const gained = settledSurplus(fill, order, role);
    if (isNotComputable(gained)) surplus.countUnknown();
    else surplus.add(surplusToken(order), gained, prices);
    if (fees === undefined) protocolFees.countUnknown();
    else for (const { amount, token } of fees) protocolFees.add(token, amount, prices);
    if (executedFee === undefined) allFees.countUnknown();
    else allFees.add(order.sellToken, executedFee, prices);
  }
  return {
    fills: count,
    sold: sold.toTotal(),
    bought: bought.toTotal(),
    surplus: surplus.toTotal(),
    protocolFees: protocolFees.toTotal(),
    allFees: allFees.toTotal(),
  };
}

class TokenSums {
  readonly #tokens = new HexMap<{ -readonly [K in keyof TokenTotal]: TokenTotal[K] }>();
  #unknown = 0;

  add(token: string, atoms: bigint, prices: Readonly<Record<string, bigint>> | undefined): void {
    let toTotal = this.#tokens.get(token);
    if (toTotal === undefined) {
      this.#tokens.set(token, toTotal = { token, atoms: 0n, nativeAtoms: 0n, unpriced: 0 });
    }
    toTotal.atoms += atoms;
    const price = prices === undefined ? undefined : findNativePrice({ prices }, token);
    if (price === undefined) toTotal.unpriced++;
    else toTotal.nativeAtoms += nativeValue(atoms, price);
  }

  countUnknown(): void {
    this.#unknown++;
  }

  toTotal(): Total {
    const tokens = [...this.#tokens.values()];
    return {
      tokens,
      nativeAtoms: tokens.reduce((sum, token) => sum + token.nativeAtoms, 0n),
      unpriced: tokens.reduce((sum, token) => sum + token.unpriced, 0),
      unknown: this.#unknown,
    };
  }
}

/**
 * Returns the surplus that the service credits to a fill: {@linkcode surplusAtoms}, or 0 for an order
 * that a solver provided as liquidity, regardless of its price.
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param explicitRole Role of the order in its auction, from `auctionRole`; by default, that without the
 * auction.
 * @returns Atoms of the surplus token; or why they cannot be computed: the role is unknown, or the
 * order fixes `0n`.
 * @throws {InputError} If `explicitRole` is not a role.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/mod.rs | surplus_in_ether of the service}
 *
 * @example An order of the auction, and one that a solver provided
 * ```ts
 * import { settledSurplus } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n, buyAmount: 20n } as const;
 * const fill = { sellAmount: 10n, buyAmount: 25n };
 *
 * assertEquals(settledSurplus(fill, order, "listed"), 5n);
 * assertEquals(settledSurplus(fill, order, "liquidity"), 0n);
 * ```
 */
export function settledSurplus(
  fill: Fill,
  order: OrderLimit & RoleHints,
  explicitRole?: AuctionRole,
): bigint | NotComputable<"jit_owner_unknown" | "limit_without_price"> {
  const role = resolveRole(explicitRole, order, "Cannot measure surplus");
  if (role === "unknown") return ROLE_UNKNOWN;
  return role === "liquidity" ? 0n : surplusAtoms(fill, order);
}
