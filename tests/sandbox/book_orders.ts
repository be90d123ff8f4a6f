import { BookOrder, type OrderOrigin } from "../../lib/sandbox/market/book_order.ts";
import type { SignedOrder } from "../../lib/sandbox/wire/read_bodies.ts";
import type { Market } from "../../lib/sandbox/market/market.ts";
import { toStoredQuote } from "../../lib/sandbox/market/market_quote.ts";
import type { PlanningTerms } from "../../lib/sandbox/market/plan_execution.ts";
import { TOKENS } from "../../lib/sandbox/market/ledger.ts";

/** The traded tokens by symbol. */
export const { WETH, USDC, DAI, GNO, WBTC, COW } = Object.fromEntries(
  TOKENS.map(({ symbol, address }) => [symbol, address]),
) as Record<"WETH" | "USDC" | "DAI" | "GNO" | "WBTC" | "COW", string>;

/** 10^18 atoms. */
export const ETHER = 10n ** 18n;
/** An account without initial funds. */
export const OWNER = `0x${"0a".repeat(20)}`;

/** A quote of 1,000 atoms for 2,000, less a network fee of 10: what gas of 1 at a price of 10 costs. */
export const QUOTE = toStoredQuote({
  gasAmount: 1,
  gasPrice: 10,
  sellTokenPrice: 1,
  sellAmount: 1_000n,
  buyAmount: 2_000n,
  feeAmount: 10n,
  solver: "0x50",
}, { kind: "sell", sellAmount: 1_000n, buyAmount: 1n });

let orders = 0;

/** An order of 1 WETH for at least 1 USDC, with the changes of a test. */
export function bookOrder(
  signed: Partial<SignedOrder> = {},
  origin: Partial<OrderOrigin> = {},
): BookOrder {
  return new BookOrder({
    sellToken: WETH,
    buyToken: USDC,
    receiver: null,
    sellAmount: ETHER,
    buyAmount: 10n ** 6n,
    validTo: 2 ** 32 - 1,
    appData: `0x${"00".repeat(32)}`,
    feeAmount: 0n,
    kind: "sell",
    partiallyFillable: false,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
    signingScheme: "eip712",
    signature: "0x",
    ...signed,
  }, {
    uid: `0x${String(++orders).padStart(112, "0")}`,
    owner: OWNER,
    created: Temporal.Instant.from("2026-11-21T00:00:00Z"),
    fullAppData: "{}",
    quote: null,
    policies: [],
    interactions: { pre: [], post: [] },
    ...origin,
  });
}

/** Terms of a solver without a margin, with gas at 10^9 wei and sufficient balances. */
export function planningTerms(
  { liquidity }: Market,
  terms: Partial<PlanningTerms> = {},
): PlanningTerms {
  return {
    liquidity,
    gasPrice: 1_000_000_000,
    hops: 1,
    marginBps: 0n,
    priceOf: () => 1,
    balanceOf: () => 2n ** 255n,
    ...terms,
  };
}
