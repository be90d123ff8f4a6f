import {
  HttpError,
  type OrderlensError,
  RateLimitedError,
  UnansweredError,
} from "../errors/mod.ts";
import { isOutcomeUnknown } from "./is_outcome_unknown.ts";

/**
 * Whether a failure to read something may be over at another look, after the transport has given up:
 * there was no answer, one that nobody can read, or one that says that there were too many requests
 * or that the service failed inside.
 */
export function isTransient(error: unknown): error is OrderlensError {
  if (error instanceof UnansweredError || error instanceof RateLimitedError) return true;
  return error instanceof HttpError && isOutcomeUnknown(error);
}
