import { checkOptions, oneOf, type OptionRules, required } from "../../errors/option_rules.ts";
import type { CompetitionAuction, OrderKind } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import {
  compareRatios,
  mulDivDown,
  mulDivUp,
  type Ratio,
  ratio,
  sameHex,
} from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import { exchangedSellAmount, type Fill } from "../orders/fills.ts";

/** Possible prices: a range of exact ratios; either end may be open. */
export interface PriceInterval {
  /** Lower end. */
  readonly low: Ratio;
  /** Whether the lower end itself is possible. */
  readonly includesLow: boolean;
  /** Upper end; `null` if there is none. */
  readonly high: Ratio | null;
  /** Whether the upper end itself is possible. */
  readonly includesHigh: boolean;
}

/** Inverts prices: `1 / price`. A price of 0 is excluded. */
export function invertPrices(prices: PriceInterval): PriceInterval {
  const { low, includesLow, high, includesHigh } = prices;
  return {
    low: high === null ? ratio(0n, 1n) : ratio(high.denominator, high.numerator),
    includesLow: high !== null && includesHigh,
    high: low.numerator === 0n ? null : ratio(low.denominator, low.numerator),
    includesHigh: low.numerator !== 0n && includesLow,
  };
}

/** Returns the prices that both ranges contain; `null` if there are none. */
export function intersectPrices(a: PriceInterval, b: PriceInterval): PriceInterval | null {
  const lowest = compareRatios(a.low, b.low);
  const { low, includesLow } = lowest > 0
    ? a
    : lowest < 0
    ? b
    : { low: a.low, includesLow: a.includesLow && b.includesLow };
  const highest = a.high === null
    ? (b.high === null ? 0 : 1)
    : b.high === null
    ? -1
    : compareRatios(a.high, b.high);
  const { high, includesHigh } = highest < 0
    ? a
    : highest > 0
    ? b
    : { high: a.high, includesHigh: a.includesHigh && b.includesHigh };
  if (high !== null) {
    const width = compareRatios(low, high);
    if (width > 0 || (width === 0 && !(includesLow && includesHigh))) return null;
  }
  return { low, includesLow, high, includesHigh };
}

/** Terms of a price before fees, in addition to the amounts. */
export interface ImpliedPriceOptions {
  /** The amount that the order fixes. */
  readonly kind: OrderKind;
  /** All fees of *this fill* as the service reports them, in sell-token atoms. */
  readonly executedFee: bigint;
}

const IMPLIED_OPTIONS: OptionRules<ImpliedPriceOptions> = {
  kind: required(oneOf("sell", "buy")),
  executedFee: required(BigInt),
};

/**
 * Computes the price before fees that the amounts and `executedFee` of a fill imply: buy-token atoms per
 * sell-token atom at the settlement's uniform prices, `r = Psell / Pbuy`.
 *
 * The service rounds, so a range of prices gives the same amounts `s`, `b`, `e`:
 *
 * - buy order: `e = s - floor(b / r)`, so `b / (s - e + 1) < r <= b / (s - e)`
 * - sell order: `e = floor(F / r)` with `F = ceil(s * r) - b`. From `F < s * r - b + 1` and `e <= F / r`
 *   follows `r > (b - 1) / (s - e)`; from `F >= s * r - b` and `F / r < e + 1` follows
 *   `r < b / (s - e - 1)`
 *
 * No price outside the range is possible; for a sell order, not every price inside it is.
 *
 * @param fill One execution after all fees, in atoms.
 * @returns The range; or `"fee_does_not_fit"` if the fee exceeds the amount sold.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | fees at uniform prices in the service}
 *
 * @example 100 sold for 190 after a fee of 5
 * ```ts
 * import { impliedPrice } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { sellAmount: 100n, buyAmount: 190n };
 *
 * assertEquals(impliedPrice(fill, { kind: "sell", executedFee: 5n }), {
 *   low: ratio(189n, 95n),
 *   includesLow: false,
 *   high: ratio(190n, 94n),
 *   includesHigh: false,
 * });
 * ```
 */
export function impliedPrice(
  fill: Fill,
  options: ImpliedPriceOptions,
): PriceInterval | NotComputable<"fee_does_not_fit"> {
  checkOptions(options, IMPLIED_OPTIONS, "Cannot compute the price of a fill");
  const { kind, executedFee } = options;
  const b = fill.buyAmount;
  const remaining = exchangedSellAmount(fill) - executedFee;
  if (executedFee < 0n || remaining < 0n || b <= 0n || (remaining === 0n && kind === "sell")) {
    return {
      reason: "fee_does_not_fit",
      detail: `After a fee of ${executedFee}, ${remaining} atoms are left to sell for ${b}`,
    };
  }
  return kind === "buy"
    ? {
      low: ratio(b, remaining + 1n),
      includesLow: false,
      high: remaining === 0n ? null : ratio(b, remaining),
      includesHigh: remaining !== 0n,
    }
    : {
      low: ratio(b - 1n, remaining),
      includesLow: false,
      high: remaining === 1n ? null : ratio(b, remaining - 1n),
      includesHigh: false,
    };
}

/** The prices of a settlement, by index. A decoded settlement has them. */
export interface ClearingPrices {
  /** Tokens; one can occur more than once. */
  readonly tokens: readonly string[];
  /** Price of the token at the same index; only ratios of prices have a meaning. */
  readonly clearingPrices: readonly bigint[];
}

/**
 * Returns the uniform clearing price of a token in a settlement: the price at the token's *first* index.
 *
 * Later indices of the same token have the prices of single trades after their fees.
 *
 * @param settlement Tokens and prices, from `decodeSettlement`.
 * @param token Address in any letter case; the native token, `0xeeee…`, is distinct from the
 * wrapped one.
 * @returns The price, or `undefined` if the settlement does not contain the token.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/transaction/mod.rs | uniform prices in the service}
 *
 * @example The second price of the same token is that of one trade
 * ```ts
 * import { uniformPrice } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const settlement = { tokens: ["0xa1", "0xb2", "0xa1"], clearingPrices: [200n, 100n, 199n] };
 *
 * assertEquals(uniformPrice(settlement, "0xA1"), 200n);
 * assertEquals(uniformPrice(settlement, "0xc3"), undefined);
 * ```
 */
export function uniformPrice(settlement: ClearingPrices, token: string): bigint | undefined {
  const index = settlement.tokens.findIndex((candidate) => sameHex(candidate, token));
  return settlement.clearingPrices[index];
}

/** Finds the native price of a token in an auction, ignoring the letter case of its address. */
export function findNativePrice(
  { prices }: Pick<CompetitionAuction, "prices">,
  token: string,
): bigint | undefined {
  return findByHex(prices, token);
}

/** Bounds of a whole number of atoms; it is exact if both are equal. */
export interface AtomInterval {
  /** The smallest possible value. */
  readonly low: bigint;
  /** The largest possible value, `>= low`. */
  readonly high: bigint;
}

/** The fields of an encoded trade that determine its amounts. A decoded trade has them. */
export interface EncodedExecution {
  /** The fixed amount. */
  readonly kind: OrderKind;
  /** Whether the order may be filled in parts. */
  readonly partiallyFillable: boolean;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Legacy signed fee of the whole order, in sell-token atoms. */
  readonly feeAmount: bigint;
  /** Executed now, in atoms of the token whose amount is fixed; unused for fill-or-kill orders. */
  readonly executedAmount: bigint;
  /** Index of the sell token's price. */
  readonly sellTokenIndex: number;
  /** Index of the buy token's price. */
  readonly buyTokenIndex: number;
}

/**
 * Computes the amounts that a settlement moved for one of its trades, from the calldata alone.
 *
 * At the trade's own prices `Psell`, `Pbuy`, which are at its two indices: sell
 * `b = ceil(s * Psell / Pbuy)`, buy `s = floor(b * Pbuy / Psell)`. The fixed amount is that of the
 * order for a fill-or-kill order, and `executedAmount` for a partially fillable one. A signed fee
 * of old orders is added to `s`: all of it, or `floor(fee * executed / fixed)` if partly filled.
 * All roundings are those of the settlement contract.
 *
 * @param trade A trade of a decoded settlement.
 * @param settlement The settlement's prices.
 * @returns The fill, or why it cannot be computed.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | computeTradeExecution of the contract}
 *
 * @example A third of an order, at 3 for 10
 * ```ts
 * import { settledFill } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const trade = {
 *   kind: "sell",
 *   partiallyFillable: true,
 *   sellAmount: 3n,
 *   buyAmount: 9n,
 *   feeAmount: 0n,
 *   executedAmount: 1n,
 *   sellTokenIndex: 0,
 *   buyTokenIndex: 1,
 * } as const;
 * const settlement = { tokens: ["0xa1", "0xb2"], clearingPrices: [10n, 3n] };
 *
 * assertEquals(settledFill(trade, settlement), {
 *   sellAmount: 1n,
 *   buyAmount: 4n,
 *   sellAmountBeforeFees: 1n,
 * });
 * ```
 */
export function settledFill(
  trade: EncodedExecution,
  settlement: ClearingPrices,
): Fill | NotComputable<"zero_price" | "token_not_in_settlement" | "limit_without_price"> {
  const sellPrice = settlement.clearingPrices[trade.sellTokenIndex];
  const buyPrice = settlement.clearingPrices[trade.buyTokenIndex];
  if (sellPrice === undefined || buyPrice === undefined) {
    const detail = `The settlement has ${settlement.clearingPrices.length} prices`;
    return { reason: "token_not_in_settlement", detail };
  }
  if (sellPrice === 0n || buyPrice === 0n) {
    return { reason: "zero_price", detail: `The prices are ${sellPrice} and ${buyPrice}` };
  }
  const isSell = trade.kind === "sell";
  const fixed = isSell ? trade.sellAmount : trade.buyAmount;
  const executedAtoms = trade.partiallyFillable ? trade.executedAmount : fixed;
  const sellAmountBeforeFees = isSell
    ? executedAtoms
    : mulDivDown(executedAtoms, buyPrice, sellPrice);
  const buyAmount = isSell ? mulDivUp(executedAtoms, sellPrice, buyPrice) : executedAtoms;
  if (fixed === 0n) return { reason: "limit_without_price", detail: "The order is for 0 atoms" };
  const fee = mulDivDown(trade.feeAmount, executedAtoms, fixed);
  return { sellAmount: sellAmountBeforeFees + fee, buyAmount, sellAmountBeforeFees };
}

/** An exchange of one token for another. */
export interface Exchange {
  /** Token sold. */
  readonly sellToken: string;
  /** Amount sold, in its atoms. */
  readonly sellAmount: bigint;
  /** Token bought. */
  readonly buyToken: string;
  /** Amount bought, in its atoms. */
  readonly buyAmount: bigint;
}

/** The side of an exchange that its volume is measured by. */
export interface PricedSide<Price> {
  /** Its token. */
  readonly token: string;
  /** Its amount, in atoms. */
  readonly atoms: bigint;
  /** The price of its token. */
  readonly price: Price;
}

/**
 * Finds the side of an exchange that its volume is measured by: the one sold; the one bought where the
 * token sold has no price.
 *
 * @param exchange Both tokens with their amounts.
 * @param findPrice Finds the price of a token; `undefined` where it has none.
 * @returns `null` where neither token has a price.
 *
 * @example The volume of a trade in native atoms
 * ```ts
 * import { pricedSide } from "orderlens/metrics";
 * import { HexMap, nativeValue } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const prices = new HexMap([["0xA2", 400_000_000_000_000_000_000_000_000n]]);
 * const trade = {
 *   sellToken: "0xa1",
 *   sellAmount: 9n,
 *   buyToken: "0xa2",
 *   buyAmount: 25_000_000n, // 25 USDC at 0.0004 ETH each
 * };
 * const side = pricedSide(trade, (token) => prices.get(token));
 *
 * assertEquals(side && nativeValue(side.atoms, side.price), 10_000_000_000_000_000n);
 * ```
 */
export function pricedSide<Price>(
  { sellToken, sellAmount, buyToken, buyAmount }: Exchange,
  findPrice: (token: string) => Price | undefined,
): PricedSide<Price> | null {
  const sellPrice = findPrice(sellToken);
  if (sellPrice !== undefined) return { token: sellToken, atoms: sellAmount, price: sellPrice };
  const buyPrice = findPrice(buyToken);
  return buyPrice === undefined ? null : { token: buyToken, atoms: buyAmount, price: buyPrice };
}
