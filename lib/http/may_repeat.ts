import type { HttpRequest } from "./transport.ts";

/** Too many requests: the answer itself says that nothing was done. */
const TOO_MANY = 429;

const PASSING_FAULTS: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Whether a request only reads, so that sending it twice does no harm. */
export function onlyReads(request: HttpRequest): boolean {
  return request.method === "GET" || request.isRead === true;
}

/**
 * Whether an answer may be different the next time and the request may be sent again: 429 always,
 * for nothing was done; 500, 502, 503 and 504 for requests that only read.
 */
export function mayRepeatAfter(status: number, request: HttpRequest): boolean {
  return status === TOO_MANY || (PASSING_FAULTS.has(status) && onlyReads(request));
}
