import { numberFrom, type OptionRules, rule, TEXT } from "../../errors/option_rules.ts";
import {
  isNotComputable,
  markout,
  type MarkoutReason,
  type NotComputable,
  pricedSide,
} from "../../metrics/mod.ts";
import { valueOf } from "../../metrics/prices/markout.ts";
import { NATIVE_TOKEN_ADDRESS, NETWORKS } from "../../networks/mod.ts";
import { Decimal, type Ratio, sameHex } from "../../units/mod.ts";
import type { FillOptions, KnownFill } from "../columns/order_records.ts";
import type { TokenAmounts } from "../columns/lookups.ts";
import {
  type FoundPrice,
  PRICE_AT_OPTIONS,
  priceAt,
  type PriceAtOptions,
  type PriceReason,
  type PriceSeries,
  type PriceUnit,
  SERIES,
  unitOf,
} from "./price_series.ts";

/** What else is known, besides the orders. */
export interface MarkoutTableOptions extends FillOptions, PriceAtOptions {
  /** Market prices, from `readPrices` or `priceSeries`. */
  readonly prices: PriceSeries;
  /**
   * How long after a fill its prices are, in milliseconds: what the trade was worth then, as a test of a
   * winner's curse needs. It counts from `filled_at`, the earliest time where that is an interval.
   * @default {0}
   */
  readonly delayMs?: number;
  /**
   * Address of the token that wraps the native one, whose price counts for the native token too.
   * @default {that of the network}
   */
  readonly wrappedNativeToken?: string;
}

/** Allowed values of the options that only this table has. */
export const MARKET_OPTIONS: OptionRules<Omit<MarkoutTableOptions, keyof FillOptions>> = {
  ...PRICE_AT_OPTIONS,
  prices: SERIES,
  delayMs: numberFrom(0, 86_400_000, "milliseconds"),
  wrappedNativeToken: rule(
    "the address of a token",
    (value) => TEXT.accepts(value) && /^0x[0-9a-f]{40}$/i.test(String(value)),
  ),
};

/** A price, or why there is none. */
export type PriceOrReason = FoundPrice | NotComputable<PriceReason | "time_unknown">;

/** What one row is computed from. */
export interface MarkoutFacts extends KnownFill {
  /** Unit of the prices. */
  readonly unit: PriceUnit;
  /** Price of the token sold. */
  readonly sellPrice: PriceOrReason;
  /** Price of the token bought. */
  readonly buyPrice: PriceOrReason;
  /** Both in US dollars, whatever the unit. */
  readonly usd: { readonly sell: PriceOrReason; readonly buy: PriceOrReason };
}

const UNKNOWN_TIME: NotComputable<"time_unknown"> = Object.freeze({
  reason: "time_unknown",
  detail: "When the fill was executed is unknown: pass times",
});

/** A fill with its time and the prices of both tokens at that time. */
export function markoutFacts(fill: KnownFill, options: MarkoutTableOptions): MarkoutFacts {
  const { sellToken, buyToken } = fill.order;
  const unit = options.unit ?? unitOf(options.prices);
  const at = fill.filledAt?.at.add({ milliseconds: options.delayMs ?? 0 }) ?? null;
  const priceOf = (token: string, unit: PriceUnit): PriceOrReason =>
    at === null ? UNKNOWN_TIME : marketPrice(token, at, { ...options, unit });
  const both = (unit: PriceUnit) => ({
    sell: priceOf(sellToken, unit),
    buy: priceOf(buyToken, unit),
  });
  const { sell, buy } = both(unit);
  const usd = unit === "usd" ? { sell, buy } : both("usd");
  return { ...fill, unit, sellPrice: sell, buyPrice: buy, usd };
}

/** The native token costs one native token, and as many dollars as the token that wraps it. */
function marketPrice(
  token: string,
  at: Temporal.Instant,
  { prices, unit, maxAgeMs, network, wrappedNativeToken }: MarkoutTableOptions,
): PriceOrReason {
  const wrapped = wrappedNativeToken ??
    Object.values(NETWORKS).find(({ name }) => name === network)?.wrappedNativeToken.address;
  const isNative = sameHex(token, NATIVE_TOKEN_ADDRESS);
  if (unit === "native" && (isNative || wrapped !== undefined && sameHex(token, wrapped))) {
    const timeMs = at.epochMilliseconds;
    return { price: ONE, timeMs, ageMs: 0, source: "native token" };
  }
  const asked = {
    ...(unit === undefined ? {} : { unit }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  };
  const found = priceAt(prices, token, at, asked);
  return isNative && isNotComputable(found) && wrapped !== undefined
    ? priceAt(prices, wrapped, at, asked)
    : found;
}

const ONE = Decimal.parse("1");

/** The markout of a fill as a share, without and with its fees added back; or why there is none. */
export interface MeasuredMarkout {
  /** The markout, in basis points. */
  readonly net: Ratio | NotComputable<MarkoutReasonInTable>;
  /** The same with protocol and partner fees added back. */
  readonly gross: Ratio | NotComputable<MarkoutReasonInTable>;
}

/** Why a row has no markout. */
type MarkoutReasonInTable =
  | MarkoutReason
  | PriceReason
  | "time_unknown"
  | "decimals_unknown"
  | "fees_unknown";

/** Computes one row; decimals are known only when cells are built. */
export function measure(row: MarkoutFacts, amounts: TokenAmounts): MeasuredMarkout {
  const { order, trade, sellPrice, buyPrice } = row;
  const all = (reason: NotComputable<MarkoutReasonInTable>) => ({ net: reason, gross: reason });
  if (isNotComputable(sellPrice)) return all(sellPrice);
  if (isNotComputable(buyPrice)) return all(buyPrice);
  const [sellToken, buyToken] = [order.sellToken, order.buyToken];
  const [sold, bought] = [amounts.decimals(sellToken), amounts.decimals(buyToken)];
  if (sold === null || bought === null) {
    const token = sold === null ? sellToken : buyToken;
    return all({ reason: "decimals_unknown", detail: `The decimals of ${token} are unknown` });
  }
  const prices = {
    sell: { token: sellToken, decimals: sold, price: sellPrice.price },
    buy: { token: buyToken, decimals: bought, price: buyPrice.price },
  };
  const fees = trade.executedProtocolFees;
  return {
    net: markout(trade, prices),
    gross: fees === undefined
      ? { reason: "fees_unknown", detail: "The trade does not contain its fees" }
      : markout(trade, prices, { fees, kind: order.kind }),
  };
}

/** The amount sold in US dollars, or the amount bought if the token sold has no price; exact. */
export function volumeUsd(
  { order, trade, usd }: MarkoutFacts,
  amounts: TokenAmounts,
): Ratio | null {
  const { sellToken, buyToken } = order;
  const { sellAmount, buyAmount } = trade;
  const side = pricedSide({ sellToken, sellAmount, buyToken, buyAmount }, (token) => {
    const found = token === sellToken ? usd.sell : usd.buy;
    const decimals = isNotComputable(found) ? null : amounts.decimals(token);
    if (isNotComputable(found) || decimals === null) return undefined;
    return found.price.coefficient === 0n ? undefined : { decimals, price: found.price };
  });
  return side === null ? null : valueOf(side.atoms, side.price);
}
