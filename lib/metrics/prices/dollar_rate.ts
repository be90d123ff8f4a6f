import { type Decimal, powerOfTen, type Ratio, ratio } from "../../units/mod.ts";
import { findMedianRatio } from "../../units/ratio.ts";
import type { NotComputable } from "../not_computable.ts";
import { toNativePerAtom } from "./price_sides.ts";

/** A token that is worth one US dollar. */
export interface DollarToken {
  /** Address of the token. */
  readonly address: string;
  /** Number of decimals. */
  readonly decimals: number;
}

/** Price of the US dollar in one auction. */
export interface DollarRate {
  /** Native atoms for one US dollar; exact. */
  readonly nativePerDollar: Ratio;
  /** Addresses of the tokens whose prices it follows from, as passed. */
  readonly tokens: readonly string[];
}

/**
 * Computes the price of the US dollar in an auction from the native prices of tokens that are worth one:
 * the median of `price * 10^decimals / 10^18`, the native atoms for one whole token. Of an even number of
 * prices, it is the mean of the two in the middle. Exact: nothing is rounded.
 *
 * A price of 0 is not used. No price comes from anywhere but the auction.
 *
 * @param dollarTokens Tokens that are worth one US dollar, such as USDC.
 * @param findPrice Finds the native price of a token, in native atoms for 10^18 atoms; `undefined` where
 * it has none.
 * @returns The rate; `"no_dollar_token"` without tokens, `"no_dollar_price"` where none has a price
 * above 0.
 * @throws {RangeError} If a price is negative, or decimals are not a whole number from 0 to 77.
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/schema | native prices of an auction}
 *
 * @example Three tokens, of which the one in the middle counts
 * ```ts
 * import { dollarRate, isNotComputable } from "orderlens/metrics";
 * import { HexMap } from "orderlens/units";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const tokens = [
 *   { address: "0xa0", decimals: 6 },
 *   { address: "0xda", decimals: 6 },
 *   { address: "0x6b", decimals: 18 },
 * ];
 * const prices = new HexMap([
 *   ["0xa0", 400_000_000_000_000_000_000_000_000n], // 0.0004 ETH for one
 *   ["0xda", 500_000_000_000_000_000_000_000_000n], // 0.0005 ETH for one
 *   ["0x6b", 390_000_000_000_000n], // 0.00039 ETH for one
 * ]);
 *
 * const rate = dollarRate(tokens, (token) => prices.get(token));
 *
 * assert(!isNotComputable(rate));
 * const { numerator, denominator } = rate.nativePerDollar;
 * assertEquals(numerator / denominator, 400_000_000_000_000n);
 * ```
 */
export function dollarRate(
  dollarTokens: Iterable<DollarToken>,
  findPrice: (token: string) => bigint | Decimal | undefined,
): DollarRate | NotComputable<"no_dollar_token" | "no_dollar_price"> {
  const tokens: string[] = [];
  const rates: Ratio[] = [];
  let count = 0;
  for (const { address, decimals } of dollarTokens) {
    count++;
    const price = findPrice(address);
    if (price === undefined) continue;
    const { numerator, denominator } = toNativePerAtom(price);
    if (numerator === 0n) continue;
    tokens.push(address);
    rates.push(ratio(numerator * powerOfTen(decimals), denominator));
  }
  if (count === 0) {
    return { reason: "no_dollar_token", detail: "No token is known to be worth one US dollar" };
  }
  const nativePerDollar = findMedianRatio(rates);
  return nativePerDollar === null
    ? { reason: "no_dollar_price", detail: `None of ${count} dollar tokens has a price above 0` }
    : { nativePerDollar, tokens };
}

/**
 * Values an amount in US dollars: `atoms * price / 10^18 / nativePerDollar`, exact.
 *
 * @param atoms The amount, in atoms of a token; may be negative.
 * @param price Native price of the token in the same auction: native atoms for 10^18 atoms.
 * @param rate Price of the US dollar in that auction.
 * @returns Exact US dollars.
 * @throws {RangeError} If the price is negative.
 *
 * @example Half a WETH at 0.0004 ETH for a dollar
 * ```ts
 * import { dollarValue } from "orderlens/metrics";
 * import { ratio, ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const rate = { nativePerDollar: ratio(400_000_000_000_000n, 1n) };
 *
 * assertEquals(ratioToNumber(dollarValue(5n * 10n ** 17n, 10n ** 18n, rate)), 1_250);
 * ```
 */
export function dollarValue(
  atoms: bigint,
  price: bigint | Decimal,
  { nativePerDollar }: Pick<DollarRate, "nativePerDollar">,
): Ratio {
  const unit = toNativePerAtom(price);
  return ratio(
    atoms * unit.numerator * nativePerDollar.denominator,
    unit.denominator * nativePerDollar.numerator,
  );
}
