import { systemClock } from "../../http/mod.ts";
import { failure, type Reply, tooManyRequests } from "../wire/reply.ts";
import type { FaultOptions, Faults } from "./faults.ts";
import type { Service, ServiceRequest } from "./service.ts";

const CORS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET,POST,DELETE,OPTIONS,PUT,PATCH,HEAD",
  "access-control-allow-headers": "Origin,Content-Type,X-Auth-Token,X-AppId",
};

const DEFAULT_MS = 100;

/** Number of chunks of a slow body. */
const SLOW_CHUNKS = 5;

/** An incoming request. */
export interface IncomingRequest extends Omit<ServiceRequest, "url"> {
  /** Path and query, or a whole URL, of which only these count. */
  readonly target: string;
}

/** A response to send. */
export interface Answer {
  /** HTTP status. */
  readonly status: number;
  /** Headers, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or a stream of chunks; `null` if there is none. */
  readonly body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/** Answers requests, with injected faults. */
export class RequestHandler {
  readonly #service: Service;
  readonly #faults: Faults;

  /** Wraps a service. */
  constructor(service: Service, faults: Faults) {
    this.#service = service;
    this.#faults = faults;
  }

  /**
   * Answers a request.
   *
   * @param request The request.
   * @param signal Aborts injected delays and streamed bodies.
   * @throws The signal's reason, or the error of reading the body.
   */
  async answer(request: IncomingRequest, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const { method, contentType } = request;
    const url = urlOf(request.target);
    const faults = this.#faults.draw(this.#service.operationOf({ method, url }), url);
    for (const { kind, ms = DEFAULT_MS } of faults) {
      if (kind === "latency") await systemClock.sleep(ms, signal);
      if (kind === "reset") return resetAnswer(method);
    }
    const body = new ObservedBody(request.body);
    const reply = replacementReply(faults) ??
      await this.#served({ method, url: shiftedUrl(url, faults), contentType, body });
    if (body.failure !== null) throw body.failure.error;
    signal.throwIfAborted();
    return toAnswer(method, alteredReply(reply, faults), { faults, signal });
  }

  async #served(request: ServiceRequest): Promise<Reply> {
    try {
      return await this.#service.answer(request);
    } catch {
      return failure(500, "InternalServerError", "");
    }
  }
}

/** A body that records whether reading failed: then the client has failed, and gets no answer. */
class ObservedBody implements AsyncIterable<Uint8Array> {
  readonly #body: IncomingRequest["body"];
  failure: { readonly error: unknown } | null = null;

  constructor(body: IncomingRequest["body"]) {
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#body ?? [];
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

/** The URL of a request. Whatever the client sends as host is ignored, even if it is invalid. */
function urlOf(target: string): URL {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return new URL(`http://sandbox${path.startsWith("/") ? "" : "/"}${path}`);
}

function toAnswer(
  method: string,
  reply: Reply,
  { faults, signal }: { faults: readonly FaultOptions[]; signal: AbortSignal },
): Answer {
  const { status, body, contentType } = reply;
  const type = contentType === null ? {} : { "content-type": contentType };
  const headers = { ...CORS, ...reply.headers, ...type };
  if (method === "HEAD" || body === "") return { status, headers, body: null };
  const slow = faults.find(({ kind }) => kind === "slowBody");
  const sent = slow === undefined ? body : inSlowChunks(body, slow.ms ?? DEFAULT_MS, signal);
  return { status, headers, body: sent };
}

/** A connection reset: an error in-process, a broken body over HTTP. */
function resetAnswer(method: string): Answer {
  if (method === "HEAD") throw new TypeError("connection reset by the sandbox");
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.error(new TypeError("connection reset by the sandbox")),
  });
  return { status: 200, headers: {}, body };
}

function inSlowChunks(
  body: string,
  ms: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(body);
  const size = Math.ceil(bytes.length / SLOW_CHUNKS);
  const ended = new AbortController();
  const isOver = AbortSignal.any([signal, ended.signal]);
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await systemClock.sleep(ms / SLOW_CHUNKS, isOver);
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
    cancel: (reason) => ended.abort(reason),
  });
}

/** Shifts the offset of a page if a fault requires it. */
function shiftedUrl(url: URL, faults: readonly FaultOptions[]): URL {
  const shifted = new URL(url);
  for (const { kind } of faults) {
    if (kind !== "duplicateRows" && kind !== "shiftedRows") continue;
    const offset = Number(shifted.searchParams.get("offset"));
    shifted.searchParams.set("offset", String(offset + (kind === "shiftedRows" ? 1 : -1)));
  }
  return shifted;
}

/** The reply that replaces handling the request; `null` if the request is handled. */
function replacementReply(faults: readonly FaultOptions[]): Reply | null {
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
function alteredReply(reply: Reply, faults: readonly FaultOptions[]): Reply {
  let altered = reply;
  for (const { kind } of faults) {
    if (kind === "truncated") {
      const half = Math.floor(altered.body.length / 2);
      altered = { ...altered, body: altered.body.slice(0, half) };
    } else if (kind === "unknownFields" || kind === "unknownValues") {
      if (altered.contentType !== "application/json" || altered.status >= 300) continue;
      const change = kind === "unknownFields" ? withUnknownField : withUnknownValue;
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

function withUnknownField(_key: string, value: unknown): unknown {
  return isRecord(value) && Object.keys(value).length > 0
    ? { ...value, fieldOfTomorrow: { since: "tomorrow" } }
    : value;
}

const OPEN_ENUMS = new Set(["status", "class", "label", "reason", "type", "outcome"]);

function withUnknownValue(key: string, value: unknown): unknown {
  return OPEN_ENUMS.has(key) && typeof value === "string" ? "wordOfTomorrow" : value;
}
