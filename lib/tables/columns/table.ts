import { buildFrame, type Column, type Frame } from "./frame.ts";
import { type ReadRecords, readRecords, type Records } from "./records.ts";

/** Records that an export requests in addition to the auctions; `orders` name the others, which need them too. */
export type Need =
  | "orders"
  | "trades"
  | "app_data"
  | "reports"
  /** Timestamps of blocks, from a node. */
  | "blocks"
  /** Times of auctions: timestamps of blocks, or without a node the dates of orders. */
  | "times"
  /** Transactions and receipts, from a node. */
  | "settlements"
  /** Instances of auctions, from their store. */
  | "instances";

/** Columns of a table whose values are in another, within the files of the same 1,000 auctions. */
export interface TableReference {
  /** Its columns. */
  readonly columns: readonly string[];
  /** The other table. */
  readonly to: string;
  /** Columns of the other table, as many. @default {those of the same names} */
  readonly toColumns?: readonly string[];
}

/** The auction of a row. */
export const TO_AUCTION: TableReference = { columns: ["auction_id"], to: "auctions" };
/** The order of a row. */
export const TO_ORDER: TableReference = { columns: ["order_uid"], to: "orders" };

/**
 * A table: the meaning of one row, its columns, and its input.
 *
 * `Of` are the names of the records that it requires.
 */
export interface Table<Of extends keyof Records = never> {
  /** Name, in the plural. */
  readonly name: string;
  /** Meaning of one row, in one sentence. */
  readonly grain: string;
  /** `record`: records of the service and the chain; `derived`: computed from these. */
  readonly kind: "record" | "derived";
  /** Records that it requires; the rows are about the first. */
  readonly of: readonly (keyof Records)[];
  /** Columns that together identify a row; with `chain_id` in front, across chains. */
  readonly key: readonly string[];
  /** Records that an export requests for it; absent of a table that datasets do not have. */
  readonly needs?: readonly Need[];
  /** Columns whose values are in another table. */
  readonly references?: readonly TableReference[];
  /** Whether several files of a dataset may have the same row. */
  readonly hasRepeats?: true;
  /** Whether orders without a bid have rows in it. */
  readonly isOfUnbid?: true;
  /** Columns, in order. */
  readonly columns: readonly Column<never>[];
  /** Builds it from records that were read. */
  build(
    records: ReadRecords & { readonly [Name in Of]-?: NonNullable<ReadRecords[Name]> },
  ): Frame;
}

/** Declaration of a table. */
interface TableDeclaration<Row, Of extends keyof Records>
  extends Omit<Table, "of" | "columns" | "build"> {
  /** Records that it requires; the rows are about the first. */
  readonly of: readonly Of[];
  /** Columns, in order. */
  readonly columns: readonly Column<Row>[];
  /** Its rows, or a frame of typed columns. */
  readonly rows: (records: Parameters<Table<Of>["build"]>[0]) => Iterable<Row> | Frame;
  /** Whether its rows come in the order of the key; if absent, they are sorted. */
  readonly isSorted?: (records: ReadRecords) => boolean;
  /** Whether records may name a row twice; the first counts. */
  readonly mayRepeat?: true;
}

/** Defines a table. */
export function defineTable<Row, Of extends keyof Records>(
  declaration: TableDeclaration<Row, Of>,
): Table<Of> {
  const { rows, isSorted, mayRepeat, columns, ...facts } = declaration;
  const names = new Set(columns.map(({ name }) => name));
  const key = facts.key.filter((name) => names.has(name));
  return {
    ...facts,
    columns: columns as readonly Column<never>[],
    build(records) {
      const input = rows(records);
      const frame = isFrame(input) ? input : buildFrame({ ...facts, columns }, input, records);
      const distinct = mayRepeat
        ? frame.unique({ subset: key, keep: "first", maintainOrder: true }) as Frame
        : frame;
      return isSorted?.(records) ? distinct : sortByKey(distinct, key);
    },
  };
}

/** Sorts a frame by its key; rows of one key stay in their order. */
export function sortByKey(frame: Frame, key: readonly string[]): Frame {
  return frame.sort({ by: [...key], maintainOrder: true }) as Frame;
}

function isFrame(value: object): value is Frame {
  return typeof Reflect.get(value, "getColumn") === "function";
}

/**
 * Builds a table from records, sorted by its key; none give a frame without rows.
 *
 * @param table The table, such as `FILLS`.
 * @param records Records that its rows are about, records that rows look up, and parameters.
 * @returns A frame with the columns of the table.
 * @throws {InputError} If a name is unknown, a value is invalid, or records are absent or of another kind.
 *
 * @example The winner of an auction
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { buildTable, SOLUTIONS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const competition = decodeCompetition({
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: [], prices: {} },
 *   solutions: [{
 *     solverAddress: `0x${"ab".repeat(20)}`,
 *     score: "40",
 *     ranking: 1,
 *     clearingPrices: {},
 *     orders: [],
 *     isWinner: true,
 *     filteredOut: false,
 *   }],
 * });
 *
 * const [row] = buildTable(SOLUTIONS, { competitions: [competition] }).toRecords();
 * assertEquals([row?.ranking, row?.score_atoms, row?.is_winner], [1, "40", true]);
 * ```
 */
export function buildTable<Of extends keyof Records>(
  table: Table<Of>,
  records: Records & { readonly [Name in NoInfer<Of>]-?: NonNullable<Records[Name]> },
): Frame {
  const readInputs = readRecords(records, table.of, `Cannot build ${table.name}`);
  return table.build(readInputs as Parameters<typeof table.build>[0]);
}
