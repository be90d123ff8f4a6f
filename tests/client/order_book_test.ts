import {
  connect,
  Decimal,
  InputError,
  NotFoundError,
  parseOrderUid,
  ServiceError,
  UnauthorizedError,
} from "orderlens";
import {
  decodeOrderCancellations,
  decodeOrderCreation,
  decodeOrderSimulation,
  decodeQuoteRequest,
  encodeQuoteResponse,
} from "orderlens/schemas";
import { replay } from "orderlens/recordings";
import { inspectOrder, locate } from "orderlens/reports";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { FakeTransport } from "../endpoints/fake_transport.ts";
import { ACCOUNT, placeOrder, setting } from "./trading_setting.ts";

const market = await replay("market_1");
const book = connect(market);
const edges = connect(await replay("edges"));

const UID = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
  "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
const UNKNOWN_UID = `0x${"ab".repeat(56)}`;
const OWNER = "0xae8be95be03288071217078950278910001dcbc8";
const TX = "0xf6cd30be1044908507d0561a99cecabb1ad288d00313e475784806955b2076f1";

const exchanges = await readRecording(
  new URL("../../data/recorded/market_1.ndjson.gz", import.meta.url),
);

/** The exchanges of the recording that asked for the same. */
function asked(request: string): Exchange[] {
  return exchanges.filter(({ method, path }) => `${method} ${path}` === request);
}

Deno.test("book.order() returns one order, or reports that there is none", async () => {
  const order = await book.order(UID);
  assertEquals(order.status, "fulfilled");
  assertEquals(order.executedBuyAmount, 124228176723986119522n);
  assertEquals(order.executedFee, 60747241446727365n);
  assertEquals(order.creationDate.toString(), "2026-11-21T14:59:24.224106Z");
  assertEquals((await book.order(UID.toUpperCase().replace("0X", "0x"))).uid, UID);
  await assertRejects(() => edges.order(UNKNOWN_UID), NotFoundError, "Cannot get order 0xabab");
});

Deno.test("OrderBook throws NotFoundError for unknown records", async () => {
  const absent = [
    () => edges.orderStatus(UNKNOWN_UID),
    () => edges.debugReport(UNKNOWN_UID),
    () => edges.appData(`0x${"cd".repeat(32)}`),
  ];
  for (const call of absent) await assertRejects(call, NotFoundError);
  const unpriced = () => edges.nativePrice(`0x${"ef".repeat(20)}`);
  assertEquals((await assertRejects(unpriced, ServiceError)).errorType, "NoLiquidity");
  const priced = await book.nativePrice("0x67d269191c92caf3cd7723f116c85e6e9bf55933");
  assertEquals(priced, Decimal.parse("0.009731496163109856"));
});

Deno.test("OrderBook passes the options of a call on", async () => {
  const newest = await Array.fromAsync(book.trades({ owner: OWNER }, { limit: 3 }));
  assertEquals([newest.length, newest[0]?.blockNumber], [3, 3267]);
  const signal = AbortSignal.abort(new Error("enough"));
  await assertRejects(() => book.orders([UID], { signal }), Error, "enough");
});

Deno.test("book.competition() returns a competition by id, by transaction, and the latest", async () => {
  const byId = await book.competition(1605);
  assertEquals([byId.auctionStartBlock, byId.auctionDeadlineBlock], [146, 153]);
  assertEquals((await book.competition(TX)).auctionId, 2624);
  assertEquals((await book.competition("latest")).auctionId, 2624);
  await assertRejects(() => book.competition(2620), NotFoundError);
  for (const which of [-1, 1.5, "0x12", "newest", "", 1605n as unknown as number]) {
    await assertRejects(() => book.competition(which), InputError);
  }
});

Deno.test("book.quote() sends the recorded requests, and returns the recorded quotes exactly", async () => {
  const quoted = asked("POST /api/v1/quote");
  assertEquals(quoted.length, 939);
  for (const { requestBody = "", responseBody } of quoted) {
    const request = decodeQuoteRequest(JSON.parse(requestBody));
    assertEquals(encodeQuoteResponse(await book.quote(request)), JSON.parse(responseBody));
  }
});

Deno.test("book.createOrder() places every recorded order under its UID, and throws the one recorded rejection", async () => {
  let placed = 0;
  for (const { requestBody = "", responseBody, status } of asked("POST /api/v1/orders")) {
    const order = decodeOrderCreation(JSON.parse(requestBody));
    if (status === 201) {
      placed++;
      assertEquals(await book.createOrder(order), JSON.parse(responseBody));
    } else {
      const error = await assertRejects(() => book.createOrder(order), ServiceError);
      assertEquals(error.errorType, "TooManyLimitOrders");
    }
  }
  assertEquals(placed, 906);
});

Deno.test("book.cancelOrders() resolves, or throws the service's rejection", async () => {
  const recorded = await readRecording(
    new URL("../../data/recorded/edges.ndjson.gz", import.meta.url),
  );
  const refusals: string[] = [];
  for (const { method, path, status, requestBody = "", contentType } of recorded) {
    if (`${method} ${path}` !== "DELETE /api/v1/orders" || contentType === null) continue;
    const cancellations = decodeOrderCancellations(JSON.parse(requestBody));
    if (cancellations.orderUids.length > 128) continue;
    // In the order of the recording: the service answered the same request twice.
    const cancelling = () => edges.cancelOrders(cancellations);
    if (status === 200) await cancelling();
    else refusals.push((await assertRejects(cancelling, ServiceError)).errorType);
  }
  assertEquals(refusals.toSorted(), [
    "AlreadyCancelled",
    "InvalidSignature",
    "OrderNotFound",
    "WrongOwner",
    "WrongOwner",
  ]);
  const resolved = asked("DELETE /api/v1/orders");
  for (const { requestBody = "", status } of resolved) {
    const cancellations = decodeOrderCancellations(JSON.parse(requestBody));
    assertEquals([status, await book.cancelOrders(cancellations)], [200, undefined]);
  }
  assertEquals(resolved.length, 47);
});

Deno.test("book.registerAppData() returns the hash and whether the document is new", async () => {
  const hash = "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d";
  assertEquals(await edges.registerAppData("{}"), { hash, created: false });
  assertEquals(await edges.registerAppData({}), { hash, created: false });
  const app = connect(await replay("app_data__app_data"));
  assertEquals(await app.registerAppData({ pre: "registered" }), {
    hash: "0x0757c5614a679185473fdf717c047d9cae6bee74bf0e70894741187018905a39",
    created: true,
  });
  const error = await assertRejects(() => edges.registerAppData("nope"), ServiceError);
  assertEquals(error.errorType, "AppDataInvalid");
});

Deno.test("OrderBook sends no malformed input", async () => {
  const calls: (() => unknown)[] = [
    () => book.order("0x12"),
    () => book.orders([UID, OWNER]),
    () => book.accountOrders(UID),
    () => book.transactionOrders(OWNER),
    () => book.orderStatus(OWNER),
    () => book.debugReport(""),
    () => book.trades({ owner: UID }),
    () => book.competition(-1),
    () => book.competitions({ from: 5, to: 4 }),
    () => book.appData(UID),
    () => book.nativePrice(UID),
    () => book.tokenMetadata("WETH"),
    () => book.notifications("me"),
    () => book.totalSurplus(UID),
  ];
  // A request that is not recorded would be another error.
  for (const call of calls) await assertRejects(async () => await call(), InputError);
});

Deno.test("OrderBook.simulate reports whether an order can be settled, stored or not", async () => {
  const { sandbox, book, request } = await setting();
  const placed = await placeOrder(book, ACCOUNT, request);
  const found = await book.simulate(placed.uid);
  assertEquals(found.error ?? null, null);
  assertEquals(Object(found.tenderlyRequest).block_number, sandbox.description.block);
  const earlier = await book.simulate(placed.uid, { blockNumber: 1_001 });
  assertEquals(Object(earlier.tenderlyRequest).block_number, 1_001);
  const unsigned = { ...placed.creation, from: ACCOUNT.address, validTo: 1 };
  const { error } = await book.simulate(unsigned);
  assert(error?.includes("GPv2"), `${error}`);
  const ownerless = () => book.simulate({ ...unsigned, from: undefined } as never);
  await assertRejects(ownerless, InputError, "without its owner");
  const { evidence } = await inspectOrder(book, placed.uid);
  assertEquals(evidence.simulation?.error ?? null, null);
  assert(evidence.simulation !== null);
});

Deno.test("a simulation is read by both names of its request, and keeps what is new", () => {
  const request = { network_id: "1" };
  for (const name of ["tenderly_request", "tenderlyRequest"]) {
    const read = decodeOrderSimulation({ [name]: request, error: "no", tenderlyUrl: "u", more: 1 });
    assertEquals([read.tenderlyRequest, read.error, read.tenderlyUrl], [request, "no", "u"]);
    assertEquals(Object(read).more, 1);
  }
  assertThrows(() => decodeOrderSimulation({ error: 5 }));
});

Deno.test("OrderBook.competition uses the operation for partners on request, by id only", async () => {
  const { book } = await setting();
  const { auctionId } = await book.competition("latest");
  const asked = await book.competition(auctionId, { isRestricted: true });
  assertEquals(asked, await book.competition(auctionId));
  const latest = () => book.competition("latest", { isRestricted: true });
  await assertRejects(latest, InputError, "restricted");
  const transport = new FakeTransport(() => ({ status: 403, body: "no" }));
  for (const isRestricted of [true, false]) {
    const refused = await assertRejects(
      () => connect(transport).competition(7, { isRestricted }),
      UnauthorizedError,
    );
    assertEquals(refused.remedy.includes("isRestricted"), isRestricted, refused.remedy);
  }
  assertEquals(transport.paths[0], "/restricted/api/v2/solver_competition/7");
});

Deno.test("OrderBook rejects Solana texts by name wherever an EVM one is expected", async () => {
  // The system program's neighbours: the wrapped native token, and a signature of 64 bytes.
  const address = "So11111111111111111111111111111111111111112";
  const signature =
    "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
  const refusals = [
    () => book.order(address),
    () => book.order(signature),
    () => book.transactionOrders(signature),
    () => Array.fromAsync(book.accountOrders(address)),
    () => book.nativePrice(address),
    () => inspectOrder(book, address),
    () => locate(address, { books: [book] }),
    () => Promise.resolve().then(() => parseOrderUid(address)),
  ];
  for (const refusal of refusals) {
    const error = await assertRejects(refusal, InputError);
    assert(error.message.includes("of Solana"), error.message);
    assert(error.message.includes("EVM network"), error.message);
  }
  // Hex without 0x is not taken for base58.
  const hex = await assertRejects(() => book.order(UNKNOWN_UID.slice(2)), InputError);
  assert(!hex.message.includes("Solana"));
});
