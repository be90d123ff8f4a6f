/**
 * The error classes a caller may catch, one family per file.
 *
 * Every error has a `code` to branch on, a message that says what failed with which input, a
 * `remedy`, and the `cause` when a lower layer failed. Imports nothing.
 *
 * @module
 */
export { DecodeError, type DecodeFailure } from "./decode_error.ts";
export {
  HttpError,
  type HttpErrorOptions,
  HttpStatusError,
  NotFoundError,
  RateLimitedError,
  type RateLimitedErrorOptions,
  ServiceError,
  type ServiceErrorOptions,
  UnauthorizedError,
  UnavailableError,
} from "./http_errors.ts";
export { IncompleteListError, type IncompleteListOptions } from "./incomplete_list_error.ts";
export { DamagedError, InputError } from "./input_error.ts";
export { MismatchError, type MismatchErrorOptions } from "./mismatch_error.ts";
export { NotRecordedError, type NotRecordedErrorOptions } from "./not_recorded_error.ts";
export {
  OrderlensError,
  type OrderlensErrorCode,
  type OrderlensErrorOptions,
} from "./orderlens_error.ts";
export {
  NetworkError,
  TimeoutError,
  UnansweredError,
  type UnansweredErrorOptions,
} from "./unanswered_errors.ts";
export {
  UnconfirmedCancellationError,
  type UnconfirmedCancellationOptions,
  UnconfirmedOrderError,
  type UnconfirmedOrderOptions,
} from "./unconfirmed_errors.ts";
