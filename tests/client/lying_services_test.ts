import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  connect,
  type OrderBook,
  placeOrder,
  type PlaceOrderOptions,
  type TradeRequest,
} from "../../lib/client/mod.ts";
import { InputError, MismatchError } from "../../lib/errors/mod.ts";
import { orderDomain } from "../../lib/evm/mod.ts";
import { computeOrderUid } from "../../lib/evm/orders/order_digest.ts";
import { parseOrderUid } from "../../lib/evm/orders/order_uid.ts";
import type { SigningAccount, TypedDataToSign } from "../../lib/evm/orders/request_signature.ts";
import type { OrderCreation } from "../../lib/schemas/mod.ts";
import { ETHER, OWNER } from "./trading_setting.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const CHECKSUMMED_WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const ATTACKER = `0x${"66".repeat(20)}`;
const SMALL = ETHER / 10n;

/** Everything of a quote that the service writes. */
interface Lie {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly feeAmount?: bigint;
  readonly protocolFeeBps?: string;
}

type Json = Record<string, unknown>;

/** Connects to mainnet, where a service lies in its quote and in its native prices alike. */
function lyingBook(lie: Lie, lies: { quote?: Json; answer?: Json } = {}): OrderBook {
  const { sellAmount, buyAmount, feeAmount = 0n, protocolFeeBps } = lie;
  let sold: string = USDC;
  return connect("mainnet", {
    fetch: (url, init) => {
      const { pathname } = new URL(url);
      if (pathname.endsWith(`/token/${USDC}/native_price`)) {
        // At this price, what is bought is worth what is sold.
        const rate = Number(buyAmount) / Number(sellAmount + feeAmount);
        return Promise.resolve(Response.json({ price: sold === USDC ? rate : 1 / rate }));
      }
      if (!pathname.endsWith("/quote")) {
        return Promise.resolve(Response.json({ errorType: "NotFound" }, { status: 404 }));
      }
      const { from, signingScheme: _, priceQuality: __, ...asked } = JSON.parse(`${init?.body}`);
      sold = asked.sellToken;
      const quote = {
        appData: "{}",
        ...asked,
        receiver: asked.receiver ?? null,
        sellAmount: `${sellAmount}`,
        buyAmount: `${buyAmount}`,
        feeAmount: `${feeAmount}`,
        partiallyFillable: false,
        sellTokenBalance: "erc20",
        buyTokenBalance: "erc20",
        signingScheme: "eip712",
        gasAmount: "0",
        gasPrice: "1",
        sellTokenPrice: "1",
        ...lies.quote,
      };
      const expiration = new Date(Date.now() + 60_000).toISOString();
      const answer = { quote, from, expiration, id: 1, verified: true, ...lies.answer };
      const feed = protocolFeeBps === undefined ? answer : { ...answer, protocolFeeBps };
      return Promise.resolve(Response.json(feed));
    },
  });
}

/** Places an order up to its signature; returns what would be signed, or the error. */
async function signedTerms(
  book: OrderBook,
  trade: object,
  options: PlaceOrderOptions = {},
): Promise<Json | Error> {
  let signed: Json | undefined;
  const account: SigningAccount = {
    address: OWNER,
    signTypedData: ({ message }: TypedDataToSign) => {
      signed = { ...message };
      return Promise.reject(new Error("no signature"));
    },
    signMessage: () => Promise.reject(new Error("no signature")),
  };
  const request = { validFor: 600, ...trade } as TradeRequest;
  const error = await assertRejects(() => placeOrder(book, account, request, options), Error);
  return signed ?? error;
}

function sale(sellToken: string, buyToken: string, sellAmountBeforeFee: bigint): object {
  return { kind: "sell", sellToken, buyToken, sellAmountBeforeFee };
}

/** Trades without a bound, and the lie that each would be signed at. */
const UNBOUNDED: [lie: string, trade: object, quoted: Lie][] = [
  [
    "100,000 USDC are worth 0.01 WETH",
    sale(USDC, WETH, 100_000_000_000n),
    { sellAmount: 100_000_000_000n, buyAmount: ETHER / 100n },
  ],
  [
    "0.09 WETH cost 1,000,000 USDC",
    { kind: "buy", sellToken: USDC, buyToken: WETH, buyAmountAfterFee: 9n * ETHER / 100n },
    { sellAmount: 1_000_000_000_000n, buyAmount: 9n * ETHER / 100n },
  ],
  [
    "100,000 USDC are worth 0.01 native tokens",
    sale(USDC, NATIVE, 100_000_000_000n),
    { sellAmount: 100_000_000_000n, buyAmount: ETHER / 100n },
  ],
  [
    "one atom of ether is the value of 100,000 USDC, fee included",
    sale(USDC, WETH, 100_000_000_000n),
    { sellAmount: 1n, feeAmount: 99_999_999_999n, buyAmount: 1n },
  ],
  [
    "the fee of a sale of an atom is 0.05 WETH",
    { kind: "sell", sellToken: WETH, buyToken: USDC, sellAmountAfterFee: 1n },
    { sellAmount: 1n, feeAmount: ETHER / 20n, buyAmount: 1n },
  ],
  [
    "one USDC costs 0.05 WETH",
    { kind: "buy", sellToken: WETH, buyToken: USDC, buyAmountAfterFee: 1_000_000n },
    { sellAmount: ETHER / 20n, buyAmount: 1_000_000n },
  ],
  [
    "0.05 native tokens cost 0.1 WETH",
    { kind: "buy", sellToken: WETH, buyToken: NATIVE, buyAmountAfterFee: ETHER / 20n },
    { sellAmount: SMALL * 99n / 100n, buyAmount: ETHER / 20n },
  ],
  [
    "0.1 WETH and an atom are worth one USDC",
    sale(WETH, USDC, SMALL + 1n),
    { sellAmount: SMALL + 1n, buyAmount: 1_000_000n },
  ],
];

Deno.test("placeOrder() without a bound signs no price that quote and native prices lie about", async () => {
  for (const [lie, trade, quoted] of UNBOUNDED) {
    const error = await signedTerms(lyingBook(quoted), trade);
    assert(error instanceof InputError, `${lie}: would sign ${JSON.stringify(error, asText)}`);
    assert(error.message.includes("at a price that the service alone knows"), `${lie}: ${error}`);
  }
});

Deno.test("placeOrder() without a bound sells at most 0.1 native tokens, in an amount of the caller", async () => {
  const quoted = { sellAmount: SMALL, buyAmount: 250_000_000n };
  for (const token of [WETH, CHECKSUMMED_WETH, NATIVE]) {
    const signed = await signedTerms(lyingBook(quoted), sale(token, USDC, SMALL));
    assert(!(signed instanceof Error), `${signed}`);
    assertEquals([signed.sellAmount, signed.buyAmount], [SMALL, 248_750_000n]);
  }
  // A deployment by its URL does not say which token its network wraps.
  const { transport } = lyingBook(quoted);
  const book = connect(transport, { chainId: 1, settlementContract: ATTACKER });
  assert(await signedTerms(book, sale(WETH, USDC, SMALL)) instanceof InputError);
});

Deno.test("placeOrder() with a bound signs nothing beyond it, whatever a service adds or deducts", async () => {
  const trade = sale(USDC, WETH, 1_000_000_000n);
  const options = { minBuyAmount: ETHER / 4n, slippageBps: 100, partnerFeeBps: 100 };
  const lies: Lie[] = [
    { sellAmount: 1_000_000_000n, buyAmount: ETHER / 4n },
    // A larger price before fees makes the partner's fee larger: the limit may not follow it.
    { sellAmount: 1_000_000_000n, buyAmount: 3n * ETHER / 10n, protocolFeeBps: "9500" },
    { sellAmount: 40_000_000n, feeAmount: 960_000_000n, buyAmount: 3n * ETHER / 10n },
  ];
  for (const lie of lies) {
    const error = await signedTerms(lyingBook(lie), trade, options);
    assert(error instanceof InputError && /less than minBuyAmount/.test(error.message), `${error}`);
  }
  const fee = { sellAmount: 1_000_000n, feeAmount: 1_000_000n, buyAmount: ETHER };
  const after = { ...trade, sellAmountBeforeFee: undefined, sellAmountAfterFee: 1_000_000n };
  const minimum = await signedTerms(lyingBook(fee), after, { minBuyAmount: 1n });
  assert(minimum instanceof InputError && /alone knows/.test(minimum.message), `${minimum}`);
  assert(minimum.remedy.includes("minBuyAmount and maxSellAmount"), minimum.remedy);
  const maximum = { minBuyAmount: 1n, maxSellAmount: 1_999_999n };
  const dear = await signedTerms(lyingBook(fee), after, maximum);
  assert(dear instanceof InputError && /more than maxSellAmount/.test(dear.message), `${dear}`);
});

Deno.test("placeOrder() signs the caller's tokens, trader, receiver, size and expiry, or nothing", async () => {
  const honest = { sellAmount: SMALL, buyAmount: 250_000_000n };
  const trade = { ...sale(WETH, USDC, SMALL), receiver: OWNER };
  const lies: [field: string, lies: { quote?: Json; answer?: Json }][] = [
    ["sellToken", { quote: { sellToken: USDC } }],
    ["buyToken", { quote: { buyToken: ATTACKER } }],
    ["kind", { quote: { kind: "buy" } }],
    ["sellAmountBeforeFee", { quote: { sellAmount: `${SMALL * 2n}` } }],
    ["sellAmountBeforeFee", { quote: { feeAmount: "1" } }],
    ["receiver", { quote: { receiver: ATTACKER } }],
    ["from", { answer: { from: ATTACKER } }],
    ["validTo", { quote: { validTo: 4_294_967_295 } }],
    ["appDataHash", { quote: { appDataHash: `0x${"66".repeat(32)}` } }],
    ["sellTokenBalance", { quote: { sellTokenBalance: "external" } }],
  ];
  for (const [field, told] of lies) {
    const asked = { ...trade, sellTokenBalance: "erc20", appData: '{"appCode":"Bot"}' };
    const error = await signedTerms(lyingBook(honest, told), asked);
    assert(error instanceof MismatchError, `${field}: ${error}`);
    assertEquals(error.field, field);
  }
  // What the request leaves out has defaults of the client, which no answer changes.
  const told = { quote: { receiver: ATTACKER, partiallyFillable: true } };
  const signed = await signedTerms(lyingBook(honest, told), sale(WETH, USDC, SMALL));
  assert(!(signed instanceof Error), `${signed}`);
  assertEquals([signed.receiver, signed.partiallyFillable], [`0x${"00".repeat(20)}`, false]);
});

Deno.test("createOrder() never returns a UID of other terms for its owner to approve", async () => {
  const domain = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
  const order: OrderCreation = {
    sellToken: USDC,
    buyToken: WETH,
    sellAmount: 1_000_000n,
    buyAmount: ETHER,
    validTo: 1_795_273_344,
    feeAmount: 0n,
    kind: "sell",
    partiallyFillable: false,
    appData: `0x${"00".repeat(32)}`,
    signingScheme: "presign",
    signature: "0x",
  };
  const { uid: own, digest } = parts(order);
  const { uid: worse } = parts({ ...order, buyAmount: 1n });
  const create = (answer: string) =>
    connect({
      fetch: () => Promise.resolve(Response.json(answer, { status: 201 })),
      deployment: { chainId: 1, settlementContract: domain.verifyingContract },
    }).createOrder(order);
  assertEquals(await create(own), own);
  const error = await assertRejects(() => create(worse), MismatchError);
  assertEquals([error.field, error.asked], ["order digest", digest]);

  function parts(terms: OrderCreation): { uid: string; digest: string } {
    const uid = computeOrderUid(domain, terms, OWNER);
    return { uid, digest: parseOrderUid(uid).digest };
  }
});

function asText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
