import { type Ratio, ratio, sameHex } from "../../units/mod.ts";
import type { Exchange } from "../prices/price_interval.ts";

/** A trade of a settlement, such as a fill of `v2/trades`. */
export interface SettledTrade extends Exchange {
  /** Hash of its settlement; trades without one are left out. */
  readonly txHash: string | null;
}

/** Amount of one token that the trades of one settlement may have passed on to each other. */
export interface CowShare<Trade extends SettledTrade = SettledTrade> {
  /** Hash of the settlement, as first written. */
  readonly txHash: string;
  /** Address of the token, as first written; the native token and its wrapped one are two. */
  readonly token: string;
  /** Trades of the settlement that sell or buy it. */
  readonly trades: readonly Trade[];
  /** Amount that they sell, in atoms. */
  readonly sold: bigint;
  /** Amount that they buy, in atoms. */
  readonly bought: bigint;
  /** The smaller of both, in atoms: the maximum that went from trader to trader. */
  readonly matched: bigint;
  /** `matched / bought`, 0 to 1; `null` if none is bought. */
  readonly share: Ratio | null;
}

/**
 * Computes the coincidence of wants in settlements, token by token: the share of the amount that a
 * settlement buys for traders that its trades also sell, `min(sold, bought) / bought`. Exact: nothing is
 * rounded.
 *
 * It is an upper bound, which needs no transfers: the amount sold may have gone to a pool, and the amount
 * bought come from one. Amounts sold include fees, amounts bought are after them.
 *
 * @param trades Trades of one chain: all of a settlement, or its shares are of those passed.
 * @returns One per settlement and token, in the order of the trades, the token sold first.
 * @see {@link https://github.com/cowprotocol/dune-queries/blob/3d0c359e50d9a2254605f8e07e1e164fdad66241/cowprotocol/coincidence_of_wants/cow_per_token_4021555.sql | `naive_cow_potential` of the protocol's Dune queries}
 *
 * @example Two traders, of whom one sells three quarters of what the other buys
 * ```ts
 * import { cowShares } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const [x, y] = cowShares([
 *   { txHash: "0xaa", sellToken: "0x01", sellAmount: 10n, buyToken: "0x02", buyAmount: 40n },
 *   { txHash: "0xaa", sellToken: "0x02", sellAmount: 30n, buyToken: "0x01", buyAmount: 8n },
 * ]);
 *
 * assertEquals([x?.share, y?.share], [ratio(8n, 8n), ratio(30n, 40n)]);
 * ```
 */
export function cowShares<Trade extends SettledTrade>(trades: Iterable<Trade>): CowShare<Trade>[] {
  const movements = new Map<string, { txHash: string; token: string; trades: Set<Trade> }>();
  for (const trade of trades) {
    const { txHash, sellToken, buyToken } = trade;
    if (txHash === null) continue;
    for (const token of [sellToken, buyToken]) {
      const key = `${txHash} ${token}`.toLowerCase();
      const movement = movements.get(key);
      if (movement === undefined) movements.set(key, { txHash, token, trades: new Set([trade]) });
      else movement.trades.add(trade);
    }
  }
  return [...movements.values()].map(({ txHash, token, trades }) => {
    const [sold, bought] = [sumAmounts(trades, token, "sell"), sumAmounts(trades, token, "buy")];
    const matched = sold < bought ? sold : bought;
    const share = bought === 0n ? null : ratio(matched, bought);
    return { txHash, token, trades: [...trades], sold, bought, matched, share };
  });
}

/** Sums the amounts that trades sell or buy of a token. */
function sumAmounts(trades: Iterable<SettledTrade>, token: string, side: "sell" | "buy"): bigint {
  let sum = 0n;
  for (const trade of trades) {
    if (sameHex(trade[`${side}Token`], token)) sum += trade[`${side}Amount`];
  }
  return sum;
}
