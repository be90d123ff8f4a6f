import type { DatabaseSync, StatementSync } from "node:sqlite";
import { laterOf } from "../../metrics/orders/known_time.ts";
import { transactionsOf } from "../../metrics/orders/attribute_fills.ts";
import {
  type Competition,
  decodeCompetition,
  decodeDebugReport,
  decodeOrder,
  decodeTrade,
  encodeCompetition,
  encodeDebugReport,
  encodeOrder,
  encodeTrade,
} from "../../schemas/mod.ts";
import type { OrderRecords } from "../../tables/mod.ts";
import { orderRecordsOf } from "./record_tables.ts";
import type { ShardContents } from "./shard_contents.ts";

/** How often the auctions of a dataset had an order. */
export interface OrderCounts {
  /** Auctions that listed it, or in which somebody bid on it. */
  readonly auctions: number;
  /** Solutions with it. */
  readonly bids: number;
}

const NONE: OrderCounts = { auctions: 0, bids: 0 };

/**
 * What the answers of one shard need of others, in a file: orders with their fills and reports by UID,
 * and the auctions that settled fills by transaction. Memory holds what one shard needs.
 */
export class FactIndex implements Disposable {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  /** Begins an empty index in a file, which the caller removes. */
  constructor(file: string) {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
       CREATE TABLE orders (uid TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
       CREATE TABLE counts (uid TEXT PRIMARY KEY, auctions INTEGER, bids INTEGER) WITHOUT ROWID;
       CREATE TABLE auctions (hash TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID`,
    );
  }

  /** The latest time that the shards name which were counted. */
  latest: Temporal.Instant = Temporal.Instant.fromEpochMilliseconds(0);

  /** Notes how often the auctions of a shard had each order. */
  count(
    { listings, competitions, latest }: Pick<
      ShardContents,
      "listings" | "competitions" | "latest"
    >,
  ): void {
    this.latest = laterOf(this.latest, latest)!;
    const counts = new Map<string, { auctions: number; bids: number }>();
    const of = (uid: string) => {
      const key = uid.toLowerCase();
      const known = counts.get(key) ?? { auctions: 0, bids: 0 };
      counts.set(key, known);
      return known;
    };
    for (const { uid, count } of listings) of(uid).auctions += count;
    for (const { auction, solutions } of competitions) {
      const listed = new Set(auction.orders.map((uid) => uid.toLowerCase()));
      const bids = solutions.flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase()));
      for (const uid of bids) of(uid).bids++;
      for (const uid of new Set(bids)) if (!listed.has(uid)) of(uid).auctions++;
    }
    this.#inOneStep(() => {
      const add = this.#prepare(
        `INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT (uid) DO UPDATE
         SET auctions = auctions + excluded.auctions, bids = bids + excluded.bids`,
      );
      for (const [uid, { auctions, bids }] of counts) add.run(uid, auctions, bids);
    });
  }

  /** Keeps the orders of a shard, and its auctions that settled something. */
  keep(contents: ShardContents): void {
    this.#inOneStep(() => {
      const keepOrder = this.#prepare("INSERT OR IGNORE INTO orders VALUES (?, ?)");
      for (const { order, trades, debugReport } of orderRecordsOf(contents)) {
        const body = {
          order: encodeOrder(order),
          trades: Array.from(trades, encodeTrade),
          debugReport: debugReport == null ? null : encodeDebugReport(debugReport),
        };
        keepOrder.run(order.uid.toLowerCase(), JSON.stringify(body));
      }
      const keepAuction = this.#prepare("INSERT OR IGNORE INTO auctions VALUES (?, ?)");
      for (const competition of contents.competitions) {
        const hashes = transactionsOf(competition);
        if (hashes.length === 0) continue;
        const body = JSON.stringify(encodeCompetition(competition));
        for (const hash of new Set(hashes)) keepAuction.run(hash.toLowerCase(), body);
      }
    });
  }

  /** Orders by UID with their fills and reports; what no shard has is left out. */
  orders(uids: Iterable<string>): OrderRecords[] {
    const find = this.#prepare("SELECT body FROM orders WHERE uid = ?");
    return Array.from(uids).flatMap((uid): OrderRecords[] => {
      const row = find.get(uid.toLowerCase());
      if (row === undefined) return [];
      const { order, trades, debugReport } = JSON.parse(String(row.body));
      return [{
        order: decodeOrder(order),
        trades: trades.map(decodeTrade),
        debugReport: debugReport === null ? null : decodeDebugReport(debugReport),
      }];
    });
  }

  /** The auctions that some transactions settled, each once; what no shard has is left out. */
  auctions(hashes: Iterable<string>): Competition[] {
    const find = this.#prepare("SELECT body FROM auctions WHERE hash = ?");
    const bodies = new Set<string>();
    for (const hash of hashes) {
      const row = find.get(hash.toLowerCase());
      if (row !== undefined) bodies.add(String(row.body));
    }
    return Array.from(bodies, (body) => decodeCompetition(JSON.parse(body)));
  }

  /** How often the auctions of the dataset had an order. */
  countsOf(uid: string): OrderCounts {
    const row = this.#prepare("SELECT auctions, bids FROM counts WHERE uid = ?")
      .get(uid.toLowerCase());
    return row === undefined ? NONE : { auctions: Number(row.auctions), bids: Number(row.bids) };
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#database.close();
  }

  #inOneStep(change: () => void): void {
    this.#database.exec("BEGIN");
    change();
    this.#database.exec("COMMIT");
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
