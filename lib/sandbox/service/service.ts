import type { Market } from "../market/state/market.ts";
import { findRoute, type FoundRoute } from "./find_route.ts";
import type { Operation } from "../wire/operations.ts";
import { readBody } from "./read_body.ts";
import { RateLimit, type SandboxLimits } from "../rules/rate_limit.ts";
import { empty, Rejection, type Reply, text } from "../wire/reply.ts";

/** Options of a service. */
export interface ServiceOptions {
  /** Rate limits. @default {none} */
  readonly limits?: SandboxLimits | undefined;
  /** Whether notifications are enabled. @default {true} */
  readonly notifications?: boolean | undefined;
}

/** A request to the service. */
export interface ServiceRequest {
  /** HTTP method. */
  readonly method: string;
  /** URL; only path and query count. */
  readonly url: URL;
  /** Content type; `null` if there is none. */
  readonly contentType: string | null;
  /** Body, read up to the limit of the route; `null` if there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Answers requests as the order book does. */
export class Service {
  readonly #market: Market;
  readonly #limits: SandboxLimits;
  readonly #rateLimits: ReadonlyMap<Operation, RateLimit>;
  readonly #allRequests: RateLimit | undefined;
  readonly #hasNotifications: boolean;

  /** Wraps a market. */
  constructor(market: Market, { limits = {}, notifications = true }: ServiceOptions = {}) {
    this.#market = market;
    this.#limits = limits;
    this.#hasNotifications = notifications;
    const rateLimits = new Map<Operation, RateLimit>();
    if (limits.ordersPerMinute !== undefined) {
      rateLimits.set("createOrder", new RateLimit(limits.ordersPerMinute));
    }
    if (limits.quotesPerMinute !== undefined) {
      const quotes = new RateLimit(limits.quotesPerMinute);
      rateLimits.set("quote", quotes).set("quotes", quotes);
    }
    this.#rateLimits = rateLimits;
    const { requestsPerMinute } = limits;
    this.#allRequests = requestsPerMinute === undefined
      ? undefined
      : new RateLimit(requestsPerMinute);
  }

  /** The operation of a request; `null` if there is none. */
  operationOf(request: Pick<ServiceRequest, "method" | "url">): Operation | null {
    const found = findRoute(request.method, request.url.pathname);
    return "route" in found ? found.route.operation : null;
  }

  /** Answers a request; never throws because of its content. */
  async answer(request: ServiceRequest): Promise<Reply> {
    if (request.method === "OPTIONS") return empty(200);
    const found = findRoute(request.method, request.url.pathname);
    if ("allow" in found) {
      return found.allow.length === 0
        ? empty(404)
        : { ...empty(405), headers: { allow: found.allow.join(",") } };
    }
    if (found.route.operation === "notifications" && !this.#hasNotifications) return empty(404);
    const tooMany = this.#rateLimited(found.route.operation);
    if (tooMany !== null) return tooMany;
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

  #rateLimited(operation: Operation): Reply | null {
    const nowMs = this.#market.time.ms;
    const decisions = [this.#allRequests, this.#rateLimits.get(operation)]
      .map((limit) => limit?.take(nowMs));
    const decision = decisions.find((one) => one?.isAllowed === false);
    if (decision === undefined) return null;
    return {
      ...text("Too many requests", 429),
      headers: { "retry-after": String(decision.retryAfterSec) },
    };
  }
}

/** The body that a route accepts, as text. */
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
  return decodeText(body);
}

/**
 * Decodes bytes as text, including a byte order mark. Invalid UTF-8 becomes a lone surrogate, which
 * the JSON parser rejects at its position.
 */
function decodeText(bytes: Uint8Array): string {
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
