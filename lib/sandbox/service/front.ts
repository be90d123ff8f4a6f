import { systemClock } from "../../http/mod.ts";
import type { FaultOptions } from "../faults/fault.ts";
import type { Faults } from "../faults/faults.ts";
import { failure, type Reply } from "../wire/reply.ts";
import type { Service, ServiceRequest } from "./service.ts";
import { replacedReply, spoiledReply, spoiledUrl } from "../faults/spoil.ts";

const CORS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET,POST,DELETE,OPTIONS,PUT,PATCH,HEAD",
  "access-control-allow-headers": "Origin,Content-Type,X-Auth-Token,X-AppId",
};
const DEFAULT_MS = 100;
/** Pieces that a slow body comes in. */
const PIECES = 5;

/** A request as it comes in. */
export interface FrontRequest extends Omit<ServiceRequest, "url"> {
  /** Path and query, or a whole address of which only these count. */
  readonly target: string;
}

/** An answer on its way out. */
export interface Answer {
  /** HTTP status. */
  readonly status: number;
  /** Headers, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or what comes piece by piece; `null` for none. */
  readonly body: string | ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/** The way in: requests in, answers out, with the faults that were asked for. */
export class Front {
  readonly #service: Service;
  readonly #faults: Faults;

  /** Stands before a service. */
  constructor(service: Service, faults: Faults) {
    this.#service = service;
    this.#faults = faults;
  }

  /**
   * Answers a request.
   *
   * @param request The request.
   * @param signal Ends the waits of faults, and bodies that are still on their way.
   * @throws Whatever the signal is aborted with, or reading the body fails with.
   */
  async answer(request: FrontRequest, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const { method, contentType } = request;
    const url = urlOf(request.target);
    const faults = this.#faults.draw(this.#service.operationOf({ method, url }), url);
    for (const { kind, ms = DEFAULT_MS } of faults) {
      if (kind === "latency") await systemClock.sleep(ms, signal);
      if (kind === "reset") return brokenAnswer(method);
    }
    const body = new Watched(request.body);
    const reply = replacedReply(faults) ??
      await this.#served({ method, url: spoiledUrl(url, faults), contentType, body });
    if (body.failure !== null) throw body.failure.error;
    signal.throwIfAborted();
    return answerOf(method, spoiledReply(reply, faults), { faults, signal });
  }

  async #served(request: ServiceRequest): Promise<Reply> {
    try {
      return await this.#service.answer(request);
    } catch {
      return failure(500, "InternalServerError", "");
    }
  }
}

/** A body that tells whether it broke off: that is the client's failure, and no answer is due. */
class Watched implements AsyncIterable<Uint8Array> {
  readonly #body: FrontRequest["body"];
  failure: { readonly error: unknown } | null = null;

  constructor(body: FrontRequest["body"]) {
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

/** Where a request goes. Its host is whatever the client calls it, even what is no host. */
function urlOf(target: string): URL {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return new URL(`http://sandbox${path.startsWith("/") ? "" : "/"}${path}`);
}

function answerOf(
  method: string,
  reply: Reply,
  { faults, signal }: { faults: readonly FaultOptions[]; signal: AbortSignal },
): Answer {
  const { status, body, contentType } = reply;
  const type = contentType === null ? {} : { "content-type": contentType };
  const headers = { ...CORS, ...reply.headers, ...type };
  if (method === "HEAD" || body === "") return { status, headers, body: null };
  const slow = faults.find(({ kind }) => kind === "slowBody");
  const sent = slow === undefined ? body : slowly(body, slow.ms ?? DEFAULT_MS, signal);
  return { status, headers, body: sent };
}

/** The end of a connection: in the process an error, over HTTP a body that breaks off. */
function brokenAnswer(method: string): Answer {
  if (method === "HEAD") throw new TypeError("connection reset by the sandbox");
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.error(new TypeError("connection reset by the sandbox")),
  });
  return { status: 200, headers: {}, body: broken };
}

function slowly(
  body: string,
  ms: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(body);
  const size = Math.ceil(bytes.length / PIECES);
  const ended = new AbortController();
  const isOver = AbortSignal.any([signal, ended.signal]);
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await systemClock.sleep(ms / PIECES, isOver);
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
    cancel: (reason) => ended.abort(reason),
  });
}
