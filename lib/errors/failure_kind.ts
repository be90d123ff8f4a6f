import {
  HttpError,
  MismatchError,
  NoOrderBookError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  UnansweredError,
  UnauthorizedError,
  UnavailableError,
} from "./http_errors.ts";
import { DecodeError, NotRecordedError } from "./orderlens_error.ts";

/**
 * Kind of failure of a request:
 *
 * - `absent`: the service itself states that it does not have it;
 * - `not_offered`: the deployment has no such operation, or nothing of it was recorded;
 * - `refused`: the service or a gateway denies access;
 * - `no_order_book`: a 404 that no order book sent, so that nothing is known;
 * - `unreachable`: no response, too many requests, or an internal error;
 * - `unreadable`: a response that cannot be decoded, or is about something else;
 * - `rejected`: any other error of the service.
 *
 * Only `absent` is a fact about the requested resource.
 */
export type FailureKind =
  | "absent"
  | "not_offered"
  | "refused"
  | "no_order_book"
  | "unreachable"
  | "unreadable"
  | "rejected";

/**
 * Classifies the failure of a request; `null` for what is none, such as invalid input or an aborted
 * signal.
 */
export function classifyFailure(error: unknown): FailureKind | null {
  if (error instanceof NotFoundError) return "absent";
  if (error instanceof NotRecordedError) return error.isRouteRecorded ? "absent" : "not_offered";
  if (error instanceof UnavailableError) return "not_offered";
  if (error instanceof UnauthorizedError) return "refused";
  if (error instanceof NoOrderBookError) return "no_order_book";
  if (error instanceof UnansweredError || error instanceof RateLimitedError) return "unreachable";
  if (error instanceof DecodeError || error instanceof MismatchError) return "unreadable";
  if (!(error instanceof HttpError)) return null;
  const { status } = error;
  if (status !== null && status >= 500) return "unreachable";
  if (error instanceof ServiceError) return "rejected";
  return status === null || status < 300 ? "unreadable" : "rejected";
}
