import type { HttpResponse } from "../requests/transport.ts";

/** Maximum total length of the cached texts; the oldest answers are evicted first. */
const MAX_CHARS = 8 * 1024 * 1024;

interface CachedResponse {
  readonly response: HttpResponse;
  readonly untilMs: number;
}

/** Caches answers whose `Cache-Control` allows reuse. */
export class MemoryCache {
  readonly #byUrl = new Map<string, CachedResponse>();
  #chars = 0;

  /** Returns the cached answer for a URL, unless it has expired. */
  get(url: string, nowMs: number): HttpResponse | undefined {
    const cached = this.#byUrl.get(url);
    if (cached === undefined) return undefined;
    if (nowMs < cached.untilMs) return copy(cached.response);
    this.#drop(url, cached);
    return undefined;
  }

  /** Stores an answer if its headers allow it. */
  put(url: string, response: HttpResponse, nowMs: number): void {
    const before = this.#byUrl.get(url);
    if (before !== undefined) this.#drop(url, before);
    const freshMs = freshForMs(response);
    if (freshMs <= 0 || response.body.length > MAX_CHARS) return;
    this.#byUrl.set(url, { response: copy(response), untilMs: nowMs + freshMs });
    this.#chars += response.body.length;
    for (const [oldUrl, cached] of this.#byUrl) {
      if (this.#chars <= MAX_CHARS) break;
      this.#drop(oldUrl, cached);
    }
  }

  #drop(url: string, cached: CachedResponse): void {
    this.#byUrl.delete(url);
    this.#chars -= cached.response.body.length;
  }
}

/** Headers are mutable, so each caller gets a copy. */
function copy(response: HttpResponse): HttpResponse {
  return { ...response, headers: new Headers(response.headers) };
}

/**
 * How long an answer may be reused: `max-age` minus `Age` for a 200 that is `public` and has no
 * directive against it; otherwise 0.
 */
function freshForMs({ status, headers }: HttpResponse): number {
  const control = headers.get("cache-control")?.toLowerCase() ?? "";
  if (status !== 200 || !/\bpublic\b/.test(control)) return 0;
  if (/\b(?:no-store|no-cache|private)\b/.test(control)) return 0;
  const maxAgeSec = /(?:^|[\s,])max-age="?(\d+)/.exec(control)?.[1];
  const ageSec = /^\d+$/.exec(headers.get("age") ?? "")?.[0];
  return (Number(maxAgeSec ?? 0) - Number(ageSec ?? 0)) * 1000;
}
