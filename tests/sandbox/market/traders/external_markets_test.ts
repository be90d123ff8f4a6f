import { assert } from "@std/assert";
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
