import type { HttpRequest } from "../requests/transport.ts";

/** Too many requests: this status guarantees that nothing was done. */
const TOO_MANY = 429;

const PASSING_FAULTS: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Whether a request only reads, so that it is safe to send twice. */
export function onlyReads(request: HttpRequest): boolean {
  return request.method === "GET" || request.isRead === true;
}

/**
 * Whether a request may be repeated after an answer: always after 429, since nothing was done;
 * after 500, 502, 503 and 504 if it only reads.
 */
export function mayRepeatAfter(status: number, request: HttpRequest): boolean {
  return status === TOO_MANY || (PASSING_FAULTS.has(status) && onlyReads(request));
}
