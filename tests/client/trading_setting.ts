import { assertRejects } from "@std/assert";
import { privateKeyToAccount } from "viem/accounts";
import {
  connect,
  placeOrder as place,
  type PlaceOrderOptions,
  type TradeRequest,
} from "../../lib/client/mod.ts";
import { InputError } from "../../lib/errors/mod.ts";
import type { QuoteResponse } from "../../lib/schemas/mod.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type SandboxOptions } from "../../lib/sandbox/mod.ts";

/** Trader of the tests: the development account that the market's traders do not use. */
export const ACCOUNT = privateKeyToAccount(DEVELOPMENT_ACCOUNTS[0]!.privateKey as `0x${string}`);
/** Its address, in lower case. */
export const OWNER = ACCOUNT.address.toLowerCase();
/** Atoms of one whole token of 18 decimals. */
export const ETHER = 10n ** 18n;

/** A sandbox, its book, and trades. */
export type Setting = Awaited<ReturnType<typeof setting>>;

/** Places an order at the native prices of the service, unless the test bounds the price. */
export const placeOrder: typeof place = (book, account, request, options = {}) => {
  const isBounded = Object.keys(options).some((name) => /^m(?:in|ax)\w+Amount/.test(name));
  const trusting: PlaceOrderOptions = isBounded ? {} : { minQuoteValueBps: 8_000 };
  return place(book, account, request, { ...trusting, ...options });
};

/** Fails unless an order is refused before it is signed, with an error that says why. */
export function assertRefused(
  says: string,
  ...order: Parameters<typeof placeOrder>
): Promise<InputError> {
  return assertRejects(() => placeOrder(...order), InputError, says);
}

/** Opens a sandbox for trades that are valid for ten minutes: of one WETH, and for 1,000 USDC. */
export async function setting(options: SandboxOptions = {}) {
  const sandbox = await openSandbox({ seed: 7, auctions: 5, ...options });
  const token = (symbol: string) =>
    sandbox.description.tokens.find((one) => one.symbol === symbol)!.address;
  const terms = { sellToken: token("WETH"), buyToken: token("USDC"), validFor: 600 };
  return {
    sandbox,
    book: connect(sandbox),
    request: { ...terms, kind: "sell", sellAmountBeforeFee: ETHER } as TradeRequest,
    purchase: { ...terms, kind: "buy", buyAmountAfterFee: 1_000_000_000n } as TradeRequest,
  };
}

/** Places an order at a price that is never filled. */
export async function dearOrder({ book, request }: Pick<Setting, "book" | "request">) {
  return await placeOrder(book, ACCOUNT, request, {
    quote: await quoteAt({ book, request }, 300n),
  });
}

/** Places an order that takes several settlements to fill. */
export async function largeOrder({ book, request }: Pick<Setting, "book" | "request">) {
  const large = {
    ...request,
    sellAmountBeforeFee: 2_000n * ETHER,
    partiallyFillable: true,
  } as TradeRequest;
  const quote = await quoteAt({ book, request: large }, 102n);
  // A trade of this size moves the price by a quarter.
  return await placeOrder(book, ACCOUNT, large, { quote, slippageBps: 0, minQuoteValueBps: 7_000 });
}

/** A quote at `percent` of the service's price: at 200, the order is never filled. */
export async function quoteAt(
  { book, request }: Pick<Setting, "book" | "request">,
  percent: bigint,
): Promise<QuoteResponse> {
  const answer = await book.quote({ ...request, from: OWNER });
  const buyAmount = answer.quote.buyAmount * percent / 100n;
  return { ...answer, quote: { ...answer.quote, buyAmount } };
}
