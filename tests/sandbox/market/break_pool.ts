import type { Engine } from "../../../lib/sandbox/market/engine.ts";

/** Makes auctions fail with a `RangeError`, by a pool that trades no more; mends it when called. */
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
