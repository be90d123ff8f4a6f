import { assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import {
  HttpStatusError,
  InputError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import { checkedHex, mapInOrder } from "../../lib/endpoints/calls.ts";
import { refusalOf, remedyOf } from "../../lib/endpoints/send_for.ts";
import { type FakeAnswer, response } from "./fake_transport.ts";

const ADDRESS = "0xAbcDef0123456789abcdef0123456789ABCDEF01";

Deno.test("checkedHex() returns the text unchanged, in either case", () => {
  assertEquals(checkedHex(ADDRESS, "an address"), ADDRESS);
  assertEquals(checkedHex(`0x${"12".repeat(56)}`, "an order UID"), `0x${"12".repeat(56)}`);
});

Deno.test("checkedHex() names the fault and the expected form", () => {
  const hash = `0x${"ab".repeat(32)}`;
  for (
    const [text, fault] of [
      [hash, "it has 64 hex digits instead of 40, like a hash"],
      [ADDRESS.slice(2), "it does not begin with 0x"],
      [`0x${"g".repeat(40)}`, "it has a character that is not a hex digit, at position 3"],
      ["0x123", "it has 3 hex digits instead of 40"],
      [`${ADDRESS} `, "it has a character that is not a hex digit, at position 43"],
      ["", "it does not begin with 0x"],
      [null, "it is null, not text"],
      [7n, "it is bigint, not text"],
    ] as const
  ) {
    const check = () => checkedHex(text as unknown as string, "an address");
    assertThrows(check, InputError, `Cannot use this as an address: ${fault}`);
  }
  // A comment in the service's source says 116 of UIDs.
  assertThrows(() => checkedHex(`0x${"ab".repeat(58)}`, "an order UID"), InputError, "116 hex");
});

/** A task whose results are given by hand. */
class HeldTask {
  readonly started: number[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #held = new Map<number, PromiseWithResolvers<string>>();

  readonly run = (input: number, signal: AbortSignal): Promise<string> => {
    this.started.push(input);
    this.signals.push(signal);
    const held = Promise.withResolvers<string>();
    this.#held.set(input, held);
    return held.promise;
  };

  finish(input: number): void {
    this.#held.get(input)?.resolve(`done ${input}`);
  }

  fail(input: number): void {
    this.#held.get(input)?.reject(new Error(`failed ${input}`));
  }
}

Deno.test("mapInOrder() yields results in the order of the inputs", async () => {
  const task = new HeldTask();
  const results = mapInOrder([1, 2, 3], task.run, { concurrency: 3 });
  const first = results.next();
  task.finish(3);
  task.finish(2);
  task.finish(1);
  assertEquals((await first).value, "done 1");
  assertEquals(await Array.fromAsync(results), ["done 2", "done 3"]);
});

Deno.test("mapInOrder() starts nothing before the first pull or beyond its limit, and aborts what is left", async () => {
  const task = new HeldTask();
  const results = mapInOrder([1, 2, 3, 4, 5], task.run, { concurrency: 2 });
  assertEquals(task.started, []);
  const first = results.next();
  assertEquals(task.started, [1, 2]);
  task.finish(1);
  task.finish(2);
  await first;
  assertEquals(task.started, [1, 2]);
  const second = results.next();
  assertEquals(task.started, [1, 2, 3]);
  await second;
  assertEquals(task.signals.map((signal) => signal.aborted), [false, false, false]);
  await results.return();
  assertEquals(task.started, [1, 2, 3]);
  assertEquals(task.signals[2]?.aborted, true);
});

Deno.test("mapInOrder() throws the error of the first failed task in order, and aborts the others", async () => {
  const task = new HeldTask();
  const results = mapInOrder([1, 2, 3], task.run, { concurrency: 2 });
  const first = results.next();
  task.fail(2);
  task.finish(1);
  assertEquals((await first).value, "done 1");
  await assertRejects(() => results.next(), Error, "failed 2");
  assertEquals((await results.next()).done, true);
  assertEquals(task.started, [1, 2, 3]);
  assertEquals(task.signals[2]?.aborted, true);
});

Deno.test("mapInOrder() passes the caller's abort reason on", async () => {
  const controller = new AbortController();
  const task = new HeldTask();
  const results = mapInOrder([1], task.run, { concurrency: 1, signal: controller.signal });
  const first = results.next();
  controller.abort(new Error("enough"));
  assertEquals(task.signals[0]?.reason, new Error("enough"));
  task.finish(1);
  await first;
});

/** The errorTypes that the service's OpenAPI file names at commit 6a3eb4265, and those it leaves out. */
const NAMED = `
  DuplicatedOrder QuoteNotFound QuoteNotVerified InvalidQuote MissingFrom WrongOwner
  InvalidEip1271Signature InsufficientBalance InsufficientAllowance InvalidSignature
  SellAmountOverflow TransferSimulationFailed ZeroAmount IncompatibleSigningScheme
  TooManyLimitOrders TooMuchGas UnsupportedBuyTokenDestination UnsupportedSellTokenSource
  UnsupportedOrderType InsufficientValidTo ExcessiveValidTo InvalidNativeSellToken
  SameBuyAndSellToken UnsupportedToken InvalidAppData AppDataHashMismatch AppDataMismatch
  AppdataFromMismatch MetadataSerializationFailed OldOrderActivelyBidOn
  OrderNotFound AlreadyCancelled OrderFullyExecuted OrderExpired OnChainOrder
  CustomSolverError Forbidden InsufficientLiquidity InternalServerError NoLiquidity
  SellAmountDoesNotCoverFee TokenTemporarilySuspended TradingOutsideAllowedWindow
  NonZeroFee InvalidValidFrom AppDataInvalid InvalidTradeFilter InvalidLimit LIMIT_OUT_OF_BOUNDS
`.trim().split(/\s+/);

Deno.test("remedyOf() has a remedy for every error type of the service", () => {
  const unknown = remedyOf("SomethingNew");
  assertEquals(NAMED.filter((errorType) => remedyOf(errorType) === unknown), []);
  assertEquals(NAMED.length, 49);
  assertEquals(remedyOf("constructor"), unknown, "an inherited property is no remedy");
});

const GET = { method: "GET", path: "/api/v1/orders/0x12" } as const;
const POST = { method: "POST", path: "/api/v1/orders", body: "{}" } as const;
const WANTED = { wanted: "do this" };

function errorFor(answer: FakeAnswer, request: typeof GET | typeof POST = GET) {
  return refusalOf(response(answer), request, WANTED);
}

function explained(errorType: string, description = "said so") {
  return { errorType, description };
}

Deno.test("refusalOf() maps each status to its class", () => {
  const rows = [
    [{ status: 404, body: explained("NotFound") }, GET, NotFoundError],
    [{ status: 404, body: "full app data not found" }, GET, NotFoundError],
    [{ status: 404 }, GET, NotFoundError],
    [{ status: 404 }, POST, UnavailableError],
    [{ status: 404, body: explained("NoLiquidity") }, GET, ServiceError],
    [{ status: 404, body: explained("OrderNotFound") }, POST, ServiceError],
    [{ status: 401 }, GET, UnauthorizedError],
    [{ status: 403, body: "<html>no</html>" }, POST, UnauthorizedError],
    [{ status: 403, body: explained("Forbidden") }, GET, UnauthorizedError],
    [{ status: 403, body: explained("Forbidden") }, POST, ServiceError],
    [{ status: 401, body: explained("WrongOwner") }, POST, ServiceError],
    [{ status: 429, body: explained("TooManyRequests") }, POST, RateLimitedError],
    [{ status: 400, body: explained("InvalidSignature") }, POST, ServiceError],
    [{ status: 500, body: explained("InternalServerError", "") }, GET, ServiceError],
    [{ status: 400, body: "Invalid URL: Cannot parse `uid`" }, GET, HttpStatusError],
    [{ status: 422, body: "Failed to deserialize" }, POST, HttpStatusError],
    [{ status: 413 }, POST, HttpStatusError],
    [{ status: 503 }, GET, HttpStatusError],
    [{ status: 502, body: { message: "bad gateway" } }, GET, HttpStatusError],
    [{ status: 304 }, GET, HttpStatusError],
  ] as const;
  for (const [answer, request, type] of rows) {
    assertEquals(errorFor(answer, request).constructor, type);
  }
});

Deno.test("refusalOf() keeps request, status, body and the service's text as properties", () => {
  const error = errorFor({
    status: 400,
    body: { ...explained("SellAmountDoesNotCoverFee", "too low"), data: { fee_amount: "0x69" } },
  }, POST);
  assertInstanceOf(error, ServiceError);
  assertEquals(error.errorType, "SellAmountDoesNotCoverFee");
  assertEquals(error.description, "too low");
  assertEquals(error.data, { fee_amount: "0x69" });
  assertEquals(error.status, 400);
  assertEquals(error.request, "POST /api/v1/orders");
});

Deno.test("refusalOf() reports how long a 429 asks to wait", () => {
  const error = errorFor({ status: 429, headers: { "retry-after": "17" } });
  assertInstanceOf(error, RateLimitedError);
  assertEquals(error.retryAfterMs, 17_000);
});

Deno.test("refusalOf() omits the service's stack traces", () => {
  const description =
    "app data has byte size 9041\n\nStack backtrace:\n   0: <unknown>\n   1: main";
  const error = errorFor({ status: 400, body: explained("InvalidAppData", description) }, POST);
  assertInstanceOf(error, ServiceError);
  assertEquals(error.description, "app data has byte size 9041");
  assertEquals(/backtrace|unknown/i.test(error.message), false, error.message);
  assertEquals(
    error.body,
    '{"errorType":"InvalidAppData","description":"app data has byte size 9041"}',
  );
});

Deno.test("refusalOf() reports the request, the response and the remedy", async (t) => {
  const answers: FakeAnswer[] = [
    { status: 404, body: explained("NotFound", "Order was not found") },
    { status: 403, body: "<html>Forbidden</html>", contentType: "text/html" },
    { status: 429, headers: { "retry-after": "3" } },
    { status: 400, body: explained("InsufficientBalance", "order owner must have funds") },
    { status: 400, body: explained("SomethingNew", "words") },
    { status: 422, body: "Failed to deserialize the JSON body" },
    { status: 400 },
    { status: 502, body: "<html>Bad gateway</html>" },
  ];
  await t.assertSnapshot(answers.map((answer) => errorFor(answer).message).join("\n\n"));
});
