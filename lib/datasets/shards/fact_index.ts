import type { DatabaseSync } from "node:sqlite";
import { isSettledFrom, listTransactions, selectLater } from "../../metrics/orders/fills.ts";
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
  type Trade,
} from "../../schemas/mod.ts";
import { findLatestStart } from "../../metrics/mod.ts";
import type { OrderRecords } from "../../tables/mod.ts";
import { formatInstant, parseInstant } from "../../units/mod.ts";
import { Database } from "../layout/database.ts";
import { groupOrders } from "./table_records.ts";
import { readShard, type ShardContents } from "./shard_contents.ts";
import type { TableContext } from "./table_context.ts";

/** Number of auctions and bids of an order. */
interface OrderCounts {
  /** Auctions that listed it, or in which somebody bid on it. */
  readonly auctions: number;
  /** Solutions with it. */
  readonly bids: number;
}

const NO_COUNTS: OrderCounts = { auctions: 0, bids: 0 };

/** Records of a shard that other shards may reference, and that reference others. */
type ReferencingRecords = Pick<
  ShardContents,
  | "orders"
  | "trades"
  | "reports"
  | "competitions"
  | "listings"
  | "latest"
  | "absentOrders"
>;

/**
 * Collects the keys that a shard defines, and those that it references in other shards, in lower case.
 */
export function collectReferences(contents: ReferencingRecords) {
  const { orders, trades, competitions, listings, latest } = contents;
  const counts = new Map<string, { auctions: number; bids: number }>();
  const findCount = (uid: string) => {
    const count = counts.get(uid) ?? { ...NO_COUNTS };
    counts.set(uid, count);
    return count;
  };
  for (const { uid, count } of listings) findCount(uid.toLowerCase()).auctions += count;
  const settled = new Map<string, number[]>();
  const bidOn = new Set<string>();
  for (const competition of competitions) {
    const { auctionId, auction, solutions } = competition;
    const listed = new Set(auction.orders.map((uid) => uid.toLowerCase()));
    const bids = solutions.flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase()));
    for (const uid of bids) findCount(uid).bids++;
    for (const uid of new Set(bids)) {
      bidOn.add(uid);
      if (!listed.has(uid)) findCount(uid).auctions++;
    }
    for (const hash of new Set(listTransactions(competition).map((tx) => tx.toLowerCase()))) {
      settled.set(hash, [...settled.get(hash) ?? [], auctionId]);
    }
  }
  const ownUids = new Set(orders.map(({ uid }) => uid.toLowerCase()));
  const byId = new Map(competitions.map((competition) => [competition.auctionId, competition]));
  // A transaction may settle several auctions, of which another shard may have the fill's own.
  const isAtHand = (fill: Trade & { readonly txHash: string }) =>
    settled.get(fill.txHash.toLowerCase())?.some((id) => isSettledFrom(byId.get(id)!, fill));
  const hashes = new Set(
    trades.flatMap((fill) => {
      const { txHash } = fill;
      return txHash === null || isAtHand({ ...fill, txHash }) ? [] : txHash.toLowerCase();
    }),
  );
  return {
    /** UIDs of its orders. */
    orders: [...ownUids],
    /** Transactions that settled its auctions, and the ids of those auctions. */
    settled: [...settled],
    /** Number of auctions and bids of each order. */
    counts: [...counts],
    /** Orders in its solutions that it lacks. */
    lackedOrders: [...bidOn].filter((uid) => !ownUids.has(uid)),
    /** Transactions of its fills that no solution of its auctions settled. */
    lackedHashes: [...hashes],
    /** The latest time that it names. */
    latest: formatInstant(latest),
    /** The newest block that its auctions began at; `null` without auctions. */
    latestBlock: findLatestStart(competitions) ?? null,
    /** UIDs of orders that the service does not have. */
    absentOrders: [...contents.absentOrders],
    /** Blocks at which its auctions begin and end; `null` without auctions. */
    reach: findReach(competitions),
  };
}

/** Blocks after its deadline in which a late settlement is looked for; later ones are rare. */
const LATE_BLOCKS = 64;

/** A range of blocks, both ends inclusive. */
export interface CoveredBlocks {
  readonly from: number;
  readonly to: number;
}

/** The first deadline and the last start of some auctions. */
interface Reach {
  /** Deadline block of the first auction by id. */
  readonly deadlineBlock: number;
  /** Start block of the last auction by id. */
  readonly startBlock: number;
}

function findReach(competitions: readonly Competition[]): Reach | null {
  const [first, last] = [competitions[0], competitions.at(-1)];
  if (first?.auctionDeadlineBlock === undefined || last === undefined) return null;
  return { deadlineBlock: first.auctionDeadlineBlock, startBlock: last.auctionStartBlock };
}

/** Keys of a shard that other shards reference. */
export interface ReferencedKeys {
  /** UIDs of orders, in lower case. */
  readonly orders: ReadonlySet<string>;
  /** Auctions by the transactions that settled them: mostly one. */
  readonly auctions: ReadonlyMap<string, readonly number[]>;
}

/** Records as texts, by UID or by transaction. */
type ReferencedRecords = readonly (readonly [name: string, body: string])[];

/** Reads the referenced records of a file of responses, and decodes nothing else. */
export async function findReferenced(
  file: string,
  context: TableContext,
  wanted: ReferencedKeys,
): Promise<ReferencedRecords> {
  const ids = new Set([...wanted.auctions.values()].flat());
  const isWanted = (line: string) => {
    const [, id] = AUCTION.exec(line) ?? [];
    if (id !== undefined) return ids.has(Number(id));
    if (BY_TRANSACTION.test(line)) return ids.size > 0;
    return line.matchAll(ORDER_UID).some(([uid]) => wanted.orders.has(uid.toLowerCase()));
  };
  return lookUpRecords(await readShard(file, context, { isWanted }), wanted);
}

const AUCTION = /^\{"method":"GET","path":"\/api\/v2\/solver_competition\/(\d+)"/;
const BY_TRANSACTION = /^\{"method":"GET","path":"\/api\/v2\/solver_competition\//;
const ORDER_UID = /0x[0-9a-f]{112}/gi;

/** Looks up records of a loaded shard that other shards reference. */
export function lookUpRecords(
  contents: ReferencingRecords,
  { orders, auctions }: ReferencedKeys,
): ReferencedRecords {
  const byId = new Map(contents.competitions.map((records) => [records.auctionId, records]));
  return [
    ...groupOrders(contents).filter(({ order }) => orders.has(order.uid.toLowerCase()))
      .map((records) => [records.order.uid.toLowerCase(), encodeRecords(records)] as const),
    ...auctions.entries().flatMap(([hash, ids]) =>
      ids.map((id) => [hash, JSON.stringify(encodeCompetition(byId.get(id)!))] as const)
    ),
  ];
}

export function encodeRecords({ order, trades, debugReport }: OrderRecords): string {
  return JSON.stringify({
    order: encodeOrder(order),
    trades: Array.from(trades, encodeTrade),
    debugReport: debugReport == null ? null : encodeDebugReport(debugReport),
  });
}

function decodeRecords(text: string): OrderRecords {
  const { order, trades, debugReport } = JSON.parse(text);
  return {
    order: decodeOrder(order),
    trades: trades.map(decodeTrade),
    debugReport: debugReport === null ? null : decodeDebugReport(debugReport),
  };
}

/** Records that rewards of one week follow from, as texts. */
interface WeekRecords {
  readonly week: string;
  readonly auctions: readonly { readonly body: string }[];
  readonly orders: readonly (readonly [uid: string, body: string])[];
}

const ADD_COUNTS = `INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT (uid) DO UPDATE
  SET auctions = auctions + excluded.auctions, bids = bids + excluded.bids`;

/**
 * A file with what the derived tables of one shard need from others: counts of its orders, and
 * records that one shard references and another has. Memory holds what one shard needs.
 */
export class FactIndex extends Database {
  /** The latest time that a shard names. */
  latest: Temporal.Instant;

  private constructor(database: DatabaseSync, latest: string) {
    super(database);
    this.latest = parseInstant(latest);
  }

  /** Begins an empty index in a file, which the caller removes. */
  static create(file: string): FactIndex {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(file);
    database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
       CREATE TABLE counts (uid TEXT PRIMARY KEY, auctions INTEGER, bids INTEGER) WITHOUT ROWID;
       CREATE TABLE owned (name TEXT PRIMARY KEY, shard INTEGER) WITHOUT ROWID;
       CREATE TABLE settled
         (name TEXT, auction INTEGER, shard INTEGER, PRIMARY KEY (name, auction)) WITHOUT ROWID;
       CREATE TABLE lacked (name TEXT PRIMARY KEY) WITHOUT ROWID;
       CREATE TABLE absent (uid TEXT PRIMARY KEY) WITHOUT ROWID;
       CREATE TABLE starts (block INTEGER);
       CREATE TABLE reaches (deadlineBlock INTEGER, startBlock INTEGER);
       CREATE TABLE records (name TEXT, body TEXT);
       CREATE INDEX records_by_name ON records (name);
       CREATE TABLE week_auctions (week TEXT, facts TEXT, body TEXT);
       CREATE TABLE week_orders (week TEXT, uid TEXT, body TEXT, PRIMARY KEY (week, uid))`,
    );
    return new FactIndex(database, "1970-01-01T00:00:00Z");
  }

  /** Opens an index that is complete, to look things up. */
  static open(file: string, latest: string): FactIndex {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    return new FactIndex(new DatabaseSync(file, { readOnly: true }), latest);
  }

  /** Adds the references of a shard; a key of several shards belongs to the first one added. */
  add(shard: number, names: ReturnType<typeof collectReferences>): void {
    this.latest = selectLater(this.latest, parseInstant(names.latest))!;
    this.runInTransaction(() => {
      for (const [uid, { auctions, bids }] of names.counts) {
        this.run(ADD_COUNTS, uid, auctions, bids);
      }
      for (const uid of names.orders) {
        this.run("INSERT OR IGNORE INTO owned VALUES (?, ?)", uid, shard);
      }
      for (const [hash, ids] of names.settled) {
        for (const id of ids) {
          this.run("INSERT OR IGNORE INTO settled VALUES (?, ?, ?)", hash, id, shard);
        }
      }
      for (const name of [...names.lackedOrders, ...names.lackedHashes]) {
        this.run("INSERT OR IGNORE INTO lacked VALUES (?)", name);
      }
      for (const uid of names.absentOrders) {
        this.run("INSERT OR IGNORE INTO absent VALUES (?)", uid);
      }
      if (names.latestBlock !== null) this.run("INSERT INTO starts VALUES (?)", names.latestBlock);
      const { reach } = names;
      if (reach !== null) {
        this.run("INSERT INTO reaches VALUES (?, ?)", reach.deadlineBlock, reach.startBlock);
      }
    });
  }

  /** The newest block that auctions of any shard began at; `undefined` without auctions. */
  get latestBlock(): number | undefined {
    const sql = "SELECT max(block) AS block FROM starts";
    return this.queryRow<{ block: number | null }>(sql)?.block ?? undefined;
  }

  groupKeysByShard(): Map<number, ReferencedKeys> {
    const keysByShard = new Map<number, { orders: Set<string>; auctions: Map<string, number[]> }>();
    const rows = this.query<{ name: string; shard: number; auction: number | null }>(
      `SELECT name, shard, NULL AS auction FROM lacked JOIN owned USING (name)
       UNION ALL SELECT name, shard, auction FROM lacked JOIN settled USING (name)`,
    );
    for (const { name, shard, auction } of rows) {
      const keys = keysByShard.get(shard) ?? { orders: new Set(), auctions: new Map() };
      keysByShard.set(shard, keys);
      if (auction === null) keys.orders.add(name);
      else keys.auctions.set(name, [...keys.auctions.get(name) ?? [], auction]);
    }
    return keysByShard;
  }

  addRecords(records: ReferencedRecords): void {
    this.runInTransaction(() => {
      for (const record of records) this.run("INSERT INTO records VALUES (?, ?)", ...record);
    });
  }

  /** Finds orders by UID with their fills and reports; skips those that no shard has. */
  findOrders(uids: Iterable<string>): OrderRecords[] {
    return [...this.#findBodies(uids)].map(decodeRecords);
  }

  /** Finds the auctions that some transactions settled, each once; skips those that no shard has. */
  findAuctions(hashes: Iterable<string>): Competition[] {
    return [...this.#findBodies(hashes)].map((body) => decodeCompetition(JSON.parse(body)));
  }

  #findBodies(names: Iterable<string>): Set<string> {
    const sql = "SELECT body FROM records WHERE name = ?";
    const rows = Array.from(names, (name) => this.query<{ body: string }>(sql, name)).flat();
    return new Set(rows.map(({ body }) => body));
  }

  /** Returns the number of auctions and bids of an order. */
  findCounts(uid: string): OrderCounts {
    const sql = "SELECT auctions, bids FROM counts WHERE uid = ?";
    return this.queryRow<OrderCounts>(sql, uid.toLowerCase()) ?? NO_COUNTS;
  }

  /** Selects the orders, by UID in lower case, for which no shard has a response. */
  selectUnanswered(uids: Iterable<string>): string[] {
    const sql = "SELECT 1 FROM owned WHERE name = ? UNION ALL SELECT 1 FROM absent WHERE uid = ?";
    return Array.from(uids).filter((uid) => this.queryRow(sql, uid, uid) === undefined);
  }

  /** Blocks of which every settlement belongs to one of the auctions; `null` if they cover none. */
  get coveredBlocks(): CoveredBlocks | null {
    const sql = "SELECT min(deadlineBlock) AS first, max(startBlock) AS last FROM reaches";
    const { first, last } = this.queryRow<Record<"first" | "last", number | null>>(sql)!;
    if (first === null || last === null) return null;
    const [from, to] = [first + LATE_BLOCKS + 1, last];
    return from > to ? null : { from, to };
  }

  /** Adds what rewards of a week follow from; of an order, the last text counts. */
  addWeek({ week, auctions, orders }: WeekRecords): void {
    this.runInTransaction(() => {
      for (const { body, ...facts } of auctions) {
        this.run("INSERT INTO week_auctions VALUES (?, ?, ?)", week, JSON.stringify(facts), body);
      }
      const sql =
        "INSERT INTO week_orders VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body";
      for (const [uid, body] of orders) this.run(sql, week, uid, body);
    });
  }

  /** The auctions of a week in the order in which they were added, each decoded as it is read. */
  readAuctions<Auction>(week: string, decode: (facts: string, body: string) => Auction): Auction[] {
    const sql = "SELECT facts, body FROM week_auctions WHERE week = ? ORDER BY rowid";
    const rows = this.iterateRows<{ facts: string; body: string }>(sql, week);
    return Array.from(rows, ({ facts, body }) => decode(facts, body));
  }

  /** The orders of a week in the order in which they were added first. */
  readWeekOrders(week: string): OrderRecords[] {
    const sql = "SELECT body FROM week_orders WHERE week = ? ORDER BY rowid";
    const rows = this.iterateRows<{ body: string }>(sql, week);
    return Array.from(rows, ({ body }) => decodeRecords(body));
  }

  /** Removes the records of a week that has ended. */
  removeWeek(week: string): void {
    this.run("DELETE FROM week_auctions WHERE week = ?", week);
    this.run("DELETE FROM week_orders WHERE week = ?", week);
  }
}
