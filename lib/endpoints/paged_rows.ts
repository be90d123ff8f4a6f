import { DecodeError } from "../errors/mod.ts";
import { type OptionRule, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import type { Page, PageFailure } from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions, Failures, type Progress } from "./calls.ts";

/** Maximum number of consecutive pages without a new row. */
const MAX_STALE_PAGES = 3;

/** Number of previous pages in which a row may occur again. */
const REMEMBERED_PAGES = 8;

/** A paged list of the service, newest row first. */
interface PagedList<T> {
  /** The rows, such as `the orders of account 0x12…`. */
  readonly subject: string;
  /** Requests one page. */
  readonly requestPage: RequestPage<T>;
  /** Identifies a row. */
  getKey(row: T): string;
}

interface Row<T> {
  readonly row?: T;
  readonly failure?: PageFailure;
}

/**
 * Reads a list to its end: the first page shorter than requested.
 *
 * New rows arrive at the front and shift the others back, so a page may start with rows of the
 * previous page; these are recognized by their key and dropped. No row is skipped by that. A page
 * without a new row is requested once more, in case a stale response was returned; if it still has
 * none, reading continues after it. Rows that vanish while the list is read (a chain reorganisation
 * can revert trades) shift the others forward, and as many rows may be skipped.
 *
 * One page is requested at a time, and only when its first row is consumed, so leaving the loop
 * sends nothing more. With `pagesAhead`, the next page is requested once the rows of a full page are
 * counted; leaving the loop then aborts that request.
 */
export async function* readPagedRows<T>(
  list: PagedList<T>,
  options: PagedListOptions,
): AsyncGenerator<T, void, undefined> {
  const { limit = Infinity, pageSize = MAX_PAGE_ROWS, pagesAhead, onProgress, onFailure } = options;
  const requests = new PageRequests(list.requestPage, options.signal);
  const failures = new Failures<PageFailure>(list.subject, onFailure);
  // Of the latest pages only, so that memory does not grow with the list.
  const keys: Set<string>[] = [];
  let offset = 0;
  let done = 0;
  let stalePages = 0;
  let isRepeated = false;
  try {
    while (done < limit) {
      const requestedCount = Math.min(pageSize, limit - done);
      const response = await requests.take({ offset, limit: requestedCount });
      const { count } = response;
      const remaining = limit - done - count;
      if (pagesAhead === 1 && count === requestedCount && remaining > 0) {
        requests.start({ offset: offset + count, limit: Math.min(pageSize, remaining) });
      }
      keys.unshift(new Set());
      keys.length = Math.min(keys.length, REMEMBERED_PAGES);
      const doneBefore = done;
      for (const { row, failure } of mergeInOrder(response.decode())) {
        if (done === limit) break;
        const key = row === undefined ? JSON.stringify(failure?.body) : list.getKey(row);
        if (keys.some((page) => page.has(key))) continue;
        keys[0]?.add(key);
        done++;
        if (failure !== undefined) failures.add({ ...failure, index: offset + failure.index });
        if (row !== undefined) yield row;
      }
      onProgress?.({ done });
      if (count < requestedCount) break;
      if (done === doneBefore && !isRepeated) {
        isRepeated = true;
        continue;
      }
      stalePages = done === doneBefore ? stalePages + 1 : 0;
      if (stalePages === MAX_STALE_PAGES) throw createRepeatError(list.subject, { offset, count });
      isRepeated = false;
      offset += count;
    }
  } finally {
    requests.leave();
  }
  failures.throwIfAny();
}

/** Valid and invalid rows of a page, in their original order. */
function mergeInOrder<T>({ items, failed }: Page<T>): Row<T>[] {
  const rows: Row<T>[] = items.map((row) => ({ row }));
  for (const failure of failed) rows.splice(failure.index, 0, { failure });
  return rows;
}

function createRepeatError(subject: string, page: { offset: number; count: number }): DecodeError {
  return new DecodeError({
    what: subject,
    path: "",
    expected: `new rows at offset ${page.offset}`,
    found: `${page.count} rows of earlier pages, as in the previous ${MAX_STALE_PAGES - 1} pages`,
  });
}

/** A range of rows of a list. */
interface RowRange {
  /** Number of newer rows. */
  readonly offset: number;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** A page as received. */
interface ReceivedPage<T> {
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

/** Requests the pages of a list one at a time: each when it is needed, or one page ahead. */
class PageRequests<T> {
  readonly #request: RequestPage<T>;
  readonly #signal: AbortSignal | undefined;
  #ahead: { range: RowRange; page: Promise<ReceivedPage<T>>; left: AbortController } | undefined;

  constructor(request: RequestPage<T>, signal: AbortSignal | undefined) {
    this.#request = request;
    this.#signal = signal;
  }

  /** Returns the page of a range: the one requested ahead, if it has this range. */
  async take(range: RowRange): Promise<ReceivedPage<T>> {
    const ahead = this.#ahead;
    if (ahead?.range.offset === range.offset && ahead.range.limit === range.limit) {
      this.#ahead = undefined;
      return await ahead.page;
    }
    this.leave();
    return await this.#request(range, { signal: this.#signal });
  }

  /** Requests a page before it is needed; a failure is thrown by `take`. */
  start(range: RowRange): void {
    const controller = new AbortController();
    const signal = this.#signal === undefined
      ? controller.signal
      : AbortSignal.any([this.#signal, controller.signal]);
    const page = this.#request(range, { signal });
    page.catch(() => {});
    this.#ahead = { range, page, left: controller };
  }

  /** Aborts the request of an unused page. */
  leave(): void {
    this.#ahead?.left.abort();
    this.#ahead = undefined;
  }
}

/** Options of a call that returns a list. */
export interface ListOptions extends CallOptions {
  /**
   * Called for every element that cannot be decoded. Without it, the call still returns the valid
   * elements and then throws an {@linkcode IncompleteListError} with the failures.
   */
  onFailure?: ((failure: PageFailure) => void) | undefined;
}

/** Allowed values of the {@linkcode ListOptions}. */
export const LIST_OPTIONS: OptionRules<ListOptions> = { ...CALL_OPTIONS, onFailure: Function };

/** Options of a call that returns a list page by page. */
export interface PagedListOptions extends ListOptions {
  /**
   * Maximum number of rows to read, newest first; rows that cannot be decoded count. No further
   * rows are requested.
   * @default {all rows}
   */
  limit?: number | undefined;
  /** Rows per page, from 1 to 1000. @default {1000} */
  pageSize?: number | undefined;
  /**
   * `1` requests the next page while the rows of the current one are decoded and consumed, which
   * takes memory for one more page. The requests are the same, only earlier: after a full page, and
   * within `limit`. Leaving the loop aborts the pending one.
   * @default {0}
   */
  pagesAhead?: 0 | 1 | undefined;
  /** Called after each page with the number of rows read; the total is unknown until the end. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Maximum number of rows that the service puts on a page. */
const MAX_PAGE_ROWS = 1_000;

/** Allowed values of the {@linkcode PagedListOptions}. */
export const PAGED_LIST_OPTIONS: OptionRules<PagedListOptions> = {
  ...LIST_OPTIONS,
  limit: wholeNumber(0),
  pageSize: wholeNumber(1, MAX_PAGE_ROWS),
  pagesAhead: wholeNumber(0, 1) as OptionRule<0 | 1>,
  onProgress: Function,
};

/**
 * Returns the elements of an unpaged list, if all are valid.
 *
 * @throws {IncompleteListError} If some elements are invalid and `onFailure` is not set; `items`
 *   holds the valid ones.
 */
export function requireWholeList<T>(
  { items, failed }: Page<T>,
  subject: string,
  { onFailure }: ListOptions,
): T[] {
  const failures = new Failures<PageFailure>(subject, onFailure);
  for (const failure of failed) failures.add(failure);
  failures.throwIfAny(items);
  return [...items];
}
