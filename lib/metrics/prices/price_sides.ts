import { Decimal, type Ratio } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import type { Exchange } from "./price_interval.ts";

/** Both sides of an exchange at the native prices of their tokens. */
export interface PriceSides {
  /** Value sold, in native atoms; exact. */
  readonly sellValue: Ratio;
  /** Value bought, in native atoms; exact. */
  readonly buyValue: Ratio;
  /**
   * Whether the prices agree: `suspect` if one side is worth more than 2 times the other, `absurd`
   * if more than 1,000 times.
   */
  readonly verdict: "consistent" | "suspect" | "absurd";
}

/** One side is worth more than this many times the other where a price is suspect. */
const SUSPECT_FACTOR = 2n;
/** One side is worth more than this many times the other where a price is absurd. */
const ABSURD_FACTOR = 1_000n;

/** Both factors as texts have them. */
export const SUSPECT_TIMES: string = `${SUSPECT_FACTOR.toLocaleString("en-US")} times`;
export const ABSURD_TIMES: string = `${ABSURD_FACTOR.toLocaleString("en-US")} times`;

/**
 * Values an exchange through both of its tokens, which are worth about the same unless a native
 * price is wrong.
 *
 * With prices in native atoms for 10^18 atoms, a side is worth `atoms * price / 10^18`. The factors
 * are compared in whole numbers, without rounding any value. Settlements round amounts to whole
 * atoms, so an amount stands for any of less than one atom around it: sides that may be within the
 * factor before this rounding are. A price of 0 is absurd. The result does not state which of both
 * prices is wrong; a fee or a loss that took most of a trade makes its prices suspect, too.
 *
 * @param exchange Both tokens with their amounts, in atoms.
 * @param findPrice Finds the native price of a token; `undefined` where it has none.
 * @returns Both values and the verdict; `"no_price"` where one of the tokens has no price,
 * `"nothing_exchanged"` where one of the amounts is 0.
 * @throws {RangeError} If a price is negative.
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/schema | native prices of an auction}
 *
 * @example 25 USDC for 0.01 ETH, and at a price that is a million times too high
 * ```ts
 * import { comparePriceSides, isNotComputable } from "orderlens/metrics";
 * import { HexMap } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const exchange = {
 *   sellToken: "0xa1",
 *   sellAmount: 25_000_000n, // USDC at 0.0004 ETH each
 *   buyToken: "0xb2",
 *   buyAmount: 10n ** 16n, // WETH
 * };
 * const usdc = 4n * 10n ** 26n;
 * const judge = (price: bigint) => {
 *   const prices = new HexMap([["0xa1", price], ["0xb2", 10n ** 18n]]);
 *   const sides = comparePriceSides(exchange, (token) => prices.get(token));
 *   return isNotComputable(sides) ? sides.reason : sides.verdict;
 * };
 *
 * assertEquals([usdc, usdc * 3n, usdc * 10n ** 6n].map(judge), ["consistent", "suspect", "absurd"]);
 * ```
 */
export function comparePriceSides(
  { sellToken, sellAmount, buyToken, buyAmount }: Exchange,
  findPrice: (token: string) => bigint | Decimal | undefined,
): PriceSides | NotComputable<"no_price" | "nothing_exchanged"> {
  const sellPrice = findPrice(sellToken);
  const buyPrice = findPrice(buyToken);
  if (sellPrice === undefined || buyPrice === undefined) {
    const unpriced = sellPrice === undefined ? sellToken : buyToken;
    return { reason: "no_price", detail: `The token ${unpriced} has no native price` };
  }
  if (sellAmount <= 0n || buyAmount <= 0n) {
    const detail = `${sellAmount} atoms were sold for ${buyAmount}`;
    return { reason: "nothing_exchanged", detail };
  }
  const sellUnit = toNativePerAtom(sellPrice);
  const buyUnit = toNativePerAtom(buyPrice);
  const sides = {
    sellValue: { numerator: sellAmount * sellUnit.numerator, denominator: sellUnit.denominator },
    buyValue: { numerator: buyAmount * buyUnit.numerator, denominator: buyUnit.denominator },
  };
  if (sellUnit.numerator === 0n || buyUnit.numerator === 0n) return { ...sides, verdict: "absurd" };
  const sell = { atoms: sellAmount, unit: sellUnit };
  const buy = { atoms: buyAmount, unit: buyUnit };
  const isBeyond = (factor: bigint) =>
    isWorthMore(sell, buy, factor) || isWorthMore(buy, sell, factor);
  if (!isBeyond(SUSPECT_FACTOR)) return { ...sides, verdict: "consistent" };
  return { ...sides, verdict: isBeyond(ABSURD_FACTOR) ? "absurd" : "suspect" };
}

/** Returns the value of one atom in native atoms: a price is that of 10^18 atoms. */
export function toNativePerAtom(price: bigint | Decimal): Ratio {
  const isDecimal = price instanceof Decimal;
  const numerator = isDecimal ? price.coefficient : price;
  if (numerator < 0n) {
    throw new RangeError(`Cannot use a native price of ${price}: it must not be negative`);
  }
  return { numerator, denominator: isDecimal ? ATOMS * 10n ** BigInt(price.scale) : ATOMS };
}

/** Atoms that a native price is the value of. */
const ATOMS = 10n ** 18n;

/** Atoms, and the value of one. */
interface Side {
  readonly atoms: bigint;
  readonly unit: Ratio;
}

/** Whether one side is more than a factor above the other however both were rounded. */
function isWorthMore(side: Side, opposite: Side, factor: bigint): boolean {
  const value = (side.atoms - 1n) * side.unit.numerator;
  const otherValue = factor * (opposite.atoms + 1n) * opposite.unit.numerator;
  return side.unit.denominator === opposite.unit.denominator
    ? value > otherValue
    : value * opposite.unit.denominator > otherValue * side.unit.denominator;
}
