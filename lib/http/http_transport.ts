import { InputError } from "../errors/mod.ts";
import { findQuerySecrets, hideSecrets, registerSecret } from "../errors/secrets.ts";
import { DiskCache } from "./disk_cache.ts";
import { exchange, type PendingRequest } from "./exchange.ts";
import type { Watch } from "./limits.ts";
import { streamChunks } from "./live_chunks.ts";
import { readBody } from "./read_body.ts";
import { type HttpTransportOptions, resolveOptions, type Settings } from "./settings.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  Observation,
  requestLine,
  type Transport,
} from "./transport.ts";

/** A transport over HTTP. */
export interface HttpTransport extends Transport {
  /** URL that requests with `at: "root"` go to, without a trailing slash. */
  readonly rootUrl: string;
  /** Number of requests that it has sent; those that a cache answered, and repetitions, do not count. */
  readonly requestCount: number;
  /** Sends one request and returns its body as it arrives. */
  stream(request: HttpRequest): Promise<HttpStream>;
}

/**
 * Sends requests to one deployment over HTTP and hides transient network failures: attempts have a
 * timeout, are repeated where that is safe, and are limited to the rate that the host's operator
 * allows.
 *
 * - A request that only reads is repeated after 429, 500, 502, 503, 504, a lost connection and a
 *   timeout; any other only after 429, which guarantees that nothing was done. Waits grow
 *   exponentially with full jitter, and are at least as long as `Retry-After` asks for.
 * - A response is returned whatever its status, the last one if all attempts fail: the endpoint
 *   decides what a status means. Without a response, a `NetworkError` or `TimeoutError` says whether
 *   the request `mayHaveBeenReceived`.
 * - A redirect is followed for a GET within its origin; headers and bodies never go to another one.
 * - A 200 with `Cache-Control: public, max-age=…` is reused for the same GET until it expires.
 * - A signal aborts a request at once, at any stage, and rejects with the signal's reason.
 *
 * Nothing is sent, and no permission is needed, before the first request.
 *
 * @param baseUrl URL that paths are appended to. Credentials in it (`https://name:key@host`) are
 * sent as `Authorization` and never shown.
 * @throws {InputError} If the URL or an option is invalid.
 * @example A server that is busy at first
 * ```ts
 * import { httpTransport } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * let requestCount = 0;
 * const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
 *   requestCount++;
 *   return requestCount === 1 ? new Response("later", { status: 503 }) : new Response("v2.1");
 * });
 * const transport = httpTransport(`http://127.0.0.1:${server.addr.port}`, { backoffBaseMs: 1 });
 *
 * const { status, body } = await transport.send({ method: "GET", path: "/api/v1/version" });
 * await server.shutdown();
 *
 * assertEquals({ status, body, requestCount }, { status: 200, body: "v2.1", requestCount: 2 });
 * ```
 */
export function httpTransport(baseUrl: string, options: HttpTransportOptions = {}): HttpTransport {
  return new NetworkTransport(resolveOptions(baseUrl, options), options.cacheFolder);
}

class NetworkTransport implements HttpTransport {
  readonly baseUrl: string;
  readonly rootUrl: string;
  readonly #settings: Settings;
  readonly #memory = new MemoryCache();
  readonly #folder: DiskCache | undefined;
  #lastId = 0;
  #requestCount = 0;

  constructor(settings: Settings, cacheFolder: string | undefined) {
    this.baseUrl = settings.base.url;
    this.rootUrl = settings.root.url;
    this.#settings = settings;
    settings.secrets.forEach(registerSecret);
    this.#folder = cacheFolder === undefined ? undefined : new DiskCache(cacheFolder);
  }

  get requestCount(): number {
    return this.#requestCount;
  }

  countRequestsLeft(): number {
    return this.#settings.base.limiter?.countLeft?.() ?? Infinity;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const pending = this.#prepare(request, "application/json, */*;q=0.5");
    const { observation } = pending;
    try {
      const hit = await this.#findCached(pending);
      if (hit !== undefined) {
        observation.end({ status: hit.response.status, from: hit.from });
        return hit.response;
      }
      this.#requestCount++;
      const response = await exchange(
        this.#settings,
        pending,
        (response, watch) => this.#readWhole(response, request, watch),
      );
      await this.#cache(pending, response);
      observation.end({ status: response.status });
      return response;
    } catch (error) {
      observation.end({ error });
      throw error;
    }
  }

  async stream(request: HttpRequest): Promise<HttpStream> {
    const pending = this.#prepare(request, "text/event-stream, application/json;q=0.9, */*;q=0.5");
    const { observation } = pending;
    this.#requestCount++;
    try {
      const opened = await exchange(this.#settings, pending, async (response, watch) => {
        if (!response.ok) return await this.#readWhole(response, request, watch);
        watch.stopTimer();
        const chunks = streamChunks(this.#settings, { response, request, watch, observation });
        const contentType = response.headers.get("content-type");
        return { status: response.status, contentType, chunks };
      });
      if ("chunks" in opened) return opened;
      const { status, contentType, body } = opened;
      observation.end({ status });
      return { status, contentType, chunks: yieldText(body) };
    } catch (error) {
      observation.end({ error });
      throw error;
    }
  }

  #prepare(request: HttpRequest, accept: string): PendingRequest {
    request.signal?.throwIfAborted();
    if (!request.path.startsWith("/")) {
      throw new InputError(`Cannot send ${requestLine(request)}: its path does not begin with /`, {
        remedy: "Pass the part after the base URL, for example /api/v1/version",
      });
    }
    const { base, root, hooks, clock, secrets } = this.#settings;
    for (const secret of [...secrets, ...findQuerySecrets(request.path)]) registerSecret(secret);
    const endpoint = request.at === "root" ? root : base;
    const subject = { id: ++this.#lastId, request: requestLine(request) };
    const observation = new Observation(hooks, clock, subject);
    return { request, endpoint, url: endpoint.url + request.path, accept, observation };
  }

  async #readWhole(response: Response, request: HttpRequest, watch: Watch): Promise<HttpResponse> {
    const { status, headers } = response;
    const contentType = headers.get("content-type");
    const { maxBodyBytes: maxBytes } = this.#settings;
    const text = await readBody(response, request, { signal: watch.signal, maxBytes });
    watch.end();
    const isData = response.ok && /json/i.test(contentType ?? "");
    return { status, contentType, headers, body: isData ? text : hideSecrets(text) };
  }

  async #findCached({ request, url }: PendingRequest): Promise<CacheHit | undefined> {
    if (request.method !== "GET") return undefined;
    const inMemory = this.#memory.get(url, this.#settings.clock.now());
    if (inMemory !== undefined) return { response: inMemory, from: "memory" };
    if (this.#folder === undefined || request.isImmutable === undefined) return undefined;
    const onDisk = await this.#folder.get(url);
    request.signal?.throwIfAborted();
    return onDisk !== undefined && isFinal(request, onDisk)
      ? { response: onDisk, from: "folder" }
      : undefined;
  }

  async #cache({ request, url }: PendingRequest, response: HttpResponse): Promise<void> {
    if (request.method !== "GET") return;
    this.#memory.put(url, response, this.#settings.clock.now());
    if (this.#folder !== undefined && isFinal(request, response)) {
      await this.#folder.put(url, response);
    }
  }
}

interface CacheHit {
  readonly response: HttpResponse;
  readonly from: "memory" | "folder";
}

/** Whether a response can never change; not if its endpoint cannot read the body. */
function isFinal(request: HttpRequest, response: HttpResponse): boolean {
  try {
    return response.status === 200 && request.isImmutable?.(response) === true;
  } catch {
    return false;
  }
}

async function* yieldText(text: string): AsyncGenerator<string, void> {
  if (text !== "") yield text;
}

/** Maximum total length of the cached texts; the oldest responses are evicted first. */
const MAX_CHARS = 8 * 1024 * 1024;

interface CacheEntry {
  readonly response: HttpResponse;
  readonly expiresAtMs: number;
}

/** Caches responses whose `Cache-Control` allows reuse. */
export class MemoryCache {
  readonly #byUrl = new Map<string, CacheEntry>();
  #chars = 0;

  /** Returns the cached response for a URL, unless it has expired. */
  get(url: string, nowMs: number): HttpResponse | undefined {
    const entry = this.#byUrl.get(url);
    if (entry === undefined) return undefined;
    if (nowMs < entry.expiresAtMs) return copy(entry.response);
    this.#drop(url, entry);
    return undefined;
  }

  /** Stores a response if its headers allow it. */
  put(url: string, response: HttpResponse, nowMs: number): void {
    const previous = this.#byUrl.get(url);
    if (previous !== undefined) this.#drop(url, previous);
    const freshMs = computeFreshMs(response);
    if (freshMs <= 0 || response.body.length > MAX_CHARS) return;
    this.#byUrl.set(url, { response: copy(response), expiresAtMs: nowMs + freshMs });
    this.#chars += response.body.length;
    for (const [oldUrl, entry] of this.#byUrl) {
      if (this.#chars <= MAX_CHARS) break;
      this.#drop(oldUrl, entry);
    }
  }

  #drop(url: string, entry: CacheEntry): void {
    this.#byUrl.delete(url);
    this.#chars -= entry.response.body.length;
  }
}

/** Headers are mutable, so each caller gets a copy. */
function copy(response: HttpResponse): HttpResponse {
  return { ...response, headers: new Headers(response.headers) };
}

/**
 * Returns for how long a response may be reused: `max-age` minus `Age` for a 200 that is `public` and has no
 * directive against it; otherwise 0.
 */
function computeFreshMs({ status, headers }: HttpResponse): number {
  const control = headers.get("cache-control")?.toLowerCase() ?? "";
  if (status !== 200 || !/\bpublic\b/.test(control)) return 0;
  if (/\b(?:no-store|no-cache|private)\b/.test(control)) return 0;
  const maxAgeSec = /(?:^|[\s,])max-age="?(\d+)/.exec(control)?.[1];
  const ageSec = /^\d+$/.exec(headers.get("age") ?? "")?.[0];
  return (Number(maxAgeSec ?? 0) - Number(ageSec ?? 0)) * 1000;
}
