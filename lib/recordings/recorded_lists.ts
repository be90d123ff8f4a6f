import { type Answer, jsonAnswer } from "./exchange.ts";
import { paging, partsOf, pathKey } from "./request_key.ts";
import { splitJsonArray } from "./split_json_array.ts";
import type { Tape } from "./tape.ts";

/** Rows a request of a list asks for. */
export interface RowRange {
  /** Which list: path and filter, without paging. */
  readonly list: string;
  /** Rows left out at its beginning. */
  readonly offset: number;
  /** Most rows to give; `Infinity` on a route without pages. */
  readonly limit: number;
}

/** A recorded page of a list. */
export interface RecordedPage extends RowRange {
  /** Text of the page, an array of rows. */
  readonly body: string;
}

interface ReadPage extends RowRange {
  readonly rows: readonly string[];
}

const tradesRoute = "/api/v2/trades";
const listPath = /^\/api\/(?:v1\/account\/0x[0-9a-f]{40}\/orders|v[12]\/trades)(?:\?|$)/i;
const defaultLimit = "10";
const mostRows = 1000;
const accountLimit =
  '{"errorType":"LIMIT_OUT_OF_BOUNDS","description":"The pagination limit is [1,1000]."}';
const tradesLimit = '{"errorType":"InvalidLimit","description":"limit must be between 1 and 1000"}';

/** What rows of which list a GET asks for; `undefined` if it asks for no list or its paging is no number. */
export function rowRangeOf(path: string): RowRange | undefined {
  if (!listPath.test(path)) return undefined;
  const { route, fields } = partsOf(pathKey(path));
  const filters = fields.filter(([name]) => !paging.includes(name));
  const query = new Map(fields);
  if (!route.endsWith("/trades")) return filters.length === 0 ? paged(route, query) : undefined;
  const [filter] = filters;
  if (filters.length !== 1 || filter === undefined) return undefined;
  const list = `${tradesRoute}?${filter.join("=")}`;
  if (route === tradesRoute) return paged(list, query);
  // v1 gives the rows of v2, all at once and in the same order.
  return fields.length === 1 ? { list, offset: 0, limit: Infinity } : undefined;
}

function paged(list: string, query: ReadonlyMap<string, string>): RowRange | undefined {
  const offset = query.get("offset") ?? "0";
  const limit = query.get("limit") ?? defaultLimit;
  if (![offset, limit].every((text) => /^\d{1,15}$/.test(text))) return undefined;
  return { list, offset: Number(offset), limit: Number(limit) };
}

/** Every recorded page by its list, in the order they were recorded. */
export function recordedPages(tape: Tape): Map<string, RecordedPage[]> {
  const lists = new Map<string, RecordedPage[]>();
  for (const [key, { status, responseBody }] of tape.gets) {
    const range = status === 200 ? rowRangeOf(key) : undefined;
    if (range === undefined) continue;
    const page = { ...range, body: responseBody };
    const pages = lists.get(range.list);
    if (pages === undefined) lists.set(range.list, [page]);
    else pages.push(page);
  }
  return lists;
}

/** The answer for any page of a list, put together from recorded pages of it. */
export function composePage(
  lists: ReadonlyMap<string, readonly RecordedPage[]>,
  range: RowRange,
): Answer | undefined {
  if (range.limit !== Infinity && (range.limit < 1 || range.limit > mostRows)) {
    return jsonAnswer(400, range.list.startsWith(tradesRoute) ? tradesLimit : accountLimit);
  }
  const rows = composeRows(readPages(lists.get(range.list) ?? []), range);
  return rows === undefined ? undefined : jsonAnswer(200, `[${rows.join(",")}]`);
}

/** Which rows of a list were recorded, for a person to read. */
export function rowsRecorded(pages: readonly RecordedPage[]): string {
  return readPages(pages).map((page) => {
    const last = page.offset + page.rows.length - 1;
    const rows = page.rows.length === 0 ? `none from ${page.offset}` : `${page.offset} to ${last}`;
    return knownUpTo(page) === Infinity ? `${rows} (the end)` : rows;
  }).join(", ");
}

/**
 * The rows a request asks for, cut from recorded pages: from one page when one holds them all, the
 * one recorded last first, else from pages laid end to end.
 *
 * @returns Texts of the rows, or `undefined` when some of them were never recorded.
 */
function composeRows(
  pages: readonly ReadPage[],
  { offset, limit }: RowRange,
): string[] | undefined {
  const end = offset + limit;
  const latestFirst = pages.toReversed();
  const whole = latestFirst.find((page) => page.offset <= offset && knownUpTo(page) >= end);
  if (whole !== undefined) return whole.rows.slice(offset - whole.offset, end - whole.offset);
  const rows: string[] = [];
  for (let at = offset; at < end;) {
    const holding = latestFirst.filter((page) => page.offset <= at);
    const next = holding.find((page) => at < page.offset + page.rows.length);
    if (next === undefined) return holding.some((page) => knownUpTo(page) > at) ? rows : undefined;
    const part = next.rows.slice(at - next.offset, end - next.offset);
    rows.push(...part);
    at += part.length;
  }
  return rows;
}

function readPages(pages: readonly RecordedPage[]): ReadPage[] {
  return pages.flatMap(({ body, ...range }) => {
    const rows = splitJsonArray(body);
    return rows === undefined ? [] : [{ ...range, rows }];
  });
}

/** First row the page says nothing about: a page shorter than its limit is the end of the list. */
function knownUpTo(page: ReadPage): number {
  return page.rows.length < page.limit ? Infinity : page.offset + page.rows.length;
}
