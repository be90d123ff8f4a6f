import { InputError } from "../errors/mod.ts";
import { ORDER_STATUSES } from "../schemas/order.ts";
import { sameHex } from "../units/mod.ts";
import {
  AUCTION_COLUMNS,
  type AuctionRow,
  type ListColumn,
  ORDER_COLUMNS,
  type OrderRow,
  TRADE_COLUMNS,
  type TradeRow,
} from "./list_rows.ts";
import type { Listing, Times } from "./listings.ts";

/** The lists. */
export type ListName = "orders" | "auctions" | "trades";

/** Filters that every list has as parameters of its query, and what they take. */
export const FILTERS: Readonly<Record<ListName, readonly FilterName[]>> = {
  orders: ["text", "status", "verdict", "token", "owner", "solver", "from", "to"],
  auctions: ["text", "solver", "from", "to"],
  trades: ["text", "token", "owner", "solver", "from", "to"],
};

/** A filter. */
export type FilterName =
  | "text"
  | "status"
  | "verdict"
  | "token"
  | "owner"
  | "solver"
  | "from"
  | "to";

/** Columns by which a list is sorted, by the list. */
const SORTS: Readonly<Record<ListName, readonly string[]>> = {
  orders: sortsOf(ORDER_COLUMNS),
  auctions: sortsOf(AUCTION_COLUMNS),
  trades: sortsOf(TRADE_COLUMNS),
};

function sortsOf(columns: readonly { readonly name: string; readonly sorts?: boolean }[]) {
  return columns.flatMap(({ name, sorts = false }) => sorts ? [name, `-${name}`] : []);
}

/** Ways to sort a list: names of columns, with `-` for the largest first. */
export function sortsFor(name: ListName): readonly string[] {
  return SORTS[name];
}

/** The filters that are set. */
type Filters = Partial<Record<FilterName, string>>;

/** What a query asks for. */
export interface ListQuery {
  /** The filters. */
  readonly filters: Filters;
  /** The column that it is sorted by, with `-` for the largest first; empty for the newest first. */
  readonly sort: string;
  /** The page, from 1. */
  readonly page: number;
}

const STATUSES = ORDER_STATUSES.map((status) => status.toLowerCase());
const LONGEST = 200;
const ACTION = "Cannot show this list";

/** Reads the query of a list. @throws {InputError} If it is not understood. */
export function listQuery(name: ListName, query: URLSearchParams): ListQuery {
  const filters: Filters = {};
  for (const [key, raw] of query) {
    const value = raw.trim();
    if (key === "page" || key === "sort" || value === "") continue;
    const filter = FILTERS[name].find((one) => one === key);
    if (filter === undefined || value.length > LONGEST || filters[filter] !== undefined) {
      throw new InputError(`${ACTION}: the filter ${JSON.stringify(key.slice(0, 40))} is unclear`, {
        remedy: `Filter by ${
          FILTERS[name].join(", ")
        }, each once, in at most ${LONGEST} characters`,
      });
    }
    filters[filter] = value;
  }
  if (filters.status !== undefined && !STATUSES.includes(filters.status.toLowerCase())) {
    throw new InputError(
      `${ACTION}: ${JSON.stringify(filters.status.slice(0, 40))} is not a status`,
      {
        remedy: `Filter by one of ${ORDER_STATUSES.join(", ")}`,
      },
    );
  }
  for (const end of ["from", "to"] as const) if (filters[end] !== undefined) timeOf(filters[end]);
  return { filters, sort: sortOf(name, query), page: pageOf(query) };
}

/** Unix milliseconds of a day or a time in UTC. */
function timeOf(text: string): number {
  const [, day, time = "00:00"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)Z?)?$/
      .exec(text) ?? [];
  try {
    return Temporal.Instant.from(`${day}T${time}Z`).epochMilliseconds;
  } catch {
    throw new InputError(`${ACTION}: ${JSON.stringify(text.slice(0, 40))} is not a time`, {
      remedy: "Pass a day or a time in UTC, such as 2026-11-21 or 2026-11-21T15:00",
    });
  }
}

function sortOf(name: ListName, query: URLSearchParams): string {
  const sort = query.getAll("sort").join(", ");
  if (sort === "" || SORTS[name].includes(sort)) return sort;
  throw new InputError(`${ACTION}: it is not sorted by ${JSON.stringify(sort.slice(0, 40))}`, {
    remedy: `Sort by one of ${SORTS[name].join(", ")}`,
  });
}

/** Rows in the order that is asked for; those that are equal stay in theirs. */
export function sorted<Row>(
  rows: readonly Row[],
  sort: string,
  columns: readonly ListColumn<Row>[],
): readonly Row[] {
  const column = columns.find(({ name }) => name === sort.replace("-", ""));
  if (column === undefined) return rows;
  const { key = column.of } = column;
  const keyed = rows.map((row) => [key(row) ?? "", row] as const);
  const sign = sort.startsWith("-") ? -1 : 1;
  return keyed.sort(([a], [b]) => a < b ? -sign : a > b ? sign : 0).map(([, row]) => row);
}

function pageOf(query: URLSearchParams): number {
  const page = query.getAll("page").join(", ") || "1";
  if (/^[1-9]\d{0,5}$/.test(page)) return Number(page);
  throw new InputError(`${ACTION}: ${JSON.stringify(page.slice(0, 40))} is not a page`, {
    remedy: "Pass one whole number from 1 to 999999 as page",
  });
}

/** A filter and a page as the query of a link. */
export function queryText({ filters, sort, page }: ListQuery): string {
  const query = new URLSearchParams(Object.entries(filters));
  if (sort !== "") query.set("sort", sort);
  if (page > 1) query.set("page", String(page));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** What tells names from addresses, and times of rows. */
export interface Names {
  /** Whether a token is meant by a word: its address or its symbol. */
  isToken(address: string, word: string): boolean;
  /** Whether a solver is meant by a word: its address or its name. */
  isSolver(address: string, word: string): boolean;
  /** When auctions began and orders were filled. */
  readonly times: Times;
}

/** Whether a time is in the range that is asked for; the unknown is in none. */
function rangeOf({ from, to }: Filters): (ms: number | null) => boolean {
  if (from === undefined && to === undefined) return () => true;
  const [first, end] = [from ?? "0001-01-01", to ?? "9999-12-31"].map(timeOf);
  return (ms) => ms !== null && ms >= first! && ms < end!;
}

/** The orders that fit, except for the verdict. */
export function ordersThatFit(listing: Listing, filters: Filters, names: Names): OrderRow[] {
  const { status, owner, token, solver, text } = filters;
  const isWithin = rangeOf(filters);
  return listing.orders.filter((row) =>
    isWithin(row.createdMs) &&
    (status === undefined || row.status.toLowerCase() === status.toLowerCase()) &&
    (owner === undefined || sameHex(row.owner, owner)) &&
    (token === undefined || hasToken(row, token, names)) &&
    (solver === undefined ||
      some(listing.solversOf.get(row.uid), (one) => names.isSolver(one, solver))) &&
    (text === undefined ||
      contains([row.uid, row.owner, row.status, row.kind, row.createdAt], text) ||
      hasToken(row, text, names))
  );
}

/** The auctions that fit. */
export function auctionsThatFit(listing: Listing, filters: Filters, names: Names): AuctionRow[] {
  const { solver, text } = filters;
  const isWithin = rangeOf(filters);
  return listing.auctions.filter((row) =>
    isWithin(names.times.auction(row)?.at ?? null) &&
    (solver === undefined || some(row.solvers, (one) => names.isSolver(one, solver))) &&
    (text === undefined ||
      contains([String(row.auctionId), String(row.startBlock)], text) ||
      some(row.settlements, ({ txHash }) => contains([txHash], text)) ||
      some(row.won, ({ uid }) => contains([uid], text)) ||
      some(row.solvers, (one) => names.isSolver(one, text)))
  );
}

/** The fills that fit. */
export function tradesThatFit(listing: Listing, filters: Filters, names: Names): TradeRow[] {
  const { owner, token, solver, text } = filters;
  const wasBy = (row: TradeRow, word: string) => {
    const by = row.txHash === null ? undefined : listing.solverOf.get(row.txHash);
    return by !== undefined && names.isSolver(by, word);
  };
  const isWithin = rangeOf(filters);
  return listing.trades.filter((row) =>
    isWithin(names.times.trade(row)?.at ?? null) &&
    (owner === undefined || sameHex(row.owner, owner)) &&
    (token === undefined || hasToken(row, token, names)) &&
    (solver === undefined || wasBy(row, solver)) &&
    (text === undefined ||
      contains([row.uid, row.owner, row.txHash ?? "", String(row.block)], text) ||
      hasToken(row, text, names))
  );
}

function hasToken(
  { sellToken, buyToken }: { readonly sellToken: string; readonly buyToken: string },
  word: string,
  names: Names,
): boolean {
  return names.isToken(sellToken, word) || names.isToken(buyToken, word);
}

function some<Value>(values: Iterable<Value> | undefined, fits: (value: Value) => boolean) {
  return values !== undefined && [...values].some(fits);
}

function contains(values: readonly string[], text: string): boolean {
  const part = text.toLowerCase();
  return values.some((value) => value.toLowerCase().includes(part));
}
