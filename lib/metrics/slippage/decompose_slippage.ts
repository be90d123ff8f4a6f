import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { AppData, FeePolicy } from "../../schemas/mod.ts";
import { policyOrigins } from "../fees/fee_policies.ts";
import { type NetworkFee, networkFee, type NetworkFeeReason } from "../fees/network_fee.ts";
import { ATOMS, decoded, isNotComputable, type NotComputable } from "../not_computable.ts";
import { partnerAppData } from "../orders/calculate_status.ts";
import type { ExecutedTotals, Fill, OrderPair } from "../orders/fills.ts";
import { type AuctionRole, ROLE, type RoleHints } from "../orders/order_bids.ts";
import type { AtomInterval, ClearingPrices } from "../prices/price_interval.ts";
import type { NoBaselineReason, StoredQuote } from "../quotes/quote_baseline.ts";
import { slippage } from "./slippage.ts";

/** A fill with its fees and their policies. A `Trade` has them. */
export interface FillWithFees extends Fill {
  /** Fees charged, in the order applied; absent if unknown. */
  readonly executedProtocolFees?:
    | readonly { readonly policy?: FeePolicy | null | undefined; readonly amount: bigint }[]
    | undefined;
}

/** The fields of an order that a decomposition uses. An `Order` has them. */
export interface DecomposableOrder extends OrderPair, RoleHints, Partial<ExecutedTotals> {
  /** The quote stored with the order. */
  readonly quote?: StoredQuote | null | undefined;
  /** All fees of the order so far, in sell-token atoms. */
  readonly executedFee?: bigint | undefined;
}

/** Options of a decomposition. */
export interface DecomposeOptions {
  /** The decoded settlement of the fill; it makes every part exact. */
  readonly settlement?: ClearingPrices | undefined;
  /**
   * All fees of *this fill* in sell-token atoms, if there is no settlement.
   * @default {the order's `executedFee`, if the fill is all that the order executed}
   */
  readonly executedFee?: bigint | undefined;
  /** The decoded app data document. @default {the order's `fullAppData`} */
  readonly appData?: AppData | null | undefined;
  /** Role of the order in its auction, from `auctionRole`. @default {that without the auction} */
  readonly role?: AuctionRole | undefined;
}

const OPTIONS: OptionRules<DecomposeOptions> = {
  settlement: decoded(),
  executedFee: ATOMS,
  appData: decoded(),
  role: ROLE,
};

/**
 * Why a fill differed from its gross quote: four parts in atoms of the surplus token, positive if
 * they benefited the trader, so costs are negative.
 */
export interface SlippageParts {
  /** The executed amount compared with the gross quote: the sum of the four parts. */
  readonly totalAtoms: bigint;
  /** Network cost charged. */
  readonly networkCostAtoms: AtomInterval;
  /** Fees of the protocol. */
  readonly protocolFeeAtoms: bigint;
  /** Fees of partners. */
  readonly partnerFeeAtoms: bigint;
  /** The rest: price moves, and the solver relative to the quoter. */
  readonly marketAtoms: AtomInterval;
  /** What the network cost is based on: with `"settlement"` and `"role"` every part is exact. */
  readonly basis: NetworkFee["basis"];
}

/** Why a fill cannot be decomposed. */
export type DecomposeReason = NoBaselineReason | NetworkFeeReason | "unknown_fee_origin";

/**
 * Splits the slippage of a fill against its *gross* quote into what it paid for gas, to the
 * protocol and to partners, and the market's part.
 *
 * With all fees `F = network + protocol + partner` in the surplus token, `total = market - F`,
 * where `total` is `slippage(…, "gross").atoms` and `market` is the difference at the settlement's
 * uniform prices. The total is rounded down; nothing else is rounded, so the four parts always add
 * up to it exactly. If the network cost is only known as an interval, so is the market's part, and
 * the smallest value of one belongs to the largest of the other. For an order that a solver
 * provided as liquidity, `F` is 0, and the market's part is the total.
 *
 * @param fill One execution after all fees, in atoms, with its fees and their policies. Not the
 * totals of several fills, which have no single price: decompose each, and add.
 * @param order Which amount is fixed, limit, tokens, quote and app data.
 * @param options The settlement, or the fees of the fill.
 * @returns The four parts, or why they cannot be computed.
 * @throws {InputError} If an option or the role is unknown or invalid.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | fees of the service}
 *
 * @example 190 of a gross quote of 205, at uniform prices that gave 200
 * ```ts
 * import { decomposeSlippage } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 100n,
 *   buyAmount: 180n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 *   quote: { sellAmount: 100n, buyAmount: 205n, fee: 2n },
 *   fullAppData: "{}",
 * } as const;
 * const fill = {
 *   sellAmount: 100n,
 *   buyAmount: 190n,
 *   executedProtocolFees: [{ policy: { volume: { factor: 0.02 } }, amount: 4n }],
 * };
 * const settlement = { tokens: ["0xa1", "0xb2"], clearingPrices: [2n, 1n] };
 *
 * assertEquals(decomposeSlippage(fill, order, { settlement }), {
 *   totalAtoms: -15n,
 *   networkCostAtoms: { low: -6n, high: -6n },
 *   protocolFeeAtoms: -4n,
 *   partnerFeeAtoms: 0n,
 *   marketAtoms: { low: -5n, high: -5n },
 *   basis: "settlement",
 * });
 * ```
 */
export function decomposeSlippage(
  fill: FillWithFees,
  order: DecomposableOrder,
  options: DecomposeOptions = {},
): SlippageParts | NotComputable<DecomposeReason> {
  checkOptions(options, OPTIONS, "Cannot decompose slippage");
  const total = slippage(fill, order, order.quote, "gross");
  if (isNotComputable(total)) return total;
  const { settlement, executedFee = feeOfOnlyFill(fill, order), role } = options;
  const fee = networkFee(fill, order, { settlement, executedFee, role });
  if (isNotComputable(fee)) return fee;
  const appData = options.appData === undefined ? partnerAppData(order) : options.appData;
  const split = splitFees(fill.executedProtocolFees ?? [], appData);
  if (isNotComputable(split)) return split;
  const { low, high } = fee.networkAtoms;
  const market = total.atoms + fee.protocolAtoms;
  return {
    totalAtoms: total.atoms,
    networkCostAtoms: { low: -high, high: -low },
    protocolFeeAtoms: -split.protocolAtoms,
    partnerFeeAtoms: -split.partnerAtoms,
    marketAtoms: { low: market + low, high: market + high },
    basis: fee.basis,
  };
}

/** The order's total fees are those of the fill if nothing else was executed. */
function feeOfOnlyFill(fill: Fill, order: DecomposableOrder): bigint | undefined {
  const isOnly = order.executedSellAmount === fill.sellAmount &&
    order.executedBuyAmount === fill.buyAmount;
  return isOnly ? order.executedFee : undefined;
}

function splitFees(
  fees: NonNullable<FillWithFees["executedProtocolFees"]>,
  appData: AppData | null,
): { protocolAtoms: bigint; partnerAtoms: bigint } | NotComputable<"unknown_fee_origin"> {
  const origins = policyOrigins(fees.map((fee) => fee.policy), appData);
  let protocolAtoms = 0n;
  let partnerAtoms = 0n;
  for (const [at, { amount }] of fees.entries()) {
    switch (origins[at]?.origin) {
      case "protocol":
        protocolAtoms += amount;
        break;
      case "partner":
        partnerAtoms += amount;
        break;
      default:
        return {
          reason: "unknown_fee_origin",
          detail: "The app data does not show whether a fee is the protocol's or a partner's",
        };
    }
  }
  return { protocolAtoms, partnerAtoms };
}
