/**
 * The error classes a caller may catch, one family per file.
 *
 * Every error has a `code` to branch on, a message that states what failed with which input, a
 * `remedy`, and the `cause` when a lower layer failed. Imports nothing.
 *
 * @module
 */
export {
  DamagedError,
  DecodeError,
  type DecodeFailure,
  IncompleteListError,
  type IncompleteListOptions,
  InputError,
  NotRecordedError,
  type NotRecordedErrorOptions,
  OrderlensError,
  type OrderlensErrorCode,
  type OrderlensErrorOptions,
} from "./orderlens_error.ts";
export {
  HttpError,
  type HttpErrorOptions,
  HttpStatusError,
  MismatchError,
  type MismatchErrorOptions,
  NetworkError,
  NoOrderBookError,
  NotFoundError,
  RateLimitedError,
  type RateLimitedErrorOptions,
  ServiceError,
  type ServiceErrorOptions,
  TimeoutError,
  UnansweredError,
  type UnansweredErrorOptions,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedCancellationError,
  type UnconfirmedCancellationOptions,
  UnconfirmedOrderError,
  type UnconfirmedOrderOptions,
} from "./http_errors.ts";
