import { RateLimit, type SandboxLimits } from "../handlers/check_terms.ts";
import type { Market } from "../market/market.ts";
import { empty, Rejection, type Reply, text, tooManyRequests } from "../wire/reply.ts";
import { invalidJson } from "../wire/fields.ts";
import { type Operation, type Route, ROUTES } from "./routes.ts";

/** Options of a service. */
interface ServiceOptions {
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
    return decision === undefined ? null : tooManyRequests(decision.retryAfterSec);
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

/** Decodes bytes as text, including a byte order mark, which is no JSON. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidJson("invalid unicode code point");
  }
}

function isJson(contentType: string | null): boolean {
  if (contentType === null) return false;
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  return type === "application/json" || /^application\/[^/]+\+json$/.test(type);
}

/**
 * Reads the bytes of a body; `null` if they exceed the limit. The rest is not read.
 */
async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The route of a request, and the variable segment of its path. */
interface FoundRoute {
  /** The route. */
  readonly route: Route;
  /** The variable segment; empty if there is none. */
  readonly param: string;
}

/** Routes by path, fixed paths first: `orders/by_uids` is never read as a UID. */
const PATTERNS = [...Map.groupBy(ROUTES, ({ path }) => path)]
  .map(([path, routes]) => ({ segments: path.split("/"), routes }))
  .sort((a, b) => Number(a.segments.includes("*")) - Number(b.segments.includes("*")));

/**
 * Finds the route of a request; otherwise returns the methods that the path allows, none if the
 * path is unknown.
 */
function findRoute(method: string, path: string): FoundRoute | { allow: string[] } {
  const segments = path.split("/");
  const routedMethod = method === "HEAD" ? "GET" : method;
  for (const { segments: wanted, routes } of PATTERNS) {
    const param = matchPath(segments, wanted);
    if (param === null) continue;
    const route = routes.find((one) => one.method === routedMethod);
    return route === undefined
      ? { allow: routes.flatMap(methodsOf) }
      : { route, param: decodeParam(param) };
  }
  return { allow: [] };
}

function methodsOf({ method }: Route): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** The variable segment of a matching path; `null` if the path does not match. */
function matchPath(segments: readonly string[], wanted: readonly string[]): string | null {
  if (segments.length !== wanted.length) return null;
  let param = "";
  for (const [at, segment] of segments.entries()) {
    if (wanted[at] === "*" && segment !== "") param = segment;
    else if (wanted[at] !== segment) return null;
  }
  return param;
}

function decodeParam(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
