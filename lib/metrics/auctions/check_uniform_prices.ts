import { checkOptions } from "../../errors/option_rules.ts";
import { type NetworkFee, networkFee } from "../fees/network_fee.ts";
import { anyRecord, isNotComputable } from "../not_computable.ts";
import type { Fill, OrderPair } from "../orders/fills.ts";
import { type AuctionRole, resolveRole, type RoleHints } from "../orders/order_bids.ts";
import {
  type ClearingPrices,
  impliedPrice,
  intersectPrices,
  invertPrices,
  type PriceInterval,
} from "../prices/price_interval.ts";

/** A fill of a settlement, with its order. */
export interface SettlementFill {
  /** UID of the order. */
  readonly uid: string;
  /** The fixed amount, and the tokens. */
  readonly order: OrderPair & RoleHints;
  /** The executed amounts, after all fees. */
  readonly fill: Fill;
  /**
   * All fees of *this fill* as the service reports them, in sell-token atoms: of an execution in a
   * debug report, or `executedFee` of an order that has filled once.
   */
  readonly executedFee?: bigint | undefined;
  /** Role of the order in its auction, from `auctionRole`. @default {that without the auction} */
  readonly role?: AuctionRole | undefined;
}

/** Options of a check of uniform prices. */
export interface UniformPriceOptions {
  /** The decoded settlement, which makes the check exact. */
  readonly settlement?: ClearingPrices;
}

/** The prices before fees that all fills of one pair of tokens allow. */
export interface PairPrices {
  /** The token sold in the direction of the price: the one with the smaller address. */
  readonly sellToken: string;
  /** The token bought. */
  readonly buyToken: string;
  /** Fills of the pair, in either direction. */
  readonly uids: readonly string[];
  /** Buy-token atoms per sell-token atom that all fills allow; `null` if no price is. */
  readonly prices: PriceInterval | null;
}

/** Fills that violate the rule of one price per pair. */
export interface PriceViolation {
  /**
   * - `"no_common_price"`: no price before fees gives the amounts and fees of both fills
   * - `"better_than_uniform"`: the fill got more than the uniform prices give before any fee
   * - `"other_fee"`: the reported fee differs from the fee at the uniform prices, or from 0 for a
   *   solver's liquidity
   */
  readonly what: "no_common_price" | "better_than_uniform" | "other_fee";
  /** The fills in conflict; only one if it conflicts with the settlement's prices. */
  readonly uids: readonly string[];
  /** The details, as a sentence. */
  readonly detail: string;
}

/** Result of a check of uniform prices. */
export interface UniformPriceCheck {
  /**
   * Basis of the check: with `"settlement"` it is exact, otherwise within the bounds of rounding.
   */
  readonly basis: "settlement" | "executed_fees";
  /** Prices by pair, from fees; empty with a settlement, which contains them. */
  readonly pairs: readonly PairPrices[];
  /** Violations of the rule; empty if there are none. */
  readonly violations: readonly PriceViolation[];
  /** Fills that could not be checked, and why. */
  readonly unchecked: readonly { readonly uid: string; readonly why: string }[];
}

/**
 * Checks that the fills of one settlement imply the same price before fees for the same pair of
 * tokens, in either direction.
 *
 * With the decoded settlement the check is exact: at its uniform prices the fee of each fill is not
 * negative, and equals the reported `executedFee` if there is one. Without it each fill allows a
 * range of prices ({@linkcode impliedPrice}): ranges of one pair without a common price are
 * certainly a violation, but differences within the rounding go undetected.
 *
 * An order that a solver provided as liquidity trades at its own prices: it is not compared with
 * others, and its fee is 0. An order of unknown role cannot be checked.
 *
 * @param fills Fills of one settlement transaction.
 * @returns Violations and unchecked fills; both are empty for no fills.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/competition-rules | uniform directional clearing prices}
 *
 * @example Two sellers of the same token, one of whom was paid 1 % more before fees
 * ```ts
 * import { checkUniformPrices } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 1_000n,
 *   buyAmount: 1n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 * } as const;
 * const sold = (uid: string, buyAmount: bigint) => ({
 *   uid,
 *   order,
 *   fill: { sellAmount: 1_000n, buyAmount },
 *   executedFee: 10n,
 * });
 *
 * assertEquals(checkUniformPrices([sold("0x01", 1_980n), sold("0x02", 1_980n)]).violations, []);
 * assertEquals(
 *   checkUniformPrices([sold("0x01", 1_980n), sold("0x02", 2_000n)]).violations[0]?.uids,
 *   ["0x02", "0x01"],
 * );
 * ```
 */
export function checkUniformPrices(
  fills: Iterable<SettlementFill>,
  options: UniformPriceOptions = {},
): UniformPriceCheck {
  checkOptions(options, { settlement: anyRecord() }, ACTION);
  return options.settlement === undefined
    ? checkAgainstEachOther(fills)
    : checkAgainstSettlement(fills, options.settlement);
}

const ACTION = "Cannot check uniform prices";

function checkAgainstSettlement(
  fills: Iterable<SettlementFill>,
  settlement: ClearingPrices,
): UniformPriceCheck {
  const violations: PriceViolation[] = [];
  const unchecked: { uid: string; why: string }[] = [];
  for (const { uid, fill, order, executedFee, role } of fills) {
    const fees = networkFee(fill, order, { settlement, protocolFees: [], role });
    if (!isNotComputable(fees)) {
      if (executedFee === undefined || executedFee === fees.executedFee) continue;
      violations.push(createFeeViolation(uid, executedFee, fees));
    } else if (fees.reason === "fee_does_not_fit") {
      violations.push({ what: "better_than_uniform", uids: [uid], detail: fees.detail });
    } else {
      unchecked.push({ uid, why: fees.detail });
    }
  }
  return { basis: "settlement", pairs: [], violations, unchecked };
}

function createFeeViolation(uid: string, reportedFee: bigint, fees: NetworkFee): PriceViolation {
  const qualifier = fees.basis === "role" ? "of a solver's liquidity" : "at the uniform prices";
  const detail = `Reported ${reportedFee}, ${qualifier} ${fees.executedFee}`;
  return { what: "other_fee", uids: [uid], detail };
}

interface ImpliedPrices {
  readonly uid: string;
  readonly sellToken: string;
  readonly buyToken: string;
  readonly prices: PriceInterval;
}

function checkAgainstEachOther(fills: Iterable<SettlementFill>): UniformPriceCheck {
  const violations: PriceViolation[] = [];
  const unchecked: { uid: string; why: string }[] = [];
  const implied: ImpliedPrices[] = [];
  for (const { uid, fill, order, executedFee, role: explicitRole } of fills) {
    const role = resolveRole(explicitRole, order, ACTION);
    if (role === "liquidity" || role === "unknown") {
      const fees = networkFee(fill, order, { protocolFees: [], role });
      if (isNotComputable(fees)) unchecked.push({ uid, why: fees.detail });
      else if (executedFee !== undefined && executedFee !== fees.executedFee) {
        violations.push(createFeeViolation(uid, executedFee, fees));
      }
      continue;
    }
    if (executedFee === undefined) {
      unchecked.push({ uid, why: "The fees of this fill were not passed" });
      continue;
    }
    const prices = impliedPrice(fill, { kind: order.kind, executedFee });
    if (isNotComputable(prices)) unchecked.push({ uid, why: prices.detail });
    else implied.push(normalizeDirection({ uid, ...order, prices }));
  }
  const groups = Map.groupBy(
    implied,
    ({ sellToken, buyToken }) => `${sellToken} ${buyToken}`.toLowerCase(),
  );
  const pairs: PairPrices[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    const prices = group.reduce<PriceInterval | null>(
      (common, next) => common && intersectPrices(common, next.prices),
      first!.prices,
    );
    const uids = group.map(({ uid }) => uid);
    pairs.push({ sellToken: first!.sellToken, buyToken: first!.buyToken, uids, prices });
    if (prices === null) violations.push(findConflict(group));
  }
  return { basis: "executed_fees", pairs, violations, unchecked };
}

function normalizeDirection({ uid, sellToken, buyToken, prices }: ImpliedPrices): ImpliedPrices {
  return sellToken.toLowerCase() <= buyToken.toLowerCase()
    ? { uid, sellToken, buyToken, prices }
    : { uid, sellToken: buyToken, buyToken: sellToken, prices: invertPrices(prices) };
}

/** Finds two ranges that exclude each other: the highest and the lowest do, if no price is common. */
function findConflict(group: readonly ImpliedPrices[]): PriceViolation {
  for (const upper of group) {
    for (const lower of group) {
      if (upper === lower || intersectPrices(upper.prices, lower.prices) !== null) continue;
      if (!isAbove(upper.prices, lower.prices)) continue;
      return {
        what: "no_common_price",
        uids: [upper.uid, lower.uid],
        detail: `${upper.uid} implies a higher price of ${upper.sellToken} in ${upper.buyToken} ` +
          `than ${lower.uid}, beyond rounding`,
      };
    }
  }
  return { what: "no_common_price", uids: group.map(({ uid }) => uid), detail: "No common price" };
}

function isAbove(a: PriceInterval, b: PriceInterval): boolean {
  return b.high !== null &&
    a.low.numerator * b.high.denominator >= b.high.numerator * a.low.denominator;
}
