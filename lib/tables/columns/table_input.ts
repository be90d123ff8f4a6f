import { InputError } from "../../errors/mod.ts";
import {
  callable,
  checkOptions,
  oneOf,
  type OptionRule,
  type OptionRules,
  requireList,
  rule,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { OrderEvidence, SettlementOptions } from "../../metrics/mod.ts";
import { ROLE_OPTIONS } from "../../metrics/orders/order_bids.ts";
import { NETWORKS } from "../../networks/networks.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { buildFrame, type Frame, type Table } from "./frame.ts";
import type { FillOptions, OrderRecords } from "./order_records.ts";
import { SOLVER_NAMES, type SolverOptions, type TokenOptions } from "./lookups.ts";
import { TIME_OPTIONS } from "./columns.ts";

/** One kind of decoded records that tables take. */
export interface RecordKind<Row> {
  /** What they are, in the plural. */
  readonly noun: string;
  /** Fields that distinguish one from records of another kind. */
  readonly fields: readonly (keyof Row & string)[];
  /** The call that returns them. */
  readonly from: string;
  /** Fields that contain records, and of which kind. @default {none} */
  readonly lists?: Readonly<Record<string, Pick<RecordKind<Trade>, "noun" | "fields">>>;
}

export const ORDER_KIND: RecordKind<Order> = {
  noun: "decoded orders",
  fields: ["uid", "sellToken"],
  from: "`book.orders` returns them",
};
export const TRADE_KIND: RecordKind<Trade> = {
  noun: "decoded trades",
  fields: ["orderUid", "logIndex"],
  from: "`book.trades` returns them",
};
export const COMPETITION_KIND: RecordKind<Competition> = {
  noun: "decoded competitions",
  fields: ["auctionId", "solutions"],
  from: "`book.competition` returns one; `book.competitions` yields them as `competition`",
};
export const REPORT_KIND: RecordKind<DebugReport> = {
  noun: "decoded debug reports",
  fields: ["orderUid", "auctions"],
  from: "`book.debugReport` returns one",
};
export const RECORDS_KIND: RecordKind<OrderRecords> = {
  noun: "orders with their trades",
  fields: ["order", "trades"],
  from: "`gatherOrders` returns them as `records`",
  lists: { trades: TRADE_KIND },
};
export const EVIDENCE_KIND: RecordKind<OrderEvidence> = {
  noun: "objects with an order and what is known about it",
  fields: ["order"],
  from: "`gatherOrders` returns them as `records`",
};

/** Allowed values of an option that takes records. */
export function recordsRule<Row extends object>(
  { noun, fields }: RecordKind<Row>,
): OptionRule<Iterable<Row>> {
  return rule(`an array of ${noun}`, (value) => isListOf(fields, value));
}

function isListOf(fields: readonly string[], value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => has(one, fields));
  return typeof value === "object" && value !== null && !(value instanceof Map) &&
    typeof Reflect.get(value, Symbol.iterator) === "function" &&
    typeof Reflect.get(value, "getColumn") !== "function";
}

/** Allowed values of an option that takes a map. */
function mapRule<Value>(what: string): OptionRule<Value> {
  return rule(`a Map of ${what}`, (value) => value instanceof Map);
}

const LOOKUP = (value: unknown) => value instanceof Map || typeof value === "function";

/** Allowed values of the {@linkcode TokenOptions}. */
const TOKEN_OPTIONS: OptionRules<TokenOptions> = {
  decimals: rule("a Map by address or a function of the address", LOOKUP),
  symbols: rule("a Map by address or a function of the address", LOOKUP),
  network: oneOf<string>("local", ...Object.keys(NETWORKS)),
  onUnknownTokens: callable(),
};

/** Allowed values of the {@linkcode SolverOptions}. */
const SOLVER_OPTIONS: OptionRules<SolverOptions> = {
  solvers: SOLVER_NAMES,
  network: TOKEN_OPTIONS.network,
};

/** Allowed values of the {@linkcode FillOptions}. */
const FILL_OPTIONS: OptionRules<FillOptions> = {
  ...TOKEN_OPTIONS,
  ...SOLVER_OPTIONS,
  ...TIME_OPTIONS,
  ...ROLE_OPTIONS,
  competitions: recordsRule(COMPETITION_KIND),
  settlements: mapRule("decoded settlements by transaction hash"),
};

/** What is known about filtering. */
export interface FilterOptions {
  /**
   * Whether the service stored which solutions of an auction it filtered out. Public deployments did
   * not before 2025-06-20: their older answers say `false`, which means nothing. @default {always}
   */
  isFilterStored?: (auctionId: number) => boolean;
}

/** Allowed values of options that several tables have, by what they are about. */
const RULES = {
  tokens: TOKEN_OPTIONS,
  solvers: SOLVER_OPTIONS,
  times: TIME_OPTIONS,
  roles: ROLE_OPTIONS,
  fills: FILL_OPTIONS,
  filter: { isFilterStored: callable() } satisfies OptionRules<FilterOptions>,
  competitions: { competitions: recordsRule(COMPETITION_KIND) },
  orders: { orders: recordsRule(ORDER_KIND) },
  trades: { trades: recordsRule(TRADE_KIND) },
  debugReports: { debugReports: recordsRule(REPORT_KIND) },
  settlements: {
    trades: recordsRule(TRADE_KIND),
    debugReports: recordsRule(REPORT_KIND),
    latestBlock: wholeFrom(0),
    hasFills: callable(),
    deadlineBlocks: wholeFrom(0),
  } satisfies OptionRules<SettlementOptions>,
};

/** What every one of some types is. */
type AllOf<Types> = (Types extends unknown ? (one: Types) => void : never) extends
  (all: infer All) => void ? All : never;

/** Allowed values of the options about some subjects. */
export function optionsOn<Subject extends keyof typeof RULES>(
  ...subjects: readonly Subject[]
): AllOf<(typeof RULES)[Subject]> {
  return Object.assign({}, ...subjects.map((one) => RULES[one]));
}

/** The input of a table. */
export interface TableInput<Row, Options> {
  /** Name of the function that builds it. */
  readonly table: string;
  /** What it is built from. */
  readonly records: RecordKind<Row>;
  /** Allowed values of each of its options. */
  readonly options: OptionRules<Options>;
}

/** A table as a function. */
export interface BuildTable<Given, Options = Readonly<Record<string, never>>> {
  /**
   * Builds the frame of records; none give a frame without rows.
   *
   * @throws {InputError} If an option is unknown or has an invalid value, or the records are
   *   of another kind.
   */
  (records: Iterable<Given>, options?: Options): Frame;
}

/** How a table is built, declared once beside its columns. */
interface TableDeclaration<Row, Given, Options>
  extends Omit<TableInput<Given, NoInfer<Options>>, "table"> {
  /** Its columns. */
  readonly table: Table<Row>;
  /** What its rows are computed from. */
  readonly rows: (records: readonly Given[], options: Options) => Iterable<Row>;
}

/** Makes the function of a table, which is named after it: `fillsTable` of `fills`. */
export function tableOf<Row, Given extends object, Options extends TokenOptions & SolverOptions>(
  { table, rows, ...input }: TableDeclaration<Row, Given, Options>,
): BuildTable<Given, Options> {
  const name = table.name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return (records, options = {} as Options) => {
    const all = readRecords(records, options, { ...input, table: `${name}Table` });
    return buildFrame(table, rows(all, options), options);
  };
}

/**
 * The records of a table as an array, checked with its options.
 *
 * @throws {InputError} If an option is unknown or has an invalid value, or the records are
 *   of another kind.
 */
export function readRecords<Row extends object, Options extends object>(
  given: Iterable<Row>,
  options: Options,
  { table, records: kind, options: rules }: TableInput<Row, Options>,
): readonly Row[] {
  const { noun, fields, from } = kind;
  const action = `Cannot build ${table}`;
  checkOptions(options, rules, action);
  requireList(given, { action, expected: `an array of ${noun}` });
  const all: readonly Row[] = Array.isArray(given) ? given : Array.from(given);
  for (const [place, one] of all.entries()) {
    const fault = has(one, fields) ? faultInLists(one, kind) : missingIn(one, fields);
    if (fault === null) continue;
    throw new InputError(`${action}: record ${place} ${fault}`, {
      remedy: `Pass ${noun}: ${from}`,
    });
  }
  return all;
}

function missingIn(one: unknown, fields: readonly string[]): string {
  return typeof one === "object" && one !== null
    ? `has no ${fields.filter((field) => !(field in one)).join(", ")}`
    : `is ${String(one).slice(0, 80)}`;
}

/**
 * What is wrong with the records in a record: for example, trades of a debug report have no
 * `orderUid`.
 */
function faultInLists<Row extends object>(
  one: Row,
  { lists = {} }: RecordKind<Row>,
): string | null {
  const found = Object.entries(lists)
    .find(([name, { fields }]) => !isListOf(fields, Reflect.get(one, name)));
  return found === undefined ? null : `has ${found[0]} that are not ${found[1].noun}`;
}

function has(one: unknown, fields: readonly string[]): boolean {
  return typeof one === "object" && one !== null && fields.every((field) => field in one);
}
