import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { ORDER_STATUSES } from "../../schemas/order.ts";
import { type DatasetPaths, UNBID_ORDERS } from "../layout/files.ts";
import type { DatasetFile, ItemState } from "../layout/manifest.ts";
import type { FileSpans } from "./citation.ts";
import { openDatabase } from "./schema.ts";

/** What may change with an order. */
const ORDER_KINDS: readonly ItemKind[] = ["order", "trades", "report"];

/** Statuses of orders, as SQL: the note of one that may still change. */
const STATUS_LIST = ORDER_STATUSES.map((status) => `'${status}'`).join(", ");

/** The answer for an order without a bid. */
const UNBID_RESPONSE = `FROM answers WHERE kind = 'order' AND key = ? AND shard = ${UNBID_ORDERS}`;
/** Name of the value that holds contradictions of the records as JSON; empty while records change. */
export const CONTRADICTIONS = "contradictions";
/** Listed orders that are remembered; an auction lists thousands. */
const MAX_LISTED = 20_000;

/** A file of one shard. */
interface ShardFile extends DatasetFile {
  /** The shard. */
  readonly shard: number;
}

/** What an export knows of its folder; each change is on the disk when its call returns. */
export class ExportState implements Disposable {
  /** What is read of tables for a manifest, of this run. */
  readonly spans: FileSpans = new Map();
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  /** Orders that {@linkcode addListedOrders} has seen: an auction lists what the one before did. */
  readonly #listed = new Set<string>();

  /** Opens the state of a folder, and creates it in a new one. */
  constructor(paths: DatasetPaths) {
    this.#database = openDatabase(paths.state);
  }

  /** A named value; `null` if it was never set. */
  readMeta(name: string): string | null {
    const sql = "SELECT value FROM meta WHERE name = ?";
    return this.queryRow<{ value: string }>(sql, name)?.value ?? null;
  }

  /** Sets a named value. */
  setMeta(name: string, value: string): void {
    this.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value);
  }

  /** Runs changes so that all of them are kept, or none. */
  runInTransaction(change: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      change();
      this.#database.exec("COMMIT");
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Runs one statement. */
  run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  /** The rows of a query. */
  queryRows<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** The first row of a query. */
  queryRow<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** The rows of a query one after another. */
  *iterateRows<Row>(sql: string, ...values: SQLInputValue[]): Generator<Row> {
    for (const row of this.#database.prepare(sql).iterate(...values)) yield row as Row;
  }

  /** Adds something to ask for, unless it is known; an order without a bid is added for its first. */
  add(kind: ItemKind, key: string, shard: number): void {
    this.run("INSERT OR IGNORE INTO items (kind, key, shard) VALUES (?, ?, ?)", kind, key, shard);
    if (kind === "order" && shard !== UNBID_ORDERS) this.#moveUnbid(key, shard);
  }

  /** Adds orders that an auction lists, unless they are known. */
  addListedOrders(uids: readonly string[]): void {
    for (const uid of uids) {
      const key = uid.toLowerCase();
      if (this.#listed.has(key)) continue;
      this.add("order", key, UNBID_ORDERS);
      if (this.#listed.size === MAX_LISTED) this.#listed.clear();
      this.#listed.add(key);
    }
  }

  /** Whether an order was answered that no solver bid on so far. */
  hasUnbidResponse(key: string): boolean {
    return this.queryRow(`SELECT 1 ${UNBID_RESPONSE}`, key) !== undefined;
  }

  #moveUnbid(key: string, shard: number): void {
    if (this.hasUnbidResponse(key)) {
      this.run(`DELETE ${UNBID_RESPONSE}`, key);
      this.run("UPDATE shards SET isStale = 1 WHERE shard = ?", UNBID_ORDERS);
    }
    this.run(
      `UPDATE items SET shard = ?, state = NULL, isFinal = 0, round = 0, note = NULL
       WHERE kind = 'order' AND key = ? AND shard = ?`,
      ...[shard, key, UNBID_ORDERS],
    );
  }

  /** Notes how something ended that was asked for in a round. */
  recordOutcome(
    { kind, key }: Pick<Item, "kind" | "key">,
    { state, isFinal, note }: Pick<Outcome, "state" | "isFinal" | "note">,
    { round, nowMs }: { readonly round: number; readonly nowMs: number },
  ): void {
    this.run(
      `UPDATE items SET state = ?, isFinal = ?, round = ?, askedMs = ?, note = ?,
       firstAskedMs = coalesce(firstAskedMs, ?) WHERE kind = ? AND key = ?`,
      ...[state, isFinal ? 1 : 0, round, nowMs, note ?? null, nowMs, kind, key],
    );
  }

  /** Has an order that may change, or what belongs to it, asked for again in this round. */
  requeue(kind: ItemKind, key: string): void {
    if (!ORDER_KINDS.includes(kind)) return;
    this.run("UPDATE items SET round = 0 WHERE kind = ? AND key = ? AND isFinal = 0", kind, key);
  }

  /** Shards in which something is to be asked for again in this round. */
  listRequeuedShards(): number[] {
    return this.listShards("items WHERE isFinal = 0 AND round = 0");
  }

  /** The shards of some rows of a table, in their order. */
  listShards(from: string): number[] {
    return this.queryRows<{ shard: number }>(`SELECT DISTINCT shard FROM ${from} ORDER BY shard`)
      .map(({ shard }) => shard);
  }

  /** What of a shard is to be asked for in this round: what has no answer, and what may change. */
  listPending(shard: number, kind: ItemKind, round: number): Item[] {
    return this.queryRows<Item>(
      `SELECT kind, key, shard, state, firstAskedMs FROM items
       WHERE shard = ? AND kind = ? AND (state IS NULL OR isFinal = 0 AND round < ?) ORDER BY key`,
      ...[shard, kind, round],
    );
  }

  /** Number of things of one kind by state; those without an answer are left out. */
  countStates(): { kind: ItemKind; state: ItemState; count: number }[] {
    return this.queryRows(
      `SELECT kind, state, count(*) AS count FROM items WHERE state IS NOT NULL
       GROUP BY kind, state ORDER BY kind, state`,
    );
  }

  /** Number of orders that could still change when they were asked for last, by status, and since when. */
  countOpenOrders(): {
    readonly status: string | null;
    readonly count: number;
    readonly sinceMs: number;
  }[] {
    return this.queryRows(
      `SELECT CASE WHEN note IN (${STATUS_LIST}) THEN note END AS status,
         count(*) AS count, min(askedMs) AS sinceMs FROM items
       WHERE kind = 'order' AND state = 'present' AND isFinal = 0 GROUP BY 1 ORDER BY 1`,
    );
  }

  /** Has what failed asked for again in the round that goes on. */
  requeueFailed(): void {
    this.run(
      `UPDATE items SET round = 0 WHERE state IN ('failed', 'hidden')
       OR isFinal = 0 AND note IS NOT NULL AND NOT (kind = 'order' AND note IN (${STATUS_LIST}))`,
    );
  }

  /** Number of answers of a shard. */
  countResponses(shard: number): number {
    const sql = "SELECT count(*) AS answers FROM answers WHERE shard = ?";
    return this.queryRow<{ answers: number }>(sql, shard)!.answers;
  }

  /** Shards whose tables are older than their answers. */
  listStaleShards(): number[] {
    return this.listShards("shards WHERE isStale = 1");
  }

  /** Whether nothing of a shard is open and nothing of it can change or be added. */
  isFinal(shard: number): boolean {
    if (shard >= Number(this.readMeta("openShard") ?? Infinity)) return false;
    const sql = "SELECT 1 FROM items WHERE shard = ? AND isFinal = 0 LIMIT 1";
    return this.queryRow(sql, shard) === undefined;
  }

  /** Shards in which something is open, or may change or be added. */
  listOpenShards(): number[] {
    return this.listShards("items").filter((shard) => !this.isFinal(shard));
  }

  /** The files of the folder, by path. */
  listFiles(): ShardFile[] {
    const rows = this.queryRows<
      & Omit<ShardFile, "longAmounts">
      & { leastKey: string; greatestKey: string; longAmounts: string | null }
    >(
      `SELECT path, shard, sha256, bytes, rows, leastKey, greatestKey, longAmounts
        FROM files ORDER BY path`,
    );
    return rows.map(({ leastKey, greatestKey, longAmounts, ...file }) => ({
      ...file,
      leastKey: JSON.parse(leastKey),
      greatestKey: JSON.parse(greatestKey),
      ...longAmounts !== null && { longAmounts: JSON.parse(longAmounts) },
    }));
  }

  /** Notes files of the folder: those of before under the same paths are replaced. */
  recordFiles(files: readonly ShardFile[]): void {
    for (const { path, shard, sha256, bytes, rows, ...described } of files) {
      const { leastKey, greatestKey, longAmounts } = described;
      this.run(
        "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ...[path, shard, sha256, bytes, rows],
        ...[JSON.stringify(leastKey), JSON.stringify(greatestKey)],
        longAmounts === undefined ? null : JSON.stringify(longAmounts),
      );
    }
  }

  /** Closes the database. */
  [Symbol.dispose](): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = this.#database.prepare(sql);
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/** A kind of thing to ask for. */
export type ItemKind =
  | "competition"
  | "account"
  | "order"
  | "trades"
  | "transaction"
  | "app_data"
  | "report"
  | "block"
  | "receipt"
  | "settlement";

/** A kind whose answers stand in the file of their shard; settlements only lead to auctions. */
export type FiledKind = Exclude<ItemKind, "settlement">;

/** These kinds, in the order in which they are asked for and stand in a file. */
export const ITEM_KINDS: readonly FiledKind[] = [
  "competition",
  "account",
  "order",
  "trades",
  "transaction",
  "app_data",
  "report",
  "block",
  "receipt",
];

/** Something to ask for. */
export interface Item {
  /** Its kind. */
  readonly kind: ItemKind;
  /** Auction id with leading zeros, account, UID, hash, block and shard, or block and hash. */
  readonly key: string;
  /** The shard that its answer is kept in. */
  readonly shard: number;
  /** How it ended in an earlier round; `null` if it was never asked for. */
  readonly state: ItemState | null;
  /** When it was asked for first, in unix milliseconds. */
  readonly firstAskedMs: number | null;
}

/** One answer to keep. */
export interface StoredResponse {
  /** The exchange as a line of a recording, with its newline. */
  readonly line: string;
  /** Method, route and status. */
  readonly route: string;
}

/** How asking for something ended. */
export interface Outcome {
  /** What was asked for. */
  readonly item: Item;
  /** How it ended. */
  readonly state: ItemState;
  /** Whether it can no longer change. */
  readonly isFinal: boolean;
  /** Why it failed; of an order that may still change, its status. */
  readonly note?: string;
  /** Its answers. */
  readonly responses: readonly StoredResponse[];
  /** What is to be asked for because of it. */
  readonly next: readonly { readonly kind: ItemKind; readonly key: string }[];
  /** UIDs that an auction lists: without a bid, an order is asked for, and nothing that follows. */
  readonly listed?: readonly string[];
}
