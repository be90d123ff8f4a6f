import {
  type AuctionRole,
  exchangedSellAmount,
  type Fill,
  isNotComputable,
  type NotComputable,
  type OrderLimit,
  pricedSide,
  surplusBpsOfLimit,
} from "../../metrics/mod.ts";
import { type Decimal, type HexMap, ratio, ratioToNumber } from "../../units/mod.ts";

/** Whether the amount that an order fixes is above 0, so that its limit has a price. */
export function hasLimitPrice(order: OrderLimit): boolean {
  return (order.kind === "sell" ? order.sellAmount : order.buyAmount) > 0n;
}

/** Share of the whole order that a fill executed, for axes; `null` for an order for 0 atoms. */
export function filledFraction(fill: Fill, order: OrderLimit): number | null {
  if (!hasLimitPrice(order)) return null;
  return ratioToNumber(
    order.kind === "sell"
      ? ratio(exchangedSellAmount(fill), order.sellAmount)
      : ratio(fill.buyAmount, order.buyAmount),
  );
}

/**
 * Surplus of a fill in basis points of the limit, for axes: 0 for a solver's liquidity; `null` for
 * an order of unknown role and for a limit without a price.
 */
export function overLimitBps(fill: Fill, order: OrderLimit, role: AuctionRole): number | null {
  if (role === "unknown" || !hasLimitPrice(order)) return null;
  if (role === "liquidity") return 0;
  const bps = surplusBpsOfLimit(fill, order);
  return isNotComputable(bps) ? null : ratioToNumber(bps);
}

/** A value, or `null` if it cannot be computed. */
export function valueOf<Value>(measured: Value | NotComputable<string>): Value | null {
  return isNotComputable(measured) ? null : measured;
}

/** The side of a fill or a bid that its volume is measured by, with the native price of its token. */
export function volumeOf(
  fill: Fill,
  { sellToken, buyToken }: { readonly sellToken: string; readonly buyToken: string },
  prices: HexMap<bigint | Decimal>,
): { readonly atoms: bigint; readonly price: bigint | Decimal } | null {
  const exchange = {
    sellToken,
    sellAmount: exchangedSellAmount(fill),
    buyToken,
    buyAmount: fill.buyAmount,
  };
  return pricedSide(exchange, (token) => prices.get(token));
}
