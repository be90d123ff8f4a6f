import { checkOptions, type OptionRules, required } from "../../errors/option_rules.ts";
import { divideDown, divideUp, mulDivDown, mulDivUp } from "../../units/mod.ts";
import { anyRecord, isNotComputable, list, type NotComputable } from "../not_computable.ts";
import { exchangedSellAmount, type Fill, type OrderPair } from "../orders/fills.ts";
import {
  type AuctionRole,
  resolveRole,
  ROLE,
  ROLE_UNKNOWN,
  type RoleHints,
} from "../orders/order_bids.ts";
import { type AtomInterval, type ClearingPrices, uniformPrice } from "../prices/price_interval.ts";

/** A reported fee, in atoms of the surplus token. */
export interface ReportedFee {
  /** Amount charged. */
  readonly amount: bigint;
}

/** A fill for `networkFee`, with the protocol fees that were charged, if known. */
export interface ChargedFill extends Fill {
  /** Protocol and partner fees of the fill, as trades report them. */
  readonly executedProtocolFees?: readonly ReportedFee[] | undefined;
}

/** Source of the network fee of a fill: the settlement, or the reported total. */
export interface NetworkFeeOptions {
  /** The decoded settlement of the fill, which makes the result exact. */
  readonly settlement?: ClearingPrices | undefined;
  /**
   * All fees of *this fill* as the service reports them, in sell-token atoms: `executedFee` of an
   * execution in a debug report, or of an order that has filled once.
   */
  readonly executedFee?: bigint | undefined;
  /** Protocol and partner fees of the fill. @default {those of the fill record} */
  readonly protocolFees?: readonly ReportedFee[] | undefined;
  /**
   * Role of the order in its auction, from `auctionRole`. Without it, a user's order that its
   * auction does not list gets a fee that the service never charged.
   *
   * @default {that without the auction}
   */
  readonly role?: AuctionRole | undefined;
}

const ACTION = "Cannot derive a network fee";
const OPTIONS: OptionRules<NetworkFeeOptions> = {
  settlement: anyRecord(),
  executedFee: BigInt,
  protocolFees: list(),
  role: ROLE,
};

/** The reason why the network fee of a fill is unknown. */
export type NetworkFeeReason =
  | "jit_owner_unknown"
  | "no_settlement_or_executed_fee"
  | "no_protocol_fees"
  | "token_not_in_settlement"
  | "zero_price"
  | "fee_does_not_fit"
  | "unbounded";

/** The fees that a fill paid for being settled, in atoms of the surplus token. */
export interface NetworkFee {
  /**
   * Basis of the values. Every value is exact with `"settlement"`, and with `"role"`: the order is
   * a solver's liquidity, which pays no fee by definition.
   */
  readonly basis: "settlement" | "executed_fee" | "role";
  /** The network fee: all fees minus the protocol fees. */
  readonly networkAtoms: AtomInterval;
  /** All fees: the difference between the amounts at uniform prices and those of the fill. */
  readonly totalAtoms: AtomInterval;
  /** Protocol and partner fees, as reported. */
  readonly protocolAtoms: bigint;
  /** All fees in sell-token atoms, as the service reports them: recomputed, or as passed. */
  readonly executedFee: bigint;
}

/**
 * Derives the amount that a fill paid for gas: all its fees minus the protocol and partner fees, in
 * atoms of the surplus token.
 *
 * All fees `F` are the difference between the amounts at the settlement's uniform prices and those of
 * the fill. With the settlement's calldata, at uniform prices `Psell`, `Pbuy`, exactly:
 *
 * - sell: `F = ceil(s * Psell / Pbuy) - b`, and `executedFee = floor(F * Pbuy / Psell)`
 * - buy: `F = s - floor(b * Pbuy / Psell) = executedFee`
 *
 * Rounded as in the settlement contract. Without calldata, only `executedFee` is known. For a buy
 * order it is `F`. For a sell order, `F` is one of the whole numbers for which some pair of prices
 * gives this `executedFee`; `networkAtoms` is their interval, a few atoms wide for tokens of
 * similar value ({@linkcode totalFeeInterval} derives it).
 *
 * An order that a solver provided as liquidity counts as traded at its limit: its own prices are
 * its uniform ones, so `F = 0`. Any difference in the calldata is a price difference that the
 * solver kept or paid, not a fee.
 *
 * @param fill One execution after all fees, in atoms, with its `executedProtocolFees` or `protocolFees`
 * in the options.
 * @param order Which amount is fixed, and both tokens.
 * @param options The settlement, or the reported total of this fill. If both are passed, the
 * settlement is used, and the result's `executedFee` can be compared with the reported one.
 * @returns The fees, exact or as intervals; or why they are unknown. The network fee is negative if
 * the reported protocol fees exceed all fees.
 * @throws {InputError} If an option or the role is unknown or invalid.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | fee_in_sell_token of the service}
 *
 * @example 100 sold at a uniform price of 2, 190 received, of which 4 were protocol fees
 * ```ts
 * import { isNotComputable, networkFee } from "orderlens/metrics";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 100n,
 *   buyAmount: 180n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 * } as const;
 * const fill = { sellAmount: 100n, buyAmount: 190n, executedProtocolFees: [{ amount: 4n }] };
 * const settlement = { tokens: ["0xa1", "0xb2"], clearingPrices: [2n, 1n] };
 *
 * const exact = networkFee(fill, order, { settlement });
 * assert(!isNotComputable(exact));
 * assertEquals(exact.networkAtoms, { low: 6n, high: 6n });
 * assertEquals(exact.executedFee, 5n);
 *
 * const between = networkFee(fill, order, { executedFee: 5n });
 * assert(!isNotComputable(between));
 * assertEquals(between.networkAtoms, { low: 6n, high: 8n });
 * ```
 */
export function networkFee(
  fill: ChargedFill,
  order: OrderPair & RoleHints,
  options: NetworkFeeOptions,
): NetworkFee | NotComputable<NetworkFeeReason> {
  checkOptions(options, OPTIONS, ACTION);
  const role = resolveRole(options.role, order, ACTION);
  if (role === "unknown") return ROLE_UNKNOWN;
  const protocolFees = options.protocolFees ?? fill.executedProtocolFees ??
    (role === "liquidity" ? [] : undefined);
  if (protocolFees === undefined) {
    return { reason: "no_protocol_fees", detail: "The fill does not report its protocol fees" };
  }
  const allFees = computeAllFees(fill, order, { ...options, role });
  if (isNotComputable(allFees)) return allFees;
  const protocolAtoms = protocolFees.reduce((sum, fee) => sum + fee.amount, 0n);
  const { low, high } = allFees.totalAtoms;
  return {
    ...allFees,
    protocolAtoms,
    networkAtoms: { low: low - protocolAtoms, high: high - protocolAtoms },
  };
}

const NOTHING: AtomInterval = { low: 0n, high: 0n };

type AllFees = Pick<NetworkFee, "basis" | "totalAtoms" | "executedFee">;

function computeAllFees(
  fill: Fill,
  order: OrderPair,
  options: NetworkFeeOptions,
): AllFees | NotComputable<NetworkFeeReason> {
  const { settlement, executedFee, role } = options;
  if (role === "liquidity") return { basis: "role", totalAtoms: NOTHING, executedFee: 0n };
  if (settlement !== undefined) return computeFeesAtUniformPrices(fill, order, settlement);
  if (executedFee === undefined) {
    return {
      reason: "no_settlement_or_executed_fee",
      detail: "Neither the settlement nor the fees of this fill were passed",
    };
  }
  const totalAtoms = order.kind === "buy"
    ? { low: executedFee, high: executedFee }
    : totalFeeInterval(fill, { executedFee });
  return isNotComputable(totalAtoms)
    ? totalAtoms
    : { basis: "executed_fee", totalAtoms, executedFee };
}

function computeFeesAtUniformPrices(
  fill: Fill,
  order: OrderPair,
  settlement: ClearingPrices,
): AllFees | NotComputable<NetworkFeeReason> {
  const sellPrice = uniformPrice(settlement, order.sellToken);
  const buyPrice = uniformPrice(settlement, order.buyToken);
  if (sellPrice === undefined || buyPrice === undefined) {
    const token = sellPrice === undefined ? order.sellToken : order.buyToken;
    return { reason: "token_not_in_settlement", detail: `The settlement does not price ${token}` };
  }
  if (sellPrice === 0n || buyPrice === 0n) {
    return { reason: "zero_price", detail: `The uniform prices are ${sellPrice} and ${buyPrice}` };
  }
  const s = exchangedSellAmount(fill);
  const b = fill.buyAmount;
  if (order.kind === "buy") {
    const fee = s - mulDivDown(b, buyPrice, sellPrice);
    return fee < 0n ? describeNegativeFee(fee) : toExactFees(fee, fee);
  }
  const fee = mulDivUp(s, sellPrice, buyPrice) - b;
  return fee < 0n
    ? describeNegativeFee(fee)
    : toExactFees(fee, mulDivDown(fee, buyPrice, sellPrice));
}

function toExactFees(fee: bigint, executedFee: bigint): AllFees {
  return { basis: "settlement", totalAtoms: { low: fee, high: fee }, executedFee };
}

function describeNegativeFee(fee: bigint): NotComputable<NetworkFeeReason> {
  return {
    reason: "fee_does_not_fit",
    detail:
      `The fill is ${-fee} atoms better than its uniform prices, so it belongs to another settlement`,
  };
}

/** Options of {@linkcode totalFeeInterval}. */
export interface TotalFeeOptions {
  /** All fees of the fill as the service reports them, in sell-token atoms, `>= 0n`. */
  readonly executedFee: bigint;
}

/**
 * Returns all fees of a fill of a *sell* order in atoms of the buy token, as an interval: the smallest
 * and the largest whole number that fit its `executedFee` in the sell token.
 *
 * The service knows the price `r = Psell / Pbuy` and from it the fees `F = ceil(s * r) - b` and
 * `e = floor(F / r)`; only `s`, `b` and `e` are reported. The first says
 * `(F + b - 1) / s < r <= (F + b) / s`, the second `F / (e + 1) < r <= F / e`. Some price satisfies
 * both exactly if
 *
 * - `(F + b - 1) / s < F / e`, that is `F > e * (b - 1) / (s - e)`
 * - `F / (e + 1) < (F + b) / s`, that is `F < (e + 1) * b / (s - e - 1)`
 *
 * so that `low = floor(e * (b - 1) / (s - e)) + 1` (`0n` for `e = 0n`) and
 * `high = ceil((e + 1) * b / (s - e - 1)) - 1`: every number in between is the fee at some price,
 * and no other number is. Both lie around `e * b / (s - e)`.
 *
 * @param fill One execution of a sell order after all fees, in atoms.
 * @param options The fill's `executedFee`.
 * @returns The interval, or why there is none: `"fee_does_not_fit"` if no price gives this fee for
 * this fill, `"unbounded"` if the fee is all but one atom of what was sold.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | fee_in_sell_token of the service}
 *
 * @example At a price of 2 the fee was 10; 11 and 12 would read the same
 * ```ts
 * import { totalFeeInterval } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { sellAmount: 100n, buyAmount: 190n };
 *
 * assertEquals(totalFeeInterval(fill, { executedFee: 5n }), { low: 10n, high: 12n });
 * ```
 */
export function totalFeeInterval(
  fill: Fill,
  options: TotalFeeOptions,
): AtomInterval | NotComputable<"fee_does_not_fit" | "unbounded"> {
  checkOptions(options, { executedFee: required(BigInt) }, "Cannot compute the fees of a fill");
  const s = exchangedSellAmount(fill);
  const b = fill.buyAmount;
  const e = options.executedFee;
  const describeMisfit = () => ({
    reason: "fee_does_not_fit" as const,
    detail: `No price gives a fee of ${e} for ${s} atoms sold and ${b} bought`,
  });
  if (e < 0n || s <= 0n || b <= 0n || e >= s) return describeMisfit();
  if (e === s - 1n) {
    return { reason: "unbounded", detail: `The fee of ${e} leaves only 1 of ${s} atoms sold` };
  }
  const low = e === 0n ? 0n : divideDown(e * (b - 1n), s - e) + 1n;
  const high = divideUp((e + 1n) * b, s - e - 1n) - 1n;
  return low <= high ? { low, high } : describeMisfit();
}
