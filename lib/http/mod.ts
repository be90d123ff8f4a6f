/**
 * The transport interface, and requests over HTTP with timeouts, retries, rate limits and caches.
 *
 * Knows HTTP, and nothing about orders.
 *
 * @module
 */
export { type Clock, systemClock } from "./requests/clock.ts";
export type { HttpEnd, HttpHooks, HttpRetry, HttpStart } from "./requests/http_hooks.ts";
export { type HttpTransport, httpTransport } from "./sending/http_transport.ts";
export type { Fetch, HttpTransportOptions } from "./sending/http_transport_options.ts";
export { jsonOf } from "./reading/json_of.ts";
export { type RateLimiter, rateLimiter, type RateLimiterOptions } from "./limits/rate_limiter.ts";
export { requestLine } from "./requests/request_line.ts";
export { retryAfterMs } from "./limits/retry_after.ts";
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "./requests/transport.ts";
export { VERSION } from "./requests/user_agent.ts";
