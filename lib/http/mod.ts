/**
 * The transport interface, and requests over HTTP with timeouts, retries, rate limits and caches.
 *
 * Knows HTTP, and nothing about orders.
 *
 * @module
 */
export {
  type Clock,
  COMMIT,
  type HttpEnd,
  type HttpHooks,
  type HttpRequest,
  type HttpResponse,
  type HttpRetry,
  type HttpStart,
  type HttpStream,
  requestLine,
  systemClock,
  type Transport,
  VERSION,
} from "./transport.ts";
export { type HttpTransport, httpTransport } from "./http_transport.ts";
export type { Fetch, HttpTransportOptions } from "./settings.ts";
export { parseJson } from "./read_body.ts";
export { type RateLimiter, rateLimiter, type RateLimiterOptions, retryAfterMs } from "./limits.ts";
