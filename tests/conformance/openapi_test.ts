import {
  connect,
  DecodeError,
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
  HttpStatusError,
  NotFoundError,
  type OrderBook,
  UnavailableError,
} from "orderlens";
import { assertEquals, assertRejects } from "@std/assert";
import { exampleOf } from "./example_of.ts";
import type { Schema, Specification } from "./schema.ts";
import { SpecificationServer } from "./specification_server.ts";
import { violationsOf } from "./violations_of.ts";

const PUBLISHED: Specification = JSON.parse(
  await Deno.readTextFile(new URL("../testdata/openapi/order_book.json", import.meta.url)),
);

const UID = "0xff2e2e54d178997f173266817c1e9ed6fee1a1aae4b43971c53b543cffcc2969" +
  "845c6f5599fbb25dbdd1b9b013daf85c03f3c63763e4bc4a";
const TX = "0xd51f28edffcaaa76be4a22f6375ad289272c037f3cc072345676e88d92ced8b5";
const TOKEN = "0x6810e776880c02933d47db1b9fc05908e5386b96";
const ACCOUNT = "0xae8be95be03288071217078950278910001dcbc8";

const REQUESTS = [
  { kind: "sell", sellAmountBeforeFee: "7" },
  { kind: "sell", sellAmountAfterFee: "7", validFor: 60 },
  { kind: "buy", buyAmountAfterFee: "7", validTo: 4_000_000_000, onchainOrder: false },
].map((size) =>
  decodeQuoteRequest({ sellToken: TOKEN, buyToken: ACCOUNT, from: ACCOUNT, timeout: 5, ...size })
);

const ORDER = decodeOrderCreation({
  sellToken: TOKEN,
  buyToken: ACCOUNT,
  receiver: null,
  sellAmount: "7",
  buyAmount: "8",
  validTo: 4_000_000_000,
  feeAmount: "0",
  kind: "buy",
  partiallyFillable: false,
  signingScheme: "presign",
  signature: "0x",
  from: ACCOUNT,
  appData: "{}",
});

const CANCELLATIONS = decodeOrderCancellations({
  orderUids: [UID],
  signature: `0x${"00".repeat(65)}`,
  signingScheme: "eip712",
});

/** Operations of the document that no call of the front door asks for, and why. */
const NOT_ASKED_FOR: Readonly<Record<string, string>> = {
  cancelOrder: "deprecated; cancelOrders does it",
  debugSimulation: "simulates a settlement with another service's account",
  debugSimulationPost: "simulates a settlement with another service's account",
  getTrades: "deprecated; getTradesV2 has pages",
  registerAppDataByHash: "registerAppData does it, and computes the hash",
};

const AMOUNT: Schema = { $ref: "#/components/schemas/TokenAmount" };

/**
 * The document with what it says in words alone said in schemas, and with what it says otherwise than
 * the service does: it answers `by_uids` with a list, takes and gives app data as `fullAppData`, and
 * has `created` of an auction's order as a number.
 */
function amended(published: Specification): Specification {
  const { schemas } = published.components;
  function withProperty(name: string, property: string, schema: Schema): Record<string, Schema> {
    const properties = { ...schemas[name]?.properties, [property]: schema };
    return { [name]: { ...schemas[name], properties } };
  }
  const byUids = published.paths["/api/v1/orders/by_uids"]!.post!;
  const { schema: element = {} } = byUids.responses["200"]!.content!["application/json"]!;
  const list: Schema = { type: "array", items: element };
  return {
    paths: {
      ...published.paths,
      "/api/v1/orders/by_uids": {
        post: {
          ...byUids,
          responses: { "200": { content: { "application/json": { schema: list } } } },
        },
      },
    },
    components: {
      schemas: {
        ...schemas,
        ...withProperty("SolverSettlement", "solverAddress", {
          $ref: "#/components/schemas/Address",
        }),
        ...withProperty("TotalSurplus", "totalSurplus", AMOUNT),
        ...withProperty("DebugAuction", "nativePrices", {
          type: "object",
          additionalProperties: AMOUNT,
        }),
        ...withProperty("DebugProposedSolution", "score", AMOUNT),
        ...withProperty("AuctionOrder", "created", { type: "integer" }),
        AppDataObject: { ...schemas.AppDataObject, required: ["fullAppData"] },
      },
    },
  };
}

function serve(specification: Specification): { book: OrderBook; server: SpecificationServer } {
  const server = new SpecificationServer(specification);
  const deployment = { chainId: 1, settlementContract: `0x${"90".repeat(20)}` };
  return { server, book: connect({ fetch: server.fetch, deployment }) };
}

Deno.test("every call of the front door sends what the specification allows, and reads what it gives", async () => {
  const specification = amended(PUBLISHED);
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
  const placed = await Array.fromAsync(book.accountOrders(ACCOUNT));
  assertEquals(placed.map(encodeOrder), [order]);
  assertEquals((await book.transactionOrders(TX)).map(encodeOrder), [order]);
  assertEquals(
    encodeOrderStatus(await book.orderStatus(UID)),
    example("CompetitionOrderStatus"),
  );
  assertEquals(encodeDebugReport(await book.debugReport(UID)), example("DebugOrderResponse"));
  for (const filter of [{ owner: ACCOUNT }, { orderUid: UID }]) {
    const trades = await Array.fromAsync(book.trades(filter, { pageSize: 10 }));
    assertEquals(trades.map(encodeTrade), [trade]);
  }
  for (const which of [0, TX, "latest"]) {
    assertEquals(encodeCompetition(await book.competition(which)), competition);
  }
  for (const request of REQUESTS) {
    assertEquals(encodeQuoteResponse(await book.quote(request)), quote);
    const quotes = await Array.fromAsync(book.quotes(request));
    assertEquals(quotes.map(encodeQuoteResponse), [quote]);
  }
  assertEquals(await book.createOrder(ORDER), UID);
  assertEquals(await book.cancelOrders(CANCELLATIONS), undefined);
  const hash = `0x${"00".repeat(32)}`;
  assertEquals(await book.registerAppData({ version: "1.0.0" }), { hash, created: false });
  assertEquals(await book.appData(hash), { version: "0.9.0", metadata: {} });
  assertEquals((await book.nativePrice(TOKEN)).toString(), "0");
  assertEquals(await book.totalSurplus(ACCOUNT), 1234567890n);
  assertEquals(encodeAuction(await book.auction()), example("Auction"));
  await book.version();

  const operations = Object.values(specification.paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  assertEquals(
    operations.filter((id) => !server.answered.has(id)).toSorted(),
    Object.keys(NOT_ASKED_FOR),
  );
});

Deno.test("calls that the specification does not know say what is missing", async () => {
  const { book } = serve(PUBLISHED);
  await assertRejects(() => book.tokenMetadata(TOKEN), NotFoundError);
  await assertRejects(() => book.notifications(ACCOUNT), UnavailableError);
});

Deno.test("where the specification is not what the service does, calls say where they differ", async () => {
  const { book } = serve(PUBLISHED);
  await assertRejects(() => book.orders([UID]), DecodeError, "the body must be a list");
  await assertRejects(() => book.auction(), DecodeError, "orders[0].created must be");
  await assertRejects(
    () => book.registerAppData("{}"),
    HttpStatusError,
    "body.appData is missing",
  );
});

Deno.test("violationsOf() names what a schema forbids", () => {
  const violations = (name: string, value: unknown): string[] =>
    violationsOf(value, { $ref: `#/components/schemas/${name}` }, {
      specification: PUBLISHED,
      at: "body",
    });
  assertEquals(violations("OrderCancellations", { orderUids: [7], signingScheme: "eip1271" }), [
    "body.signature is missing",
    "body.orderUids[0] must be of type string",
    "body.signingScheme must be one of eip712, ethsign",
  ]);
  assertEquals(violations("OrderKind", null), ["body must be of type string"]);
  assertEquals(violations("OrderQuoteSide", { kind: "sell", buyAmountAfterFee: "7" }), [
    "body must be one of 3 alternatives",
  ]);
  assertEquals(violations("Volume", { factor: 1 }), ["body.factor must be from 0 to 1"]);
});
