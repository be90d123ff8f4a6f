import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  DecodeError,
  HttpError,
  HttpStatusError,
  IncompleteListError,
  NetworkError,
  NotFoundError,
  OrderlensError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UnansweredError,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedCancellationError,
  UnconfirmedOrderError,
} from "orderlens";
import { InputError } from "../../lib/errors/mod.ts";
import { nearestText } from "../../lib/errors/orderlens_error.ts";

function failure(what: string): DecodeError {
  return new DecodeError({ what, path: "a.b", expected: "text", found: "7", source: "GET /x" });
}

Deno.test("IncompleteListError names the number of missing elements and the first failure", () => {
  const error = new IncompleteListError({
    what: "the orders of account 0x12",
    failures: [failure("order 3 of a list"), failure("order 9 of a list")],
    failureCount: 700,
  });
  assertEquals(
    error.message,
    "Cannot decode 700 of the orders of account 0x12, first order 3 of a list: a.b must be text\n" +
      "  found: 7\n" +
      "  source: GET /x\n" +
      "Fix: Check that the body is complete and of the right kind; if the service has changed, report it with the output of `deno task drift`",
  );
  assertEquals([error.name, error.code, error.failureCount], [
    "IncompleteListError",
    "decode",
    700,
  ]);
  assertInstanceOf(error.cause, AggregateError);
  assertEquals(error.cause.errors.length, 2);
});

Deno.test("IncompleteListError of one failure has it as its cause", () => {
  const only = failure("trade 0 of a list");
  const error = new IncompleteListError({ what: "the trades", failures: [only], items: [1] });
  assertEquals(error.cause, only);
  assertEquals([error.failureCount, error.items], [1, [1]]);
});

Deno.test("IncompleteListError requires a failure", () => {
  assertThrows(() => new IncompleteListError({ what: "x", failures: [] }), RangeError);
});

/** The key of the first development account of Anvil. */
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

Deno.test("InputError shows only the ends of a possible private key", () => {
  const { message } = new InputError(`Cannot use ${KEY} as an address`, {
    facts: { found: `key=${KEY.slice(2).toUpperCase()}`, digits: 64 },
    remedy: "Pass an address as 0x and 40 hex digits",
  });
  assertEquals(
    message,
    `Cannot use 0xac09…ff80 (32 bytes, shortened because they could be a private key) as an address
  found: key=AC09…FF80 (32 bytes, shortened because they could be a private key)
  digits: 64
Fix: Pass an address as 0x and 40 hex digits`,
  );
});

Deno.test("InputError shows longer and shorter hex in full", () => {
  for (const text of [`${KEY}00`, KEY.slice(0, -2)]) {
    assertEquals(
      new InputError(`Cannot use ${text}`, { remedy: "Pass another" }).message,
      `Cannot use ${text}\nFix: Pass another`,
    );
  }
});

const WORDS = ["mainnet", "base", "ink"];

Deno.test("nearestText() counts a missing, an added, a wrong and a swapped letter as one edit", () => {
  for (const text of ["ase", "basse", "bose", "abse"]) {
    assertEquals(nearestText(text, WORDS), "base", text);
  }
});

Deno.test("nearestText() allows edits of up to a third of the letters", () => {
  assertEquals(nearestText("maiet", WORDS), "mainnet");
  assertEquals(nearestText("maie", WORDS), undefined);
  assertEquals(nearestText("ik", WORDS), "ink");
  assertEquals(nearestText("k", WORDS), undefined);
});

Deno.test("nearestText() returns the nearest one, and the first of equals", () => {
  assertEquals(nearestText("bsc", ["base", "bsc"]), "bsc");
  assertEquals(nearestText("cat", ["bat", "hat"]), "bat");
  assertEquals(nearestText("ink", []), undefined);
});

const UID = `0x${"12".repeat(56)}`;

const FAILED = new HttpStatusError("Cannot create an order: the answer has status 502", {
  request: "POST /api/v1/orders",
  status: 502,
  body: "",
  remedy: "Try again later",
});

const LATE = new TimeoutError("Waited too long for an answer from http://localhost", {
  request: "DELETE /api/v1/orders",
  attempts: 1,
  mayHaveBeenReceived: true,
  remedy: "Look",
});

Deno.test("UnconfirmedOrderError has its own code, and says whether the order exists", () => {
  const error = new UnconfirmedOrderError({
    uid: UID,
    exists: true,
    status: "open",
    cause: FAILED,
  });
  assertEquals(
    error.message,
    `Cannot confirm the creation of order ${UID}: there was no usable answer, but the order exists\n` +
      "  request: POST /api/v1/orders\n" +
      "  because: Cannot create an order: the answer has status 502\n" +
      "  exists: true\n" +
      "  status: open\n" +
      "Fix: Do not send it again; follow it by its UID",
  );
  assertEquals([error.code, error.exists, error.status], ["unconfirmed", true, "open"]);
  assertEquals([error.cause, FAILED.code], [FAILED, "http_status"]);

  const gone = new UnconfirmedOrderError({ uid: UID, exists: false, cause: LATE });
  assertEquals([gone.code, gone.exists, gone.status], ["unconfirmed", false, null]);
  assertEquals([gone.cause, LATE.code], [LATE, "timeout"]);
  const dark = new UnconfirmedOrderError({ uid: UID, exists: null, cause: LATE, lookUpError: "x" });
  assertStringIncludes(dark.message, "exists: unknown\n  look-up: x");
});

Deno.test("UnconfirmedCancellationError counts the states of the orders", () => {
  const statuses = new Map([["a", "cancelled"], ["b", "open"], ["c", null], ["d", "cancelled"]]);
  const error = new UnconfirmedCancellationError({ statuses, cause: LATE });
  assertStringIncludes(error.message, "2 of them are cancelled");
  assertStringIncludes(error.message, "states: 2 cancelled, 1 open, 1 unknown");
  assertEquals([error.code, error.cause], ["unconfirmed", LATE]);
});

const answered = {
  request: "GET /api/v1/orders/0x00",
  status: 503,
  body: "busy",
  remedy: "Call again later",
};

Deno.test("HttpError shows request, status, body, facts and remedy in this order", async (t) => {
  const cause = new SyntaxError("Unexpected token");
  const error = new HttpStatusError("Cannot get order 0x00", {
    ...answered,
    body: '<html lang="en">\n' + "x".repeat(300),
    facts: { attempts: 5 },
    cause,
  });

  await t.assertSnapshot(error.message);
  assertEquals(error.body.length, 200);
  assert(error.cause === cause);
});

Deno.test("HttpError reports an empty body", () => {
  const error = new UnavailableError("Cannot get notifications", { ...answered, body: "" });
  assert(error.message.includes("\n  body: empty\n"));
});

Deno.test("each HttpError has its code and name, status and request", () => {
  for (
    const [Class, code] of [
      [HttpStatusError, "http_status"],
      [NotFoundError, "not_found"],
      [UnauthorizedError, "unauthorized"],
      [UnavailableError, "unavailable"],
      [RateLimitedError, "rate_limited"],
    ] as const
  ) {
    const error = new Class("Cannot get order 0x00", answered);
    assert(error instanceof HttpError && error instanceof OrderlensError);
    assertEquals([error.code, error.name], [code, Class.name]);
    assertEquals([error.status, error.request, error.body, error.remedy], [
      answered.status,
      answered.request,
      answered.body,
      answered.remedy,
    ]);
  }
});

Deno.test("RateLimitedError reports when to retry, if the service says so", () => {
  const known = new RateLimitedError("Cannot quote", { ...answered, retryAfterMs: 30_000 });
  assertEquals(known.retryAfterMs, 30_000);
  assert(known.message.includes("\n  retryAfterMs: 30000\n"));

  const unknown = new RateLimitedError("Cannot quote", answered);
  assertEquals(unknown.retryAfterMs, undefined);
  assert(!unknown.message.includes("retryAfterMs"));
});

Deno.test("ServiceError has the service's error type and description", () => {
  const error = new ServiceError("Cannot create the order", {
    ...answered,
    errorType: "SellAmountDoesNotCoverFee",
    description: "the fee is higher",
    data: { fee_amount: "7" },
  });

  assertEquals([error.code, error.errorType, error.description], [
    "service",
    "SellAmountDoesNotCoverFee",
    "the fee is higher",
  ]);
  assertEquals(error.data, { fee_amount: "7" });
  assert(error.message.includes("\n  errorType: SellAmountDoesNotCoverFee\n"));
});

const options = {
  request: "POST /api/v1/orders",
  attempts: 1,
  mayHaveBeenReceived: true,
  facts: { because: "connection reset" },
  remedy: "Look first",
};

Deno.test("UnansweredError shows request, attempts, facts and remedy in this order", async (t) => {
  await t.assertSnapshot(new NetworkError("Cannot get an answer", options).message);
});

Deno.test("each UnansweredError has its code and name, and says whether it may have been received", () => {
  for (
    const [Class, code] of [[NetworkError, "network"], [TimeoutError, "timeout"]] as const
  ) {
    const error = new Class("Cannot get an answer", options);
    assert(error instanceof UnansweredError);
    assertEquals([error.code, error.name], [code, Class.name]);
    assertEquals([error.request, error.attempts, error.mayHaveBeenReceived], [
      "POST /api/v1/orders",
      1,
      true,
    ]);
  }
});
