import { routeInput } from "../state/liquidity.ts";
import type { PoolTrade } from "../state/chain.ts";
import type { PlannedSwap } from "../state/solution.ts";

/**
 * Executes swaps with pools, one after the other; `null` if a price has moved beyond a swap's bound.
 * Then nothing is traded.
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

/** Reverts trades with pools. */
export function undoTrades(trades: readonly PoolTrade[]): void {
  for (const { pool, token, paid, out } of trades) {
    pool.exchange(token, { paid: -paid, out: -out });
  }
}

function stepsOf(swap: PlannedSwap): PoolTrade[] | null {
  const { route, bound } = swap;
  const paid = "paid" in swap ? swap.paid : routeInput(route, swap.wanted);
  if (paid === null) return null;
  const steps: PoolTrade[] = [];
  let [token, amount] = [route.from, paid];
  for (const pool of route.pools) {
    const out = pool.outputFor(token, amount);
    steps.push({ pool, token, paid: amount, out });
    [token, amount] = [pool.otherToken(token), out];
  }
  if ("paid" in swap) return amount < bound ? null : steps;
  // Rounding up along the route can yield more from the last pool than needed.
  const last = steps.at(-1)!;
  return paid > bound ? null : [...steps.slice(0, -1), { ...last, out: swap.wanted }];
}
