import {
  DecodeError,
  HttpError,
  MismatchError,
  type OrderlensError,
  UnansweredError,
} from "../errors/mod.ts";

/**
 * Whether a failure leaves the outcome unknown: the answer was lost, reports an internal error, or
 * reports success in an unreadable form or about something else.
 */
export function isOutcomeUnknown(error: unknown): error is OrderlensError {
  if (error instanceof UnansweredError) return error.mayHaveBeenReceived;
  if (error instanceof HttpError) {
    return error.status >= 500 || (error.status >= 200 && error.status < 300);
  }
  return error instanceof DecodeError || error instanceof MismatchError;
}
