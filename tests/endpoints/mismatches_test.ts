import { MismatchError, type QuoteRequest } from "orderlens";
import {
  getAccountOrders,
  getCompetition,
  getDebugReport,
  getNotifications,
  getOrder,
  getTrades,
  getTransactionOrders,
  postOrder,
  postQuote,
  streamQuotes,
} from "orderlens/endpoints";
import type { Transport } from "orderlens/http";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { answering, FakeTransport, response } from "./fake_transport.ts";
import {
  competitionNumber,
  orderNumber,
  RECORDED_OWNER,
  tradeNumber,
  uidNumber,
} from "./recorded_bodies.ts";

const SOMEBODY = `0x${"66".repeat(20)}`;
const TX = `0x${"cd".repeat(32)}`;
const OTHER_TX = `0x${"ef".repeat(32)}`;
const SELL = `0x${"aa".repeat(20)}`;
const BUY = `0x${"bb".repeat(20)}`;
const ETH_FLOW = `0x${"ba".repeat(20)}`;
const ETH_FLOW_UID = `0x${"12".repeat(32)}${ETH_FLOW.slice(2)}ffffffff`;

const [ONE, TWO] = [uidNumber(1), uidNumber(2)];
/** Hash of the document `{}`, as the service has it. */
const EMPTY_DOCUMENT = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
const REPORT = { orderUid: ONE, order: orderNumber(1), events: [], auctions: [], trades: [] };
const NOTIFICATION = {
  id: 1,
  title: "",
  description: "",
  createdAt: "2026-11-21T15:02:00Z",
  url: null,
  thumbnail: null,
};
const OWN_TRADE = String(tradeNumber(1).orderUid);

const TERMS = {
  kind: "sell" as const,
  sellToken: SELL,
  buyToken: BUY,
  receiver: SOMEBODY,
  validTo: 1_795_273_344,
  appData: `0x${"ab".repeat(32)}`,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
};
const REQUEST: QuoteRequest = { ...TERMS, sellAmountBeforeFee: 1_000n, from: RECORDED_OWNER };
const QUOTE = {
  ...TERMS,
  sellAmount: "990",
  buyAmount: "5",
  feeAmount: "10",
  partiallyFillable: false,
};
const ANSWER = {
  quote: QUOTE,
  from: RECORDED_OWNER,
  expiration: "2026-11-21T15:02:00Z",
  verified: true,
};

/** A UID is JSON text. */
function naming(uid: string): FakeTransport {
  const body = JSON.stringify(uid);
  return new FakeTransport(() => ({ status: 201, contentType: "application/json", body }));
}

function upper(hex: string): string {
  return `0x${hex.slice(2).toUpperCase()}`;
}

/** What is answered, what is asked, and the field, the asked and the answered value of the error. */
const LIES: [
  what: string,
  answer: FakeTransport,
  ask: (at: Transport) => Promise<unknown>,
  [field: string, asked: string, answered: string],
][] = [
  ["getOrder", answering(orderNumber(2)), (at) => getOrder(at, ONE), ["uid", ONE, TWO]],
  [
    "getDebugReport of another order",
    answering({ ...REPORT, orderUid: TWO }),
    (at) => getDebugReport(at, ONE),
    ["orderUid", ONE, TWO],
  ],
  [
    "getDebugReport with another order",
    answering({ ...REPORT, order: orderNumber(2) }),
    (at) => getDebugReport(at, ONE),
    ["order.uid", ONE, TWO],
  ],
  [
    "getCompetition by its auction",
    answering(competitionNumber(6)),
    (at) => getCompetition(at, 5),
    ["auctionId", "5", "6"],
  ],
  ...[[OTHER_TX], []].map((transactionHashes): typeof LIES[number] => [
    `getCompetition by a transaction, with ${transactionHashes.length} others`,
    answering({ ...competitionNumber(5), transactionHashes, solutions: [] }),
    (at) => getCompetition(at, TX),
    ["transaction", TX, transactionHashes[0] ?? "none"],
  ]),
  [
    "getTrades of an order",
    answering([tradeNumber(1)]),
    (at) => Array.fromAsync(getTrades(at, { orderUid: ONE })),
    ["orderUid", ONE, OWN_TRADE],
  ],
  [
    "getTrades of an account",
    answering([tradeNumber(1)]),
    (at) => Array.fromAsync(getTrades(at, { owner: SOMEBODY })),
    [`owner of order ${OWN_TRADE}`, SOMEBODY, RECORDED_OWNER],
  ],
  [
    "getAccountOrders",
    answering([orderNumber(1)]),
    (at) => Array.fromAsync(getAccountOrders(at, SOMEBODY)),
    [`owner of order ${ONE}`, SOMEBODY, RECORDED_OWNER],
  ],
  [
    "getTransactionOrders with another owner",
    answering([{ ...orderNumber(1), owner: SOMEBODY }]),
    (at) => getTransactionOrders(at, TX),
    [`owner in order ${ONE}`, RECORDED_OWNER, SOMEBODY],
  ],
  [
    "getTransactionOrders with another expiry",
    answering([{ ...orderNumber(1), validTo: 7 }]),
    (at) => getTransactionOrders(at, TX),
    [`validTo in order ${ONE}`, `${Number.parseInt(ONE.slice(-8), 16)}`, "7"],
  ],
  [
    "getNotifications",
    answering([{ ...NOTIFICATION, account: SOMEBODY }]),
    (at) => getNotifications(at, RECORDED_OWNER),
    ["account", RECORDED_OWNER, SOMEBODY],
  ],
  [
    "streamQuotes to another trader",
    new FakeTransport(() => ({
      contentType: "text/event-stream",
      body: `data: ${JSON.stringify({ ...ANSWER, from: SOMEBODY })}\n\n`,
    })),
    (at) => Array.fromAsync(streamQuotes(at, REQUEST)),
    ["from", RECORDED_OWNER, SOMEBODY],
  ],
  [
    "postQuote to another trader",
    answering({ ...ANSWER, from: SOMEBODY }),
    (at) => postQuote(at, REQUEST),
    ["from", RECORDED_OWNER, SOMEBODY],
  ],
  ...([
    [{ sellToken: BUY }, "sellToken", SELL, BUY],
    [{ buyToken: SELL }, "buyToken", BUY, SELL],
    [{ kind: "buy" }, "kind", "sell", "buy"],
    [{ receiver: BUY }, "receiver", SOMEBODY, BUY],
    [{ validTo: 1_795_273_345 }, "validTo", "1795273344", "1795273345"],
    [{ sellTokenBalance: "external" }, "sellTokenBalance", "erc20", "external"],
    [{ buyTokenBalance: "internal" }, "buyTokenBalance", "erc20", "internal"],
    [{ feeAmount: "11" }, "sellAmountBeforeFee", "1000", "1001"],
    [{ sellAmount: "1" }, "sellAmountBeforeFee", "1000", "11"],
    [{ appData: TX }, "appDataHash", `0x${"ab".repeat(32)}`, TX],
  ] as const).map(([changes, ...told]): typeof LIES[number] => [
    `postQuote with ${Object.entries(changes)}`,
    answering({ ...ANSWER, quote: { ...QUOTE, ...changes } }),
    (at) => postQuote(at, REQUEST),
    told,
  ]),
  [
    "postQuote with other app data than the document's",
    answering({ ...ANSWER, quote: { ...QUOTE, appDataHash: TX } }),
    (at) => postQuote(at, { ...REQUEST, appData: "{}", appDataHash: EMPTY_DOCUMENT }),
    ["appDataHash", EMPTY_DOCUMENT, TX],
  ],
  [
    "postQuote of another purchase",
    answering({ ...ANSWER, quote: { ...QUOTE, kind: "buy" } }),
    (at) => postQuote(at, { ...TERMS, kind: "buy", buyAmountAfterFee: 6n, from: RECORDED_OWNER }),
    ["buyAmountAfterFee", "6", "5"],
  ],
  [
    "postQuote of another sale after fees",
    answering(ANSWER),
    (at) => postQuote(at, { ...TERMS, sellAmountAfterFee: 1_000n, from: RECORDED_OWNER }),
    ["sellAmountAfterFee", "1000", "990"],
  ],
  [
    "postOrder of another owner",
    naming(ONE),
    (at) => postOrder(at, creation({ from: SOMEBODY })),
    ["owner", SOMEBODY, RECORDED_OWNER],
  ],
  [
    "postOrder of another expiry",
    naming(ETH_FLOW_UID),
    (at) => postOrder(at, creation({ from: null })),
    ["validTo", `${orderNumber(1).validTo}`, "4294967295"],
  ],
  [
    "postOrder of another digest",
    naming(TWO),
    (at) => postOrder(at, creation({}), { uid: ONE }),
    ["uid", ONE, TWO],
  ],
];

function creation(changes: Record<string, unknown>): Parameters<typeof postOrder>[1] {
  const { uid: _, status: __, sellAmount, buyAmount, ...rest } = orderNumber(1);
  const [sell, buy] = [BigInt(String(sellAmount)), BigInt(String(buyAmount))];
  const amounts = { sellAmount: sell, buyAmount: buy, feeAmount: 0n };
  return { ...rest, ...amounts, ...changes } as unknown as Parameters<typeof postOrder>[1];
}

for (const [what, answer, ask, told] of LIES) {
  Deno.test(`${what} rejects a response about something else, naming both`, async () => {
    const error = await assertRejects(() => ask(answer), MismatchError);
    assertEquals([error.code, error.field, error.asked, error.answered], ["mismatch", ...told]);
  });
}

Deno.test("requireSame() accepts hex in another case than the request's", async () => {
  await getOrder(answering(orderNumber(0xabc)), upper(uidNumber(0xabc)));
  await getDebugReport(answering(REPORT), upper(ONE));
  const competition = { ...competitionNumber(5), transactionHashes: [TX] };
  await getCompetition(answering(competition), upper(TX));
  const owner = upper(RECORDED_OWNER);
  const trades = getTrades(answering([tradeNumber(1)]), { owner });
  const orders = getAccountOrders(answering([orderNumber(1)]), owner);
  assertEquals((await Array.fromAsync(trades)).length, 1);
  assertEquals((await Array.fromAsync(orders)).length, 1);
  await postQuote(answering(ANSWER), { ...REQUEST, sellToken: upper(SELL), from: owner });
});

Deno.test("getAccountOrders() includes EthFlow orders, although their contract owns them", async () => {
  const order = {
    ...orderNumber(1),
    uid: ETH_FLOW_UID,
    owner: ETH_FLOW,
    validTo: 4_294_967_295,
    onchainUser: SOMEBODY,
  };
  for (const account of [SOMEBODY, ETH_FLOW]) {
    const list = getAccountOrders(answering([order]), account);
    assertEquals((await Array.fromAsync(list)).length, 1);
  }
  const trade = { ...tradeNumber(1), orderUid: ETH_FLOW_UID, owner: ETH_FLOW };
  const trades = await Array.fromAsync(getTrades(answering([trade]), { owner: SOMEBODY }));
  assertEquals(trades.map(({ orderUid }) => orderUid), [ETH_FLOW_UID]);
});

Deno.test("getOrder() never caches an order with another UID on disk", async () => {
  const body = { ...orderNumber(2), status: "fulfilled", executedFee: "1" };
  const service = answering(body);
  await assertRejects(() => getOrder(service, ONE), MismatchError);
  assertThrows(() => service.requests[0]?.isImmutable?.(response({ body })), MismatchError);
});

Deno.test("MismatchError reports the requested value, the returned value and the remedy", async (t) => {
  const ask = () => getCompetition(answering(competitionNumber(6)), 5);
  const error = await assertRejects(ask, MismatchError);
  await t.assertSnapshot(error.message);
});
