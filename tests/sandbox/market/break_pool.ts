import type { Engine } from "../../../lib/sandbox/market/engine.ts";

/** Breaks a pool, so that auctions fail with a `RangeError`; returns a function that repairs it. */
export function breakPool({ market }: Engine): () => void {
  const pool = market.liquidity.pools[0]!;
  const { exchange } = pool;
  pool.exchange = () => {
    throw new RangeError("No exchange");
  };
  return () => {
    pool.exchange = exchange;
  };
}
