import { assertEquals } from "@std/assert";
import { Liquidity, routeInput, routeOutput } from "../../../../lib/sandbox/market/liquidity.ts";
import { ETHER, GNO, USDC, WETH } from "../book_orders.ts";

const STRANGE = `0x${"77".repeat(20)}`;

Deno.test("Liquidity.routes() visits at most as many pools as allowed, and no token twice", () => {
  const liquidity = new Liquidity();
  const lengths = (hops: number) =>
    liquidity.routes(GNO, USDC, hops).map(({ pools }) => pools.length).sort();
  assertEquals(lengths(1), []);
  // By WETH, and by DAI.
  assertEquals(lengths(2), [2, 2]);
  // By WETH and DAI either way round, and by WETH and WBTC.
  assertEquals(lengths(3), [2, 2, 3, 3, 3]);
  assertEquals(liquidity.routes(WETH, WETH, 3), []);
  assertEquals(liquidity.routes(WETH, STRANGE, 3), []);
});

Deno.test("Liquidity.nativePrice() is the price in the pool with the wrapped native token", () => {
  const liquidity = new Liquidity();
  assertEquals(liquidity.nativePrice(WETH), ETHER);
  // 6,000 WETH and 15,000,000 USDC: 0.0004 WETH for 10^6 atoms.
  assertEquals(liquidity.nativePrice(USDC), 4n * 10n ** 26n);
  assertEquals(liquidity.nativePrice(STRANGE), null);
});

Deno.test("routeOutput() and routeInput() follow the pools in both directions", () => {
  const [direct] = new Liquidity().routes(WETH, USDC, 1);
  // 15 * 10^12 * 997 * 10^18 / (6,000 * 10^21 + 997 * 10^18)
  assertEquals(routeOutput(direct!, ETHER), 2_492_085_898n);
  // 6,000 * 10^18 * 10^9 * 1000 / ((15 * 10^12 - 10^9) * 997), up
  assertEquals(routeInput(direct!, 10n ** 9n), 401_230_359_523_132_368n);
  assertEquals(routeInput(direct!, 15n * 10n ** 12n), null);
});
