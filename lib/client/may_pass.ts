import { HttpError, type OrderlensError, UnansweredError } from "../errors/mod.ts";

const TOO_MANY = 429;

/**
 * Whether a failure to read something may be over at another look, after the transport has given up:
 * there was no answer, one that nobody can read, or one that says that there were too many requests
 * or that the service failed inside.
 */
export function mayPass(error: unknown): error is OrderlensError {
  if (error instanceof UnansweredError) return true;
  if (!(error instanceof HttpError)) return false;
  const { status } = error;
  return status === TOO_MANY || status >= 500 || (status >= 200 && status < 300);
}
