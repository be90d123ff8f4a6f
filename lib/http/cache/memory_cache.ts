import type { HttpResponse } from "../requests/transport.ts";

/** Maximum total length of the cached texts; the oldest answers are evicted first. */
const MOST_CHARS = 8 * 1024 * 1024;

interface Kept {
  readonly response: HttpResponse;
  readonly untilMs: number;
}

/** Caches answers whose `Cache-Control` allows reuse. */
export class MemoryCache {
  readonly #byUrl = new Map<string, Kept>();
  #chars = 0;

  /** Returns the cached answer for a URL, unless it has expired. */
  get(url: string, nowMs: number): HttpResponse | undefined {
    const kept = this.#byUrl.get(url);
    if (kept === undefined) return undefined;
    if (nowMs < kept.untilMs) return copy(kept.response);
    this.#drop(url, kept);
    return undefined;
  }

  /** Stores an answer if its headers allow it. */
  put(url: string, response: HttpResponse, nowMs: number): void {
    const before = this.#byUrl.get(url);
    if (before !== undefined) this.#drop(url, before);
    const freshMs = freshForMs(response);
    if (freshMs <= 0 || response.body.length > MOST_CHARS) return;
    this.#byUrl.set(url, { response: copy(response), untilMs: nowMs + freshMs });
    this.#chars += response.body.length;
    for (const [oldUrl, kept] of this.#byUrl) {
      if (this.#chars <= MOST_CHARS) break;
      this.#drop(oldUrl, kept);
    }
  }

  #drop(url: string, kept: Kept): void {
    this.#byUrl.delete(url);
    this.#chars -= kept.response.body.length;
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
