import { nativeValue } from "../../../units/mod.ts";
import { OUTSIDE } from "../state/ledger.ts";
import { outOfRoute } from "../state/liquidity.ts";
import type { Market } from "../state/market.ts";
import type { Pool } from "../state/pool.ts";
import type { Random } from "../state/random.ts";
import { atomsWorth } from "../state/token_worth.ts";
import { TOKENS } from "../state/tokens.ts";

const MILLION = 1_000_000n;
/** How far a token's price may wander in one block, in millionths. */
const STEP = 350;
/** How strongly prices are drawn back to where they began, in millionths of the distance. */
const PULL = 600n;
/** What of the distance to the price outside is traded away in one block, in millionths. */
const ARBITRAGE = 180_000n;
const POOLS_IN_1000 = 450;
/** Wei per gas unit, and how far it may wander in one block. */
const MIN_GAS_PRICE = 900_000_000;
const MAX_GAS_PRICE = 3_000_000_000;
const GAS_PRICE_STEP = 20_000_000;

/** Lets the world outside move prices, gas and the pools by one block. */
export class OutsideWorld {
  readonly #prices = new Map(TOKENS.map(({ address, openingPrice }) => [address, openingPrice]));

  /** One block later. */
  move(market: Market, random: Random): void {
    market.gasPrice = Math.min(
      MAX_GAS_PRICE,
      Math.max(MIN_GAS_PRICE, market.gasPrice + random.between(-GAS_PRICE_STEP, GAS_PRICE_STEP)),
    );
    for (const { address, openingPrice } of TOKENS.slice(1)) {
      const price = this.#prices.get(address)!;
      const wandered = price + price * BigInt(random.between(-STEP, STEP)) / MILLION;
      this.#prices.set(address, wandered + (openingPrice - wandered) * PULL / MILLION);
    }
    for (const pool of market.liquidity.pools) {
      if (random.chance(POOLS_IN_1000)) this.#draw(market, pool);
    }
  }

  /** Somebody outside trades a pool a part of the way to the price outside. */
  #draw(market: Market, pool: Pool): void {
    const [x, y] = pool.tokens;
    const [worthX, worthY] = [x, y].map((token) =>
      nativeValue(pool.reserveOf(token), this.#prices.get(token)!)
    ) as [bigint, bigint];
    // Half of the difference in worth, paid in on the side that is worth less.
    const [token, gap] = worthX < worthY ? [x, worthY - worthX] : [y, worthX - worthY];
    const paid = atomsWorth(gap / 2n * ARBITRAGE / MILLION, this.#prices.get(token)!);
    const out = outOfRoute({ from: token, pools: [pool] }, paid);
    if (paid <= 0n || out <= 0n) return;
    market.ledger.move(token, paid, { from: OUTSIDE, to: pool.name });
    market.ledger.move(pool.otherThan(token), out, { from: pool.name, to: OUTSIDE });
    pool.exchange(token, { paid, out });
  }
}
