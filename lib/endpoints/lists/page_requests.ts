import type { Page } from "../../schemas/mod.ts";

/** Rows of a list: so many from an offset on. */
export interface RowRange {
  /** Number of newer rows. */
  readonly offset: number;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** A page as received. */
export interface ReceivedPage<T> {
  /** Number of its rows. */
  readonly count: number;
  /** Decodes its rows. */
  decode(): Page<T>;
}

/** Requests one page. */
export type RequestPage<T> = (
  rows: RowRange,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<ReceivedPage<T>>;

/** The requests for the pages of a list, one at a time: each when it is needed, or one page ahead. */
export class PageRequests<T> {
  readonly #request: RequestPage<T>;
  readonly #signal: AbortSignal | undefined;
  #ahead: { range: RowRange; page: Promise<ReceivedPage<T>>; left: AbortController } | undefined;

  constructor(request: RequestPage<T>, signal: AbortSignal | undefined) {
    this.#request = request;
    this.#signal = signal;
  }

  /** The page of a range: the one requested ahead, if it is of this range. */
  async take(range: RowRange): Promise<ReceivedPage<T>> {
    const ahead = this.#ahead;
    if (ahead?.range.offset === range.offset && ahead.range.limit === range.limit) {
      this.#ahead = undefined;
      return await ahead.page;
    }
    this.leave();
    return await this.#request(range, { signal: this.#signal });
  }

  /** Requests a page before it is needed; a failure is for whoever takes it. */
  start(range: RowRange): void {
    const left = new AbortController();
    const signal = this.#signal === undefined
      ? left.signal
      : AbortSignal.any([this.#signal, left.signal]);
    const page = this.#request(range, { signal });
    page.catch(() => {});
    this.#ahead = { range, page, left };
  }

  /** Aborts the request for a page that nobody will take. */
  leave(): void {
    this.#ahead?.left.abort();
    this.#ahead = undefined;
  }
}
