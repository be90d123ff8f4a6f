/**
 * The transport interface, and requests over HTTP with timeouts, retries, rate limits and caches.
 *
 * Knows HTTP, and nothing about orders.
 *
 * @module
 */
export { type Clock, systemClock } from "./clock.ts";
export type { HttpEnd, HttpHooks, HttpRetry, HttpStart } from "./http_hooks.ts";
export { type HttpTransport, httpTransport } from "./http_transport.ts";
export type { Fetch, HttpTransportOptions } from "./http_transport_options.ts";
export { jsonOf } from "./json_of.ts";
export { type RateLimiter, rateLimiter, type RateLimiterOptions } from "./rate_limiter.ts";
export { requestLine } from "./request_line.ts";
export { retryAfterMs } from "./retry_after.ts";
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "./transport.ts";
export { VERSION } from "./user_agent.ts";
