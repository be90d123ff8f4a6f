import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { nativePricesTable, TokenAmounts, tradesTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDC_MIXED = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const UNKNOWN = `0x${"ab".repeat(20)}`;

Deno.test("TokenAmounts converts known tokens to whole tokens, and no others", () => {
  const amounts = new TokenAmounts();
  assertEquals(amounts.tokens(1_500_000n, USDC), 1.5);
  assertEquals(amounts.tokens(-1_500_000n, USDC_MIXED), -1.5);
  assertEquals(amounts.tokens(2n ** 256n - 1n, NATIVE), 1.157920892373162e59);
  assertEquals(amounts.tokens(1n, UNKNOWN), null);
  assertEquals(amounts.tokens(null, USDC), null);
  assertEquals(amounts.tokens(undefined, USDC), null);
  assertEquals(amounts.tokens(1n, undefined), null);
});

Deno.test("TokenAmounts prefers the caller's decimals to the known ones, by map or function", () => {
  const byMap = new TokenAmounts({ decimals: new Map([[USDC_MIXED, 2], [UNKNOWN, 0]]) });
  assertEquals(byMap.tokens(150n, USDC), 1.5);
  assertEquals(byMap.tokens(150n, UNKNOWN), 150);
  assertEquals(byMap.tokens(10n ** 18n, WETH), 1);
  const byFunction = new TokenAmounts({
    decimals: (address) => address === USDC ? null : undefined,
  });
  assertEquals(byFunction.tokens(1n, USDC), null);
  assertEquals(byFunction.tokens(10n ** 18n, WETH), 1);
});

Deno.test("TokenAmounts uses one network if it is named", () => {
  assertEquals(new TokenAmounts({ network: "mainnet" }).decimals(USDC), 6);
  assertEquals(new TokenAmounts({ network: "base" }).decimals(USDC), null);
  assertEquals(new TokenAmounts({ network: "xdai" }).label(NATIVE), "xDAI");
  assertEquals(new TokenAmounts().label(NATIVE), "0xeeee…eeee");
});

Deno.test("TokenAmounts rejects impossible decimals", () => {
  for (const decimals of [-1, 1.5, 78, NaN]) {
    const amounts = new TokenAmounts({ decimals: () => decimals });
    assertThrows(() => amounts.tokens(1n, USDC), InputError, `with ${decimals} decimals`);
  }
});

Deno.test("TokenAmounts names tokens by symbol, or by the ends of their addresses", () => {
  const amounts = new TokenAmounts({ symbols: new Map([[UNKNOWN, "ABC"]]) });
  assertEquals(amounts.pair(WETH, USDC_MIXED), "WETH → USDC");
  assertEquals(amounts.pair(UNKNOWN, WETH), "ABC → WETH");
  assertEquals(amounts.pair(undefined, WETH), null);
  assertEquals(new TokenAmounts().label(UNKNOWN), "0xabab…abab");
});

Deno.test("TokenAmounts returns prices in whole tokens, for any decimals", () => {
  const amounts = new TokenAmounts();
  const usdc = { atoms: 5_000_000_000n, token: USDC };
  const weth = { atoms: 2n * 10n ** 18n, token: WETH };
  assertEquals(amounts.price(usdc, weth), 2500);
  assertEquals(amounts.price(weth, usdc), 0.0004);
  assertEquals(amounts.price(usdc, { atoms: 0n, token: WETH }), null);
  assertEquals(amounts.price(usdc, { atoms: 1n, token: UNKNOWN }), null);
});

Deno.test("a table reports all unknown tokens once, and calls nothing without them", () => {
  const reported: (readonly string[])[] = [];
  const onUnknownTokens = (addresses: readonly string[]) => void reported.push(addresses);
  const trade = {
    blockNumber: 1,
    logIndex: 0,
    orderUid: "0x01",
    owner: "0x02",
    sellToken: UNKNOWN.toUpperCase().replace("0X", "0x"),
    buyToken: USDC,
    sellAmount: 1n,
    sellAmountBeforeFees: 1n,
    buyAmount: 1n,
    txHash: null,
  };
  const other = { ...trade, sellToken: `0x${"aa".repeat(20)}` };
  tradesTable([trade, trade, other], { onUnknownTokens });
  assertEquals(reported, [[other.sellToken, UNKNOWN]]);
  const priced = auctionOf([], { auction: { orders: [], prices: { [WETH]: 10n ** 18n } } });
  nativePricesTable([priced], { onUnknownTokens });
  assertEquals(reported.length, 1);
});

Deno.test("a table rejects records that are not decoded", () => {
  const raw = { blockNumber: 1, logIndex: 0, sellAmount: "1", sellAmountBeforeFees: "1" };
  assertThrows(() => tradesTable([raw as never]), InputError, "decoded trades");
});
