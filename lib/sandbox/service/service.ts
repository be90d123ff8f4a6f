import type { Market } from "../market/state/market.ts";
import { findRoute, type FoundRoute } from "./find_route.ts";
import type { Operation } from "../wire/operations.ts";
import { readBody } from "./read_body.ts";
import { RateLimit, type SandboxLimits } from "../rules/rate_limit.ts";
import { empty, Rejection, type Reply, text } from "../wire/reply.ts";

/** What a service can be told beside its market. */
export interface ServiceOptions {
  /** Rate limits. @default {none} */
  readonly limits?: SandboxLimits | undefined;
  /** Whether it has notifications. @default {true} */
  readonly notifications?: boolean | undefined;
}

/** A request before it is answered. */
export interface ServiceRequest {
  /** HTTP method. */
  readonly method: string;
  /** Where to. */
  readonly url: URL;
  /** Content type; `null` where it has none. */
  readonly contentType: string | null;
  /** Its body, read as far as a route takes it; `null` where it has none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Answers requests as the order book does. */
export class Service {
  readonly #market: Market;
  readonly #limits: SandboxLimits;
  readonly #counted: ReadonlyMap<Operation, RateLimit>;
  readonly #hasNotifications: boolean;

  /** Serves a market. */
  constructor(market: Market, { limits = {}, notifications = true }: ServiceOptions = {}) {
    this.#market = market;
    this.#limits = limits;
    this.#hasNotifications = notifications;
    const counted = new Map<Operation, RateLimit>();
    if (limits.ordersPerMinute !== undefined) {
      counted.set("createOrder", new RateLimit(limits.ordersPerMinute));
    }
    if (limits.quotesPerMinute !== undefined) {
      const quotes = new RateLimit(limits.quotesPerMinute);
      counted.set("quote", quotes).set("quotes", quotes);
    }
    this.#counted = counted;
  }

  /** The operation that a request asks for; `null` where it is none. */
  operationOf(request: Pick<ServiceRequest, "method" | "url">): Operation | null {
    const found = findRoute(request.method, request.url.pathname);
    return "route" in found ? found.route.operation : null;
  }

  /** Answers a request; never throws for what the request holds. */
  async answer(request: ServiceRequest): Promise<Reply> {
    if (request.method === "OPTIONS") return empty(200);
    const found = findRoute(request.method, request.url.pathname);
    if ("allow" in found) {
      return found.allow.length === 0
        ? empty(404)
        : { ...empty(405), headers: { allow: found.allow.join(",") } };
    }
    if (found.route.operation === "notifications" && !this.#hasNotifications) return empty(404);
    const limited = this.#limited(found.route.operation);
    if (limited !== null) return limited;
    try {
      const body = await bodyOf(found, request);
      const { searchParams: query } = request.url;
      return await found.route.answer({
        market: this.#market,
        param: found.param,
        query,
        body,
        limits: this.#limits,
      });
    } catch (error) {
      if (error instanceof Rejection) return error.reply;
      throw error;
    }
  }

  #limited(operation: Operation): Reply | null {
    const taken = this.#counted.get(operation)?.take(this.#market.time.ms);
    if (taken === undefined || taken.isTaken) return null;
    return {
      ...text("Too many requests", 429),
      headers: { "retry-after": String(taken.retryAfterSec) },
    };
  }
}

/** The body that a route takes, as text. */
async function bodyOf({ route }: FoundRoute, request: ServiceRequest): Promise<string> {
  if (route.body === undefined) return "";
  const { kind, limit } = route.body;
  if (kind === "json" && !isJson(request.contentType)) {
    throw new Rejection(text("Expected request with `Content-Type: application/json`", 415));
  }
  const body = await readBody(request.body, limit);
  if (body === null) {
    throw new Rejection(text("Failed to buffer the request body: length limit exceeded", 413));
  }
  return textOf(body);
}

/**
 * Bytes as text, a byte order mark included. What is no UTF-8 becomes half of a surrogate pair,
 * which the reader of JSON refuses where it stands.
 */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
      .replaceAll("\ufffd", "\ud800");
  }
}

function isJson(contentType: string | null): boolean {
  if (contentType === null) return false;
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  return type === "application/json" || /^application\/[^/]+\+json$/.test(type);
}
