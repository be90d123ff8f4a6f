import { InputError } from "../errors/mod.ts";
import { ORDER_STATUSES } from "../schemas/order.ts";
import { sameHex } from "../units/mod.ts";
import type { AuctionRow, OrderRow, TradeRow } from "./list_rows.ts";
import type { Listing } from "./listings.ts";

/** The lists. */
export type ListName = "orders" | "auctions" | "trades";

/** Filters that every list has as parameters of its query, and what they take. */
export const FILTERS: Readonly<Record<ListName, readonly FilterName[]>> = {
  orders: ["text", "status", "verdict", "token", "owner", "solver"],
  auctions: ["text", "solver"],
  trades: ["text", "token", "owner", "solver"],
};

/** A filter. */
export type FilterName = "text" | "status" | "verdict" | "token" | "owner" | "solver";

/** The filters that are set. */
type Filters = Partial<Record<FilterName, string>>;

/** What a query asks for. */
export interface ListQuery {
  /** The filters. */
  readonly filters: Filters;
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
    if (key === "page" || value === "") continue;
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
  return { filters, page: pageOf(query) };
}

function pageOf(query: URLSearchParams): number {
  const [page = "1", ...others] = query.getAll("page");
  if (/^[1-9]\d{0,5}$/.test(page) && others.length === 0) return Number(page);
  throw new InputError(`${ACTION}: ${JSON.stringify(page.slice(0, 40))} is not a page`, {
    remedy: "Pass one whole number from 1 to 999999 as page",
  });
}

/** A filter and a page as the query of a link. */
export function queryText({ filters, page }: ListQuery): string {
  const query = new URLSearchParams(Object.entries(filters));
  if (page > 1) query.set("page", String(page));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** What tells names from addresses. */
export interface Names {
  /** Whether a token is meant by a word: its address or its symbol. */
  isToken(address: string, word: string): boolean;
  /** Whether a solver is meant by a word: its address or its name. */
  isSolver(address: string, word: string): boolean;
}

/** The orders that fit, except for the verdict. */
export function ordersThatFit(listing: Listing, filters: Filters, names: Names): OrderRow[] {
  const { status, owner, token, solver, text } = filters;
  return listing.orders.filter((row) =>
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
  return listing.auctions.filter((row) =>
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
  return listing.trades.filter((row) =>
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
