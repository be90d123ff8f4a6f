import { systemClock } from "../../http/mod.ts";
import { createRateLimit, type SandboxLimits } from "../handlers/terms.ts";
import type { Market } from "../market/market.ts";
import {
  badText,
  empty,
  failure,
  invalidJson,
  Rejection,
  type Reply,
  tooManyRequests,
} from "../wire/reply.ts";
import type { FaultOptions, Faults } from "./faults.ts";
import { type Operation, type Route, ROUTES } from "./routes.ts";

const CORS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET,POST,DELETE,OPTIONS,PUT,PATCH,HEAD",
  "access-control-allow-headers": "Origin,Content-Type,X-Auth-Token,X-AppId",
};

const DEFAULT_DELAY_MS = 100;

/** Number of chunks of a slow body. */
const SLOW_CHUNKS = 5;

/** An incoming request. */
export interface IncomingRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path and query, or a URL, whose other parts are ignored. */
  readonly target: string;
  /** Content type; `null` if there is none. */
  readonly contentType: string | null;
  /** Body, read up to the limit of the route; `null` if there is none. */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>> | null;
}

/** A response to send. */
export interface HandlerResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or a stream of chunks; `null` if there is none. */
  readonly body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/** Options of a handler. */
interface HandlerOptions {
  /** Injected faults. */
  readonly faults: Faults;
  /** Rate limits. @default {none} */
  readonly limits?: SandboxLimits;
  /** Whether notifications are enabled. @default {true} */
  readonly notifications?: boolean;
}

/** Operations that each rate limit counts. */
const COUNTED: Readonly<
  Record<Exclude<keyof SandboxLimits, "openLimitOrders">, (operation: Operation) => boolean>
> = {
  requestsPerMinute: () => true,
  ordersPerMinute: (operation) => operation === "createOrder",
  quotesPerMinute: (operation) => operation === "quote" || operation === "quotes",
};

/** Handles requests as the order book does, with injected faults. */
export class RequestHandler {
  readonly #market: Market;
  readonly #faults: Faults;
  readonly #limits: SandboxLimits;
  readonly #rateLimits: readonly ((operation: Operation, nowMs: number) => number | null)[];
  readonly #hasNotifications: boolean;

  /** Creates a handler of a market. */
  constructor(market: Market, { faults, limits = {}, notifications = true }: HandlerOptions) {
    this.#market = market;
    this.#faults = faults;
    this.#limits = limits;
    this.#hasNotifications = notifications;
    const { requestsPerMinute, ordersPerMinute, quotesPerMinute } = limits;
    this.#rateLimits = Object.entries({ requestsPerMinute, ordersPerMinute, quotesPerMinute })
      .flatMap(([name, perMinute]) => {
        if (perMinute === undefined) return [];
        const take = createRateLimit(perMinute);
        const counts = COUNTED[name as keyof typeof COUNTED];
        return [(operation: Operation, nowMs: number) => counts(operation) ? take(nowMs) : null];
      });
  }

  /**
   * Handles a request.
   *
   * @param request The request.
   * @param signal Aborts injected delays and streamed bodies.
   * @throws The signal's reason, or the error of reading the body.
   */
  async handle(request: IncomingRequest, signal: AbortSignal): Promise<HandlerResponse> {
    signal.throwIfAborted();
    const { method, contentType } = request;
    const url = parseTarget(request.target);
    const match = findRoute(method, url.pathname);
    const faults = this.#faults.draw("route" in match ? match.route.operation : null, url);
    for (const { kind, ms = DEFAULT_DELAY_MS } of faults) {
      if (kind === "latency") await systemClock.sleep(ms, signal);
      if (kind === "reset") return createResetResponse(method);
    }
    const failures: unknown[] = [];
    // If its body cannot be read, the client has failed, and gets no response.
    async function* observeBody(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      try {
        yield* request.body ?? [];
      } catch (error) {
        failures.push(error);
        throw error;
      }
    }
    const reply = findReplacement(faults) ?? await this.#serve(match, {
      method,
      query: shiftQuery(url, faults),
      contentType,
      body: observeBody(),
    });
    if (failures.length > 0) throw failures[0];
    signal.throwIfAborted();
    return toResponse(method, alterReply(reply, faults), { faults, signal });
  }

  /** Creates the reply of the service, before faults that alter it. */
  async #serve(
    match: RouteMatch,
    { method, query, ...request }: ReadableRequest & { method: string; query: URLSearchParams },
  ): Promise<Reply> {
    if (method === "OPTIONS") return empty(200);
    if ("allow" in match) {
      const allow = match.allow.join(",");
      return allow === "" ? empty(404) : { ...empty(405), headers: { allow } };
    }
    const { route, param } = match;
    if (route.operation === "notifications" && !this.#hasNotifications) return empty(404);
    const market = this.#market;
    const waits = this.#rateLimits.map((take) => take(route.operation, market.time.ms));
    const waitSec = waits.find((wait) => wait !== null);
    if (waitSec != null) return tooManyRequests(waitSec);
    try {
      const body = await readRequestBody(route, request);
      return await route.handle({ market, param, query, body, limits: this.#limits });
    } catch (error) {
      return error instanceof Rejection ? error.reply : failure(500, "InternalServerError", "");
    }
  }
}

interface ReadableRequest extends Pick<IncomingRequest, "contentType"> {
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Reads the body that a route accepts as text, including a byte order mark, which is not JSON. */
async function readRequestBody(
  route: Route,
  { contentType, body }: ReadableRequest,
): Promise<string> {
  if (route.body === undefined) return "";
  const { kind, limit } = route.body;
  if (kind === "json" && !isJson(contentType)) {
    throw badText("Expected request with `Content-Type: application/json`", 415);
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) {
      throw badText("Failed to buffer the request body: length limit exceeded", 413);
    }
    chunks.push(chunk);
  }
  const bytes = await new Blob(chunks).arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw kind === "json" ? invalidJson("invalid unicode code point") : new Rejection(empty(400));
  }
}

function isJson(contentType: string | null): boolean {
  const type = (contentType ?? "").split(";")[0]!.trim().toLowerCase();
  return type === "application/json" || /^application\/[^/]+\+json$/.test(type);
}

/** A route with the variable segment of the path; else the methods that the path allows. */
type RouteMatch =
  | { readonly route: Route; readonly param: string }
  | { readonly allow: readonly string[] };

/** Routes by path, fixed paths first: `orders/by_uids` is never read as a UID. */
const PATTERNS = [...Map.groupBy(ROUTES, ({ path }) => path)]
  .sort(([a], [b]) => Number(a.includes("*")) - Number(b.includes("*")))
  .map(([path, routes]) => ({ pattern: new RegExp(`^${path.replace("*", "([^/]+)")}$`), routes }));

function findRoute(method: string, path: string): RouteMatch {
  const routedMethod = method === "HEAD" ? "GET" : method;
  for (const { pattern, routes } of PATTERNS) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const route = routes.find((candidate) => candidate.method === routedMethod);
    return route === undefined
      ? {
        allow: routes.flatMap((candidate) =>
          candidate.method === "GET" ? ["GET", "HEAD"] : [candidate.method]
        ),
      }
      : { route, param: decodeParam(match[1] ?? "") };
  }
  return { allow: [] };
}

function decodeParam(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Parses the URL of a request. The host is ignored, even if it is invalid. */
function parseTarget(target: string): URL {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return new URL(`http://sandbox${path.startsWith("/") ? "" : "/"}${path}`);
}

function toResponse(
  method: string,
  reply: Reply,
  { faults, signal }: { faults: readonly FaultOptions[]; signal: AbortSignal },
): HandlerResponse {
  const { status, body, contentType } = reply;
  const type = contentType === null ? {} : { "content-type": contentType };
  const headers = { ...CORS, ...reply.headers, ...type };
  if (method === "HEAD" || body === "") return { status, headers, body: null };
  const slow = faults.find(({ kind }) => kind === "slowBody");
  const payload = slow === undefined
    ? body
    : streamSlowly(body, slow.ms ?? DEFAULT_DELAY_MS, signal);
  return { status, headers, body: payload };
}

/** Simulates a reset connection: the body fails, which over HTTP closes the connection; HEAD throws. */
function createResetResponse(method: string): HandlerResponse {
  if (method === "HEAD") throw new TypeError("connection reset by the sandbox");
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.error(new TypeError("connection reset by the sandbox")),
  });
  return { status: 200, headers: {}, body };
}

function streamSlowly(
  body: string,
  ms: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(body);
  const size = Math.ceil(bytes.length / SLOW_CHUNKS);
  const cancellation = new AbortController();
  const stopSignal = AbortSignal.any([signal, cancellation.signal]);
  let start = 0;
  return new ReadableStream({
    async pull(controller) {
      await systemClock.sleep(ms / SLOW_CHUNKS, stopSignal);
      controller.enqueue(bytes.slice(start, start + size));
      start += size;
      if (start >= bytes.length) controller.close();
    },
    cancel: (reason) => cancellation.abort(reason),
  });
}

/** Shifts the offset of a page in the query if a fault requires it. */
function shiftQuery({ searchParams }: URL, faults: readonly FaultOptions[]): URLSearchParams {
  const query = new URLSearchParams(searchParams);
  for (const { kind } of faults) {
    if (kind !== "duplicateRows" && kind !== "shiftedRows") continue;
    const offset = Number(query.get("offset"));
    query.set("offset", String(offset + (kind === "shiftedRows" ? 1 : -1)));
  }
  return query;
}

/** Finds the fault reply that replaces handling a request; `null` if there is none. */
function findReplacement(faults: readonly FaultOptions[]): Reply | null {
  for (const { kind, retryAfterSec } of faults) {
    if (kind === "rateLimited") return tooManyRequests(retryAfterSec);
    const reply = REPLACEMENTS[kind];
    if (reply !== undefined) return reply;
  }
  return null;
}

const REPLACEMENTS: Partial<Record<FaultOptions["kind"], Reply>> = {
  serverError: failure(500, "InternalServerError", ""),
  html: {
    status: 503,
    contentType: "text/html",
    body: "<html><head><title>503 Service Temporarily Unavailable</title></head></html>",
  },
  missingCompetition: failure(404, "NotFound", "solver competition not found"),
};

/** Alters a reply as the faults require. */
function alterReply(reply: Reply, faults: readonly FaultOptions[]): Reply {
  let altered = reply;
  for (const { kind } of faults) {
    if (kind === "truncated") {
      const half = Math.floor(altered.body.length / 2);
      altered = { ...altered, body: altered.body.slice(0, half) };
    } else if (kind === "unknownFields" || kind === "unknownValues") {
      if (altered.contentType !== "application/json" || altered.status >= 300) continue;
      const change = kind === "unknownFields" ? addUnknownField : replaceWithUnknown;
      altered = { ...altered, body: JSON.stringify(JSON.parse(altered.body, change)) };
    }
  }
  return altered;
}

/** Whether a value has named fields; maps by address have none. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.keys(value).some((key) => key.startsWith("0x"));
}

function addUnknownField(_key: string, value: unknown): unknown {
  return isRecord(value) && Object.keys(value).length > 0
    ? { ...value, futureField: { since: "tomorrow" } }
    : value;
}

const OPEN_ENUMS = new Set(["status", "class", "label", "reason", "type", "outcome"]);

function replaceWithUnknown(key: string, value: unknown): unknown {
  return OPEN_ENUMS.has(key) && typeof value === "string" ? "futureValue" : value;
}
