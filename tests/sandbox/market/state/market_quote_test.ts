import { assertEquals } from "@std/assert";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { quoteGross, storedQuote } from "../../../../lib/sandbox/market/market_quote.ts";
import { ETHER, GNO, USDC, WETH } from "../book_orders.ts";

const market = new Market(1);
const quoter = { address: "0x50", hops: 1 };
const sale = { sellToken: WETH, buyToken: USDC, kind: "sell", atoms: ETHER } as const;

Deno.test("quoteGross() is the output of the pools for a sell order, with gas reported separately", () => {
  const quote = quoteGross(sale, { ...market.solverView, quoter });
  assertEquals(quote, {
    gasAmount: 198_391,
    gasPrice: 1_200_000_007,
    sellTokenPrice: 1,
    sellAmount: ETHER,
    // As computed in liquidity_test.ts.
    buyAmount: 2_492_085_898n,
    feeAmount: 198_391n * 1_200_000_007n,
    solver: "0x50",
  });
});

Deno.test("quoteGross() is the input of the pools for a buy order", () => {
  const purchase = { ...sale, kind: "buy", atoms: 10n ** 9n } as const;
  const quote = quoteGross(purchase, { ...market.solverView, quoter });
  assertEquals([quote?.sellAmount, quote?.buyAmount], [401_230_359_523_132_368n, 10n ** 9n]);
});

Deno.test("quoteGross() is null without a route", () => {
  const terms = { ...market.solverView, quoter };
  assertEquals(quoteGross({ ...sale, sellToken: GNO }, terms), null);
  assertEquals(quoteGross({ ...sale, buyToken: `0x${"77".repeat(20)}` }, terms), null);
  assertEquals(quoteGross({ ...sale, atoms: 1n }, terms), null);
  assertEquals(quoteGross({ ...sale, kind: "buy", atoms: 15n * 10n ** 12n }, terms), null);
});

Deno.test("storedQuote() scales a quote to the fixed amount, rounded against the trader", () => {
  const quote = quoteGross(sale, { ...market.solverView, quoter })!;
  const scaled = (kind: "sell" | "buy") => {
    const { sellAmount, buyAmount } = storedQuote(quote, { kind, sellAmount: 3n, buyAmount: 1n });
    return [sellAmount, buyAmount];
  };
  // 3 atoms of WETH buy less than one of USDC; one of USDC costs 10^18 / 2,492,085,898, up.
  assertEquals(scaled("sell"), [3n, 0n]);
  assertEquals(scaled("buy"), [401_270_278n, 1n]);
});

Deno.test("storedQuote() stays within the range of amounts", () => {
  const quote = quoteGross(sale, { ...market.solverView, quoter })!;
  const most = 2n ** 256n - 1n;
  assertEquals(
    storedQuote(quote, { kind: "buy", sellAmount: 1n, buyAmount: most }).sellAmount,
    most,
  );
});
