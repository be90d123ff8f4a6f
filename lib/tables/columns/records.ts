import { InputError } from "../../errors/mod.ts";
import {
  ADDRESS,
  anyFunction,
  checkOptions,
  defineRule,
  numberFrom,
  oneOf,
  type OptionRule,
  type OptionRules,
  required,
  requireList,
  wholeNumber,
} from "../../errors/option_rules.ts";
import type { OnchainSettlement } from "../../evm/mod.ts";
import type {
  ClearingPrices,
  KnownTime,
  OrderEvidence,
  RoleOptions,
  SettlementAudit,
  SettlementOptions,
  WeeklyRewardOptions,
} from "../../metrics/mod.ts";
import { REPLAY_OPTIONS } from "../../metrics/auctions/score_solution.ts";
import { STATUS_OPTIONS, type StatusOptions } from "../../metrics/orders/calculate_status.ts";
import { RULES, WEEK_OPTIONS } from "../../metrics/solvers/reward_facts.ts";
import type { RewardRules } from "../../networks/network.ts";
import { ROLE_OPTIONS } from "../../metrics/orders/order_bids.ts";
import { NETWORKS } from "../../networks/networks.ts";
import type { Competition, DebugReport, Instance, Order, Trade } from "../../schemas/mod.ts";
import { TIME_OPTIONS, type TimeOptions } from "./columns.ts";
import { distinctRecords } from "./distinct_records.ts";
import type { Frame } from "./frame.ts";
import { DOLLAR_TOKENS, SOLVER_NAMES, type SolverOptions, type TokenOptions } from "./lookups.ts";
import { PRICE_AT_OPTIONS, type PriceAtOptions, type PriceSeries, SERIES } from "./price_series.ts";

/** One order with its fills, and its debug report. */
export interface OrderRecords {
  /** The order. */
  readonly order: Order;
  /** Its fills, as returned by `v2/trades`; trades of other orders are ignored. */
  readonly trades: Iterable<Trade>;
  /** Its debug report, which public deployments return to partners only. */
  readonly debugReport?: DebugReport | null | undefined;
}

/** A settlement that was compared with the chain, or the reason why it was not. */
export interface AuditOutcome {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Auction that names it; `null` if unknown. */
  readonly auctionId: number | null;
  /** The audit; `null` if the responses are not about a settlement. */
  readonly audit: SettlementAudit | null;
  /** Reason why there is no audit; `null` if there is one. */
  readonly why: string | null;
}

/** A document and its hash. */
export interface AppDataFacts {
  /** The hash that orders name. */
  readonly hash: string;
  /** The document, as it was hashed. */
  readonly document: string;
}

/** A block and when it was produced. */
export interface BlockFacts {
  /** Its number. */
  readonly number: number;
  /** Its timestamp. */
  readonly at: Temporal.Instant;
}

/** Consecutive auctions that list an order. */
export interface OrderListingFacts {
  /** UID of the order. */
  readonly uid: string;
  /** The first of the auctions. */
  readonly first: number;
  /** The last of them. */
  readonly last: number;
  /** Number of the auctions. */
  readonly count: number;
}

/** Columns of a row of `markout` that `winners_curse` reads. */
export interface ContestedFillRow {
  /** Solvers with a bid on the order; `null` if unknown. */
  readonly bidder_count: number | null;
  /** Its markout, as a fraction of one; `null` if unknown. */
  readonly markout_exact: string | null;
  /** Markout before fees, as a fraction of one; `null` if unknown. */
  readonly solver_efficiency_exact: string | null;
}

/** Native prices of auctions, stored as columns: an auction has hundreds. */
export interface NativePriceColumns {
  /** Whether auctions ascend, so that rows need no sorting. */
  readonly isAscending: boolean;
  /** The rows. */
  frame(auctionAt: (auctionId: number) => KnownTime | null, tokens: TokenOptions): Frame;
  /** Finds the price of a token in an auction; `undefined` without one. */
  find(auctionId: number, token: string): bigint | undefined;
}

/** Auctions whose filtering was stored. */
export interface FilterOptions {
  /**
   * Whether the service stored which solutions of an auction it filtered out. Public deployments did
   * not before 2025-06-20: their older responses say `false`, which means nothing. @default {always}
   */
  readonly isFilterStored?: (auctionId: number) => boolean;
}

/** Records that rows are about, and those that rows look up. */
export interface RecordLists {
  /** Decoded auctions, each once. */
  competitions: Competition;
  /** Decoded instances of auctions, each with its `id`. */
  instances: Instance;
  /** Decoded orders. */
  orders: Order;
  /** Decoded fills. */
  trades: Trade;
  /** Decoded debug reports. */
  debugReports: DebugReport;
  /** Orders with their fills, as `gatherOrders` returns them. */
  records: OrderRecords;
  /** Orders with their evidence: fills that are `null` were not read. */
  evidence: OrderEvidence;
  /** Settlements compared with the chain. */
  audits: SettlementAudit | AuditOutcome;
  /** Settlements, as a node has them. */
  onchainSettlements: OnchainSettlement;
  /** App data documents. @default {those of the orders} */
  documents: AppDataFacts;
  /** Blocks. */
  blocks: BlockFacts;
  /** Intervals in which orders were listed. @default {those of the competitions} */
  listings: OrderListingFacts;
  /** Rows of the table `markout`. */
  markouts: ContestedFillRow;
}

/** Lists of records, as callers have them. */
export type RecordIterables = {
  readonly [Name in keyof RecordLists]?: Iterable<RecordLists[Name]>;
};

/** Lists of records, as tables read them. */
export type RecordArrays = {
  readonly [Name in keyof RecordLists]?: readonly RecordLists[Name][];
};

/** Parameters of tables, and facts that they look up in addition to lists of records. */
export interface RecordFacts
  extends
    TokenOptions,
    SolverOptions,
    TimeOptions,
    RoleOptions,
    FilterOptions,
    PriceAtOptions,
    Pick<SettlementOptions, "latestBlock" | "hasFills" | "deadlineBlocks">,
    Pick<StatusOptions, "presignaturePending">,
    Pick<
      WeeklyRewardOptions,
      | "areAllAuctions"
      | "consistencyBudget"
      | "cowPrice"
      | "deadlineMs"
      | "excludedAuctions"
      | "quoteReward"
    > {
  /** The network of tokens and solvers, such as `mainnet`. @default {any, if all networks agree} */
  network?: string;
  /**
   * Decoded settlements by transaction hash in any letter case, from `settlement`: they make the
   * network fee exact instead of an interval.
   */
  readonly settlements?: ReadonlyMap<string, ClearingPrices>;
  /** Native prices, where the competitions have only a part. @default {those of the competitions} */
  readonly nativePrices?: NativePriceColumns;
  /** Number of orders that each auction lists. @default {as the competitions list} */
  readonly orderCounts?: ReadonlyMap<number, number>;
  /** Number of orders that each instance has. @default {as the instances have} */
  readonly instanceOrderCounts?: ReadonlyMap<number, number>;
  /** Auctions and bids of an order. @default {as the evidence and the competitions have it} */
  readonly countAuctions?: (uid: string) => { readonly auctions: number; readonly bids: number };
  /** The time of the responses, or that of the response with an order: what has expired by then. */
  readonly now?: Temporal.Instant | ((order: Order) => Temporal.Instant);
  /** Times of the auctions, by which they are rewarded. @default {times} */
  readonly rewardTimes?: WeeklyRewardOptions["times"];
  /** Network whose documented rules reward the solvers. @default {network} */
  readonly rewardsOf?: string;
  /**
   * Dated rules of rewards: the latest rules in force at its start apply to a week; one set that is
   * passed alone applies to every week. @default {those of the network}
   */
  readonly rules?: readonly RewardRules[] | RewardRules;
  /** Maximum number of winners of an auction. @default {unlimited} */
  readonly maxWinners?: number;
  /** Market prices, from `readPrices` or `priceSeries`. */
  readonly prices?: PriceSeries;
  /**
   * Delay of the prices after a fill, in milliseconds: a test of a winner's curse needs the later value
   * of the trade. It counts from `filled_at`, the earliest time where that is an interval.
   * @default {0}
   */
  readonly delayMs?: number;
  /** Address of the token that wraps the native one. @default {that of the network} */
  readonly wrappedNativeToken?: string;
}

/**
 * Input of tables: the lists that their rows are about, those that rows look up, and parameters. Each
 * table takes the part that it needs; absent facts are unknown. A record that a list
 * has twice counts once; two of one key that differ, such as an order in two states, are two.
 */
export interface Records extends RecordFacts, RecordIterables {
  /** Records that rows name beyond the lists, such as orders of other files. @default {the lists} */
  readonly around?: Pick<RecordIterables, "competitions" | "orders" | "trades" | "debugReports">;
}

/** Lists in which rows look things up. */
type LookupName = keyof NonNullable<ReadRecords["around"]>;

/** Records whose lists are arrays, as tables read them. */
export interface ReadRecords extends RecordFacts, RecordArrays {
  /** Records that rows name beyond the lists. */
  readonly around?: Pick<RecordArrays, "competitions" | "orders" | "trades" | "debugReports">;
}

/** Returns the list in which rows look up records: that of `around`, otherwise the table's own. */
export function lookUp<Name extends LookupName>(
  records: ReadRecords,
  name: Name,
): ReadRecords[Name] {
  return records.around?.[name] ?? records[name];
}

const resultsByRecords = new WeakMap<object, Map<unknown, unknown>>();

/** Computes a common input of several tables once for the same records. */
export function computeOnce<Value>(
  records: ReadRecords,
  compute: (_: ReadRecords) => Value,
): Value {
  const byFunction = resultsByRecords.get(records) ?? new Map<unknown, unknown>();
  resultsByRecords.set(records, byFunction);
  if (!byFunction.has(compute)) byFunction.set(compute, compute(records));
  return byFunction.get(compute) as Value;
}

/** One kind of records that tables take. */
interface RecordKind<Item> {
  /** Noun, in the plural. */
  readonly noun: string;
  /** Fields that distinguish one from records of another kind; of alternatives, one. */
  readonly fields: readonly string[];
  /** The call that returns them. */
  readonly from: string;
  /** Key of a record among rows; `null` where equal records have separate rows. */
  readonly key: ((record: Item) => unknown) | null;
}

const KINDS: { readonly [Name in keyof RecordLists]: RecordKind<RecordLists[Name]> } = {
  competitions: {
    noun: "decoded competitions",
    fields: ["auctionId", "solutions"],
    from: "`book.competition` returns one; `book.competitions` yields them as `competition`",
    key: ({ auctionId }) => auctionId,
  },
  instances: {
    noun: "decoded instances of auctions with their ids",
    fields: ["id", "orders"],
    from: "`getInstance` of `orderlens/endpoints` returns one",
    key: ({ id }) => id,
  },
  orders: {
    noun: "decoded orders",
    fields: ["uid", "sellToken"],
    from: "`book.orders` returns them",
    key: ({ uid }) => uid,
  },
  trades: {
    noun: "decoded trades",
    fields: ["orderUid", "logIndex"],
    from: "`book.trades` returns them",
    key: ({ orderUid, blockNumber, logIndex }) => `${blockNumber} ${logIndex} ${orderUid}`,
  },
  debugReports: {
    noun: "decoded debug reports",
    fields: ["orderUid", "auctions"],
    from: "`book.debugReport` returns one",
    key: ({ orderUid }) => orderUid,
  },
  records: {
    noun: "orders with their trades",
    fields: ["order", "trades"],
    from: "`gatherOrders` returns them as `records`",
    key: ({ order }) => order.uid,
  },
  evidence: {
    noun: "objects with an order and what is known about it",
    fields: ["order"],
    from: "`gatherOrders` returns them as `records`",
    key: ({ order }) => order.uid,
  },
  audits: {
    noun: "audits of settlements",
    fields: ["txHash", "auctionId"],
    from: "`auditSettlement` returns one; `auditRange` yields them as `audit`",
    key: ({ txHash }) => txHash,
  },
  onchainSettlements: {
    noun: "settlements",
    fields: ["txHash", "transfers"],
    from: "`settlement` of `orderlens/evm` returns one",
    key: ({ txHash }) => txHash,
  },
  documents: {
    noun: "app data documents with their hashes",
    fields: ["hash", "document"],
    from: "`book.appData` returns one",
    key: ({ hash }) => hash,
  },
  blocks: {
    noun: "blocks",
    fields: ["number", "at"],
    from: "a node returns them",
    key: ({ number }) => number,
  },
  listings: {
    noun: "intervals of auctions that list an order",
    fields: ["uid", "first", "last"],
    from: "they follow from `competitions`",
    key: ({ uid, first }) => `${first} ${uid}`,
  },
  markouts: {
    noun: "rows of markouts",
    fields: ["bidder_count", "markout_exact", "solver_efficiency_exact"],
    from: "`toRecords()` of the frame of the table `markout` returns them",
    key: null,
  },
};
const LISTS = Object.keys(KINDS) as (keyof RecordLists)[];

const isLookup = (value: unknown) => value instanceof Map || typeof value === "function";
const NETWORK = oneOf<string>("local", ...Object.keys(NETWORKS));

/** Allowed values of all but lists, whose records are checked one by one. */
const FACT_RULES: OptionRules<RecordFacts> = {
  decimals: defineRule("a Map by address or a function of the address", isLookup),
  symbols: defineRule("a Map by address or a function of the address", isLookup),
  network: NETWORK,
  dollarTokens: DOLLAR_TOKENS,
  onUnknownTokens: anyFunction(),
  solvers: SOLVER_NAMES,
  ...TIME_OPTIONS,
  ...ROLE_OPTIONS,
  ...PRICE_AT_OPTIONS,
  isFilterStored: anyFunction(),
  latestBlock: wholeNumber(0),
  hasFills: anyFunction(),
  deadlineBlocks: wholeNumber(0),
  presignaturePending: STATUS_OPTIONS.presignaturePending,
  areAllAuctions: WEEK_OPTIONS.areAllAuctions,
  consistencyBudget: WEEK_OPTIONS.consistencyBudget,
  cowPrice: WEEK_OPTIONS.cowPrice,
  deadlineMs: WEEK_OPTIONS.deadlineMs,
  excludedAuctions: WEEK_OPTIONS.excludedAuctions,
  quoteReward: WEEK_OPTIONS.quoteReward,
  settlements: defineRule(
    "a Map of decoded settlements by transaction hash",
    (value) => value instanceof Map,
  ),
  nativePrices: defineRule("native prices as columns", (value) => "frame" in Object(value)),
  orderCounts: defineRule("a Map of numbers by auction id", (value) => value instanceof Map),
  instanceOrderCounts: defineRule(
    "a Map of numbers by auction id",
    (value) => value instanceof Map,
  ),
  countAuctions: anyFunction(),
  now: defineRule(
    "the time of the responses, a Temporal.Instant,",
    (now) => now instanceof Temporal.Instant || typeof now === "function",
  ),
  rewardTimes: WEEK_OPTIONS.times,
  rewardsOf: NETWORK,
  rules: RULES,
  maxWinners: REPLAY_OPTIONS.maxWinners,
  prices: SERIES,
  delayMs: numberFrom(0, 86_400_000, "milliseconds"),
  wrappedNativeToken: ADDRESS,
};

/**
 * Reads the records of a table, with their lists as arrays.
 *
 * @param requiredNames Names of the records that the table requires.
 * @param action Start of the message, such as `Cannot build fills`.
 * @throws {InputError} If a name is unknown, a value is invalid, or a list is absent or of another kind.
 */
export function readRecords(
  records: Records,
  requiredNames: readonly (keyof Records)[],
  action: string,
): ReadRecords {
  const lists = Object.fromEntries(LISTS.map((name) => [name, LIST]));
  const rules = { ...lists, around: AROUND, ...FACT_RULES } as Record<string, OptionRule<unknown>>;
  for (const name of requiredNames) {
    const { noun } = KINDS[name as keyof RecordLists] ?? {};
    const valueRule = rules[name]!;
    rules[name] = required(noun ? { ...valueRule, expected: `an array of ${noun}` } : valueRule);
  }
  checkOptions(records, rules as unknown as OptionRules<Records>, action);
  const { around, ...facts } = records;
  const arrays: ArraysByIterable = new Map();
  return {
    ...facts as Omit<RecordFacts, never>,
    ...readLists(records, LISTS, { action, arrays }),
    ...around !== undefined && { around: readLists(around, LOOKUP_NAMES, { action, arrays }) },
  };
}

const LIST: OptionRule<unknown> = defineRule("an array of records", () => true);
const LOOKUP_NAMES: readonly LookupName[] = ["competitions", "orders", "trades", "debugReports"];
const AROUND: OptionRule<unknown> = defineRule(
  `an object with ${LOOKUP_NAMES.join(", ")}`,
  (value) =>
    Object.getPrototypeOf(Object(value)) === Object.prototype &&
    Object.keys(Object(value)).every((name) => LOOKUP_NAMES.some((list) => list === name)),
);

/** Arrays of the lists that were read: an iterator under two names gives its records once. */
type ArraysByIterable = Map<unknown, readonly unknown[]>;

/** Context of reading a list. */
interface ListContext {
  /** Start of the message. */
  readonly action: string;
  readonly arrays: ArraysByIterable;
}

function readLists<Name extends keyof RecordLists>(
  lists: Pick<RecordIterables, Name>,
  names: readonly Name[],
  context: ListContext,
): Pick<RecordArrays, Name> {
  const entries = names.flatMap((name) => {
    const list: unknown = lists[name];
    return list === undefined ? [] : [[name, readList(list, name, context)]];
  });
  return Object.fromEntries(entries);
}

function readList(
  list: unknown,
  name: keyof RecordLists,
  { action, arrays }: ListContext,
): readonly unknown[] {
  const { noun, fields, from, key } = KINDS[name] as RecordKind<unknown>;
  requireList(list, { action: `${action} with ${name}`, expected: `an array of ${noun}` });
  const array: readonly unknown[] = Array.isArray(list)
    ? list
    : arrays.get(list) ?? Array.from(list as Iterable<unknown>);
  arrays.set(list, array);
  for (const [index, record] of array.entries()) {
    const fault = findFault(record, fields) ??
      (name === "records" ? findTradesFault(record as OrderRecords) : null);
    if (fault === null) continue;
    throw new InputError(`${action} with ${name}: record ${index} ${fault}`, {
      remedy: `Pass ${noun}: ${from}`,
    });
  }
  const distinct = distinctRecords(array, key);
  return name === "records" || name === "evidence"
    ? (distinct as OrderEvidence[]).map(removeRepeatedTrades)
    : distinct;
}

/** Removes repeated trades from the evidence of an order. */
function removeRepeatedTrades(evidence: OrderEvidence): OrderEvidence {
  const { trades } = evidence;
  if (trades == null || Array.isArray(trades) && trades.length < 2) return evidence;
  const list = Array.isArray(trades) ? trades : [...trades];
  const distinct = distinctRecords<Trade>(list, KINDS.trades.key);
  return distinct === trades ? evidence : { ...evidence, trades: distinct };
}

function findFault(record: unknown, fields: readonly string[]): string | null {
  if (typeof record !== "object" || record === null) return `is ${String(record).slice(0, 80)}`;
  const missingFields = fields.filter((field) => !(field in record));
  return missingFields.length === 0 ? null : `has no ${missingFields.join(", ")}`;
}

/** Finds a fault of an order's trades: for example, those of a debug report have no `orderUid`. */
function findTradesFault({ trades }: OrderRecords): string | null {
  const { fields, noun } = KINDS.trades;
  const isList = Array.isArray(trades)
    ? trades.every((trade) => findFault(trade, fields) === null)
    : typeof trades === "object" && trades !== null && !(trades instanceof Map) &&
      typeof Reflect.get(trades, Symbol.iterator) === "function" &&
      typeof Reflect.get(trades, "getColumn") !== "function";
  return isList ? null : `has trades that are not ${noun}`;
}
