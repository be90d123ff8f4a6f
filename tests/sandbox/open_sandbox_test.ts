import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { InputError, ServiceError } from "../../lib/errors/mod.ts";
import { hashAppData, signCancellations, signOrder } from "../../lib/evm/mod.ts";
import { recoverSigner } from "../../lib/evm/orders/request_signature.ts";
import { connect, type OrderBook, type OrderCreation } from "../../lib/mod.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";

const [TRADER, STRANGER] = DEVELOPMENT_ACCOUNTS.map(({ privateKey }) =>
  privateKeyToAccount(privateKey as `0x${string}`)
) as [PrivateKeyAccount, PrivateKeyAccount];
const OWNER = TRADER.address.toLowerCase();
const ETHER = 10n ** 18n;

function tokensOf(sandbox: Sandbox): Record<string, string> {
  return Object.fromEntries(
    sandbox.description.tokens.map(({ symbol, address }) => [symbol, address]),
  );
}

/** An order for one ether, signed 1% below its quote. */
async function quoted(book: OrderBook, sandbox: Sandbox): Promise<OrderCreation> {
  const { WETH, USDC } = tokensOf(sandbox) as { WETH: string; USDC: string };
  const answer = await book.quote({
    kind: "sell",
    sellToken: WETH,
    buyToken: USDC,
    from: OWNER,
    sellAmountBeforeFee: ETHER,
    validFor: 600,
    priceQuality: "verified",
  });
  const { quote } = answer;
  return {
    sellToken: WETH,
    buyToken: USDC,
    receiver: OWNER,
    sellAmount: quote.sellAmount + quote.feeAmount,
    buyAmount: quote.buyAmount * 99n / 100n,
    validTo: quote.validTo,
    feeAmount: 0n,
    kind: "sell",
    partiallyFillable: false,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
    appData: "{}",
    appDataHash: hashAppData("{}"),
    signingScheme: "eip712",
    signature: "0x",
    from: OWNER,
    quoteId: answer.id!,
  };
}

async function signed(
  book: OrderBook,
  order: OrderCreation,
  signingScheme: "eip712" | "ethsign" = "eip712",
): Promise<OrderCreation> {
  const terms = { ...order, appData: order.appDataHash! };
  return { ...order, ...await signOrder(TRADER, book.domain, terms, { signingScheme }) };
}

Deno.test("openSandbox() takes an order from its quote to its trade", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 5 });
  const book = connect(sandbox);
  const uid = await book.createOrder(await signed(book, await quoted(book, sandbox)));
  assertEquals((await book.order(uid)).status, "open");
  assertEquals((await book.orderStatus(uid)).type, "scheduled");
  await sandbox.advance({ auctions: 12 });
  const order = await book.order(uid);
  assertEquals(order.status, "fulfilled");
  assertEquals(order.executedSellAmount, order.sellAmount);
  assert(order.executedBuyAmount >= order.buyAmount);
  assertEquals((await book.orderStatus(uid)).type, "traded");
  const trades = [];
  for await (const trade of book.trades({ orderUid: uid })) trades.push(trade);
  assertEquals(trades.length, 1);
  const { txHash } = trades[0]!;
  const settled = await book.transactionOrders(txHash!);
  assert(settled.some((one) => one.uid === uid));
  const competition = await book.competition(txHash!);
  const report = await book.debugReport(uid);
  assertEquals(report.trades[0]?.auctionId, competition.auctionId);
  assertEquals(report.events.map(({ label }) => label).at(-1), "traded");
  assert(await book.totalSurplus(OWNER) > 0n);
});

Deno.test("openSandbox() answers every call of the front door", async () => {
  const sandbox = await openSandbox({ seed: 2, auctions: 30 });
  const book = connect(sandbox);
  const { orderUids, accounts, tokens } = sandbox.description;
  const { orders, missing } = await book.orders([...orderUids, `0x${"ab".repeat(56)}`]);
  assertEquals(orders.length, orderUids.length);
  assertEquals(missing.length, 1);
  const latest = await book.competition("latest");
  const walked = [];
  const to = latest.auctionId;
  for await (const each of book.competitions({ from: to - 5, to })) walked.push(each);
  assertEquals(walked.length, 6);
  const document = { version: "1.6.0", appCode: "Test", metadata: {} };
  const first = await book.registerAppData(document);
  assertEquals([first.created, (await book.registerAppData(document)).created], [true, false]);
  assertEquals(await book.appData(first.hash), document);
  assertEquals((await book.nativePrice(tokens[0]!.address)).toNumber(), 1);
  assertEquals((await book.tokenMetadata(tokens[0]!.address)).nativePrice, ETHER);
  assert((await book.auction()).orders.length > 0);
  assert((await book.notifications(accounts[1]!)).length > 0);
  assertEquals(await book.notifications(`0x${"77".repeat(20)}`), []);
  assert((await book.version()).length > 0);
  const quotes = [];
  const request = {
    kind: "buy",
    sellToken: tokens[1]!.address,
    buyToken: tokens[3]!.address,
    from: accounts[0]!,
    buyAmountAfterFee: 100n * ETHER,
  } as const;
  for await (const quote of book.quotes(request)) quotes.push(quote);
  assert(quotes.length > 0);
  assertEquals((await book.quote(request)).quote.buyAmount, 100n * ETHER);
});

Deno.test("openSandbox() cancels orders only for their owners", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const book = connect(sandbox);
  const uid = await book.createOrder(await signed(book, await quoted(book, sandbox), "ethsign"));
  const cancel = async (signer: PrivateKeyAccount) =>
    await book.cancelOrders(await signCancellations(signer, book.domain, [uid]));
  const wrong = await assertRejects(() => cancel(STRANGER), ServiceError);
  assertEquals(wrong.errorType, "WrongOwner");
  await cancel(TRADER);
  assertEquals((await book.order(uid)).status, "cancelled");
  const error = await assertRejects(() => cancel(TRADER), ServiceError);
  assertEquals(error.errorType, "AlreadyCancelled");
});

Deno.test("openSandbox() excludes orders until they are pre-signed", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const book = connect(sandbox);
  const order: OrderCreation = { ...await quoted(book, sandbox), signingScheme: "presign" };
  const uid = await book.createOrder(order);
  await sandbox.advance({ auctions: 2 });
  assertEquals((await book.order(uid)).status, "presignaturePending");
  assertEquals((await book.debugReport(uid)).events.at(-1)?.reason, "invalid_signature");
  sandbox.preSign(uid);
  await sandbox.advance({ auctions: 8 });
  assertEquals((await book.order(uid)).status, "fulfilled");
  assertThrows(() => sandbox.preSign(`0x${"ab".repeat(56)}`), InputError);
});

Deno.test("openSandbox() verifies contract signatures", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const book = connect(sandbox);
  const contract = `0x${"c0".repeat(20)}`;
  const verify = async (digest: string, signature: string) =>
    await recoverSigner(digest, { signature, signingScheme: "eip712" }) === OWNER;
  const order = { ...await quoted(book, sandbox), from: contract };
  const { signature } = await signed(book, order);
  const sent: OrderCreation = { ...order, signingScheme: "eip1271", signature };
  const error = await assertRejects(() => book.createOrder(sent), ServiceError);
  assertEquals(error.errorType, "InvalidEip1271Signature");
  sandbox.registerVerifier(contract, verify);
  const uid = await book.createOrder(sent);
  await sandbox.advance({ auctions: 8 });
  assertEquals((await book.order(uid)).status, "fulfilled");
});

Deno.test("openSandbox() returns the same bytes for the same seed", async () => {
  const texts = [];
  for (let run = 0; run < 2; run++) {
    const sandbox = await openSandbox({ seed: 42, auctions: 40 });
    const { accounts, orderUids } = sandbox.description;
    const paths = [
      "/sandbox",
      "/api/v2/solver_competition/latest",
      "/api/v1/auction",
      ...accounts.map((account) => `/api/v1/account/${account}/orders?limit=1000`),
      ...accounts.map((account) => `/accounts/${account}/notifications`),
      ...orderUids.map((uid) => `/restricted/api/v1/debug/order/${uid}`),
    ];
    const bodies = paths.map(async (path) => await (await sandbox.fetch(`http://x${path}`)).text());
    texts.push((await Promise.all(bodies)).join("\n"));
  }
  assert(texts[0]!.length > 10_000);
  assertEquals(texts[0], texts[1]);
  const other = await openSandbox({ seed: 43, auctions: 40 });
  assert(!texts[0]!.includes(other.description.orderUids[0]!));
});

Deno.test("openSandbox() rejects requests above its limits", async () => {
  const sandbox = await openSandbox({ seed: 7, limits: { quotesPerMinute: 1 } });
  const book = connect(sandbox, { retries: 0 });
  await quoted(book, sandbox);
  const error = await assertRejects(() => quoted(book, sandbox));
  assertEquals((error as { code?: string }).code, "rate_limited");
});

Deno.test("openSandbox() rejects invalid options", async () => {
  await assertRejects(() => openSandbox({ seed: -1 }), InputError);
  await assertRejects(() => openSandbox({ auctions: 0.5 }), InputError);
  const sandbox = await openSandbox();
  await assertRejects(() => sandbox.advance({ auctions: -1 }), InputError);
  assertThrows(() => sandbox.fault({ kind: "reset", rate: 2 }), InputError);
  await assertRejects(
    () => openSandbox({ sed: 3 } as object),
    InputError,
    '"sed": unknown option',
  );
  const limits = { ordersPerHour: 3 } as object;
  await assertRejects(
    () => openSandbox({ limits }),
    InputError,
    '"ordersPerHour": unknown option',
  );
});
