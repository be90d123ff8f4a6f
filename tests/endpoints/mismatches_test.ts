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
import { FakeTransport, response } from "./fake_transport.ts";
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

const REPORT = {
  orderUid: uidNumber(1),
  order: orderNumber(1),
  events: [],
  auctions: [],
  trades: [],
};
const OWN_TRADE = String(tradeNumber(1).orderUid);

const REQUEST: QuoteRequest = {
  kind: "sell",
  sellAmountBeforeFee: 1_000n,
  sellToken: SELL,
  buyToken: BUY,
  from: RECORDED_OWNER,
  receiver: SOMEBODY,
  validTo: 1_795_273_344,
  appData: `0x${"ab".repeat(32)}`,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
};
const QUOTE = {
  sellToken: SELL,
  buyToken: BUY,
  receiver: SOMEBODY,
  sellAmount: "990",
  buyAmount: "5",
  feeAmount: "10",
  validTo: 1_795_273_344,
  appData: `0x${"ab".repeat(32)}`,
  kind: "sell",
  partiallyFillable: false,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
};
const ANSWER = {
  quote: QUOTE,
  from: RECORDED_OWNER,
  expiration: "2026-11-21T15:02:00Z",
  verified: true,
};

function answering(body: unknown): FakeTransport {
  return new FakeTransport(() => ({ body }));
}

/** A UID is JSON text. */
function naming(uid: string): FakeTransport {
  const body = JSON.stringify(uid);
  return new FakeTransport(() => ({ status: 201, contentType: "application/json", body }));
}

function quoting(changes: Record<string, unknown>): FakeTransport {
  return answering({ ...ANSWER, quote: { ...QUOTE, ...changes } });
}

function streaming(body: unknown): FakeTransport {
  const text = `data: ${JSON.stringify(body)}\n\n`;
  return new FakeTransport(() => ({ contentType: "text/event-stream", body: text }));
}

function upper(hex: string): string {
  return `0x${hex.slice(2).toUpperCase()}`;
}

/** What is asked, what is answered, and the field, the asked and the answered value of the error. */
const LIES: [string, () => Promise<unknown>, [string, string, string]][] = [
  [
    "getOrder",
    () => getOrder(answering(orderNumber(2)), uidNumber(1)),
    ["uid", uidNumber(1), uidNumber(2)],
  ],
  [
    "getDebugReport of another order",
    () => getDebugReport(answering({ ...REPORT, orderUid: uidNumber(2) }), uidNumber(1)),
    ["orderUid", uidNumber(1), uidNumber(2)],
  ],
  [
    "getDebugReport with another order",
    () => getDebugReport(answering({ ...REPORT, order: orderNumber(2) }), uidNumber(1)),
    ["order.uid", uidNumber(1), uidNumber(2)],
  ],
  [
    "getCompetition by its auction",
    () => getCompetition(answering(competitionNumber(6)), 5),
    ["auctionId", "5", "6"],
  ],
  [
    "getCompetition by a transaction",
    () =>
      getCompetition(
        answering({ ...competitionNumber(5), transactionHashes: [OTHER_TX], solutions: [] }),
        TX,
      ),
    ["transaction", TX, OTHER_TX],
  ],
  [
    "getCompetition without a transaction",
    () =>
      getCompetition(
        answering({ ...competitionNumber(5), transactionHashes: [], solutions: [] }),
        TX,
      ),
    ["transaction", TX, "none"],
  ],
  [
    "getTrades of an order",
    () => Array.fromAsync(getTrades(answering([tradeNumber(1)]), { orderUid: uidNumber(1) })),
    ["orderUid", uidNumber(1), OWN_TRADE],
  ],
  [
    "getTrades of an account",
    () => Array.fromAsync(getTrades(answering([tradeNumber(1)]), { owner: SOMEBODY })),
    [`owner of order ${OWN_TRADE}`, SOMEBODY, RECORDED_OWNER],
  ],
  [
    "getAccountOrders",
    () => Array.fromAsync(getAccountOrders(answering([orderNumber(1)]), SOMEBODY)),
    [`owner of order ${uidNumber(1)}`, SOMEBODY, RECORDED_OWNER],
  ],
  [
    "getTransactionOrders with another owner",
    () => getTransactionOrders(answering([{ ...orderNumber(1), owner: SOMEBODY }]), TX),
    [`owner in order ${uidNumber(1)}`, RECORDED_OWNER, SOMEBODY],
  ],
  [
    "getTransactionOrders with another expiry",
    () => getTransactionOrders(answering([{ ...orderNumber(1), validTo: 7 }]), TX),
    [
      `validTo in order ${uidNumber(1)}`,
      `${Number.parseInt(uidNumber(1).slice(-8), 16)}`,
      "7",
    ],
  ],
  [
    "getNotifications",
    () =>
      getNotifications(
        answering([{
          id: 1,
          account: SOMEBODY,
          title: "",
          description: "",
          createdAt: "2026-11-21T15:02:00Z",
          url: null,
          thumbnail: null,
        }]),
        RECORDED_OWNER,
      ),
    ["account", RECORDED_OWNER, SOMEBODY],
  ],
  [
    "postQuote to another trader",
    () => postQuote(answering({ ...ANSWER, from: SOMEBODY }), REQUEST),
    ["from", RECORDED_OWNER, SOMEBODY],
  ],
  [
    "streamQuotes",
    () => Array.fromAsync(streamQuotes(streaming({ ...ANSWER, from: SOMEBODY }), REQUEST)),
    ["from", RECORDED_OWNER, SOMEBODY],
  ],
  ...([
    ["sellToken", SELL, BUY],
    ["buyToken", BUY, SELL],
    ["kind", "sell", "buy"],
    ["receiver", SOMEBODY, BUY],
    ["validTo", "1795273344", 1_795_273_345],
    ["sellTokenBalance", "erc20", "external"],
    ["buyTokenBalance", "erc20", "internal"],
  ] as const).map(([field, asked, answered]): typeof LIES[number] => [
    `postQuote with another ${field}`,
    () => postQuote(quoting({ [field]: answered }), REQUEST),
    [field, asked, `${answered}`],
  ]),
  [
    "postQuote of another budget",
    () => postQuote(quoting({ feeAmount: "11" }), REQUEST),
    ["sellAmountBeforeFee", "1000", "1001"],
  ],
  [
    "postQuote with other app data",
    () => postQuote(quoting({ appData: TX }), REQUEST),
    ["appDataHash", `0x${"ab".repeat(32)}`, TX],
  ],
  [
    "postOrder of another owner",
    () => postOrder(naming(uidNumber(1)), creation({ from: SOMEBODY })),
    ["owner", SOMEBODY, RECORDED_OWNER],
  ],
  [
    "postOrder of another expiry",
    () => postOrder(naming(ETH_FLOW_UID), creation({ from: null })),
    ["validTo", `${orderNumber(1).validTo}`, "4294967295"],
  ],
  [
    "postOrder of another digest",
    () => postOrder(naming(uidNumber(2)), creation({}), { uid: uidNumber(1) }),
    ["uid", uidNumber(1), uidNumber(2)],
  ],
];

function creation(changes: Record<string, unknown>): Parameters<typeof postOrder>[1] {
  const { uid: _, status: __, sellAmount, buyAmount, ...rest } = orderNumber(1);
  const [sell, buy] = [BigInt(String(sellAmount)), BigInt(String(buyAmount))];
  const amounts = { sellAmount: sell, buyAmount: buy, feeAmount: 0n };
  return { ...rest, ...amounts, ...changes } as unknown as Parameters<typeof postOrder>[1];
}

for (const [what, ask, [field, asked, answered]] of LIES) {
  Deno.test(`${what} rejects an answer about something else, naming both`, async () => {
    const error = await assertRejects(ask, MismatchError);
    assertEquals(
      [error.code, error.field, error.asked, error.answered],
      ["mismatch", field, asked, answered],
    );
  });
}

Deno.test("an answer may write hex in another case than the request", async () => {
  await getOrder(answering(orderNumber(0xabc)), upper(uidNumber(0xabc)));
  await getDebugReport(answering(REPORT), upper(uidNumber(1)));
  await getCompetition(
    answering({ ...competitionNumber(5), transactionHashes: [TX] }),
    upper(TX),
  );
  const owner = upper(RECORDED_OWNER);
  assertEquals(
    (await Array.fromAsync(getTrades(answering([tradeNumber(1)]), { owner }))).length,
    1,
  );
  assertEquals(
    (await Array.fromAsync(getAccountOrders(answering([orderNumber(1)]), owner))).length,
    1,
  );
  await postQuote(answering(ANSWER), { ...REQUEST, sellToken: upper(SELL), from: owner });
});

Deno.test("an account has its EthFlow orders, although their contract owns them", async () => {
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

Deno.test("the latest competition may have any id", async () => {
  assertEquals((await getCompetition(answering(competitionNumber(6)), "latest")).auctionId, 6);
});

Deno.test("an order with another UID is never cached on disk", async () => {
  const body = { ...orderNumber(2), status: "fulfilled", executedFee: "1" };
  const service = answering(body);
  await assertRejects(() => getOrder(service, uidNumber(1)), MismatchError);
  assertThrows(() => service.requests[0]?.isImmutable?.(response({ body })), MismatchError);
});

Deno.test("MismatchError reports what was asked, what was answered and what to do", async (t) => {
  const transport: Transport = answering(competitionNumber(6));
  const error = await assertRejects(() => getCompetition(transport, 5), MismatchError);
  await t.assertSnapshot(error.message);
});
