import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import {
  computeOrderUid,
  hashAppData,
  orderDomain,
  recoverOrderSigner,
} from "../../lib/evm/mod.ts";
import { quoteStages } from "../../lib/metrics/mod.ts";
import {
  decodeCompetition,
  decodeQuoteResponse,
  decodeTotalSurplus,
  type OrderKind,
} from "../../lib/schemas/mod.ts";
import { nativeValue } from "../../lib/units/mod.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";
import { SdkError, SdkTrader } from "./sdk_trader.ts";

/** One WETH. */
const ETHER = 10n ** 18n;

const SOON_SEC = 600;

/** A sandbox whose time a test moves, and the official SDK that trades at it over HTTP. */
type SdkMarket = Awaited<ReturnType<typeof openSdkMarket>>;

/** Opens a sandbox, and has the SDK go there as the development account of this number. */
async function openSdkMarket(
  sdk: SdkTrader,
  { auctions = 5, account = 0 }: { auctions?: number; account?: number } = {},
) {
  const sandbox = await openSandbox({ seed: 7, auctions, clock: "virtual" });
  const { url } = sandbox.listen({ port: 0 });
  await sdk.open(url, { account });
  return { sandbox, url, sdk, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
}

/** What is traded and until when, as the SDK wants it said. */
function wethForUsdc({ description: { tokens, now } }: Sandbox) {
  const [weth, usdc] = tokens as [typeof tokens[number], typeof tokens[number]];
  return {
    sellToken: weth.address,
    sellTokenDecimals: weth.decimals,
    buyToken: usdc.address,
    buyTokenDecimals: usdc.decimals,
    validTo: now + SOON_SEC,
  };
}

/** A sale of one WETH for at least so many atoms of USDC. */
function limitSale(sandbox: Sandbox, buyAmount: bigint) {
  return {
    ...wethForUsdc(sandbox),
    kind: "sell",
    sellAmount: String(ETHER),
    buyAmount: String(buyAmount),
  };
}

/** Holds auctions one by one until the SDK says that the order has traded. */
async function waitForTrade({ sandbox, sdk }: SdkMarket, uid: string): Promise<void> {
  for (let auction = 0; auction < 30; auction++) {
    await sandbox.advance();
    if (await sdk.orderStatus(uid) === "traded") return;
  }
  throw new Error(`Order ${uid} has not traded in 30 auctions`);
}

const [TRADER, SOMEBODY] = DEVELOPMENT_ACCOUNTS.map(({ address }) => address) as [string, string];
/** The number of an account that no sandbox funds. */
const PENNILESS = 20;
const THOUSAND_USDC = 10n ** 9n;
/** More than any market pays for a WETH. */
const BILLION_USDC = 10n ** 15n;

interface Posted {
  readonly orderId: string;
}

type Swapped = Posted & Readonly<Record<"quoteResponse" | "amountsAndCosts", object>>;

function amountsOf(terms: unknown): { sellAmount: bigint; buyAmount: bigint } {
  const { sellAmount, buyAmount } = terms as Record<string, string | bigint>;
  return { sellAmount: BigInt(sellAmount!), buyAmount: BigInt(buyAmount!) };
}

/** Requires that the SDK throws as the service refuses: with the status, and why. */
async function refused(call: Promise<unknown>, expected: number, reason: string): Promise<void> {
  const { name, status, body } = await assertRejects(() => call, SdkError);
  const isExplained = typeof body === "object" && body !== null && "errorType" in body;
  const found = [name, status, isExplained ? body.errorType : body];
  assertEquals<unknown>(found, ["OrderBookApiError", expected, reason]);
}

/** What it does, each in a sandbox of its own; all in one process, since starting it takes longest. */
const SCENES: [name: string, play: (sdk: SdkTrader) => Promise<void>][] = [];

function scene(...[name, play]: typeof SCENES[number]): void {
  SCENES.push([name, play]);
}

for (const kind of ["sell", "buy"] satisfies OrderKind[]) {
  scene(`quotes, signs and posts a swap of kind ${kind}`, async (sdk) => {
    await using market = await openSdkMarket(sdk);
    const { sandbox } = market;
    const amount = kind === "sell" ? ETHER : THOUSAND_USDC;
    const swap = await sdk.call<Swapped>("trader.swap", {
      ...wethForUsdc(sandbox),
      kind,
      amount: String(amount),
      slippageBps: 50,
    });

    const placed = await sdk.order(swap.orderId);
    assertEquals([placed.status, placed.owner], ["open", TRADER]);
    assertEquals(kind === "sell" ? placed.sellAmount : placed.buyAmount, amount);
    const domain = orderDomain(sandbox.deployment);
    assertEquals(computeOrderUid(domain, placed), swap.orderId);
    assertEquals(await recoverOrderSigner(domain, placed), TRADER);

    const stages = quoteStages(decodeQuoteResponse(swap.quoteResponse), { slippageBps: 50 });
    for (const stage of ["beforeAllFees", "amountsToSign"] as const) {
      assertEquals(amountsOf(Reflect.get(swap.amountsAndCosts, stage)), stages[stage]);
    }
    assertEquals(amountsOf(placed), stages.amountsToSign);

    await waitForTrade(market, swap.orderId);
    const filled = await sdk.order(swap.orderId);
    assertEquals(filled.status, "fulfilled");
    assertEquals(kind === "sell" ? filled.executedSellAmount : filled.executedBuyAmount, amount);
  });
}

scene("finds a trade in every list, and its auction", async (sdk) => {
  await using market = await openSdkMarket(sdk);
  const { sandbox } = market;
  const swap = { ...wethForUsdc(sandbox), kind: "sell", amount: String(ETHER) };
  const { orderId: uid } = await sdk.call<Posted>("trader.swap", swap);
  assertEquals(await sdk.orderStatus(uid), "scheduled");
  assertEquals(await sdk.trades({ orderUid: uid }), []);
  await waitForTrade(market, uid);

  const [trade, ...others] = await sdk.trades({ orderUid: uid });
  assert(trade?.txHash && others.length === 0);
  assertEquals(trade.sellAmount, ETHER);
  assertEquals(await sdk.trades({ owner: TRADER }), [trade]);
  assertEquals((await sdk.orders({ owner: TRADER })).map((order) => order.uid), [uid]);
  const settled = await sdk.call<{ uid: string }[]>("orderBook.getTxOrders", trade.txHash);
  assert(settled.some((order) => order.uid === uid));

  const body = await sdk.call("orderBook.getSolverCompetition", trade.txHash);
  const { auctionId, auction, solutions } = decodeCompetition(body);
  assertEquals(await sdk.call("orderBook.getSolverCompetition", auctionId), body);
  const winner = solutions.find(({ txHash }) => txHash === trade.txHash);
  const execution = winner?.orders.find(({ id }) => id === uid);
  assertEquals(amountsOf(execution), amountsOf(trade));

  const { buyAmount, buyToken } = await sdk.order(uid);
  const surplus = nativeValue(trade.buyAmount - buyAmount, auction.prices[buyToken]!);
  const answer = await sdk.call("orderBook.getTotalSurplus", TRADER);
  // The service sums doubles.
  assertAlmostEquals(Number(decodeTotalSurplus(answer).totalSurplus) / Number(surplus), 1, 1e-9);
});

scene("pages through an account's orders and trades", async (sdk) => {
  await using _ = await openSdkMarket(sdk, { auctions: 60 });
  const owner = SOMEBODY;
  const orders = await sdk.orders({ owner });
  assert(orders.length >= 4, `${orders.length}`);
  assert(orders.every((order) => order.owner === owner));
  const first = await sdk.orders({ owner, limit: 2 });
  const second = await sdk.orders({ owner, limit: 2, offset: 2 });
  assertEquals([...first, ...second], orders.slice(0, 4));

  const trades = await sdk.trades({ owner, limit: 100 });
  assert(trades.length >= 2, `${trades.length}`);
  assert(trades.every((trade) => trade.owner === owner));
  assertEquals(await sdk.trades({ owner, limit: 1, offset: 1 }), trades.slice(1, 2));
});

scene("registers app data and reads it back", async (sdk) => {
  await using _ = await openSdkMarket(sdk);
  const document = '{"appCode":"Peer","metadata":{},"version":"1.6.0"}';
  const hash = hashAppData(document);
  await refused(sdk.call("orderBook.getAppData", hash), 404, "full app data not found");
  assertEquals(await sdk.call("orderBook.uploadAppData", hash, document), hash);
  assertEquals(await sdk.call("orderBook.getAppData", hash), { fullAppData: document });
  const wrong = sdk.call("orderBook.uploadAppData", `0x${"ab".repeat(32)}`, document);
  await refused(wrong, 400, "AppDataHashMismatch");
});

scene("cancels one order, and several at once, but none of another's", async (sdk) => {
  await using market = await openSdkMarket(sdk);
  const { sandbox, url } = market;
  const uids: string[] = [];
  for (const buyAmount of [BILLION_USDC, BILLION_USDC + 1n, BILLION_USDC + 2n]) {
    const sale = limitSale(sandbox, buyAmount);
    uids.push((await sdk.call<Posted>("trading.postLimitOrder", sale)).orderId);
  }
  const [one, ...others] = uids;
  await sandbox.advance();
  const cancel = () => sdk.call("trading.offChainCancelOrder", { orderUid: one });
  await sdk.open(url, { account: 1 });
  await refused(cancel(), 401, "WrongOwner");
  assertEquals((await sdk.order(one!)).status, "open");

  await sdk.open(url, { account: 0 });
  await cancel();
  const signature = await sdk.call<object>("trader.signCancellations", others);
  const cancellations = { ...signature, orderUids: others };
  await sdk.call("orderBook.sendSignedOrderCancellations", cancellations);
  for (const uid of uids) {
    assertEquals((await sdk.order(uid)).status, "cancelled");
    assertEquals(await sdk.orderStatus(uid), "cancelled");
  }
  await refused(cancel(), 400, "AlreadyCancelled");
});

scene(
  "signs a quote with ethsign, a percent below what it promises, and posts it once",
  async (sdk) => {
    await using market = await openSdkMarket(sdk);
    const { sandbox } = market;
    const { sellToken, buyToken, validTo } = wethForUsdc(sandbox);
    const sellAmount = String(ETHER);
    const appData = { appData: "{}", appDataHash: hashAppData("{}") };
    const trade = { kind: "sell", sellToken, buyToken, validTo, from: TRADER, ...appData };
    const { quote, id } = await sdk.call<{ quote: { buyAmount: string }; id: number }>(
      "orderBook.getQuote",
      { ...trade, sellAmountBeforeFee: sellAmount },
    );
    const buyAmount = String(BigInt(quote.buyAmount) * 99n / 100n);
    const terms = { ...quote, sellAmount, buyAmount, feeAmount: "0", receiver: TRADER };
    const hashed = { ...terms, appData: appData.appDataHash };
    const signature = await sdk.call<object>("trader.ethSignOrder", hashed);
    const order = { ...terms, ...appData, ...signature, from: TRADER, quoteId: id };
    const uid = await sdk.call<string>("orderBook.sendOrder", order);
    const placed = await sdk.order(uid);
    assertEquals([placed.signingScheme, placed.owner], ["ethsign", TRADER]);
    assertEquals(await recoverOrderSigner(orderDomain(sandbox.deployment), placed), TRADER);
    await refused(sdk.call("orderBook.sendOrder", order), 400, "DuplicatedOrder");
    await waitForTrade(market, uid);
  },
);

scene("posts an order that waits for its pre-signature", async (sdk) => {
  await using market = await openSdkMarket(sdk);
  const { sandbox } = market;
  const { orderId: uid } = await sdk.call<Posted>(
    "trading.postLimitOrder",
    limitSale(sandbox, THOUSAND_USDC),
    { additionalParams: { signingScheme: "presign" } },
  );
  await sandbox.advance();
  assertEquals((await sdk.order(uid)).status, "presignaturePending");
  sandbox.preSign(uid);
  await waitForTrade(market, uid);
  assertEquals((await sdk.order(uid)).status, "fulfilled");
});

scene("reports why it was rejected", async (sdk) => {
  await using market = await openSdkMarket(sdk, { account: PENNILESS });
  const { sandbox } = market;
  const sale = sdk.call("trading.postLimitOrder", limitSale(sandbox, THOUSAND_USDC));
  await refused(sale, 400, "InsufficientBalance");
  await refused(sdk.call("orderBook.getOrder", `0x${"ab".repeat(56)}`), 404, "NotFound");
  await refused(sdk.call("orderBook.getSolverCompetition", 9_999_999), 404, "NotFound");
});

scene("gets native prices and the version", async (sdk) => {
  await using market = await openSdkMarket(sdk);
  const { sandbox } = market;
  const { sellToken: weth, buyToken: usdc } = wethForUsdc(sandbox);
  assertEquals(await sdk.call("orderBook.getNativePrice", weth), { price: 1 });
  const { price } = await sdk.call<{ price: number }>("orderBook.getNativePrice", usdc);
  // A USDC opens at 0.0004 ETH: 4e14 wei for a million atoms.
  assertAlmostEquals(price, 4e8, 4e7);
  assertEquals(await sdk.call("orderBook.getVersion"), "orderlens-sandbox");
});

Deno.test("the unmodified official SDK trades at a sandbox", async (t) => {
  await using sdk = await SdkTrader.start();
  for (const [name, play] of SCENES) await t.step(name, () => play(sdk));
});
