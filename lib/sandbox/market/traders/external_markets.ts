import { nativeValue } from "../../../units/mod.ts";
import { OUTSIDE } from "../state/ledger.ts";
import { routeOutput } from "../state/liquidity.ts";
import type { Market } from "../state/market.ts";
import type { Pool } from "../state/pool.ts";
import type { Random } from "../state/random.ts";
import { atomsWorth } from "../state/token_worth.ts";
import { TOKENS } from "../state/tokens.ts";

const MILLION = 1_000_000n;
/** Maximum random change of a token's price per block, in millionths. */
const PRICE_STEP = 350;
/** Reversion to the opening price per block, in millionths of the difference. */
const REVERSION = 600n;
/** Share of the difference to the external price that one arbitrage closes, in millionths. */
const ARBITRAGE_SHARE = 180_000n;
const POOLS_IN_1000 = 450;
/** Range of the gas price, and its maximum change per block, in wei per gas unit. */
const MIN_GAS_PRICE = 900_000_000;
const MAX_GAS_PRICE = 3_000_000_000;
const GAS_PRICE_STEP = 20_000_000;

/** External markets: they change prices and gas, and arbitrage the pools. */
export class ExternalMarkets {
  readonly #prices = new Map(TOKENS.map(({ address, openingPrice }) => [address, openingPrice]));

  /** Advances by one block. */
  move(market: Market, random: Random): void {
    market.gasPrice = Math.min(
      MAX_GAS_PRICE,
      Math.max(MIN_GAS_PRICE, market.gasPrice + random.between(-GAS_PRICE_STEP, GAS_PRICE_STEP)),
    );
    for (const { address, openingPrice } of TOKENS.slice(1)) {
      const price = this.#prices.get(address)!;
      const wandered = price + price * BigInt(random.between(-PRICE_STEP, PRICE_STEP)) / MILLION;
      this.#prices.set(address, wandered + (openingPrice - wandered) * REVERSION / MILLION);
    }
    for (const pool of market.liquidity.pools) {
      if (random.chance(POOLS_IN_1000)) this.#arbitrage(market, pool);
    }
  }

  /** Trades a pool part of the way to the external price. */
  #arbitrage(market: Market, pool: Pool): void {
    const [x, y] = pool.tokens;
    const [worthX, worthY] = [x, y].map((token) =>
      nativeValue(pool.reserveOf(token), this.#prices.get(token)!)
    ) as [bigint, bigint];
    // Half of the difference in value, paid in on the cheaper side.
    const [token, gap] = worthX < worthY ? [x, worthY - worthX] : [y, worthX - worthY];
    const paid = atomsWorth(gap / 2n * ARBITRAGE_SHARE / MILLION, this.#prices.get(token)!);
    const out = routeOutput({ from: token, pools: [pool] }, paid);
    if (paid <= 0n || out <= 0n) return;
    market.ledger.move(token, paid, { from: OUTSIDE, to: pool.address });
    market.ledger.move(pool.otherToken(token), out, { from: pool.address, to: OUTSIDE });
    pool.exchange(token, { paid, out });
  }
}
