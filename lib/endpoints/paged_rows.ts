import { DecodeError } from "../errors/mod.ts";
import type { Page, PageFailure } from "../schemas/mod.ts";
import { checkedCount } from "./checked_count.ts";
import { Failures } from "./failures.ts";
import type { PagedListOptions } from "./list_options.ts";
import { RecentKeys } from "./recent_keys.ts";

/** Rows the service gives at a time. */
const MOST_ROWS = 1000;

/** How many pages in a row may bring nothing new. */
const MOST_STALE_PAGES = 3;

/** A list of the service that is read in pages, newest row first. */
export interface PagedList<T> {
  /** What is listed, as `the orders of account 0x12…`. */
  readonly what: string;
  /** Asks for one page. */
  readPage(rows: { offset: number; limit: number }): Promise<Page<T>>;
  /** What tells a row from all others. */
  keyOf(row: T): string;
}

interface Row<T> {
  readonly row?: T;
  readonly failure?: PageFailure;
}

/**
 * Reads a list to its end: the first page shorter than what was asked for.
 *
 * New rows arrive at the front and push the others on, so a page may begin with rows of the page
 * before; they are met by their key and dropped. Nothing is lost by that. A page that brings nothing
 * new is asked for once more, in case an old answer was given again; if it stays like that, reading
 * goes on behind it. Rows that vanish from the list while it is read (a chain's reorganisation can
 * take trades back) pull the others forward, and as many may be passed over.
 *
 * One page is asked for at a time and only when its first row is wanted, so a loop that is left sends
 * nothing more.
 *
 * @throws {InputError} At once, if `limit` or `pageSize` is out of range.
 */
export function pagedRows<T>(
  list: PagedList<T>,
  options: PagedListOptions,
): AsyncGenerator<T, void, undefined> {
  const { limit, pageSize = MOST_ROWS } = options;
  if (limit !== undefined) checkedCount(limit, { name: "limit", least: 0 });
  checkedCount(pageSize, { name: "pageSize", least: 1, most: MOST_ROWS });
  return readRows(list, { ...options, limit: limit ?? Infinity, pageSize });
}

async function* readRows<T>(
  list: PagedList<T>,
  { limit, pageSize, onProgress, onFailure }: PagedListOptions & {
    limit: number;
    pageSize: number;
  },
): AsyncGenerator<T, void, undefined> {
  const failures = new Failures<PageFailure>(list.what, onFailure);
  const keys = new RecentKeys();
  let offset = 0;
  let done = 0;
  let stalePages = 0;
  let isAskedAgain = false;
  while (done < limit) {
    const asked = Math.min(pageSize, limit - done);
    const page = await list.readPage({ offset, limit: asked });
    const count = page.items.length + page.failed.length;
    keys.turnPage();
    const before = done;
    for (const { row, failure } of inOrder(page)) {
      if (done === limit) break;
      if (!keys.add(row === undefined ? JSON.stringify(failure?.body) : list.keyOf(row))) continue;
      done++;
      if (failure !== undefined) failures.add({ ...failure, index: offset + failure.index });
      if (row !== undefined) yield row;
    }
    onProgress?.({ done });
    if (count < asked) break;
    if (done === before && !isAskedAgain) {
      isAskedAgain = true;
      continue;
    }
    stalePages = done === before ? stalePages + 1 : 0;
    if (stalePages === MOST_STALE_PAGES) throw repeating(list.what, { offset, count });
    isAskedAgain = false;
    offset += count;
  }
  failures.throwIfAny();
}

/** Good and bad rows of a page as they stood in it. */
function* inOrder<T>({ items, failed }: Page<T>): Generator<Row<T>> {
  let nextItem = 0;
  let nextFailed = 0;
  for (let index = 0; index < items.length + failed.length; index++) {
    const failure = failed[nextFailed];
    if (failure?.index === index) {
      nextFailed++;
      yield { failure };
    } else {
      yield { row: items[nextItem++]! };
    }
  }
}

function repeating(what: string, page: { offset: number; count: number }): DecodeError {
  return new DecodeError({
    what,
    path: "",
    expected: `rows that were not given before, at offset ${page.offset}`,
    found: `${page.count} rows of earlier pages, like the ${MOST_STALE_PAGES - 1} pages before`,
  });
}
