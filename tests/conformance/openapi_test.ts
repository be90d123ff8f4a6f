import { assertEquals, assertRejects } from "@std/assert";
import {
  connect,
  DecodeError,
  HttpStatusError,
  MismatchError,
  type OrderBook,
  UnavailableError,
} from "orderlens";
import { computeOrderUid, hashAppData, orderDomain } from "orderlens/evm";
import {
  decodeOrderCancellations,
  decodeOrderCreation,
  decodeQuoteRequest,
  encodeAuction,
  encodeCompetition,
  encodeDebugReport,
  encodeOrder,
  encodeOrderStatus,
  encodeQuoteResponse,
  encodeTrade,
} from "orderlens/schemas";
import { amended, type Amendment, type Schema, type Specification } from "./schema.ts";
import { Operations } from "./exchange_check.ts";
import { AMENDED, PUBLISHED } from "./specification.ts";
import { exampleOf, SpecificationServer } from "./specification_server.ts";

const TX = "0xd51f28edffcaaa76be4a22f6375ad289272c037f3cc072345676e88d92ced8b5";
/** The document's example of every address: of the tokens, the owners and the traders of its answers. */
const ADDRESS = "0x6810e776880c02933d47db1b9fc05908e5386b96";
/** The document's example of app data. */
const APP_DATA = '{"version":"0.9.0","metadata":{}}';

const TERMS = { sellToken: ADDRESS, buyToken: ADDRESS, from: ADDRESS, timeout: 5 };
const SALES = [{ sellAmountBeforeFee: "7" }, { sellAmountAfterFee: "7", validFor: 60 }]
  .map((size) => decodeQuoteRequest({ ...TERMS, kind: "sell", ...size }));
const PURCHASE = decodeQuoteRequest({
  ...TERMS,
  kind: "buy",
  buyAmountAfterFee: "1234567890",
  validTo: 0,
  onchainOrder: false,
});

const ORDER = decodeOrderCreation({
  sellToken: ADDRESS,
  buyToken: ADDRESS,
  receiver: null,
  from: ADDRESS,
  validTo: 0,
  sellAmount: "7",
  buyAmount: "8",
  feeAmount: "0",
  kind: "buy",
  partiallyFillable: false,
  signingScheme: "presign",
  signature: "0x",
  appData: APP_DATA,
});

const DEPLOYMENT = { chainId: 1, settlementContract: `0x${"90".repeat(20)}` };

/** UID of the order above, whose owner and expiry are those of the document's example of an order. */
const UID = computeOrderUid(
  orderDomain(DEPLOYMENT),
  { ...ORDER, appData: hashAppData(APP_DATA) },
  ADDRESS,
);

const CANCELLATIONS = decodeOrderCancellations({
  orderUids: [UID],
  signature: `0x${"00".repeat(65)}`,
  signingScheme: "eip712",
});

/** Operations that no call of the front door asks for, and why. */
const NOT_ASKED_FOR: Readonly<Record<string, string>> = {
  "DELETE /api/v1/orders/{UID}": "deprecated; the list of cancellations does it",
  "GET /api/v1/trades": "deprecated; version 2 has pages",
  "GET /restricted/api/v1/debug/simulation/{uid}":
    "simulates a settlement with another service's account",
  "GET /restricted/api/v2/solver_competition/{auction_id}": "not open to the public",
  "POST /restricted/api/v1/debug/simulation":
    "simulates a settlement with another service's account",
  "PUT /api/v1/app_data/{app_data_hash}": "the one without a hash does it, and computes the hash",
};

const AMOUNT: Schema = { $ref: "#/components/schemas/TokenAmount" };

/** Schemas for what the document says in prose only: examples are built from them. */
const SAID_IN_WORDS: readonly Amendment[] = [
  {
    at: ["components.schemas.SolverSettlement.properties.solverAddress"],
    becomes: () => ({ $ref: "#/components/schemas/Address" }),
  },
  {
    at: [
      "components.schemas.TotalSurplus.properties.totalSurplus",
      "components.schemas.DebugAuction.properties.nativePrices.additionalProperties",
      "components.schemas.DebugProposedSolution.properties.score",
    ],
    becomes: () => AMOUNT,
  },
  {
    at: ["components.schemas.UID"],
    becomes: (said) => ({ ...said, example: UID }),
  },
  {
    at: ["components.schemas.AppDataHash"],
    becomes: (said) => ({ ...said, example: hashAppData(APP_DATA) }),
  },
];

function serve(specification: Specification): { book: OrderBook; server: SpecificationServer } {
  const server = new SpecificationServer(specification);
  return { server, book: connect({ fetch: server.fetch, deployment: DEPLOYMENT }) };
}

Deno.test("every call of the front door sends what the specification allows, and reads its answers", async () => {
  const specification = amended(AMENDED, SAID_IN_WORDS);
  const { book, server } = serve(specification);
  function example(name: string): unknown {
    return exampleOf({ $ref: `#/components/schemas/${name}` }, specification);
  }
  const order = example("Order");
  const trade = example("Trade");
  const competition = example("SolverCompetitionResponse");
  const quote = example("OrderQuoteResponse");

  assertEquals(encodeOrder(await book.order(UID)), order);
  const { orders, missing, failed } = await book.orders([UID]);
  assertEquals([orders.map(encodeOrder), missing, failed], [[order], [], []]);
  const placed = await Array.fromAsync(book.accountOrders(ADDRESS));
  assertEquals(placed.map(encodeOrder), [order]);
  assertEquals((await book.transactionOrders(TX)).map(encodeOrder), [order]);
  const status = await book.orderStatus(UID);
  assertEquals(encodeOrderStatus(status), example("CompetitionOrderStatus"));
  assertEquals(encodeDebugReport(await book.debugReport(UID)), example("DebugOrderResponse"));
  for (const filter of [{ owner: ADDRESS }, { orderUid: UID }]) {
    const trades = await Array.fromAsync(book.trades(filter, { pageSize: 10 }));
    assertEquals(trades.map(encodeTrade), [trade]);
  }
  for (const which of [0, TX, "latest"]) {
    assertEquals(encodeCompetition(await book.competition(which)), competition);
  }
  // The document's example is a purchase.
  for (const other of SALES) {
    const asks = [() => book.quote(other), () => Array.fromAsync(book.quotes(other))];
    for (const ask of asks) await assertRejects(ask, MismatchError, "unexpected kind");
  }
  assertEquals(encodeQuoteResponse(await book.quote(PURCHASE)), quote);
  const quotes = await Array.fromAsync(book.quotes(PURCHASE));
  assertEquals(quotes.map(encodeQuoteResponse), [quote]);
  assertEquals(await book.createOrder(ORDER), UID);
  assertEquals(await book.cancelOrders(CANCELLATIONS), undefined);
  const hash = hashAppData(APP_DATA);
  assertEquals(await book.registerAppData(APP_DATA), { hash, created: false });
  assertEquals(await book.appData(hash), { version: "0.9.0", metadata: {} });
  assertEquals((await book.nativePrice(ADDRESS)).toString(), "0");
  assertEquals((await book.tokenMetadata(ADDRESS)).nativePrice, 1234567890n);
  assertEquals(await book.totalSurplus(ADDRESS), 1234567890n);
  assertEquals(encodeAuction(await book.auction()), example("Auction"));
  await book.version();

  const { routes } = new Operations(specification);
  assertEquals(
    routes.filter((route) => !server.answered.has(route)).toSorted(),
    Object.keys(NOT_ASKED_FOR),
  );
});

Deno.test("calls without a specification, or that deviate from it, say what is missing or where", async () => {
  const { book } = serve(PUBLISHED);
  await assertRejects(() => book.tokenMetadata(ADDRESS), UnavailableError);
  await assertRejects(() => book.notifications(ADDRESS), UnavailableError);
  await assertRejects(() => book.orders([UID]), DecodeError, "the body must be a list");
  await assertRejects(() => book.auction(), DecodeError, "orders[0].created must be");
  const says = "body must have required property 'appData'";
  await assertRejects(() => book.registerAppData("{}"), HttpStatusError, says);
});
