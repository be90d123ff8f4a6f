import { InputError } from "../errors/mod.ts";
import { ORDER_STATUSES } from "../schemas/order.ts";

/** Time of a row, in unix milliseconds. */
export interface TimeRange {
  /** Unix milliseconds; `null` if unknown. */
  readonly at_ms: number | null;
  /** The latest possible time, where only an interval is known. */
  readonly latest_ms: number | null;
}

/** Amounts that are sold and bought, in atoms as decimal text. */
interface TradedAmounts {
  readonly sell_token: string;
  readonly buy_token: string;
  readonly sell_amount_atoms: string;
  readonly buy_amount_atoms: string;
}

/** The lists, with their rows. */
export interface ListRows {
  readonly orders: TimeRange & TradedAmounts & {
    readonly uid: string;
    readonly status: string;
    /** Its verdict; `null` where it was not judged. */
    readonly verdict: string | null;
    readonly owner: string;
    readonly kind: "sell" | "buy";
    readonly executed_sell_amount_atoms: string;
    readonly executed_buy_amount_atoms: string;
    /** Filled part of the amount that it fixes, without a legacy fee. */
    readonly filled_fraction: number | null;
    /** Surplus of its fills, in basis points of the limit; `null` without any. */
    readonly surplus_bps: number | null;
  };
  readonly auctions: TimeRange & {
    readonly auction_id: number;
    readonly start_block: number;
    readonly orders: number;
    readonly solutions: number;
    /** Addresses with spaces between. */
    readonly winners: string;
    /** Hashes of its settlements with spaces between. */
    readonly tx_hashes: string;
  };
  readonly trades: TimeRange & TradedAmounts & {
    readonly block: number;
    readonly order_uid: string;
    readonly owner: string;
    readonly tx_hash: string | null;
  };
}

/** The name of a list and of its table. */
export type ListName = keyof ListRows;

/** A filter of a list, which is a parameter of its address. */
export type FilterName =
  | "text"
  | "status"
  | "verdict"
  | "token"
  | "owner"
  | "solver"
  | "from"
  | "to";

/** A list: one SELECT over the table `t` of its name. */
interface ListDefinition {
  /** Its columns, in SQL: those of its download. */
  readonly columns: Readonly<Record<string, string>>;
  /** Times of its rows. */
  readonly times: Readonly<Record<keyof TimeRange, string>>;
  /** SQL joins of the rows `t` of a page. @default {nothing} */
  readonly joins?: string;
  /** Columns that together are different in every row: the newest come first. */
  readonly key: string;
  /** Columns that sort it. */
  readonly sorts: readonly string[];
  /** Expressions that sort it instead of the column values. @default {nothing} */
  readonly sortKeys?: Readonly<Record<string, string>>;
  /** SQL conditions of its filters, which read the value of a filter as `$<name>`, in lower case. */
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** Filters whose values are counted: SQL that selects one row for each value of each row of `t`. */
  readonly facets: Readonly<Partial<Record<FilterName, string>>>;
}

/** SQL condition that a column is one of the addresses in `$<name>`, separated by spaces. */
function matchesAddress(column: string, name: string): string {
  return `list_contains(string_split($${name}, ' '), lower(${column}))`;
}

/** SQL condition that one of some columns contains `$text`. */
function hasText(...columns: readonly string[]): string {
  return columns.map((column) => `contains(lower(CAST(${column} AS VARCHAR)), $text)`).join(" OR ");
}

/** SQL condition that a row trades one of the tokens in `$<name>`, separated by spaces. */
function hasToken(name: string): string {
  return `${matchesAddress("t.sell_token", name)} OR ${matchesAddress("t.buy_token", name)}`;
}

function buildTimeFilters(column: string): Record<"from" | "to", string> {
  return { from: `${column} >= $from`, to: `${column} < $to` };
}

/** SQL condition that a row `s` of a table, of the same auction as the row, meets a condition. */
function hasSolution(table: string, condition: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS s WHERE s.auction_id = t.auction_id AND ${condition})`;
}

const TOKENS = "SELECT unnest(list_distinct([lower(t.sell_token), lower(t.buy_token)])) FROM t";
const OWNERS = "SELECT lower(t.owner) FROM t";

/** All lists. */
export const LISTS: Readonly<Record<ListName, ListDefinition>> = {
  orders: {
    columns: {
      uid: "t.order_uid",
      created_at: "t.creation_date",
      status: "t.status",
      verdict: "NULL",
      owner: "t.owner",
      kind: "t.kind",
      sell_token: "t.sell_token",
      buy_token: "t.buy_token",
      sell_amount_atoms: "t.sell_amount_atoms",
      buy_amount_atoms: "t.buy_amount_atoms",
      executed_sell_amount_atoms: "t.executed_sell_amount_atoms",
      executed_buy_amount_atoms: "t.executed_buy_amount_atoms",
      filled_fraction: "t.filled_fraction",
      surplus_bps: "t.surplus_bps",
      valid_to_sec: "t.valid_to",
    },
    times: { at_ms: "t.creation_date_ms", latest_ms: "NULL" },
    key: "t.creation_date_ms DESC, t.order_uid",
    sorts: ["created_at", "status", "owner", "kind", "sell_token", "buy_token", "valid_to_sec"],
    sortKeys: { created_at: "t.creation_date_ms" },
    filters: {
      text: `${hasText("t.order_uid", "t.owner", "t.status", "t.kind", "t.creation_date")} OR ` +
        hasToken("textTokens"),
      status: "lower(t.status) = $status",
      verdict: "t.order_uid IN (SELECT unnest(string_split($verdict, ' ')))",
      token: hasToken("token"),
      owner: "lower(t.owner) = $owner",
      solver: `EXISTS (SELECT 1 FROM solution_orders AS s WHERE s.order_uid = t.order_uid AND ` +
        `s.is_winner AND ${matchesAddress("s.solver", "solver")}) OR ` +
        `EXISTS (SELECT 1 FROM trades AS s WHERE s.order_uid = t.order_uid AND ` +
        `${matchesAddress("s.solver", "solver")})`,
      ...buildTimeFilters("t.creation_date_ms"),
    },
    facets: { status: "SELECT t.status FROM t", token: TOKENS, owner: OWNERS },
  },
  auctions: {
    columns: {
      auction_id: "t.auction_id",
      start_block: "t.auction_start_block",
      deadline_block: "t.deadline_block",
      orders: "t.order_count",
      solutions: "t.solution_count",
      winners: "coalesce(s.winners, '')",
      tx_hashes: "coalesce(t.tx_hashes, '')",
    },
    times: { at_ms: "t.auction_at_ms", latest_ms: "t.auction_time_max_ms" },
    // In the order in which the service names solutions.
    joins: "LEFT JOIN (SELECT auction_id, string_agg(solver, ' ' ORDER BY rank DESC) AS winners " +
      "FROM (SELECT auction_id, solver, max(ranking) AS rank FROM solutions WHERE is_winner AND " +
      "auction_id IN (SELECT auction_id FROM t) GROUP BY ALL) GROUP BY auction_id) AS s " +
      "ON s.auction_id = t.auction_id",
    key: "t.auction_id DESC",
    sorts: ["auction_id", "start_block", "orders", "solutions", "winners"],
    sortKeys: { winners: "t.winning_solver_count" },
    filters: {
      text: [
        hasText("t.auction_id", "t.auction_start_block", "t.tx_hashes"),
        hasSolution("solution_orders", `s.is_winner AND (${hasText("s.order_uid")})`),
        hasSolution("solutions", matchesAddress("s.solver", "textSolvers")),
      ].join(" OR "),
      solver: hasSolution("solutions", matchesAddress("s.solver", "solver")),
      ...buildTimeFilters("t.auction_at_ms"),
    },
    facets: {
      solver: "SELECT DISTINCT ON (t.auction_id, lower(s.solver)) lower(s.solver) " +
        "FROM t JOIN solutions AS s ON s.auction_id = t.auction_id",
    },
  },
  trades: {
    columns: {
      block: "t.block_number",
      log_index: "t.log_index",
      order_uid: "t.order_uid",
      owner: "t.owner",
      sell_token: "t.sell_token",
      buy_token: "t.buy_token",
      sell_amount_atoms: "t.sell_amount_atoms",
      buy_amount_atoms: "t.buy_amount_atoms",
      tx_hash: "t.tx_hash",
    },
    times: { at_ms: "t.filled_at_ms", latest_ms: "t.fill_time_max_ms" },
    key: "t.block_number DESC, t.log_index DESC",
    sorts: ["block", "order_uid", "owner", "sell_token", "buy_token"],
    filters: {
      text: `${hasText("t.order_uid", "t.owner", "t.tx_hash", "t.block_number")} OR ` +
        hasToken("textTokens"),
      token: hasToken("token"),
      owner: "lower(t.owner) = $owner",
      solver: matchesAddress("t.solver", "solver"),
      ...buildTimeFilters("t.filled_at_ms"),
    },
    facets: {
      token: TOKENS,
      owner: OWNERS,
      solver: "SELECT lower(t.solver) FROM t WHERE t.solver IS NOT NULL",
    },
  },
};

/** Lists the filters of a list, in the order of their form. */
export function listFilters(name: ListName): readonly FilterName[] {
  return Object.keys(LISTS[name].filters) as FilterName[];
}

/** Lists the ways to sort a list: names of columns, with `-` for the largest first. */
export function listSorts(name: ListName): readonly string[] {
  return LISTS[name].sorts.flatMap((column) => [column, `-${column}`]);
}

/** The filters that are set. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The query of a list in an address. */
export interface ListQuery {
  /** The filters. */
  readonly filters: Filters;
  /** The column that it is sorted by, with `-` for the largest first; empty for the newest first. */
  readonly sort: string;
  /** The page, from 1. */
  readonly page: number;
}

const LOWERCASE_STATUSES = ORDER_STATUSES.map((status) => status.toLowerCase());
const MAX_FILTER_LENGTH = 200;
const ACTION = "Cannot show this list";

/** Reads the query of a list. @throws {InputError} If a part of it is unknown or invalid. */
export function readListQuery(name: ListName, query: URLSearchParams): ListQuery {
  const names = listFilters(name);
  const filters: Partial<Record<FilterName, string>> = {};
  for (const [key, raw] of query) {
    const value = raw.trim();
    if (key === "page" || key === "sort" || value === "") continue;
    const filter = names.find((name) => name === key);
    if (
      filter === undefined || value.length > MAX_FILTER_LENGTH || filters[filter] !== undefined
    ) {
      throw new InputError(`${ACTION}: the filter ${JSON.stringify(key.slice(0, 40))} is invalid`, {
        remedy: `Filter by ${
          names.join(", ")
        }, each once, in at most ${MAX_FILTER_LENGTH} characters`,
      });
    }
    filters[filter] = value;
  }
  const { status, from, to } = filters;
  if (status !== undefined && !LOWERCASE_STATUSES.includes(status.toLowerCase())) {
    throw new InputError(`${ACTION}: ${JSON.stringify(status.slice(0, 40))} is not a status`, {
      remedy: `Filter by one of ${ORDER_STATUSES.join(", ")}`,
    });
  }
  for (const time of [from, to]) if (time !== undefined) parseTime(time);
  return { filters, sort: readSort(name, query), page: readPage(query, ACTION) };
}

/** Parses a day or a time in UTC into unix milliseconds. @throws {InputError} If it is neither. */
export function parseTime(text: string): number {
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

function readSort(name: ListName, query: URLSearchParams): string {
  const sort = query.getAll("sort").join(", ");
  const sorts = listSorts(name);
  if (sort === "" || sorts.includes(sort)) return sort;
  throw new InputError(`${ACTION}: it cannot be sorted by ${JSON.stringify(sort.slice(0, 40))}`, {
    remedy: `Sort by one of ${sorts.join(", ")}`,
  });
}

/** Reads the number of a page, from 1. */
export function readPage(query: URLSearchParams, action: string): number {
  const page = query.getAll("page").join(", ") || "1";
  if (/^[1-9]\d{0,5}$/.test(page)) return Number(page);
  throw new InputError(`${action}: ${JSON.stringify(page.slice(0, 40))} is not a page`, {
    remedy: "Pass one whole number from 1 to 999999 as page",
  });
}

/** Formats the query of a link to a list. */
export function formatListQuery({ filters, sort, page }: ListQuery): string {
  const query = new URLSearchParams(Object.entries(filters));
  if (sort !== "") query.set("sort", sort);
  if (page > 1) query.set("page", String(page));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
