import type { DatabaseSync, StatementSync } from "node:sqlite";
import { earlierOf, laterOf } from "../../metrics/orders/known_time.ts";
import { transactionsOf } from "../../metrics/orders/fills.ts";
import {
  type Competition,
  decodeCompetition,
  decodeDebugReport,
  decodeOrder,
  decodeTrade,
  effectiveValidTo,
  encodeCompetition,
  encodeDebugReport,
  encodeOrder,
  encodeTrade,
  type Order,
} from "../../schemas/mod.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import { knownFills } from "../../tables/columns/order_records.ts";
import { feesOf } from "../../tables/fees/fees.ts";
import { fillFacts } from "../../tables/fills/fills.ts";
import {
  BIDS,
  bidsTable,
  FEES,
  FILLS,
  type Frame,
  LIFECYCLE,
  type OrderRecords,
  OUTCOMES,
  outcomesTable,
} from "../../tables/mod.ts";
import { lifecycleFacts } from "../../tables/orders/lifecycle.ts";
import { PUBLISHED_TABLES } from "./published_tables.ts";
import { orderRecordsOf } from "./record_tables.ts";
import { filterFacts, type ShardContents, type TableContext } from "./table_context.ts";

/** How often the auctions of a dataset had an order. */
interface OrderCounts {
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

/** A shard with what it names in others. */
export interface WholeShard {
  /** Its own records. */
  readonly contents: ShardContents;
  /** Its orders, and those of other shards that its solutions contain. */
  readonly orders: readonly OrderRecords[];
  /** Its own orders alone. */
  readonly own: readonly OrderRecords[];
  /** Its auctions, and those of other shards that settled its fills. */
  readonly auctions: readonly Competition[];
}

/** Looks up what a shard names in others. */
export function wholeShard(contents: ShardContents, index: FactIndex): WholeShard {
  const own = orderRecordsOf(contents);
  const { competitions, trades } = contents;
  const ownOrders = new Set(own.map(({ order }) => order.uid.toLowerCase()));
  const ownHashes = new Set(
    competitions.flatMap(transactionsOf).map((hash) => hash.toLowerCase()),
  );
  const bids = new Set(
    competitions.flatMap(({ solutions }) =>
      solutions.flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase()))
    ),
  );
  const hashes = new Set(trades.flatMap(({ txHash }) => txHash?.toLowerCase() ?? []));
  return {
    contents,
    own,
    orders: [...own, ...index.orders(bids.difference(ownOrders))],
    auctions: [...competitions, ...index.auctions(hashes.difference(ownHashes))],
  };
}

/** Answers by the name of their table; fills and fees share what is known of each fill. */
export function shardAnswers(
  shard: WholeShard,
  context: TableContext,
  index: FactIndex,
): Readonly<Record<string, () => Frame>> {
  const { contents, own, orders, auctions } = shard;
  const { competitions, times } = contents;
  const { tokens } = context;
  const filter = filterFacts(contents, context);
  const known = { ...tokens, competitions: auctions, times };
  let fills: ReturnType<typeof knownFills> | undefined;
  const ownFills = () => fills ??= knownFills(own, known);
  const everyOrder = orders.map(({ order }) => order);
  const trades = orders.flatMap((one) => [...one.trades]);
  const debugReports = orders.flatMap(({ debugReport }) => debugReport ?? []);
  const { network } = tokens;
  return {
    fills: () => buildFrame(FILLS, ownFills().map((fill) => fillFacts(fill, filter)), tokens),
    fees: () => buildFrame(FEES, ownFills().flatMap(feesOf), tokens),
    bids: () =>
      bidsTable(competitions, { ...tokens, ...filter, orders: everyOrder, trades, times }),
    outcomes: () =>
      outcomesTable(competitions, {
        ...network === undefined ? {} : { network },
        ...filter,
        trades,
        debugReports,
        times,
      }),
    lifecycle: () => lifecycleFrame(shard, context, index),
  };
}

/** The tables that {@linkcode shardAnswers} builds. */
export const SHARD_ANSWERS: readonly string[] = [FILLS, FEES, BIDS, OUTCOMES, LIFECYCLE]
  .map(({ name }) => name);

function lifecycleFrame({ contents, own }: WholeShard, context: TableContext, index: FactIndex) {
  const { times, competitions, answeredFills } = contents;
  const latest = competitions.length > 0 ? contents.latest : index.latest;
  const rows = own.map((one) => ({
    ...lifecycleFacts({ ...one, trades: tradesOf(one, answeredFills), competitions: [] }, {
      now: timeOfAnswer(one.order, latest),
      times,
    }),
    counts: index.countsOf(one.order.uid),
  }));
  return buildFrame(LIFECYCLE, rows, context.tokens);
}

/** Fills of an order; `null` if it has some, and they were not asked for. */
function tradesOf({ order, trades }: OrderRecords, answeredFills: ReadonlySet<string>) {
  const isExecuted = order.executedSellAmount > 0n || order.executedBuyAmount > 0n;
  return isExecuted && !answeredFills.has(order.uid.toLowerCase()) ? null : [...trades];
}

/**
 * When an order was at least still as it was answered: as late as the latest time that the answers of
 * its shard name, after its expiry if it had expired, and before it otherwise.
 */
function timeOfAnswer(order: Order, latest: Temporal.Instant): Temporal.Instant {
  const validTo = Temporal.Instant.fromEpochMilliseconds(effectiveValidTo(order) * 1_000);
  if (order.status === "expired") return laterOf(latest, validTo.add({ seconds: 1 }))!;
  return order.status === "open" || order.status === "presignaturePending"
    ? earlierOf(latest, validTo)!
    : latest;
}

/** Columns of one table whose values are in another. */
interface Reference {
  /** The table that names. */
  readonly table: string;
  /** Its columns. */
  readonly columns: readonly string[];
  /** The table that is named. */
  readonly to: string;
  /** Its columns, as many. */
  readonly toColumns: readonly string[];
}

/** What tables name of each other; within the file of the same 1,000 auctions. */
export const REFERENCES: readonly Reference[] = PUBLISHED_TABLES.flatMap((
  { table, references = [] },
) =>
  references.map(({ columns, to, toColumns = columns }) => ({
    table: table.name,
    columns,
    to,
    toColumns,
  }))
);

/** The same as keys, which databases and catalogues declare: those of the table that is named. */
export const FOREIGN_KEYS: readonly Reference[] = REFERENCES.map((one) => {
  const key = PUBLISHED_TABLES.find(({ table }) => table.name === one.to)?.key ?? [];
  const isWider = one.columns.length > key.length;
  return isWider ? { ...one, columns: key, toColumns: key } : one;
});
