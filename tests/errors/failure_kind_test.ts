import { assertEquals } from "@std/assert";
import {
  DecodeError,
  HttpStatusError,
  InputError,
  MismatchError,
  NetworkError,
  NoOrderBookError,
  NotFoundError,
  NotRecordedError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import { classifyFailure } from "../../lib/errors/failure_kind.ts";

const REMEDY = { remedy: "Retry" };

function about(status: number | null) {
  return { request: "GET /", status, body: "", ...REMEDY };
}

function explained(status: number | null) {
  return { ...about(status), errorType: "Some", description: "" };
}

Deno.test("classifyFailure() calls only a service's own statement absent", () => {
  const mismatch = { request: "GET /", field: "uid", asked: "1", answered: "2" };
  const decode = { what: "an order", path: "", expected: "an order", found: "1" };
  const unanswered = { request: "GET /", attempts: 1, mayHaveBeenReceived: true, ...REMEDY };
  const rows = [
    [new NotFoundError("a", about(404)), "absent"],
    [new NotRecordedError("a", REMEDY), "absent"],
    [new NotRecordedError("a", { ...REMEDY, isRouteRecorded: false }), "not_offered"],
    [new UnavailableError("a", about(404)), "not_offered"],
    [new UnauthorizedError("a", about(403)), "refused"],
    [new NoOrderBookError("a", about(404)), "no_order_book"],
    [new NetworkError("a", unanswered), "unreachable"],
    [new RateLimitedError("a", about(429)), "unreachable"],
    [new HttpStatusError("a", about(502)), "unreachable"],
    [new ServiceError("a", explained(500)), "unreachable"],
    [new ServiceError("a", explained(400)), "rejected"],
    [new HttpStatusError("a", about(405)), "rejected"],
    [new HttpStatusError("a", about(200)), "unreadable"],
    [new ServiceError("a", explained(null)), "rejected"],
    [new HttpStatusError("a", about(null)), "unreadable"],
    [new DecodeError(decode), "unreadable"],
    [new MismatchError(mismatch), "unreadable"],
    [new InputError("a", REMEDY), null],
    [new DOMException("a", "AbortError"), null],
  ] as const;
  for (const [error, kind] of rows) assertEquals(classifyFailure(error), kind, error.name);
});
