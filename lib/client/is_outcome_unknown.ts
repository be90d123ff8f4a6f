import {
  DecodeError,
  HttpError,
  MismatchError,
  type OrderlensError,
  UnansweredError,
} from "../errors/mod.ts";

/**
 * Whether a failure leaves open if the service did what it was asked: the answer was lost, says that
 * the service failed inside, or says success in a form that cannot be read or of something else.
 */
export function isOutcomeUnknown(error: unknown): error is OrderlensError {
  if (error instanceof UnansweredError) return error.mayHaveBeenReceived;
  if (error instanceof HttpError) {
    return error.status >= 500 || (error.status >= 200 && error.status < 300);
  }
  return error instanceof DecodeError || error instanceof MismatchError;
}
