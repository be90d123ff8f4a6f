import { assert, assertEquals, assertRejects } from "@std/assert";
import { privateKeyToAccount } from "viem/accounts";
import { buildAppData, connect, type OrderBook, placeOrder } from "../../lib/client/mod.ts";
import type { TradeRequest } from "../../lib/client/mod.ts";
import { InputError, ServiceError } from "../../lib/errors/mod.ts";
import { computeOrderUid, signOrder } from "../../lib/evm/mod.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";

const KEY = DEVELOPMENT_ACCOUNTS[0]!.privateKey;
const ACCOUNT = privateKeyToAccount(KEY as `0x${string}`);
const OWNER = ACCOUNT.address.toLowerCase();
const ETHER = 10n ** 18n;

interface Setting {
  sandbox: Sandbox;
  book: OrderBook;
  request: TradeRequest;
}

async function setting(): Promise<Setting> {
  const sandbox = await openSandbox({ seed: 7, auctions: 5 });
  const token = (symbol: string) =>
    sandbox.description.tokens.find((one) => one.symbol === symbol)!.address;
  return {
    sandbox,
    book: connect(sandbox),
    request: {
      kind: "sell",
      sellToken: token("WETH"),
      buyToken: token("USDC"),
      sellAmountBeforeFee: ETHER,
      validFor: 600,
    },
  };
}

for (const signingScheme of ["eip712", "ethsign"] as const) {
  Deno.test(`placeOrder() takes a sale by ${signingScheme} from its quote to its verified fill`, async () => {
    const { book, request } = await setting();
    const placed = await placeOrder(book, ACCOUNT, { ...request, signingScheme });
    const seen = await Array.fromAsync(placed.track());
    assertEquals(seen[0]?.order.status, "open");
    assertEquals(seen.at(-1)?.order.status, "fulfilled");
    assertEquals(seen.map(({ isFinal }) => isFinal), seen.map((_, at) => at === seen.length - 1));

    const { order, fills, surplusAtoms, slippage, overAnswer, protocolFees, differences } =
      await placed.execution();
    assertEquals(differences, []);
    assertEquals([order.owner, order.sellAmount, fills.length], [OWNER, ETHER, 1]);
    // Half a percent below what was answered is the limit.
    const answered = placed.answer.quote.buyAmount;
    assertEquals(order.buyAmount, answered - answered * 50n / 10_000n);
    assertEquals(placed.stages.signs, "afterSlippage");
    assertEquals(fills[0]!.trade.buyAmount - order.buyAmount, surplusAtoms);
    for (const baseline of ["gross", "net", "userShown", "limit"] as const) {
      assert(!("reason" in slippage[baseline]), baseline);
      assertEquals(slippage[baseline], fills[0]!.slippage[baseline]);
    }
    assert(overAnswer !== null && !("reason" in overAnswer));
    assertEquals(overAnswer.atoms, fills[0]!.trade.buyAmount - answered);
    assert(protocolFees !== null && protocolFees.length > 0);
  });
}

Deno.test("placeOrder() buys exactly, and signs a quote unchanged where it is told to", async () => {
  const { book, request } = await setting();
  const { sellToken, buyToken } = request;
  const placed = await placeOrder(book, ACCOUNT, {
    kind: "buy",
    sellToken,
    buyToken,
    buyAmountAfterFee: 1_000n * 10n ** 6n,
    validFor: 600,
  }, { slippageBps: 0 });
  const { quote } = placed.answer;
  assertEquals(placed.stages.signs, "quote");
  assertEquals(placed.creation.sellAmount, quote.sellAmount + quote.feeAmount);
  assertEquals(placed.creation.buyAmount, 1_000n * 10n ** 6n);
});

Deno.test("placeOrder() registers app data, and leaves room for the partner's fee in it", async () => {
  const { book, request } = await setting();
  const { fullAppData, hash } = buildAppData({
    appCode: "Bot",
    slippageBips: 100,
    partnerFee: { volumeBps: 30, recipient: `0x${"c3".repeat(20)}` },
  });
  const placed = await placeOrder(book, ACCOUNT, { ...request, appData: fullAppData }, {
    slippageBps: 100,
  });
  assertEquals((await book.appData(hash)).appCode, "Bot");
  const { beforeAllFees, costs } = placed.stages;
  assertEquals(costs.partnerFeeAtoms, beforeAllFees.buyAmount * 30n / 10_000n);
  assertEquals(placed.creation.appDataHash, hash);
});

Deno.test("placeOrder() refuses a fast quote before anything is sent", async () => {
  const { request } = await setting();
  const silent = connect({
    fetch: () => Promise.reject(new Error("something was sent")),
    deployment: { chainId: 1, settlementContract: `0x${"90".repeat(20)}` },
  });
  await assertRejects(
    () => placeOrder(silent, ACCOUNT, { ...request, priceQuality: "fast" }),
    InputError,
    "a fast quote",
  );
});

Deno.test("placeOrder() refuses an expired or unverified quote, and takes it where it is told to", async () => {
  const { book, request, sandbox } = await setting();
  const quote = await book.quote({ ...request, from: OWNER });
  const unverified = { ...quote, verified: false };
  await assertRejects(
    () => placeOrder(book, ACCOUNT, request, { quote: unverified }),
    InputError,
    "no simulation confirmed",
  );
  const placed = await placeOrder(book, ACCOUNT, request, {
    quote: unverified,
    allow: ["unverified"],
  });
  assertEquals((await book.order(placed.uid)).status, "open");
  await sandbox.advance({ auctions: 31 });
  await assertRejects(
    () => placeOrder(book, ACCOUNT, request, { quote }),
    InputError,
    "has expired",
  );
});

Deno.test("placeOrder() refuses a quote of another trade", async () => {
  const { book, request } = await setting();
  const quote = await book.quote({ ...request, from: OWNER });
  for (
    const other of [
      { ...request, sellAmountBeforeFee: ETHER + 1n },
      { ...request, buyToken: request.sellToken },
    ]
  ) {
    await assertRejects(
      () => placeOrder(book, ACCOUNT, other as TradeRequest, { quote }),
      InputError,
      "of another",
    );
  }
});

Deno.test("placeOrder() keeps the service's refusals, with their remedy", async () => {
  const { book, request } = await setting();
  const poor = privateKeyToAccount(`0x${"42".repeat(32)}`);
  const error = await assertRejects(
    () => placeOrder(book, poor, request, { allow: ["unverified"] }),
    ServiceError,
  );
  assertEquals(error.errorType, "InsufficientBalance");
  assert(error.remedy.includes("hold and approve"));
  assert(!Deno.inspect(error).includes("42".repeat(32)));
});

Deno.test("placeOrder() places what a contract signs", async () => {
  const { sandbox, book, request } = await setting();
  const owner = `0x${"77".repeat(20)}`;
  sandbox.registerVerifier(owner, (_, signature) => signature === "0x1234");
  const placed = await placeOrder(book, { address: owner }, {
    ...request,
    signingScheme: "eip1271",
  }, { contractSignature: () => "0x1234" });
  assertEquals((await book.order(placed.uid)).owner, owner);
  await assertRejects(() => placed.cancel(), InputError, "has no key");
});

Deno.test("PlacedOrder.cancel() cancels an order that nobody can fill", async () => {
  const { book, request } = await setting();
  const quote = await book.quote({ ...request, from: OWNER });
  const dear = { ...quote, quote: { ...quote.quote, buyAmount: quote.quote.buyAmount * 3n } };
  const placed = await placeOrder(book, ACCOUNT, request, { quote: dear });
  const { outcome, order } = await placed.cancel({ waitMs: 10_000 });
  assertEquals([outcome, order.status], ["cancelled", "cancelled"]);
  assertEquals((await Array.fromAsync(placed.track())).map(({ isFinal }) => isFinal), [true]);
  assertEquals((await placed.cancel({ waitMs: 0 })).outcome, "cancelled");
  const { fills, differences, slippage } = await placed.execution();
  assertEquals([fills.length, differences], [0, []]);
  assert("reason" in slippage.limit && slippage.limit.reason === "nothing_executed");
});

Deno.test("PlacedOrder.cancel() says when it settled all the same", async () => {
  const { book, request } = await setting();
  const placed = await placeOrder(book, ACCOUNT, request);
  await Array.fromAsync(placed.track());
  const { outcome, mayStillSettle } = await placed.cancel();
  assertEquals([outcome, mayStillSettle], ["settled", false]);
});

Deno.test("PlacedOrder.cancel() waits for a settlement that is on its way", async () => {
  const { sandbox, book, request } = await setting();
  const placed = await placeOrder(book, ACCOUNT, request);
  for (let at = 0; (await book.orderStatus(placed.uid)).type !== "executing"; at++) {
    assert(at < 20, "no solver takes it");
    await sandbox.advance();
  }
  assertEquals((await book.order(placed.uid)).status, "open");
  const { outcome, order } = await placed.cancel();
  assertEquals([outcome, order.executedSellAmount], ["settled", ETHER]);
});

Deno.test("PlacedOrder.track() ends at the expiry, and when it is aborted", async () => {
  const { book, request } = await setting();
  const quote = await book.quote({ ...request, validFor: 60, from: OWNER });
  const dear = { ...quote, quote: { ...quote.quote, buyAmount: quote.quote.buyAmount * 3n } };
  const placed = await placeOrder(book, ACCOUNT, request, { quote: dear });
  const leaving = new AbortController();
  for await (const { order } of placed.track({ signal: leaving.signal })) {
    assertEquals(order.status, "open");
    leaving.abort();
  }
  const seen = await Array.fromAsync(placed.track());
  assertEquals(seen.at(-1)?.order.status, "expired");
  const over = book.clock.now() - quote.quote.validTo * 1_000;
  assert(over < 10_000, `looked ${over} ms after the expiry`);
});

Deno.test("PlacedOrder has the UID of what was signed", async () => {
  const { book, request } = await setting();
  const placed = await placeOrder(book, ACCOUNT, request);
  const signed = { ...placed.creation, appData: placed.creation.appDataHash! };
  assertEquals(placed.uid, computeOrderUid(book.domain, signed, OWNER));
  const again = await signOrder(ACCOUNT, book.domain, signed);
  assertEquals(again.signature, placed.creation.signature);
});
