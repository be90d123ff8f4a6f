/**
 * Sending: what a transport is, and in time how requests are timed out, retried and rate limited.
 *
 * Knows HTTP and has never heard of an order.
 *
 * @module
 */
export type { HttpRequest, HttpResponse, HttpStream, Transport } from "./transport.ts";
