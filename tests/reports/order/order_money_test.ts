import { connect, signCancellations, signOrder } from "orderlens";
import { replay } from "orderlens/recordings";
import { inspectOrder, orderPage, type OrderReport, orderText } from "orderlens/reports";
import { decodeOrderCreation, type Order, type OrderCreation } from "orderlens/schemas";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { privateKeyToAccount } from "viem/accounts";
import { locateMoney } from "../../../lib/reports/order/order_money.ts";
import {
  BUY,
  cannedBook,
  CONTRACT,
  filledAnswers,
  hex,
  orderBody,
  OWNER,
  SELL,
  TX,
  uidOf,
} from "../canned_book.ts";
import { fundsChain, type Held, RELAYER } from "../funds_chain.ts";

const UID = uidOf("01");
const ORDER = `/api/v1/orders/${UID}`;
const word = (digits: string) => digits.padStart(64, "0");

/** The report of an order that sells 100 for 200, with what its owner has on a chain. */
async function inspect(order: Record<string, unknown> = {}, held?: Held) {
  const answers = { [`${ORDER}/status`]: { type: "open" }, [ORDER]: orderBody(order) };
  const node = held === undefined ? undefined : fundsChain(() => held);
  return await inspectOrder(cannedBook({ "/api/v2/trades": [], ...answers }).book, UID, { node });
}

function callsOf({ money }: Pick<OrderReport, "money">): string[] {
  return money!.moves.map(({ call }) => call);
}

function moveOf({ money }: OrderReport, call: string) {
  return money!.moves.find((move) => move.call === call)!;
}

Deno.test("inspectOrder() says what an owner has, and encodes the approval and the cancellation", async () => {
  const report = await inspect({}, { balance: 60n, allowance: 7n });
  const [place, ...others] = report.money!.places;
  assertEquals(others, []);
  assertEquals([place!.place, place!.account, place!.atoms, place!.token], [
    "owner",
    OWNER,
    100n,
    SELL,
  ]);
  assertStringIncludes(
    place!.text,
    `100 atoms of ${SELL}: not taken from its owner ${OWNER} so far; funds in block 1000000: its owner has too little of the sell token: 60 of 100 atoms, 40 missing; and allows ${RELAYER}`,
  );
  assertEquals(callsOf(report), ["approve", "cancel", "invalidate_order"]);
  const approval = moveOf(report, "approve");
  assertEquals([approval.from, approval.to], [OWNER, SELL]);
  // The selector, the spender, and 100 in hex.
  assertEquals(approval.data, `0x095ea7b3${word(RELAYER.slice(2))}${word("64")}`);
  assertStringIncludes(approval.text, "such as USDT, must be set to 0 before");
  const invalidation = moveOf(report, "invalidate_order");
  assertEquals([invalidation.from, invalidation.to], [OWNER, CONTRACT]);
  // 56 bytes of the UID, behind where they begin and how many they are.
  const uidBytes = `${word("38")}${UID.slice(2).padEnd(128, "0")}`;
  assertEquals(invalidation.data, `0x15337bc0${word("20")}${uidBytes}`);
  assertEquals(callsOf(await inspect({}, { balance: 100n, allowance: 100n })), [
    "cancel",
    "invalidate_order",
  ]);
  const unsigned = await inspect({ status: "presignaturePending", signingScheme: "presign" });
  assertEquals(callsOf(unsigned), ["set_presignature", "invalidate_order"]);
  assertEquals(
    moveOf(unsigned, "set_presignature").data,
    `0xec6cb13f${word("40")}${word("1")}${uidBytes}`,
  );
  assertStringIncludes(unsigned.money!.places[0]!.text, "the URL of a node shows its balance");
  // The step says it already.
  const unknown = await inspect({});
  assertStringIncludes(unknown.next[0]!.text, "with the URL of a node");
  assertEquals(unknown.money!.places[0]!.text.includes("URL of a node"), false);
});

Deno.test("inspectOrder() names receiver, transaction and block of what was bought", async () => {
  const filled = await inspectOrder(cannedBook(filledAnswers()).book, UID);
  assertEquals(filled.money!.moves, []);
  const [received, ...others] = filled.money!.places;
  const { place, text, account, atoms, token, txHash, block } = received!;
  assertEquals(others, []);
  assertEquals([place, account, atoms, token, txHash, block], [
    "received",
    OWNER,
    210n,
    BUY,
    TX,
    103,
  ]);
  assertStringIncludes(
    text,
    `Sold 100 atoms of ${SELL}; ${OWNER} received 210 atoms of ${BUY}, in transaction ${TX}, in block 103`,
  );
});

const EXPIRED = await inspect({ status: "expired" });

Deno.test("the texts of a report have times to the millisecond, rounded up where they bound another", async () => {
  const recording = await replay("market_1");
  let bounds = 0;
  for (const uid of recording.recorded.orderUids.slice(0, 60)) {
    const { sentence, next, money, timeline } = await inspectOrder(connect(recording), uid);
    const texts = [
      sentence,
      ...[...next, ...money!.places, ...money!.moves].map((one) => one.text),
    ];
    assertEquals(texts.filter((text) => /:\d\d\.\d{4}/.test(text)), []);
    const bound = texts.map((text) => /\(by (\S+)\)/.exec(text)?.[1]).find((text) => text);
    if (bound === undefined) continue;
    const { latestAt } = timeline.findLast(({ kind }) => kind === "fill")!;
    const lateNs = Temporal.Instant.from(bound).epochNanoseconds - latestAt!.epochNanoseconds;
    assert(lateNs >= 0n && lateNs < 1_000_000n, bound);
    bounds++;
  }
  assert(bounds > 0);
});

Deno.test("locateMoney() offers to place an order again only once no settlement can fill it", () => {
  assertEquals(callsOf(EXPIRED), ["place_again"]);
  const outlooks = [
    { mayStillSettle: true, basis: "in_flight", until: Temporal.Instant.from("2026-08-21T05:00Z") },
    { mayStillSettle: null, basis: "unknown", until: null },
    { mayStillSettle: true, basis: "executed", until: null },
  ] as const;
  for (const outlook of outlooks) {
    const money = locateMoney({ ...EXPIRED, outlook }, null);
    assertEquals(callsOf({ money }), [], outlook.basis);
  }
  // What a solver may still settle of it, only the chain stops.
  const cancelled = {
    order: { ...EXPIRED.order!, status: "cancelled" },
    asOf: Temporal.Instant.from("2026-08-21T03:43:00Z"),
    outlook: outlooks[0],
  } as const;
  assertEquals(callsOf({ money: locateMoney({ ...EXPIRED, ...cancelled }, null) }), [
    "invalidate_order",
  ]);
  const pending = locateMoney({ ...EXPIRED, outlook: outlooks[0] }, null)!.places[0]!;
  assertEquals(pending.place, "pending_settlement");
  assertStringIncludes(pending.text, "may still take up to 100 atoms");
  assertStringIncludes(pending.text, "until 2026-08-21T05:00:00Z");
  const executed = { ...EXPIRED, cause: "executed_not_indexed", outlook: outlooks[2] } as const;
  assertEquals(locateMoney(executed, null)!.places.map(({ place }) => place), [
    "pending_settlement",
  ]);
  const over = [{ replacedBy: uidOf("02") }, { cause: "jit_liquidity" }] as const;
  for (const more of over) {
    assertEquals(callsOf({ money: locateMoney({ ...EXPIRED, ...more }, null) }), []);
  }
  const win = {
    outcome: "executing",
    deadlineBlock: 104,
    bids: [{ isWinner: true, solver: hex("50", 20), solverName: "quick" }],
  } as unknown as OrderReport["auctions"][0];
  const settling = locateMoney({ ...EXPIRED, cause: "executing", auctions: [win] }, null)!.places;
  assertEquals([settling[0]!.place, settling[0]!.block], ["pending_settlement", 104]);
  assertStringIncludes(settling[0]!.text, "A pending settlement of quick takes up to ");
});

Deno.test("locateMoney() says never only of tokens that no settlement can have taken", () => {
  const cause = "no_bid_at_a_fair_limit";
  const untimed = { cause, evidence: { ...EXPIRED.evidence, isTimed: false } } as const;
  const { validTo } = EXPIRED.order!;
  const toTime = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
  const rows: [Partial<OrderReport>, string][] = [
    [{ cause, evidence: { ...EXPIRED.evidence, isTimed: true } }, "never taken from its owner"],
    // The last auction with it may have been won.
    [{ ...untimed, asOf: toTime(validTo + 1) }, "as far as the responses show"],
    [{ ...untimed, asOf: toTime(validTo + 121) }, "never taken from its owner"],
    [{ ...untimed, cause: "presignature_missing" }, "never taken from its owner"],
    // A solver that has its signature may settle it.
    [
      { order: { ...EXPIRED.order!, status: "cancelled" }, asOf: toTime(validTo) },
      "as far as the responses show",
    ],
    [
      { cause, outlook: { mayStillSettle: true, basis: "valid", until: toTime(validTo + 121) } },
      `not taken from its owner ${OWNER} so far`,
    ],
  ];
  for (const [facts, text] of rows) {
    const { places } = locateMoney({ ...EXPIRED, ...facts }, null)!;
    assertStringIncludes(places.at(-1)!.text, text);
  }
});

Deno.test("locateMoney() says of an order to place again what its code does not know", async () => {
  const evidence = { ...EXPIRED.evidence, isTimed: true };
  const describe = (differs: Partial<OrderReport>) =>
    locateMoney({ ...EXPIRED, evidence, ...differs }, null)!.moves.at(-1)!.text;
  assertMatch(
    describe({}),
    /at the same limit price: sells [^;]+, valid until [\dT:-]+Z; no settlement can fill the old order any more$/,
  );
  const [next] = EXPIRED.next;
  assertStringIncludes(
    describe({ next: [{ ...next!, action: "relax_limit" }] }),
    "at the same limit price, which the next steps say to loosen first: sells",
  );
  const order = { ...EXPIRED.order!, signingScheme: "presign" } as const;
  assertStringIncludes(
    describe({ order }),
    "; once it is placed, its owner sends `setPreSignature` for it",
  );
  const cancelled = {
    order: { ...EXPIRED.order!, status: "cancelled" },
    asOf: Temporal.Instant.from("2026-08-21T03:43:00Z"),
  } as const;
  assertStringIncludes(
    describe(cancelled),
    "if the old order was cancelled by request, a solver that has its signature could settle it until 2026-08-21T03:43:28Z, unless it is invalidated first",
  );
  const stage = { derived: null, reported: "cancelled", agrees: null } as const;
  assertStringIncludes(
    describe({ ...cancelled, stage }),
    "the old order was cancelled by request, so that",
  );
  // Its last second ends at 03:43:29, and a fill of it is indexed within 2 minutes.
  const untimed = {
    cause: "outbid",
    asOf: Temporal.Instant.from("2026-08-21T03:43:29Z"),
    evidence: { ...evidence, isTimed: false },
  } as const;
  assertStringIncludes(describe(untimed), ", valid for 30 min from when its code runs; ");
  const { line } = locateMoney({ ...EXPIRED, ...untimed }, null)!.moves.at(-1)!;
  const orders: OrderCreation[] = [];
  const book = { createOrder: (creation: OrderCreation) => orders.push(creation) };
  await run(line!, { book, account: null, decodeOrderCreation, signOrder: () => null });
  const agoSec = Date.now() / 1_000 + 1_800 - orders[0]!.validTo;
  assert(agoSec >= 0 && agoSec < 60, String(agoSec));
  const seconds =
    "look first whether the old order was filled in its last seconds, which shows by 2026-08-21T03:45:29Z";
  const overText = "no settlement can fill the old order any more";
  assertStringIncludes(describe(untimed), seconds);
  assertStringIncludes(
    describe({ ...untimed, cause: "unknown", possible: ["invalid", "outbid"] }),
    seconds,
  );
  assertStringIncludes(
    describe({ ...untimed, cause: "never_in_an_auction", possible: [] }),
    overText,
  );
  const later = Temporal.Instant.from("2026-08-21T03:45:29Z");
  assertStringIncludes(describe({ ...untimed, asOf: later }), overText);
});

/** What a partly filled order would be placed with again. */
function placed(terms: Partial<Order>): OrderCreation {
  const order = { ...EXPIRED.order!, partiallyFillable: true, ...terms };
  return moveOf({ ...EXPIRED, money: locateMoney({ ...EXPIRED, order }, null) }, "place_again")
    .order!;
}

Deno.test("locateMoney() keeps the limit price of the rest of an order, for as long as it was valid", () => {
  // 2 of 3 are left: 200 · 2/3 is 133.33, and the owner gets no less.
  const sale = placed({ kind: "sell", sellAmount: 3n, executedSellAmountBeforeFees: 1n });
  assertEquals([sale.sellAmount, sale.buyAmount], [2n, 134n]);
  // 2 of 3 are left to buy: 100 · 2/3 is 66.67, and the owner pays no more.
  const purchase = placed({ kind: "buy", buyAmount: 3n, executedBuyAmount: 1n });
  assertEquals([purchase.sellAmount, purchase.buyAmount], [66n, 2n]);
  const created = Temporal.Instant.from("2026-08-21T01:43:28Z");
  const now = Math.floor(EXPIRED.asOf!.epochMilliseconds / 1_000);
  // Its last second is 03:43:28: two hours.
  assertEquals(placed({ creationDate: created }).validTo, now + 7_200);
  const brief = placed({ creationDate: Temporal.Instant.from("2026-08-21T03:43:00Z") });
  assertEquals(brief.validTo, now + 1_800);
  const { signature, from, feeAmount, appData } = sale;
  assertEquals([signature, from, feeAmount, appData], ["0x", OWNER, 0n, hex("00", 32)]);
  const fullAppData = `{"version":"1.0.0","metadata":{"replacedOrder":{"uid":"${uidOf("02")}"}}}`;
  const renewed = placed({ fullAppData });
  // keccak256('{"metadata":{},"version":"1.0.0"}'), by pycryptodome.
  assertEquals(
    renewed.appData,
    "0xbb4535f6c206fc65abbc949e99dc643b80ff2c390d151f3be919fcd3bee4a549",
  );
});

/** Runs a line of a report with what it names. */
async function run(line: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const evaluate = new Function(...Object.keys(values), `return (async () => { ${line} })();`);
  await evaluate(...Object.values(values));
}

Deno.test("the lines of a report cancel an order of a sandbox, and place it again once it is over", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 5 });
  const book = connect(sandbox);
  const account = privateKeyToAccount(DEVELOPMENT_ACCOUNTS[0]!.privateKey as `0x${string}`);
  const values = { account, book, signCancellations, signOrder, decodeOrderCreation };
  const [weth, usdc] = sandbox.description.tokens;
  const terms = {
    sellToken: weth!.address,
    buyToken: usdc!.address,
    sellAmount: 10n ** 18n,
    // A million for one: nobody bids.
    buyAmount: 10n ** 12n,
    validTo: Math.floor(sandbox.now.epochMilliseconds / 1_000) + 3_600,
    feeAmount: 0n,
    kind: "sell",
    partiallyFillable: false,
    appData: "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d",
  } as const;
  const uid = await book.createOrder({ ...terms, ...await signOrder(account, book.domain, terms) });
  const open = await inspectOrder(book, uid, { node: sandbox });
  assertEquals(callsOf(open), ["cancel", "invalidate_order"]);
  assertStringIncludes(open.money!.places[0]!.text, "funds in block");
  await run(moveOf(open, "cancel").line!, values);
  await sandbox.advance({ auctions: 40 });

  const cancelled = await inspectOrder(book, uid, { node: sandbox });
  assertEquals([cancelled.cause, cancelled.outlook?.mayStillSettle], ["cancelled", false]);
  assert(cancelled.money!.funds !== null);
  // It was cancelled by request only: the settlement contract would still take it.
  assertEquals(callsOf(cancelled).slice(-2), ["invalidate_order", "place_again"]);
  assertStringIncludes(
    moveOf(cancelled, "place_again").text,
    "the old order was cancelled by request, so that a solver that has its signature could settle it until",
  );
  const { line, order } = moveOf(cancelled, "place_again");
  await run(line!, values);
  const orders = await Array.fromAsync(book.accountOrders(account.address, { limit: 5 }));
  const again = orders.find(({ status }) => status === "open")!;
  assert(again.uid !== uid);
  assertEquals([again.sellAmount, again.buyAmount, again.validTo, again.signingScheme], [
    terms.sellAmount,
    terms.buyAmount,
    order!.validTo,
    "eip712",
  ]);
  assertEquals(order!.validTo > Math.floor(sandbox.now.epochMilliseconds / 1_000) + 3_500, true);
  const texts = [orderText(cancelled), await orderPage(cancelled, { charts: false })];
  for (const text of texts) assertStringIncludes(text, "Where the money is");
  // Nothing breaks what is to be copied.
  assertStringIncludes(texts[0]!, line!);
});
