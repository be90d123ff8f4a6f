import {
  HttpStatusError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import { assertEquals, assertInstanceOf } from "@std/assert";
import { refusalOf } from "../../../lib/endpoints/send_for.ts";
import { type FakeAnswer, response } from "../fake_transport.ts";

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
