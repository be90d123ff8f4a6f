import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  HttpStatusError,
  InputError,
  NoOrderBookError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import { mapInOrder, requireHex, runTogether } from "../../lib/endpoints/calls.ts";
import { findRemedy, toHttpError } from "../../lib/endpoints/send.ts";
import { type FakeAnswer, response } from "./fake_transport.ts";

const ADDRESS = "0xAbcDef0123456789abcdef0123456789ABCDEF01";

Deno.test("runTogether returns results in order, and waits for tasks that it aborts", async () => {
  const later = (value: string) => async () => {
    await Promise.resolve();
    return value;
  };
  const results = await runTogether([later("first"), () => Promise.resolve(2)], undefined);
  assertEquals(results, ["first", 2]);

  const ended: string[] = [];
  const pending = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", async () => {
        await later("closes its connection")();
        ended.push("aborted");
        reject(signal.reason);
      });
    });
  const failing = () => Promise.reject(new Error("no price"));
  await assertRejects(() => runTogether([pending, failing], undefined), Error, "no price");
  assertEquals(ended, ["aborted"]);

  const stop = new AbortController();
  const stopped = runTogether([pending, pending], stop.signal);
  stop.abort(new Error("enough"));
  await assertRejects(() => stopped, Error, "enough");
  assertEquals(ended.length, 3);
});

Deno.test("requireHex() names the fault and the expected form", () => {
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
    const check = () => requireHex(text as unknown as string, "an address");
    assertThrows(check, InputError, `Cannot use this as an address: ${fault}`);
  }
  assertEquals(requireHex(ADDRESS, "an address"), ADDRESS);
  // A comment in the service's source says 116 of UIDs.
  assertThrows(() => requireHex(`0x${"ab".repeat(58)}`, "an order UID"), InputError, "116 hex");
});

Deno.test("mapInOrder() yields in the order of the inputs, and aborts remaining tasks after a failure", async () => {
  const tasks = [0, 1, 2].map(() => Promise.withResolvers<string>());
  const signals: AbortSignal[] = [];
  const run = (at: number, signal: AbortSignal) => {
    signals.push(signal);
    return tasks[at]!.promise;
  };
  const results = mapInOrder([0, 1, 2], run, { concurrency: 3 });
  const first = results.next();
  tasks[1]!.reject(new Error("failed"));
  tasks[0]!.resolve("done");
  assertEquals((await first).value, "done");
  assertEquals(signals.map(({ aborted }) => aborted), [false, false, false]);
  await assertRejects(() => results.next(), Error, "failed");
  assertEquals([(await results.next()).done, signals[2]?.aborted], [true, true]);
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

Deno.test("findRemedy() has a remedy for every error type of the service", () => {
  const unknown = findRemedy("SomethingNew");
  assertEquals(NAMED.filter((errorType) => findRemedy(errorType) === unknown), []);
  assertEquals(NAMED.length, 49);
  assertEquals(findRemedy("constructor"), unknown, "an inherited property is no remedy");
});

const GET = { method: "GET", path: "/api/v1/orders/0x12" } as const;
const POST = { method: "POST", path: "/api/v1/orders", body: "{}" } as const;
const PURPOSE = { action: "do this" };

function errorFor(answer: FakeAnswer, request: typeof GET | typeof POST = GET) {
  return toHttpError(response(answer), request, PURPOSE);
}

function explained(errorType: string, description = "said so") {
  return { errorType, description };
}

Deno.test("toHttpError() maps each status to its class", () => {
  const rows = [
    [{ status: 404, body: explained("NotFound") }, GET, NotFoundError],
    [{ status: 404, body: { errorType: "NotFound" } }, GET, NotFoundError],
    [{ status: 404, body: { errorType: "NotFound", description: null } }, GET, NotFoundError],
    [{ status: 404, body: "full app data not found" }, GET, NoOrderBookError],
    [{ status: 404 }, GET, NoOrderBookError],
    [{ status: 404, body: "default backend - 404" }, GET, NoOrderBookError],
    [
      { status: 404, body: { message: "no Route matched with those values" } },
      GET,
      NoOrderBookError,
    ],
    [{ status: 404, body: "<html>404 page not found</html>" }, POST, NoOrderBookError],
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

Deno.test("toHttpError() preserves the service's data, and omits its stack traces", () => {
  const description =
    "app data has byte size 9041\n\nStack backtrace:\n   0: <unknown>\n   1: main";
  const data = { fee_amount: "0x69" };
  const body = { ...explained("InvalidAppData", description), data };
  const error = errorFor({ status: 400, body }, POST);
  assert(error instanceof ServiceError, `${error}`);
  assertEquals([error.data, error.request], [data, "POST /api/v1/orders"]);
  assertEquals(error.description, "app data has byte size 9041");
  assertEquals(/backtrace|unknown/i.test(error.message + error.body), false, error.message);
});

Deno.test("toHttpError() reports the request, the response and the remedy", async (t) => {
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
