import {
  HttpError,
  type OrderlensError,
  RateLimitedError,
  UnansweredError,
} from "../errors/mod.ts";
import { isOutcomeUnknown } from "./is_outcome_unknown.ts";

/**
 * Whether a failed read may succeed later, after the transport has given up: there was no answer,
 * an unreadable one, or one that reports too many requests or an internal error.
 */
export function isTransient(error: unknown): error is OrderlensError {
  if (error instanceof UnansweredError || error instanceof RateLimitedError) return true;
  return error instanceof HttpError && isOutcomeUnknown(error);
}
