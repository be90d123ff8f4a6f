import { checkOptions, defineRule, type OptionRules, required } from "../../errors/option_rules.ts";
import type { CompetitionAuction, Order } from "../../schemas/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { nativeValue, sameHex } from "../../units/mod.ts";
import { ATOMS_OR_NULL } from "../not_computable.ts";
import { findNativePrice } from "../prices/price_interval.ts";

/** The largest factor of a penalty cap that CIP-87 lets the protocol choose: 10 basis points. */
export const MAX_CAP_FACTOR = 0.001;

const WAD = 10n ** 18n;
const MILLION = 1_000_000n;

/** Factor and limit of penalty caps. */
export interface PenaltyCapOptions {
  /**
   * The part of the volume, from 0 to 1, taken in millionths. The one in use is not published; tests of
   * the service have 0.0004, and 0.00001 for pairs of correlated tokens.
   */
  readonly factor: number;
  /** The largest cap of any order, in native atoms; `null` if it is unknown. */
  readonly absoluteCapAtoms: bigint | null;
}

const OPTIONS: OptionRules<PenaltyCapOptions> = {
  factor: required(
    defineRule(
      "a number from 0 to 1",
      (value) => typeof value === "number" && value >= 0 && value <= 1,
    ),
  ),
  absoluteCapAtoms: required(ATOMS_OR_NULL),
};

/**
 * Computes the penalty cap of an order by CIP-87: `min(floor(volume * millionths / 10^6), absoluteCap)`.
 *
 * The volume is that of the whole order at its limit, also for a partial fill, in native atoms: the limit
 * buy amount of a sell order, or the limit sell amount of a buy order, at the native price of its token,
 * `floor(amount * price / 10^18)`. Without a price, or beyond 256 bits, the cap is the absolute one.
 * Trades name the cap that counts: `penaltyCapNative`.
 *
 * @param order The order: its limit.
 * @param auction The auction: its native prices.
 * @returns Native atoms; `null` if it is the absolute cap and that is unknown.
 * @throws {InputError} If an option is missing or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/03779b60/crates/autopilot/src/domain/penalty_cap.rs | penalty caps of the service}
 *
 * @example Four basis points of an order for 100 native tokens, with a cap of 0.01
 * ```ts
 * import { computePenaltyCap } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 *   sellAmount: 1n,
 *   buyAmount: 100n * 10n ** 18n,
 * } as const;
 * const auction = { orders: [], prices: { "0xb2": 10n ** 18n } };
 *
 * assertEquals(
 *   computePenaltyCap(order, auction, { factor: 0.0004, absoluteCapAtoms: null }),
 *   40_000_000_000_000_000n,
 * );
 * assertEquals(
 *   computePenaltyCap(order, auction, { factor: 0.0004, absoluteCapAtoms: 10n ** 16n }),
 *   10n ** 16n,
 * );
 * ```
 */
export function computePenaltyCap(
  order: Pick<Order, "kind" | "sellToken" | "buyToken" | "sellAmount" | "buyAmount">,
  auction: CompetitionAuction,
  options: PenaltyCapOptions,
): bigint | null {
  checkOptions(options, OPTIONS, "Cannot compute a penalty cap");
  const { factor, absoluteCapAtoms } = options;
  const [amount, token] = order.kind === "sell"
    ? [order.buyAmount, order.buyToken]
    : [order.sellAmount, order.sellToken];
  // The native token and its wrapped token have the same value.
  const price = sameHex(token, NATIVE_TOKEN_ADDRESS) ? WAD : findNativePrice(auction, token);
  if (price === undefined || amount * price > MAX_AMOUNT) return absoluteCapAtoms;
  const cap = nativeValue(amount, price) * BigInt(Math.round(factor * 1e6)) / MILLION;
  return absoluteCapAtoms !== null && absoluteCapAtoms < cap ? absoluteCapAtoms : cap;
}
