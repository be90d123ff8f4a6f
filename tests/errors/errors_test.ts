import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  DecodeError,
  HttpError,
  HttpStatusError,
  IncompleteListError,
  NetworkError,
  NotFoundError,
  OrderlensError,
  RateLimitedError,
  TimeoutError,
  UnansweredError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import { InputError } from "../../lib/errors/mod.ts";
import { findNearestText } from "../../lib/errors/orderlens_error.ts";

function failure(what: string): DecodeError {
  return new DecodeError({ what, path: "a.b", expected: "text", found: "7", source: "GET /x" });
}

Deno.test("IncompleteListError names the number of missing elements and the first failure, and needs one", () => {
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
      "Fix: Check that the body is complete and of the right kind; if it is, the service has changed: update orderlens, or report this message to its maintainers",
  );
  assertEquals([error.name, error.code], ["IncompleteListError", "decode"]);
  assertEquals(error.failureCount, 700);
  assert(error.cause instanceof AggregateError);
  assertEquals(error.cause.errors.length, 2);
  const only = new IncompleteListError({ what: "x", failures: [failure("trade 0")], items: [1] });
  assert(only.cause instanceof DecodeError);
  assertEquals([only.failureCount, only.items], [1, [1]]);
  assertThrows(() => new IncompleteListError({ what: "x", failures: [] }), RangeError);
});

/** The key of the first development account of Anvil. */
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

Deno.test("InputError shows only the ends of a possible private key, other hex in full", () => {
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
  for (const text of [`${KEY}00`, KEY.slice(0, -2)]) {
    const error = new InputError(`Cannot use ${text}`, { remedy: "Pass another" });
    assertEquals(error.message, `Cannot use ${text}\nFix: Pass another`);
  }
});

const WORDS = ["mainnet", "base", "ink"];

/** Words, and the nearest known one. */
const NEAREST: readonly [text: string, known: string[], nearest: string | undefined][] = [
  // A missing, an added, a wrong and a swapped letter are one edit each.
  ["ase", WORDS, "base"],
  ["basse", WORDS, "base"],
  ["bose", WORDS, "base"],
  ["abse", WORDS, "base"],
  // Up to a third of the letters may be edited.
  ["maiet", WORDS, "mainnet"],
  ["maie", WORDS, undefined],
  ["ik", WORDS, "ink"],
  ["k", WORDS, undefined],
  // The nearest one, and the first of equals.
  ["bsc", ["base", "bsc"], "bsc"],
  ["cat", ["bat", "hat"], "bat"],
  ["ink", [], undefined],
];

Deno.test("findNearestText() returns the nearest word within a third of the letters", () => {
  for (const [text, known, nearest] of NEAREST) {
    assertEquals(findNearestText(text, known), nearest, text);
  }
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
    assertEquals<object>({ ...error, ...answered }, { ...error });
  }
});

const options = {
  request: "POST /api/v1/orders",
  attempts: 1,
  mayHaveBeenReceived: true,
  facts: { because: "connection reset" },
  remedy: "Look first",
};

Deno.test("each UnansweredError has its code, and shows request, attempts, facts and remedy in this order", async (t) => {
  await t.assertSnapshot(new NetworkError("Cannot get an answer", options).message);
  for (
    const [Class, code] of [[NetworkError, "network"], [TimeoutError, "timeout"]] as const
  ) {
    const error = new Class("Cannot get an answer", options);
    assert(error instanceof UnansweredError);
    assertEquals([error.code, error.name], [code, Class.name]);
    const { request, attempts, mayHaveBeenReceived } = error;
    assertEquals([request, attempts, mayHaveBeenReceived], [options.request, 1, true]);
  }
});

Deno.test("HttpError names neither a request nor a status where there was none", () => {
  const error = new NotFoundError("Cannot find 0x12…ab", {
    request: null,
    status: null,
    remedy: "Check the digits",
  });
  assertEquals(error.message, "Cannot find 0x12…ab\nFix: Check the digits");
  assertEquals([error.request, error.status, error.body], [null, null, ""]);
});
