import { UIDS_PER_REQUEST } from "../endpoints/orders_by_uids.ts";
import type { Recording } from "./recording.ts";
import {
  normalizePath,
  paging,
  type RecordedResponse,
  splitPath,
  toJson,
  tryParseJson,
} from "./request_key.ts";

/** A requested range of a list. */
interface RowRange {
  /** Path and filter of the list, without paging. */
  readonly list: string;
  /** Rows to skip. */
  readonly offset: number;
  /** Maximum number of rows; `Infinity` on a route without pages. */
  readonly limit: number;
}

/** A recorded page of a list. */
interface RecordedPage extends RowRange {
  /** Body of the page: a JSON array of rows. */
  readonly body: string;
}

interface ParsedPage extends RowRange {
  readonly rows: readonly string[];
}

const tradesRoute = "/api/v2/trades";
const listPath = /^\/api\/(?:v1\/account\/0x[0-9a-f]{40}\/orders|v[12]\/trades)(?:\?|$)/i;
const defaultLimit = "10";
const maxRows = 1000;
const accountLimit =
  '{"errorType":"LIMIT_OUT_OF_BOUNDS","description":"The pagination limit is [1,1000]."}';
const tradesLimit = '{"errorType":"InvalidLimit","description":"limit must be between 1 and 1000"}';

/** Parses the range that a GET requests; `undefined` if it requests no list, or its paging is invalid. */
export function parseRowRange(path: string): RowRange | undefined {
  if (!listPath.test(path)) return undefined;
  const { route, fields } = splitPath(normalizePath(path));
  const filters = fields.filter(([name]) => !paging.includes(name));
  const query = new Map(fields);
  if (!route.endsWith("/trades")) {
    return filters.length === 0 ? toRowRange(route, query) : undefined;
  }
  const [filter] = filters;
  if (filters.length !== 1 || filter === undefined) return undefined;
  const list = `${tradesRoute}?${filter.join("=")}`;
  if (route === tradesRoute) return toRowRange(list, query);
  // v1 returns all rows of v2 at once, in the same order.
  return fields.length === 1 ? { list, offset: 0, limit: Infinity } : undefined;
}

function toRowRange(list: string, query: ReadonlyMap<string, string>): RowRange | undefined {
  const offset = query.get("offset") ?? "0";
  const limit = query.get("limit") ?? defaultLimit;
  if (![offset, limit].every((text) => /^\d{1,15}$/.test(text))) return undefined;
  return { list, offset: Number(offset), limit: Number(limit) };
}

/** Collects recorded pages by list, in recorded order. */
export function collectPages(recording: Recording): Map<string, RecordedPage[]> {
  const pages = recording.gets.entries().flatMap(([key, { status, responseBody: body }]) => {
    const range = status === 200 ? parseRowRange(key) : undefined;
    return range === undefined ? [] : [{ ...range, body }];
  });
  return Map.groupBy(pages, ({ list }) => list);
}

/** Composes a page of a list from its recorded pages. */
export function composePage(
  lists: ReadonlyMap<string, readonly RecordedPage[]>,
  range: RowRange,
): RecordedResponse | undefined {
  if (range.limit !== Infinity && (range.limit < 1 || range.limit > maxRows)) {
    return toJson(400, range.list.startsWith(tradesRoute) ? tradesLimit : accountLimit);
  }
  const rows = composeRows(readPages(lists.get(range.list) ?? []), range);
  return rows === undefined ? undefined : toJson(200, `[${rows.join(",")}]`);
}

/** Describes the recorded rows of a list. */
export function describeRows(pages: readonly RecordedPage[]): string {
  return readPages(pages).map((page) => {
    const last = page.offset + page.rows.length - 1;
    const rows = page.rows.length === 0 ? `none from ${page.offset}` : `${page.offset} to ${last}`;
    return findCoverageEnd(page) === Infinity ? `${rows} (the end)` : rows;
  }).join(", ");
}

/**
 * Composes rows from recorded pages, the later ones first. Where an earlier page continues, rows have
 * moved since: it is used after the last row that both have.
 *
 * @returns Texts of the rows; `undefined` if a row was not recorded.
 */
function composeRows(
  pages: readonly ParsedPage[],
  { offset, limit }: RowRange,
): string[] | undefined {
  const end = offset + limit;
  const latestFirst = pages.toReversed();
  const rows: string[] = [];
  for (let row = offset; row < end;) {
    const next = latestFirst.find((page) => page.offset <= row && findCoverageEnd(page) > row);
    if (next === undefined) return undefined;
    const last = rows.at(-1);
    const overlap = last === undefined ? -1 : next.rows.findIndex((row) => isSameRow(row, last));
    const start = overlap < 0 ? row - next.offset : overlap + 1;
    const part = next.rows.slice(start, start + end - row);
    for (const row of part) rows.push(row);
    row += part.length;
    if (part.length === 0) return findCoverageEnd(next) === Infinity ? rows : undefined;
  }
  return rows;
}

/** Whether two rows are of one order, or of one fill: an order's status may have changed. */
function isSameRow(a: string, b: string): boolean {
  const getKey = (row: string) => {
    const { uid, blockNumber, logIndex } = JSON.parse(row);
    return uid ?? (blockNumber === undefined ? row : `${blockNumber} ${logIndex}`);
  };
  return getKey(a) === getKey(b);
}

function readPages(pages: readonly RecordedPage[]): ParsedPage[] {
  return pages.flatMap(({ body, ...range }) => {
    const rows = splitJsonArray(body);
    return rows === undefined ? [] : [{ ...range, rows }];
  });
}

/** Finds the first row that a page does not cover; a page shorter than its limit covers the rest. */
function findCoverageEnd(page: ParsedPage): number {
  return page.rows.length < page.limit ? Infinity : page.offset + page.rows.length;
}

const orderPath = /^\/api\/v1\/orders\/(0x[0-9a-f]{112})$/;
const onlyUid = /^0x[0-9a-f]{112}$/i;
const quotedUid = /"(0x[0-9a-fA-F]{112})"/g;

const notFoundBody = '{"errorType":"NotFound","description":"Order was not found"}';

/** The order bodies of a recording. */
export interface RecordedOrders {
  /** Elements of by_uids responses by UID; `null` if the service reported that there is no order. */
  readonly elements: ReadonlyMap<string, string | null>;
  /** Collects UIDs that occur in any response: their orders exist. */
  mentioned(): ReadonlySet<string>;
}

/** Collects order bodies from the responses of orders/{uid} and by_uids. */
export function collectOrders(recording: Recording): RecordedOrders {
  const elements = new Map<string, string | null>();
  for (const { key, exchange } of recording.keyed) {
    if (exchange.method === "GET") {
      const uid = orderPath.exec(key)?.[1];
      if (uid === undefined) continue;
      if (exchange.status === 200) elements.set(uid, `{"order":${exchange.responseBody}}`);
      else if (exchange.status === 404) elements.set(uid, null);
    } else if (isByUids(exchange.method, key) && exchange.status === 200) {
      for (const uid of parseUids(exchange.requestBody) ?? []) {
        if (!elements.has(uid)) elements.set(uid, null);
      }
      for (const [uid, element] of splitByUid(exchange)) elements.set(uid, element);
    }
  }
  let mentioned: Set<string> | undefined;
  return { elements, mentioned: () => mentioned ??= collectMentionedUids(recording) };
}

/** Splits a by_uids response into the texts of its elements, by the UID of their order. */
export function splitByUid({ responseBody }: RecordedResponse): Map<string, string> {
  const elements = new Map<string, string>();
  for (const element of splitJsonArray(responseBody) ?? []) {
    const { order, error } = Object(JSON.parse(element));
    const uid: unknown = order?.uid ?? error?.uid;
    if (typeof uid === "string") elements.set(uid.toLowerCase(), element);
  }
  return elements;
}

/** Whether a request is a by_uids request. */
export function isByUids(method: string, path: string): boolean {
  return method === "POST" && path === "/api/v1/orders/by_uids";
}

/** Derives an orders/{uid} response from a recorded by_uids response. */
export function composeOrder(orders: RecordedOrders, path: string): RecordedResponse | undefined {
  const uid = orderPath.exec(path)?.[1];
  const element = uid === undefined ? undefined : orders.elements.get(uid);
  if (element === null) return toJson(404, notFoundBody);
  const order = /^\{\s*"order"\s*:\s*(\{[\s\S]*\})\s*\}$/.exec(element ?? "")?.[1];
  return order === undefined ? undefined : toJson(200, order);
}

/**
 * Derives a by_uids response: the orders in the requested order, without duplicates and missing ones.
 *
 * @returns `undefined` if the body is not a list of UIDs, or the body of an existing order was not
 * recorded.
 */
export function composeByUids(
  { elements, mentioned }: RecordedOrders,
  body: string | undefined,
): RecordedResponse | undefined {
  const uids = parseUids(body);
  if (uids === undefined) return undefined;
  if (uids.length > UIDS_PER_REQUEST) {
    return {
      status: 400,
      contentType: "text/plain; charset=utf-8",
      responseBody: `Request exceeds maximum number of order UIDs of ${UIDS_PER_REQUEST}`,
    };
  }
  if (elements.size === 0) return undefined;
  const orders: string[] = [];
  for (const uid of new Set(uids)) {
    const element = elements.get(uid);
    if (element === undefined && mentioned().has(uid)) return undefined;
    if (typeof element === "string") orders.push(element);
  }
  return toJson(200, `[${orders.join(",")}]`);
}

/** Parses the UIDs of a by_uids body, in lower case; `undefined` if it is anything else. */
export function parseUids(body: string | undefined): string[] | undefined {
  const uids = tryParseJson(body);
  const areUids = Array.isArray(uids) &&
    uids.every((uid) => typeof uid === "string" && onlyUid.test(uid));
  return areUids ? uids.map((uid: string) => uid.toLowerCase()) : undefined;
}

function collectMentionedUids(recording: Recording): Set<string> {
  const uids = new Set<string>();
  for (const { exchange: { status, responseBody } } of recording.keyed) {
    if (status >= 300) continue;
    for (const [, uid] of responseBody.matchAll(quotedUid)) {
      if (uid !== undefined) uids.add(uid.toLowerCase());
    }
  }
  return uids;
}

const quote = 0x22, backslash = 0x5c, comma = 0x2c;
const openBracket = 0x5b, closeBracket = 0x5d, openBrace = 0x7b, closeBrace = 0x7d;

/**
 * Splits the text of a JSON array into the texts of its elements, character for character: parsing
 * and printing would turn `1.0` into `1`.
 *
 * @returns The elements, `[]` for an empty array, or `undefined` if the text is not a JSON array.
 */
export function splitJsonArray(text: string): string[] | undefined {
  const array = text.trim();
  if (!array.startsWith("[") || tryParseJson(array) === undefined) return undefined;
  const elements: string[] = [];
  let depth = 0;
  let start = 1;
  for (let index = 0; index < array.length; index++) {
    const code = array.charCodeAt(index);
    if (code === quote) {
      index = findStringEnd(array, index);
    } else if (code === openBrace || code === openBracket) {
      depth++;
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
    } else if (code === comma && depth === 1) {
      elements.push(array.slice(start, index).trim());
      start = index + 1;
    }
  }
  const last = array.slice(start, -1).trim();
  if (last !== "") elements.push(last);
  return elements;
}

function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1);; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
}
