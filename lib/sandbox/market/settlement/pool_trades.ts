import { intoRoute } from "../state/liquidity.ts";
import type { Pool } from "../state/pool.ts";
import type { PlannedSwap } from "../state/solution.ts";

/** What was exchanged with one pool. */
export interface PoolTrade {
  /** The pool. */
  readonly pool: Pool;
  /** The token that was paid in. */
  readonly token: string;
  /** Atoms paid in. */
  readonly paid: bigint;
  /** Atoms of the pool's other token, paid out. */
  readonly out: bigint;
}

/**
 * Trades with pools, each swap with what the ones before it have left of them; `null` where they
 * have moved too far for one: then nothing is traded.
 */
export function tradeWithPools(swaps: readonly PlannedSwap[]): PoolTrade[] | null {
  const trades: PoolTrade[] = [];
  for (const swap of swaps) {
    const steps = stepsOf(swap);
    if (steps === null) {
      undoTrades(trades);
      return null;
    }
    for (const step of steps) step.pool.exchange(step.token, step);
    trades.push(...steps);
  }
  return trades;
}

/** Gives everybody back what they had. */
export function undoTrades(trades: readonly PoolTrade[]): void {
  for (const { pool, token, paid, out } of trades) {
    pool.exchange(token, { paid: -paid, out: -out });
  }
}

function stepsOf(swap: PlannedSwap): PoolTrade[] | null {
  const { route, bound } = swap;
  const paid = "paid" in swap ? swap.paid : intoRoute(route, swap.wanted);
  if (paid === null) return null;
  const steps: PoolTrade[] = [];
  let [token, amount] = [route.from, paid];
  for (const pool of route.pools) {
    const out = pool.outFor(token, amount);
    steps.push({ pool, token, paid: amount, out });
    [token, amount] = [pool.otherThan(token), out];
  }
  if ("paid" in swap) return amount < bound ? null : steps;
  // Rounding up on the way back may leave more in the last pool than it has to pay out.
  const last = steps.at(-1)!;
  return paid > bound ? null : [...steps.slice(0, -1), { ...last, out: swap.wanted }];
}
