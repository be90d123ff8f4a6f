import { InputError } from "../../errors/mod.ts";
import type { SqlQueries } from "../../explorer/sql_queries.ts";
import type { Market } from "../../market/mod.ts";
import { parseIdentifier, type ShortenedIdentifier } from "../../networks/identifier.ts";
import { resolveShortened } from "../../reports/resolve_shortened.ts";
import {
  buildAnswerSchema,
  listRowCalls,
  query,
  REPORT_SCHEMA,
  toReportAnswer,
} from "./mcp_answers.ts";

/** The source that tools read. */
export interface Source {
  readonly market: Market;
  /** SQL queries of its tables, within limits. */
  readonly queries: SqlQueries;
}

/** JSON Schema of each property of a tool's input. */
type Properties = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** A tool of the server. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly properties: Properties;
  readonly required?: readonly string[];
  /** JSON Schema of its answer. */
  readonly answer: Readonly<Record<string, unknown>>;
  run(source: Source, input: Input, signal: AbortSignal): Promise<object>;
}

/** Input from a client, validated against the properties. */
export type Input = Readonly<Record<string, string | number | undefined>>;

const AMOUNTS =
  "Amounts are decimal text of whole atoms, the smallest unit of their token, exact: " +
  "divide by 10^decimals for whole tokens. Scores and native values are in atoms of the native " +
  "token (10^18 a token).";

const REPORTS =
  "`sections` has it in words, `data` with every digit, and `next` the calls that follow.";

const PAGE_URL = "the URL of its page in an explorer";

const MAX_ROWS = 1_000;
const DEFAULT_ROWS = 100;
const MAX_ORDERS = 100;

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  {
    name: "inspect_order",
    description: "What happened to one order, and why: a verdict, a sentence, and the evidence " +
      "(terms, timeline in UTC, auctions with all bids, fills, slippage in basis points, fees, " +
      `and what is unknown). ${REPORTS} ${AMOUNTS}`,
    properties: {
      order_uid: { type: "string", description: `UID: 0x and 112 hex digits, or ${PAGE_URL}` },
    },
    required: ["order_uid"],
    answer: REPORT_SCHEMA,
    run: async (source, { order_uid: uid }) => await inspectOrder(source, `${uid}`),
  },
  {
    name: "triage_text",
    description:
      "Finds the UIDs of orders in any text (logs, CSV, JSON, an issue), and gives each " +
      "order's verdict with one sentence: whether it expired, who quoted it, and whether the quoter " +
      `bid on it. At most ${MAX_ORDERS} orders a call; strings that only look like UIDs are counted.`,
    properties: {
      text: { type: "string", maxLength: 1_000_000, description: "The text, as it is" },
    },
    required: ["text"],
    answer: buildAnswerSchema({
      found: { type: "integer", description: "Orders in the text" },
      rows: { type: "array", items: { type: "object" }, description: "One row an order" },
    }),
    run: triage,
  },
  {
    name: "find_auction",
    description: "One auction: by its ID, by the transaction that settled it, or the newest one. " +
      "Its blocks, orders, solutions with ranks, scores, winners and why others were filtered, " +
      "reference scores, settlements and fills. To find auctions by time, order or solver, query " +
      `the tables auctions, bids or solutions. ${AMOUNTS}`,
    properties: {
      auction_id: {
        type: "integer",
        minimum: 0,
        description: "ID (without any input: the newest)",
      },
      transaction: { type: "string", description: `Hash: 0x and 64 hex digits, or ${PAGE_URL}` },
    },
    answer: REPORT_SCHEMA,
    run: findAuction,
  },
  {
    name: "query_sql",
    description:
      "Runs one SELECT of DuckDB's SQL over the tables and views of describe_tables. It " +
      "only reads: what writes, attaches, installs or reads files is refused. Columns *_atoms are " +
      "exact whole numbers and come as decimal text; columns *_native beside them are doubles, for " +
      "ranks and averages. A query has a limit of seconds and of memory: filter before joining.",
    properties: {
      query: { type: "string", minLength: 1, description: "One query" },
      max_rows: {
        type: "integer",
        minimum: 1,
        maximum: MAX_ROWS,
        description: `Maximum number of rows to return (${DEFAULT_ROWS})`,
      },
    },
    required: ["query"],
    answer: buildAnswerSchema({ rows: { type: "array", items: { type: "object" } } }),
    run: querySql,
  },
  {
    name: "describe_tables",
    description:
      "What is there: the source with its range of auctions and what it lacks, and the " +
      "tables and views that query_sql may name. With a table, its columns with type, unit and " +
      "where each comes from.",
    properties: { table: { type: "string", description: "Name of one table or view" } },
    answer: buildAnswerSchema({
      source: { type: "object", description: "What is there, without a table" },
      tables: { type: "array", items: { type: "object" } },
      name: { type: "string", description: "The table" },
      columns: { type: "array", items: { type: "object" } },
    }, []),
    run: describeTables,
  },
];

/** Inspects an order, by its UID in any spelling. */
export async function inspectOrder(source: Source, uid: string): Promise<object> {
  const { market } = source;
  return await toReportAnswer(market, await market.order(await resolveKey(source, "order", uid)));
}

/** Lists the UIDs of the newest orders. */
export async function listOrders({ queries }: Source): Promise<readonly string[]> {
  const sql = `SELECT order_uid FROM orders ORDER BY creation_date DESC LIMIT ${MAX_ORDERS}`;
  return await queries.run(sql, MAX_ORDERS, async (result) => {
    const rows = (await Array.fromAsync(result.parts())).flat();
    return rows.map((row) => `${row.order_uid}`);
  });
}

async function triage({ market }: Source, { text }: Input, signal: AbortSignal): Promise<object> {
  const { findUids } = await import("./find_uids.ts");
  const { triageOrders } = await import("../../reports/triage/triage_orders.ts");
  const uids = new Set<string>();
  const nearMisses: string[] = [];
  const matches = findUids([`${text}`], (miss) => nearMisses.push(miss));
  for await (const uid of matches) uids.add(uid.toLowerCase());
  const firstUids = [...uids].slice(0, MAX_ORDERS);
  if (firstUids.length === 0) {
    throw new InputError("Cannot triage the text: it has no UID of an order", {
      facts: { nearMisses: nearMisses.length === 0 ? "none" : nearMisses.slice(0, 5).join(", ") },
      remedy: "Pass a text with UIDs: 112 hex digits each, such as after 0x",
    });
  }
  const rows = await Array.fromAsync(triageOrders(market.book, firstUids, { signal }));
  const skipped = uids.size - firstUids.length;
  return {
    found: uids.size,
    rows,
    next: listRowCalls(rows.map((row) => ({ order_uid: row.order_id }))),
    ...nearMisses.length > 0 && { nearMisses },
    ...skipped > 0 &&
      { notAsked: `${skipped} more orders: pass the rest of the text in another call` },
  };
}

async function findAuction(
  source: Source,
  { auction_id: id, transaction }: Input,
  signal: AbortSignal,
): Promise<object> {
  const { market } = source;
  if (id !== undefined && transaction !== undefined) {
    throw new InputError("Cannot find the auction by auction_id and by transaction", {
      remedy: "Pass only one of them",
    });
  }
  if (typeof id === "number") return await toReportAnswer(market, await market.auction(id));
  const reference = transaction === undefined
    ? "latest"
    : await resolveKey(source, "transaction", `${transaction}`);
  const { auctionId } = await market.book.competition(reference, { signal });
  return await toReportAnswer(market, await market.auction(auctionId));
}

/** Columns in which shortened identifiers are looked up. */
const KEY_COLUMNS = {
  order: { table: "orders", column: "order_uid" },
  transaction: { table: "fills", column: "tx_hash" },
} as const;
/** Maximum matches of a shortened identifier to look up. */
const MAX_MATCHES = 5;

/**
 * Resolves a text, in any spelling, to a UID or hash. Returns any other text as it is, which the library
 * then rejects.
 */
async function resolveKey(
  { market, queries }: Source,
  kind: keyof typeof KEY_COLUMNS,
  text: string,
): Promise<string> {
  const identifier = parseIdentifier(text);
  if (identifier?.kind === kind) return identifier.key;
  if (identifier?.kind !== "shortened") return text;
  const { table, column } = KEY_COLUMNS[kind];
  const search = ({ begin, end }: ShortenedIdentifier) => {
    const sql = `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} LIKE '${begin}%${end}'`;
    return queries.run(sql, MAX_MATCHES, async (result) => {
      const rows = (await Array.fromAsync(result.parts())).flat();
      return rows.map((row) => `${row[column]}`);
    });
  };
  return (await resolveShortened(market.book, identifier, { search })).key;
}

async function querySql(
  { queries }: Source,
  { query: text, max_rows: maxRows = DEFAULT_ROWS }: Input,
): Promise<object> {
  return await queries.run(`${text}`, Number(maxRows), async (result) => {
    const rows = (await Array.fromAsync(result.parts())).flat();
    const firstRows = rows.slice(0, Number(maxRows));
    return {
      rows: firstRows,
      next: listRowCalls(firstRows),
      ...firstRows.length < rows.length && { cut: [`rows: the first ${maxRows}; there are more`] },
    };
  });
}

async function describeTables({ market, queries }: Source, { table }: Input): Promise<object> {
  const relations = (await queries.relations())
    .map(({ name, kind, grain, key, columns }) => ({ name, kind, grain, key, columns }));
  if (table === undefined) {
    const tables = relations.map(({ columns, ...facts }) => ({
      ...facts,
      columns: columns.length,
    }));
    return {
      source: await market.describe(),
      tables,
      next: [
        { tool: "describe_tables", arguments: { table: "fills" }, why: "Columns of a table" },
        query("FROM leaderboard LIMIT 20", "Solvers by the score that they won"),
      ],
    };
  }
  const relation = relations.find(({ name }) => name === `${table}`.toLowerCase());
  if (relation !== undefined) {
    return { ...relation, next: [query(`FROM ${relation.name} LIMIT 5`, "Some of its rows")] };
  }
  throw new InputError(`Cannot describe ${JSON.stringify(table)}: there is no such table or view`, {
    remedy: `Pass one of ${relations.map(({ name }) => name).join(", ")}`,
  });
}
