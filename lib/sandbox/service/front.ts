import { systemClock } from "../../http/mod.ts";
import type { FaultOptions } from "./fault.ts";
import type { Faults } from "./faults.ts";
import { failure, type Reply } from "./reply.ts";
import type { Service } from "./service.ts";
import { replacedReply, spoiledReply, spoiledUrl } from "./spoil.ts";

const CORS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET,POST,DELETE,OPTIONS,PUT,PATCH,HEAD",
  "access-control-allow-headers": "Origin,Content-Type,X-Auth-Token,X-AppId",
};
const DEFAULT_MS = 100;
/** Pieces that a slow body comes in. */
const PIECES = 5;

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
   */
  async answer(request: Request, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    const { method } = request;
    const url = pathOf(request);
    const body = new Uint8Array(await request.arrayBuffer());
    const faults = this.#faults.draw(this.#service.operationOf({ method, url }), url);
    for (const { kind, ms = DEFAULT_MS } of faults) {
      if (kind === "latency") await systemClock.sleep(ms, signal);
      if (kind === "reset") return resetResponse(method);
    }
    const contentType = request.headers.get("content-type");
    const reply = replacedReply(faults) ??
      await this.#served({ method, url: spoiledUrl(url, faults), contentType, body });
    signal.throwIfAborted();
    return responseOf(method, spoiledReply(reply, faults), { faults, signal });
  }

  async #served(request: Parameters<Service["answer"]>[0]): Promise<Reply> {
    try {
      return await this.#service.answer(request);
    } catch {
      return failure(500, "InternalServerError", "");
    }
  }
}

/** Path and query of a request. Its host is whatever the client calls it, even what is no host. */
function pathOf({ url }: Request): URL {
  return new URL(`http://sandbox${url.replace(/^\w+:\/\/[^/?]*/, "")}`);
}

function responseOf(
  method: string,
  reply: Reply,
  { faults, signal }: { faults: readonly FaultOptions[]; signal: AbortSignal },
): Response {
  const headers = new Headers({ ...CORS, ...reply.headers });
  if (reply.contentType !== null) headers.set("content-type", reply.contentType);
  const { status, body } = reply;
  if (method === "HEAD" || body === "") return new Response(null, { status, headers });
  const slow = faults.find(({ kind }) => kind === "slowBody");
  const stream = slow === undefined ? body : slowly(body, slow.ms ?? DEFAULT_MS, signal);
  return new Response(stream, { status, headers });
}

/** The end of a connection: in the process an error, over HTTP a body that breaks off. */
function resetResponse(method: string): Response {
  if (method === "HEAD") throw new TypeError("connection reset by the sandbox");
  const broken = new ReadableStream({
    start: (controller) => controller.error(new TypeError("connection reset by the sandbox")),
  });
  return new Response(broken, { status: 200 });
}

function slowly(body: string, ms: number, signal: AbortSignal): ReadableStream<Uint8Array> {
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
