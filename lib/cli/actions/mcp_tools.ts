import { InputError } from "../../errors/mod.ts";
import type { SqlQueries } from "../../explorer/sql_queries.ts";
import type { Market } from "../../market/mod.ts";
import { parseIdentifier, type ShortenedIdentifier } from "../../networks/identifier.ts";
import { resolveShortened } from "../../reports/known_identifiers.ts";

/** What tools read. */
export interface Source {
  readonly market: Market;
  /** Its tables in SQL, within limits. */
  readonly queries: SqlQueries;
}

/** What a tool takes: JSON Schema of each property. */
type Properties = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** One tool: what it is for, what it takes, and what it does. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly properties: Properties;
  readonly required?: readonly string[];
  run(source: Source, input: Input, signal: AbortSignal): Promise<object>;
}

/** What a client sent, which has the types of the properties. */
export type Input = Readonly<Record<string, string | number | undefined>>;

const AMOUNTS =
  "Amounts are decimal text of whole atoms, the smallest unit of their token, exact: " +
  "divide by 10^decimals for whole tokens. Scores and native values are in atoms of the native " +
  "token (10^18 a token).";

const OTHER_FORMS = "the URL of its page in an explorer";

const MOST_ROWS = 1_000;
const USUAL_ROWS = 100;
const MOST_ORDERS = 100;

/** The tools, in the order of their list. */
export const TOOLS: readonly Tool[] = [
  {
    name: "inspect_order",
    description: "What happened to one order, and why: a verdict, a sentence, and the evidence " +
      "(terms, timeline in UTC, auctions with all bids, fills, slippage in basis points, fees, " +
      `and what is unknown). ${AMOUNTS}`,
    properties: {
      order_uid: { type: "string", description: `UID: 0x and 112 hex digits, or ${OTHER_FORMS}` },
    },
    required: ["order_uid"],
    run: async (source, { order_uid: uid }) =>
      await source.market.order(await resolveKey(source, "order", `${uid}`)),
  },
  {
    name: "triage_text",
    description:
      "Finds the UIDs of orders in any text (logs, CSV, JSON, an issue), and gives each " +
      "order's verdict with one sentence: whether it expired, who quoted it, and whether the quoter " +
      `bid on it. At most ${MOST_ORDERS} orders a call; near misses are counted.`,
    properties: {
      text: { type: "string", maxLength: 1_000_000, description: "The text, as it is" },
    },
    required: ["text"],
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
      transaction: { type: "string", description: `Hash: 0x and 64 hex digits, or ${OTHER_FORMS}` },
    },
    run: auctionOf,
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
        maximum: MOST_ROWS,
        description: `Most rows to return (${USUAL_ROWS})`,
      },
    },
    required: ["query"],
    run: query,
  },
  {
    name: "describe_tables",
    description:
      "What is there: the source with its range of auctions and what it lacks, and the " +
      "tables and views that query_sql may name. With a table, its columns with type, unit and " +
      "where each comes from.",
    properties: { table: { type: "string", description: "Name of one table or view" } },
    run: describe,
  },
];

async function triage({ market }: Source, { text }: Input, signal: AbortSignal): Promise<object> {
  const { findUids } = await import("./find_uids.ts");
  const { triageOrders } = await import("../../reports/triage/triage_orders.ts");
  const found = new Set<string>();
  const nearMisses: string[] = [];
  const uids = findUids([`${text}`], (miss) => nearMisses.push(miss));
  for await (const uid of uids) found.add(uid.toLowerCase());
  const asked = [...found].slice(0, MOST_ORDERS);
  if (asked.length === 0) {
    throw new InputError("Cannot triage the text: it has no UID of an order", {
      facts: { nearMisses: nearMisses.length === 0 ? "none" : nearMisses.slice(0, 5).join(", ") },
      remedy: "Pass a text with UIDs: 112 hex digits each, such as after 0x",
    });
  }
  const rows = await Array.fromAsync(triageOrders(market.book, asked, { signal }));
  const left = found.size - asked.length;
  return {
    found: found.size,
    rows,
    ...nearMisses.length > 0 && { nearMisses },
    ...left > 0 && { notAsked: `${left} more orders: pass the rest of the text in another call` },
  };
}

async function auctionOf(
  source: Source,
  { auction_id: id, transaction }: Input,
  signal: AbortSignal,
): Promise<object> {
  const { market } = source;
  if (id !== undefined && transaction !== undefined) {
    throw new InputError("Cannot find the auction by auction_id and by transaction", {
      remedy: "Pass one of them",
    });
  }
  if (typeof id === "number") return await market.auction(id);
  const which = transaction === undefined
    ? "latest"
    : await resolveKey(source, "transaction", `${transaction}`);
  const { auctionId } = await market.book.competition(which, { signal });
  return await market.auction(auctionId);
}

/** The columns in which a shortened identifier is looked up. */
const KEY_COLUMNS = {
  order: { table: "orders", column: "order_uid" },
  transaction: { table: "fills", column: "tx_hash" },
} as const;
/** Matches of a shortened identifier that are looked up. */
const MAX_MATCHES = 5;

/**
 * The UID or hash that a text names, in any spelling; the text itself where it names none, which the
 * library rejects.
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

async function query(
  { queries }: Source,
  { query: text, max_rows: most = USUAL_ROWS }: Input,
): Promise<object> {
  return await queries.run(`${text}`, Number(most), async (result) => {
    const rows = (await Array.fromAsync(result.parts())).flat();
    const kept = rows.slice(0, Number(most));
    return {
      rows: kept,
      ...kept.length < rows.length && { cut: [`rows: the first ${most}; there are more`] },
    };
  });
}

async function describe({ market, queries }: Source, { table }: Input): Promise<object> {
  const relations = (await queries.relations())
    .map(({ name, kind, grain, key, columns }) => ({ name, kind, grain, key, columns }));
  if (table === undefined) {
    const tables = relations.map(({ columns, ...rest }) => ({ ...rest, columns: columns.length }));
    return { source: await market.describe(), tables };
  }
  const found = relations.find(({ name }) => name === `${table}`.toLowerCase());
  if (found !== undefined) return found;
  throw new InputError(`Cannot describe ${JSON.stringify(table)}: there is no such table or view`, {
    remedy: `Pass one of ${relations.map(({ name }) => name).join(", ")}`,
  });
}
