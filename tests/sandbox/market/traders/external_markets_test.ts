import { assert, assertEquals } from "@std/assert";
import { OUTSIDE } from "../../../../lib/sandbox/market/ledger.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { ExternalMarkets } from "../../../../lib/sandbox/market/engine.ts";
import { USDC, WETH } from "../book_orders.ts";

const BLOCKS = 200;

Deno.test("ExternalMarkets.move() moves a pool back to the external prices", () => {
  const market = new Market(1);
  const [pool] = market.liquidity.pools;
  // A purchase of a tenth of the USDC raises the price by a fifth.
  const [paid, out] = [670n * 10n ** 18n, 15n * 10n ** 11n];
  pool!.exchange(WETH, { paid, out });
  market.ledger.move(WETH, paid, { from: OUTSIDE, to: pool!.address });
  market.ledger.move(USDC, out, { from: pool!.address, to: OUTSIDE });
  const distance = () => Math.abs(Number(market.nativePrice(USDC)) / 4e26 - 1);
  assert(distance() > 0.2);
  const world = new ExternalMarkets();
  const random = market.random("test");
  for (let block = 0; block < BLOCKS; block++) world.move(market, random);
  assert(distance() < 0.03, `${distance()}`);
});

Deno.test("ExternalMarkets.move() trades like anyone else: no pool loses, and the ledger agrees", () => {
  const market = new Market(1);
  const { pools } = market.liquidity;
  const product = () =>
    pools.map((pool) => pool.reserveOf(pool.tokens[0]) * pool.reserveOf(pool.tokens[1]));
  const world = new ExternalMarkets();
  const random = market.random("test");
  let before = product();
  for (let block = 0; block < BLOCKS; block++) {
    world.move(market, random);
    const after = product();
    assert(after.every((each, at) => each >= before[at]!));
    before = after;
  }
  for (const pool of pools) {
    for (const token of pool.tokens) {
      assertEquals(market.ledger.balanceOf(pool.address, token), pool.reserveOf(token));
    }
  }
});

Deno.test("ExternalMarkets.move() keeps the gas price within its bounds", () => {
  const market = new Market(1);
  const world = new ExternalMarkets();
  const random = market.random("test");
  const prices = new Set<number>();
  for (let block = 0; block < 20 * BLOCKS; block++) {
    const before = market.gasPrice;
    world.move(market, random);
    assert(Math.abs(market.gasPrice - before) <= 20_000_000);
    assert(market.gasPrice >= 900_000_000 && market.gasPrice <= 3_000_000_000);
    prices.add(market.gasPrice);
  }
  assert(prices.size > BLOCKS);
});
