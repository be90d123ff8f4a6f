import {
  HttpError,
  HttpStatusError,
  NotFoundError,
  OrderlensError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import { assert, assertEquals } from "@std/assert";

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
