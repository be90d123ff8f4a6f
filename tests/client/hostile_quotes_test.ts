import {
  connect,
  placeOrder as unbounded,
  type PlaceOrderOptions,
  type TradeRequest,
} from "../../lib/client/mod.ts";
import type { Fetch } from "../../lib/http/mod.ts";
import type { Sandbox } from "../../lib/sandbox/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { InputError, MismatchError } from "../../lib/errors/mod.ts";
import { ACCOUNT, assertRefused, ETHER, OWNER, placeOrder, setting } from "./trading_setting.ts";

type Body = Record<string, unknown>;

/**
 * Connects to a sandbox through a proxy that changes successful answers of one route.
 *
 * @param route Method and path prefix, such as `POST /api/v1/quote`.
 * @param tamper Returns the tampered answer.
 */
function tamperedBook(sandbox: Sandbox, route: string, tamper: (truth: Body) => unknown) {
  /** Method and path of every request, in order. */
  const sent: string[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = `${init?.method ?? "GET"} ${new URL(url).pathname}`;
    sent.push(request);
    const answer = await sandbox.fetch(url, init);
    if (!answer.ok || !request.startsWith(route)) return answer;
    return Response.json(tamper(await answer.json()), { status: answer.status });
  };
  const { deployment, clock } = sandbox;
  return { book: connect({ fetch, deployment, clock }), sent };
}

/** Changes the quote in an answer of `POST quote`. */
function misquoting(changes: Body | ((quote: Body) => Body)): (truth: Body) => Body {
  return (truth) => {
    const quote = truth.quote as Body;
    return {
      ...truth,
      quote: { ...quote, ...(typeof changes === "function" ? changes(quote) : changes) },
    };
  };
}

const QUOTE = "POST /api/v1/quote";
const ORDERS = "POST /api/v1/orders";
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const SOMEBODY = `0x${"66".repeat(20)}`;

/** Places the usual sale with changes, or another trade, at a tampered quote; gives what was sent. */
async function tampered(
  tamper: Parameters<typeof misquoting>[0],
  changes: object = {},
  options: PlaceOrderOptions = {},
) {
  const { sandbox, request } = await setting();
  const { book, sent } = tamperedBook(sandbox, QUOTE, misquoting(tamper));
  const changed = ("kind" in changes ? changes : { ...request, ...changes }) as TradeRequest;
  return { place: () => placeOrder(book, ACCOUNT, changed, options), sent };
}

Deno.test("placeOrder() signs only the caller's validity", async () => {
  const { sandbox } = await setting();
  const nowSec = Math.floor(sandbox.clock.now() / 1_000);
  const cases: [object, number, number][] = [
    [{ validFor: null, validTo: nowSec + 900 }, nowSec + 900, nowSec + 5_000],
    [{ validFor: null, validTo: nowSec + 900 }, nowSec + 900, nowSec + 899],
    [{ validFor: 600 }, nowSec + 600, 4_294_967_295],
    [{ validFor: 600 }, nowSec + 600, nowSec + 601],
    [{ validFor: null }, nowSec + 1_800, nowSec + 1_801],
  ];
  for (const [changes, asked, answered] of cases) {
    const { place, sent } = await tampered({ validTo: answered }, changes);
    const error = await assertRejects(place, MismatchError);
    const told = [error.field, error.asked, error.answered];
    assertEquals(told, ["validTo", `${asked}`, `${answered}`]);
    assert(!sent.includes(ORDERS));
    const honest = await tampered({}, changes);
    assertEquals((await honest.place()).creation.validTo, asked);
  }
});

Deno.test("placeOrder() tells the service the hash of its document, which the quote must have", async () => {
  const other = { appDataHash: `0x${"66".repeat(32)}` };
  const { place, sent } = await tampered(other, { appData: '{"appCode":"Bot"}' });
  assertEquals((await assertRejects(place, MismatchError)).field, "appDataHash");
  assert(!sent.includes(ORDERS));
});

Deno.test("placeOrder() rejects an earlier quote that is valid for longer than requested", async () => {
  const { book, request } = await setting();
  const quote = await book.quote({ ...request, from: OWNER });
  const nowSec = Math.floor(book.clock.now() / 1_000);
  const at = (validTo: number) => ({ ...quote, quote: { ...quote.quote, validTo } });
  for (const validTo of [nowSec + 661, 4_294_967_295]) {
    await assertRefused("a quote for another validTo", book, ACCOUNT, request, {
      quote: at(validTo),
    });
  }
  const absolute = { ...request, validFor: null, validTo: nowSec + 600 };
  await assertRefused("a quote for another validTo", book, ACCOUNT, absolute, {
    quote: at(nowSec + 599),
  });
  // The clock of the service may be a minute ahead.
  const { creation } = await placeOrder(book, ACCOUNT, request, { quote: at(nowSec + 660) });
  assertEquals(creation.validTo, nowSec + 660);
});

Deno.test("placeOrder() signs the caller's own terms, whatever the quote says", async () => {
  const { sandbox, request } = await setting();
  const misquoted = misquoting({
    partiallyFillable: true,
    receiver: SOMEBODY,
    appData: "0x" + "66".repeat(32),
    appDataHash: `0x${"66".repeat(32)}`,
    sellTokenBalance: "external",
    buyTokenBalance: "internal",
  });
  const { book } = tamperedBook(sandbox, QUOTE, misquoted);
  const { creation, uid } = await placeOrder(book, ACCOUNT, request);
  assertEquals((await book.order(uid)).partiallyFillable, false);
  const signed = {
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    sellAmount: ETHER,
    kind: "sell",
    partiallyFillable: false,
    receiver: null,
    feeAmount: 0n,
    appData: "{}",
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
  };
  assertEquals<object>({ ...creation, ...signed }, creation);
});

Deno.test("placeOrder() neither sells ether for an atom nor overpays for one", async () => {
  const cheap = await tampered({ buyAmount: "1" });
  const says = "buys only 0.00% of the value it sells";
  const error = await assertRejects(cheap.place, InputError, says);
  assert(error.remedy.includes("minBuyAmount") && error.remedy.includes("minQuoteValueBps"));
  assert(!cheap.sent.includes(ORDERS));

  const dear = await tampered(
    (quote) => ({ sellAmount: `${BigInt(quote.sellAmount as string) * 2n}` }),
    (await setting()).purchase,
  );
  const dearly = await assertRejects(dear.place, InputError, "of the value it sells");
  assert(dearly.remedy.includes("maxSellAmount"));

  // The fee is added to a sale after fees, and the service determines it.
  const fee = await tampered({ feeAmount: `${ETHER}` }, {
    sellAmountBeforeFee: undefined,
    sellAmountAfterFee: ETHER,
  }, { minBuyAmount: 1n, minQuoteValueBps: 8_000 });
  await assertRejects(fee.place, InputError, "of the value it sells");
});

Deno.test("placeOrder() compares the signed amounts with native prices, exactly at the threshold", async () => {
  // One WETH, worth 10^18 native atoms, for b atoms of USDC at 400883370.96273583 each:
  // 80% of 10^18 are 1995592877.995… atoms, so that 1995592878 are enough and one less is not.
  const signs = { slippageBps: 0 };
  const enough = await tampered({ buyAmount: "1995592878" }, {}, signs);
  assertEquals((await enough.place()).creation.buyAmount, 1_995_592_878n);
  const short = await tampered({ buyAmount: "1995592877" }, {}, signs);
  await assertRejects(short.place, InputError, "buys only 79.99% of the value it sells");

  const strict = await tampered({ buyAmount: "1995592878" }, {}, {
    ...signs,
    minQuoteValueBps: 8_001,
  });
  await assertRejects(strict.place, InputError, "minimum: 80.01%");
  const off = await tampered({ buyAmount: "1" }, {}, { ...signs, minQuoteValueBps: 0 });
  assertEquals((await off.place()).creation.buyAmount, 1n);
  assertEquals(off.sent.filter((request) => request.includes("native_price")), []);
});

Deno.test("placeOrder() values the native token at 1, without a request", async () => {
  const { sandbox, request } = await setting();
  const { book, sent } = tamperedBook(sandbox, "GET /api/v1/token/", () => ({ price: 1e-9 }));
  const usdc = sandbox.description.tokens.find(({ symbol }) => symbol === "USDC")!.address;
  const trade = { ...request, sellToken: usdc, buyToken: NATIVE, sellAmountBeforeFee: 10n ** 9n };
  const { creation } = await placeOrder(book, ACCOUNT, trade);
  assertEquals(creation.buyToken, NATIVE);
  assertEquals(sent.filter((one) => one.includes("native_price")), [
    `GET /api/v1/token/${usdc}/native_price`,
  ]);
});

Deno.test("placeOrder() enforces the caller's own bounds, and needs no native price then", async () => {
  const { sandbox, request } = await setting();
  const { book, sent } = tamperedBook(sandbox, QUOTE, misquoting({ buyAmount: "2000000000" }));
  const within = { slippageBps: 100, minBuyAmount: 1_980_000_000n };
  const { creation } = await placeOrder(book, ACCOUNT, request, within);
  assertEquals(creation.buyAmount, 1_980_000_000n);
  const beyond = { ...within, minBuyAmount: 1_980_000_001n };
  const low = await assertRefused("less than minBuyAmount", book, ACCOUNT, request, beyond);
  assert(low.message.includes("limit: 1980000000"));
  assertEquals(sent.filter((one) => one.includes("native_price")), []);

  const { book: honest, purchase } = await setting();
  const { quote } = await honest.quote({ ...purchase, from: OWNER });
  const cost = quote.sellAmount + quote.feeAmount;
  const exact = { slippageBps: 0, maxSellAmount: cost };
  const bought = await placeOrder(honest, ACCOUNT, purchase, exact);
  assertEquals([bought.creation.sellAmount, bought.stages.signedStage], [cost, "quote"]);
  const less = { ...exact, maxSellAmount: cost - 1n };
  await assertRefused("more than maxSellAmount", honest, ACCOUNT, purchase, less);
});

Deno.test("placeOrder() places nothing that it cannot value, unless the price is bounded", async () => {
  const { sandbox, request } = await setting();
  // Another tolerance makes another order.
  let slippageBps = 1;
  for (const answer of [{ price: 0 }, { price: "1" }, {}]) {
    const { book, sent } = tamperedBook(sandbox, "GET /api/v1/token/", () => answer);
    const error = await assertRefused("the service has no native price of", book, ACCOUNT, request);
    assert(error.remedy.includes("minBuyAmount") && error.remedy.includes("minQuoteValueBps"));
    assert(!sent.includes(ORDERS));
    const bounded = { minBuyAmount: 2_000_000_000n, slippageBps: slippageBps++ };
    await placeOrder(book, ACCOUNT, request, bounded);
    await placeOrder(book, ACCOUNT, request, { minQuoteValueBps: 0, slippageBps: slippageBps++ });
  }
  const { book } = await setting();
  sandbox.fault({ kind: "serverError", operation: "nativePrice" });
  const failing = tamperedBook(sandbox, "none", (truth) => truth).book;
  await assertRefused("no native price", failing, ACCOUNT, request);
  assertEquals((await placeOrder(book, ACCOUNT, request)).creation.sellAmount, ETHER);
});

Deno.test("placeOrder() aborts the other request when a native price is missing", async () => {
  const { sandbox, request } = await setting();
  const priced: string[] = [];
  const fetch: Fetch = (url, init) => {
    if (!url.includes("/native_price")) return sandbox.fetch(url, init);
    if (priced.push("requested") === 1) return Promise.resolve(Response.json({ price: 0 }));
    return new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => {
        priced.push("aborted");
        reject(init.signal?.reason);
      });
    });
  };
  const { deployment, clock } = sandbox;
  const book = connect({ fetch, deployment, clock });
  await assertRefused("the service has no native price of", book, ACCOUNT, request);
  assertEquals(priced, ["requested", "requested", "aborted"]);
});

Deno.test("placeOrder() signs no price that a service may lie about alone", async () => {
  const { sandbox, request } = await setting();
  const lies = await setting();
  const { book, sent } = tamperedBook(lies.sandbox, "none", (truth) => truth);
  const place = () => unbounded(book, ACCOUNT, request);
  const error = await assertRejects(place, InputError, "the service alone knows");
  assert(error.remedy.includes("minBuyAmount, the minimum to receive"));
  assert(!sent.includes(ORDERS));
  const { creation } = await unbounded(connect(sandbox), ACCOUNT, request, { minBuyAmount: 1n });
  assertEquals(creation.sellAmount, ETHER);
});

Deno.test("placeOrder stops waiting for a wallet that never responds", async () => {
  const { book, request } = await setting();
  const stopped = new AbortController();
  const wallet = {
    request: ({ method }: { method: string }) => {
      if (method === "eth_accounts") return Promise.resolve([OWNER]);
      queueMicrotask(() => stopped.abort(new Error("enough")));
      return new Promise<never>(() => {});
    },
  };
  const options = { minBuyAmount: 1n, signal: stopped.signal };
  await assertRejects(() => unbounded(book, wallet, request, options), Error, "enough");
});

Deno.test("placeOrder() rejects invalid bounds, terms and options before anything is sent", async () => {
  const { sandbox, request, purchase } = await setting();
  const { book, sent } = tamperedBook(sandbox, "none", (truth) => truth);
  const unsized = { ...request, sellAmountBeforeFee: undefined };
  const cases: [object, object, string][] = [
    [
      request,
      { minBuyAmount: 0n },
      "a minBuyAmount of 0\nFix: Pass the amount in atoms as a bigint above 0n",
    ],
    [request, { minBuyAmount: 5 }, "with minBuyAmount 5\nFix: Pass atoms as a bigint"],
    [request, { maxSellAmount: 5n }, "sellAmountBeforeFee fixes its sell amount"],
    [purchase, { minBuyAmount: 5n }, "its buy amount is fixed"],
    [request, { minQuoteValueBps: 10_001 }, "minQuoteValueBps 10001"],
    [request, { minQuoteValueBps: 79.5 }, "minQuoteValueBps 79.5"],
    [request, { allow: ["unverifed"] }, "Fix: Pass an array of expired, unverified, fast as allow"],
    [{ ...request, minBuyAmount: 5n }, {}, "Pass it in the options"],
    [{ ...request, partialyFillable: true }, {}, '"partialyFillable": unknown option'],
    [{ ...request, partiallyFillable: "no" }, {}, 'partiallyFillable "no"'],
    [{ ...request, validTo: 5 }, {}, "validTo and validFor"],
    [{ ...request, validFor: 0 }, {}, "validFor 0"],
    [{ ...request, validFor: 2 ** 32 }, {}, "validFor 4294967296"],
    [{ ...request, validFor: null, validTo: 1.5 }, {}, "validTo 1.5"],
    [{ ...unsized, buyAmountAfterFee: 1n }, {}, "to sell with buyAmountAfterFee"],
    [{ ...request, kind: "swap" }, {}, 'of kind "swap"'],
    [{ ...request, sellAmountBeforeFee: 0n }, {}, "a sellAmountBeforeFee of 0 (bigint)"],
    [{ ...request, sellAmountBeforeFee: -1n }, {}, "a sellAmountBeforeFee of -1 (bigint)"],
    [{ ...request, sellAmountBeforeFee: 5 }, {}, "a sellAmountBeforeFee of 5 (number)"],
    [unsized, {}, "with no size"],
    [{ ...request, sellAmountAfterFee: 1n }, {}, "with sellAmountBeforeFee and sellAmountAfterFee"],
    [{ ...request, priceQuality: "fast" }, {}, "a fast quote"],
    [{ ...request, signingScheme: "eip1271" }, {}, "without its contract's signature"],
  ];
  for (const [trade, options, says] of cases) {
    await assertRefused(says, book, ACCOUNT, trade as TradeRequest, options as PlaceOrderOptions);
  }
  assertEquals(sent, []);
});
