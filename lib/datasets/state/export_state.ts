import { ORDER_STATUSES } from "../../schemas/order.ts";
import { Database } from "../layout/database.ts";
import { type DatasetPaths, UNBID_ORDERS } from "../layout/files.ts";
import type { DatasetFile, ItemState } from "../layout/manifest.ts";
import type { FileSpans } from "./citation.ts";
import { openDatabase } from "./schema.ts";

/** Kinds that may change with an order. */
const ORDER_KINDS: readonly ItemKind[] = ["order", "trades", "report"];

/** Statuses of orders, as SQL: the note of one that may still change. */
const STATUS_LIST = ORDER_STATUSES.map((status) => `'${status}'`).join(", ");

/** The response for an order without a bid. */
const UNBID_RESPONSE = `FROM answers WHERE kind = 'order' AND key = ? AND shard = ${UNBID_ORDERS}`;
/** Name of the value that holds contradictions of the records as JSON; empty while records change. */
export const CONTRADICTIONS = "contradictions";
/** Listed orders that are cached; an auction lists thousands. */
const MAX_LISTED = 20_000;

interface ShardFile extends DatasetFile {
  readonly shard: number;
}

/** The state of an export; each change is on the disk when its call returns. */
export class ExportState extends Database {
  /** Time spans of tables that this run read for a manifest. */
  readonly spans: FileSpans = new Map();
  /** Orders that {@linkcode addListedOrders} has seen: an auction lists what the one before did. */
  readonly #listed = new Set<string>();

  /** Opens the state of a folder, and creates it in a new one. */
  constructor(paths: DatasetPaths) {
    super(openDatabase(paths.state));
  }

  /** Reads a named value; `null` if it was never set. */
  readMeta(name: string): string | null {
    const sql = "SELECT value FROM meta WHERE name = ?";
    return this.queryRow<{ value: string }>(sql, name)?.value ?? null;
  }

  setMeta(name: string, value: string): void {
    this.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value);
  }

  /**
   * Adds an item to request, unless it exists; an order without a bid moves to the shard of its first
   * bid.
   */
  add(kind: ItemKind, key: string, shard: number): void {
    this.run("INSERT OR IGNORE INTO items (kind, key, shard) VALUES (?, ?, ?)", kind, key, shard);
    if (kind === "order" && shard !== UNBID_ORDERS) this.#moveUnbid(key, shard);
  }

  /** Adds orders that an auction lists, unless they exist. */
  addListedOrders(uids: readonly string[]): void {
    for (const uid of uids) {
      const key = uid.toLowerCase();
      if (this.#listed.has(key)) continue;
      this.add("order", key, UNBID_ORDERS);
      if (this.#listed.size === MAX_LISTED) this.#listed.clear();
      this.#listed.add(key);
    }
  }

  /** Whether there is a response for an order that no solver has bid on so far. */
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

  /** Records the outcome of an item that was requested in a round. */
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

  /** Requests an order that may change, or its fills or report, again in this round. */
  requeue(kind: ItemKind, key: string): void {
    if (!ORDER_KINDS.includes(kind)) return;
    this.run("UPDATE items SET round = 0 WHERE kind = ? AND key = ? AND isFinal = 0", kind, key);
  }

  /** Lists the shards with items to request again in this round. */
  listRequeuedShards(): number[] {
    return this.listShards("items WHERE isFinal = 0 AND round = 0");
  }

  listShards(from: string): number[] {
    return this.query<{ shard: number }>(`SELECT DISTINCT shard FROM ${from} ORDER BY shard`)
      .map(({ shard }) => shard);
  }

  /**
   * Lists the items of a shard to request in this round: those without a response, and those that may
   * change.
   */
  listPending(shard: number, kind: ItemKind, round: number): Item[] {
    return this.query<Item>(
      `SELECT kind, key, shard, state, firstAskedMs FROM items
       WHERE shard = ? AND kind = ? AND (state IS NULL OR isFinal = 0 AND round < ?) ORDER BY key`,
      ...[shard, kind, round],
    );
  }

  /** Counts items by kind and state, without those that have no response. */
  countStates(): { kind: ItemKind; state: ItemState; count: number }[] {
    return this.query(
      `SELECT kind, state, count(*) AS count FROM items WHERE state IS NOT NULL
       GROUP BY kind, state ORDER BY kind, state`,
    );
  }

  /**
   * Counts orders that could still change when they were requested last, by status, with the earliest
   * of these times.
   */
  countOpenOrders(): {
    readonly status: string | null;
    readonly count: number;
    readonly sinceMs: number;
  }[] {
    return this.query(
      `SELECT CASE WHEN note IN (${STATUS_LIST}) THEN note END AS status,
         count(*) AS count, min(askedMs) AS sinceMs FROM items
       WHERE kind = 'order' AND state = 'present' AND isFinal = 0 GROUP BY 1 ORDER BY 1`,
    );
  }

  /** Requests failed items again in the current round. */
  requeueFailed(): void {
    this.run(
      `UPDATE items SET round = 0 WHERE state IN ('failed', 'hidden')
       OR isFinal = 0 AND note IS NOT NULL AND NOT (kind = 'order' AND note IN (${STATUS_LIST}))`,
    );
  }

  countResponses(shard: number): number {
    const sql = "SELECT count(*) AS answers FROM answers WHERE shard = ?";
    return this.queryRow<{ answers: number }>(sql, shard)!.answers;
  }

  /** Lists the shards whose tables are older than their responses. */
  listStaleShards(): number[] {
    return this.listShards("shards WHERE isStale = 1");
  }

  /** Whether no item of a shard is open, or can change or be added. */
  isFinal(shard: number): boolean {
    if (shard >= Number(this.readMeta("openShard") ?? Infinity)) return false;
    const sql = "SELECT 1 FROM items WHERE shard = ? AND isFinal = 0 LIMIT 1";
    return this.queryRow(sql, shard) === undefined;
  }

  /** Lists the shards with items that are open, or may change or be added. */
  listOpenShards(): number[] {
    return this.listShards("items").filter((shard) => !this.isFinal(shard));
  }

  listFiles(): ShardFile[] {
    const rows = this.query<
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

  /** Records files of the folder; replaces earlier ones under the same paths. */
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
}

/** Kind of item to request. */
export type ItemKind =
  | "competition"
  | "instance"
  | "account"
  | "order"
  | "trades"
  | "transaction"
  | "app_data"
  | "report"
  | "block"
  | "receipt"
  | "settlement";

/** A kind whose responses are in the file of their shard; settlements only lead to auctions. */
export type FiledKind = Exclude<ItemKind, "settlement">;

/** These kinds, in the order of requests and of lines in a file. */
export const ITEM_KINDS: readonly FiledKind[] = [
  "competition",
  "account",
  "order",
  "trades",
  "transaction",
  "instance",
  "app_data",
  "report",
  "block",
  "receipt",
];

export interface Item {
  readonly kind: ItemKind;
  /** Auction id with leading zeros, account, UID, hash, block and shard, or block and hash. */
  readonly key: string;
  /** The shard of its response. */
  readonly shard: number;
  /** State after an earlier round; `null` if it was never requested. */
  readonly state: ItemState | null;
  /** Time of the first request, in unix milliseconds. */
  readonly firstAskedMs: number | null;
}

export interface StoredResponse {
  /** The exchange as a line of a recording, with its newline. */
  readonly line: string;
  /** Method, route and status. */
  readonly route: string;
}

export interface Outcome {
  readonly item: Item;
  readonly state: ItemState;
  /** Whether it can no longer change. */
  readonly isFinal: boolean;
  /** Reason of a failure; of an order that may still change, its status. */
  readonly note?: string;
  readonly responses: readonly StoredResponse[];
  /** Items to request because of it. */
  readonly next: readonly { readonly kind: ItemKind; readonly key: string }[];
  /** UIDs that an auction lists: without a bid, only the order itself is requested. */
  readonly listed?: readonly string[];
}
