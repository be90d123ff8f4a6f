import { assert, assertEquals, assertRejects } from "@std/assert";
import { privateKeyToAccount } from "viem/accounts";
import { buildAppData, connect } from "../../lib/client/mod.ts";
import type { TradeRequest } from "../../lib/client/mod.ts";
import { InputError, ServiceError, UnconfirmedOrderError } from "../../lib/errors/mod.ts";
import { parseInstant } from "../../lib/units/mod.ts";
import { DEVELOPMENT_ACCOUNTS, type FaultOptions } from "../../lib/sandbox/mod.ts";
import { ACCOUNT, assertRefused, ETHER, OWNER, placeOrder, setting } from "./trading_setting.ts";

for (const signingScheme of ["eip712", "ethsign"] as const) {
  Deno.test(`placeOrder() takes a ${signingScheme} sale from quote to verified fill`, async () => {
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
    // The limit is half a percent below the quote.
    const answered = placed.answer.quote.buyAmount;
    assertEquals(order.buyAmount, answered - answered * 50n / 10_000n);
    assertEquals(placed.stages.signedStage, "afterSlippage");
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

Deno.test("placeOrder() rejects an expired or unverified quote, unless it is allowed", async () => {
  const { book, request, sandbox } = await setting();
  const quote = await book.quote({ ...request, from: OWNER });
  const unverified = { ...quote, verified: false };
  await assertRefused("an unverified quote", book, ACCOUNT, request, { quote: unverified });
  const { verified: _, ...silent } = quote;
  const reason = "a quote that does not say whether it is verified";
  await assertRefused(reason, book, ACCOUNT, request, { quote: silent });
  const allow = ["unverified", "fast"] as const;
  const placed = await placeOrder(book, ACCOUNT, request, {
    quote: { ...unverified, id: null },
    allow,
  });
  assertEquals((await book.order(placed.uid)).status, "open");
  await sandbox.advance({ auctions: 31 });
  await assertRefused("an expired quote", book, ACCOUNT, request, { quote });
  const expired = { ...quote, expiration: parseInstant("2020-11-21T15:00:23.268390Z") };
  const placing = placeOrder(book, ACCOUNT, request, { quote: expired });
  await assertRejects(() => placing, InputError, "2020-11-21T15:00:23.268390Z");
});

Deno.test("placeOrder() rejects a quote for another trade", async () => {
  const { book, request } = await setting();
  const quote = await book.quote({ ...request, from: OWNER });
  const other = `0x${"66".repeat(20)}`;
  const altered = (changes: object) => ({ ...quote, quote: { ...quote.quote, ...changes } });
  const cases: [string, object, typeof quote][] = [
    ["sellAmountBeforeFee", { sellAmountBeforeFee: ETHER + 1n }, quote],
    ["sellToken", { sellToken: other }, quote],
    ["buyToken", { buyToken: request.sellToken }, quote],
    ["kind", {}, altered({ kind: "buy" })],
    ["trader", {}, { ...quote, from: other }],
    ["receiver", { receiver: OWNER }, altered({ receiver: other })],
  ];
  for (const [field, changes, quote] of cases) {
    const trade = { ...request, ...changes } as TradeRequest;
    await assertRefused(`a quote for another ${field}`, book, ACCOUNT, trade, { quote });
  }
});

Deno.test("placeOrder() passes the service's errors on, with their remedy", async () => {
  const { book, request } = await setting();
  const poor = privateKeyToAccount(`0x${"42".repeat(32)}`);
  const place = () => placeOrder(book, poor, request, { allow: ["unverified"] });
  const error = await assertRejects(place, ServiceError);
  assertEquals(error.errorType, "InsufficientBalance");
  assert(error.remedy.includes("holds at least the sell amount"));
  assert(!Deno.inspect(error).includes("42".repeat(32)));
});

Deno.test("placeOrder() places orders with contract signatures", async () => {
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

Deno.test("placeOrder() registers app data or takes its hash, and deducts its partner fee", async () => {
  const { book, request } = await setting();
  for (const [fee, isHash] of [[{ volumeBps: 30 }, false], [{ bps: 20 }, true]] as const) {
    const partnerFee = { ...fee, recipient: `0x${"c3".repeat(20)}` };
    const { fullAppData, hash } = buildAppData({ appCode: "Bot", slippageBips: 100, partnerFee });
    const own = { ...request, appData: isHash ? hash : fullAppData };
    if (isHash) {
      await assertRefused("unregistered app data", book, ACCOUNT, own);
      await book.registerAppData(fullAppData);
    }
    const placed = await placeOrder(book, ACCOUNT, own, { slippageBps: 100 });
    const { beforeAllFees, costs } = placed.stages;
    const [bps] = Object.values(fee);
    assertEquals(costs.partnerFeeAtoms, beforeAllFees.buyAmount * BigInt(bps!) / 10_000n);
    assertEquals((await book.order(placed.uid)).fullAppData, fullAppData);
    assertEquals((await book.appData(hash)).appCode, "Bot");
  }
});

Deno.test("placeOrder rejects app data that the service cannot read, and private keys, without showing them", async () => {
  const { sandbox, request } = await setting();
  const sent: string[] = [];
  const book = connect(sandbox, { hooks: { onStart: (start) => sent.push(start.request) } });
  const partnerFee = { volumeBps: 1, recipient: "hunter22" };
  const key = DEVELOPMENT_ACCOUNTS[0]!.privateKey;
  for (
    const [appData, says, secret] of [
      ["hunter22", "the document must be JSON", "hunter22"],
      ['["hunter22"]', "the document must be an object", "hunter22"],
      [JSON.stringify({ metadata: { partnerFee } }), "metadata.partnerFee.recipient", "hunter22"],
      [key, "the private key of its owner", key.slice(2)],
      [JSON.stringify({ note: key.slice(2) }), "the private key of its owner", key.slice(2)],
    ] as const
  ) {
    const error = await assertRefused(says, book, ACCOUNT, { ...request, appData });
    assert(!Deno.inspect(error).includes(secret));
  }
  assertEquals(sent, []);
});

Deno.test("placeOrder() places an order although its app data temporarily cannot be registered", async () => {
  const { sandbox, book, request } = await setting();
  for (const [at, kind] of (["reset", "truncated", "serverError"] as const).entries()) {
    const fault = sandbox.fault({ kind, operation: "registerAppData" });
    const { fullAppData, hash } = buildAppData({ appCode: `Bot ${at}` });
    const { uid } = await placeOrder(book, ACCOUNT, { ...request, appData: fullAppData });
    assertEquals([fault.hits, (await book.order(uid)).appData], [1, hash]);
    fault.remove();
  }
});

/** Ways to lose the answer to an order, and whether the order exists. */
const LOST: readonly [FaultOptions["kind"], boolean][] = [
  ["truncated", true],
  ["slowBody", true],
  ["reset", false],
  ["serverError", false],
  ["html", false],
  ["latency", false],
];

for (const [kind, exists] of LOST) {
  Deno.test(`placeOrder() sends an order once if ${kind} loses its answer, and returns its UID`, async () => {
    const { sandbox, request } = await setting();
    const book = connect(sandbox, { timeoutMs: 200 });
    const fault = sandbox.fault({ kind, operation: "createOrder", times: 1, ms: 2_000 });
    let uid: string;
    try {
      ({ uid } = await placeOrder(book, ACCOUNT, request));
      assert(exists);
    } catch (error) {
      assert(error instanceof UnconfirmedOrderError && !exists);
      assertEquals(error.exists, false);
      ({ uid } = error);
    }
    assertEquals(fault.hits, 1);
    const placed = await Array.fromAsync(book.accountOrders(OWNER), (order) => order.uid);
    assertEquals(placed, exists ? [uid] : []);
    assert(uid.includes(OWNER.slice(2)));
  });
}

Deno.test("placeOrder() creates an identical order from the same quote, never two", async () => {
  const { sandbox, book, request } = await setting();
  const quote = await book.quote({ ...request, from: OWNER });
  sandbox.fault({ kind: "reset", operation: "createOrder", times: 1 });
  const place = () => placeOrder(book, ACCOUNT, request, { quote });
  const lost = await assertRejects(place, UnconfirmedOrderError);
  assertEquals((await place()).uid, lost.uid);
  assertEquals((await assertRejects(place, ServiceError)).errorType, "DuplicatedOrder");
});

Deno.test("placeOrder() takes the tolerance of the app data by default", async () => {
  const { book, request } = await setting();
  const { fullAppData } = buildAppData({ appCode: "Bot", slippageBips: 80 });
  const own = { ...request, appData: fullAppData };
  const { stages } = await placeOrder(book, ACCOUNT, own);
  const answered = stages.afterNetworkCosts.buyAmount;
  assertEquals(stages.costs.slippageAtoms, answered * 80n / 10_000n);
  const placed = await placeOrder(book, ACCOUNT, own, { slippageBps: 0 });
  assertEquals(placed.stages.signedStage, "quote");
});

Deno.test("placeOrder() signs the amounts computed by hand, for a sale and a purchase", async () => {
  const { book, request, purchase } = await setting();
  const options = { slippageBps: 30, partnerFeeBps: 10 };
  const sale = await placeOrder(book, ACCOUNT, request, options);
  // The sandbox charges 2 bps of volume: P = floor(b * 2 / 9998).
  const { sellAmount: s, buyAmount: b, feeAmount: f } = sale.answer.quote;
  const bare = b + b * f / s + b * 2n / 9_998n;
  const shown = b - bare * 10n / 10_000n;
  assertEquals([sale.creation.sellAmount, sale.creation.buyAmount], [
    ETHER,
    shown - shown * 30n / 10_000n,
  ]);
  const bought = await placeOrder(book, ACCOUNT, purchase, options);
  const { creation, answer: { quote } } = bought;
  // P = floor((s + f) * 2 / 10002).
  const cost = quote.sellAmount + quote.feeAmount;
  const paid = cost + (quote.sellAmount - cost * 2n / 10_002n) * 10n / 10_000n;
  assertEquals([creation.sellAmount, creation.buyAmount], [
    paid + paid * 30n / 10_000n,
    1_000_000_000n,
  ]);
  assertEquals((await bought.execution()).surplusToken, purchase.sellToken);
});
