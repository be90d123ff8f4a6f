import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import { requireWord } from "../../errors/require_word.ts";
import type { FeePolicy } from "../../schemas/mod.ts";
import { divide, type Ratio, ratio } from "../../units/mod.ts";
import {
  type AuctionRole,
  givenRole,
  ROLE,
  ROLE_UNKNOWN,
  type RoleHints,
} from "../orders/auction_role.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { list } from "../option_kinds.ts";
import {
  type Baseline,
  BASELINES,
  type NoBaselineReason,
  quoteBaseline,
} from "../quotes/quote_baseline.ts";
import type { StoredQuote } from "../quotes/stored_quote.ts";
import { volumeFactorsOf } from "../quotes/volume_factors.ts";

/** A fill for `slippage`, with the policies of its fees, if known. */
export interface FillWithPolicies extends Fill {
  /** Fees charged on the fill, as in trades; absent if unknown. */
  readonly executedProtocolFees?:
    | readonly { readonly policy?: FeePolicy | null | undefined }[]
    | undefined;
}

/** Options of {@linkcode slippage}. */
export interface SlippageOptions {
  /**
   * Factors of all volume fees, protocol and partner, for the `"userShown"` baseline; each at least
   * 0 and below 1, read as decimal text. @default {those of the fill's own policies}
   */
  readonly volumeFactors?: readonly number[] | undefined;
  /**
   * Role of the order in its auction, from `auctionRole`, for the `"limit"` baseline: an order that
   * a solver provided as liquidity counts as traded at its limit.
   *
   * @default {that without the auction}
   */
  readonly role?: AuctionRole | undefined;
}

const OPTIONS: OptionRules<SlippageOptions> = {
  volumeFactors: list(),
  role: ROLE,
};

/** How far a fill was from a baseline. */
export interface Slippage {
  /** What it was compared with. */
  readonly baseline: Baseline;
  /** Exact basis points of the baseline, positive if the fill was better. */
  readonly bps: Ratio;
  /** The difference in whole atoms of the surplus token, rounded down. */
  readonly atoms: bigint;
  /** The baseline itself, scaled to the fill: an exact number of atoms, above zero. */
  readonly baselineAtoms: Ratio;
}

/**
 * How far a fill was from its quote, against a named baseline `Q` that is scaled to the fill.
 *
 * Sell: `10^4 * (b - Q) / Q` with `Q = baselineBuy * s / S`. Buy: `10^4 * (Q - s) / Q` with
 * `Q = baselineSell * b / B`. Over the whole order the baseline is
 *
 * | baseline | sell | buy |
 * | --- | --- | --- |
 * | `"gross"` | `q.buy * S / q.sell` | `q.sell * B / q.buy` |
 * | `"net"` | `(q.buy - floor(q.fee * q.buy / q.sell)) * S / q.sell` | `(q.sell + q.fee) * B / q.buy` |
 * | `"userShown"` | `net * Π(1 - v)` | `net * Π(1 + v)` |
 * | `"limit"` | `B` | `S` |
 *
 * with `v` the factors of the volume fees, and `q.fee` the fee that {@linkcode storedQuoteFee}
 * gives, so price-improvement fees compare with `"net"` (apart from their cap by the limit).
 * `"userShown"` is computed as in the service's own quote answers. Only that fee in the buy token
 * is rounded: baselines and basis points are exact ratios. `atoms` is rounded down to a whole
 * number, so for `"limit"` it equals `surplusAtoms`.
 *
 * An order that a solver provided as liquidity has no quote; its slippage against its limit is 0,
 * since it counts as traded there.
 *
 * For a whole order in place of a fill, pass `orderFill(order)`.
 *
 * @param fill One execution after all fees, in atoms; with its `executedProtocolFees` for
 * `"userShown"`.
 * @param order Which amount is fixed, and the limit.
 * @param quote The order's *stored* quote, which is gross, or the quote of a policy; `null` or
 * `undefined` if there is none. An answer of `POST quote` is net and does not compile here: see
 * {@linkcode slippageAgainstQuoteResponse}.
 * @param baseline What to compare with.
 * @returns The slippage, positive if the fill was better; or why it cannot be computed. `"limit"`
 * needs no quote.
 * @throws {InputError} If the baseline, the role or an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/shared/src/order_quoting.rs | quotes of the service}
 *
 * @example A fill at 2,090 of a quote of 2,100 whose network fee was worth 10
 * ```ts
 * import { isNotComputable, slippage } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1_050n, buyAmount: 2_000n } as const;
 * const quote = { sellAmount: 1_050n, buyAmount: 2_100n, fee: 5n };
 * const fill = { sellAmount: 1_050n, buyAmount: 2_090n };
 *
 * const net = slippage(fill, order, quote, "net");
 * const gross = slippage(fill, order, quote, "gross");
 *
 * assert(!isNotComputable(net) && !isNotComputable(gross));
 * assertEquals(ratioToNumber(net.bps), 0);
 * assertEquals(gross.atoms, -10n);
 * assertEquals(slippage(fill, order, null, "gross"), {
 *   reason: "no_quote",
 *   detail: "The order has no stored quote",
 * });
 * ```
 */
export function slippage(
  fill: FillWithPolicies,
  order: OrderLimit & RoleHints,
  quote: StoredQuote | null | undefined,
  baseline: Baseline,
  options: SlippageOptions = {},
): Slippage | NotComputable<NoBaselineReason> {
  const action = "Cannot measure slippage";
  requireWord(baseline, BASELINES, { what: "baseline", action });
  checkOptions(options, OPTIONS, action);
  const role = givenRole(options.role, order, action);
  if (baseline === "limit" && role === "unknown") return ROLE_UNKNOWN;
  const volumeFactors = baseline === "userShown"
    ? options.volumeFactors ?? volumeFactorsOf(fill.executedProtocolFees)
    : undefined;
  const baselineAtoms = quoteBaseline(fill, order, quote, baseline, { volumeFactors });
  if (isNotComputable(baselineAtoms)) return baselineAtoms;
  if (baseline === "limit" && role === "liquidity") {
    return { baseline, bps: ratio(0n, 1n), atoms: 0n, baselineAtoms };
  }
  return { baseline, ...distanceFrom(baselineAtoms, fill, order.kind) };
}

/** How far a fill was from an exact number of atoms of the surplus token, above zero. */
export function distanceFrom(
  baselineAtoms: Ratio,
  fill: Fill,
  kind: OrderLimit["kind"],
): Omit<Slippage, "baseline"> {
  const { numerator, denominator } = baselineAtoms;
  const won = kind === "sell"
    ? fill.buyAmount * denominator - numerator
    : numerator - exchangedSellAmount(fill) * denominator;
  return {
    bps: ratio(10_000n * won, numerator),
    atoms: divide(won, denominator, { rounding: "floor" }),
    baselineAtoms,
  };
}
