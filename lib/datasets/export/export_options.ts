import { CONCURRENCY } from "../../endpoints/calls.ts";
import { parseInstanceStore } from "../../endpoints/instances.ts";
import type { AuctionIds, CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import {
  ADDRESS,
  checkOptions,
  defineRule,
  isWhole,
  numberAtLeast,
  oneOf,
  type OptionRules,
  wholeNumber,
} from "../../errors/option_rules.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import type { BlockRange, DatasetAbout } from "../layout/manifest.ts";
import {
  INSTANCE_TABLES,
  NODE_TABLES,
  SETTLEMENT_TABLES,
  TABLE_NAMES,
} from "../shards/published_tables.ts";
import { ABOUT_OPTIONS } from "../state/citation.ts";
import type { ItemKind } from "../state/export_state.ts";
import { type DateRange, readDates } from "./resolve_range.ts";

/** Progress of an export. */
export interface ExportProgress {
  /** Kind of the current requests, or `tables` while a file of 1,000 auctions is written. */
  readonly phase: ItemKind | "tables";
  /** The current 1,000 auction ids, as in file names. */
  readonly shard: string;
  /** Auction ids, or orders, that have a state. */
  readonly done: number;
  /** Total number; of an account, the orders known so far. */
  readonly total: number;
  /** Requests sent in this run. */
  readonly requests: number;
  /**
   * Estimate of the remaining requests: follow-up requests of pending auctions are projected from
   * finished ones. `null` until the orders of an account are known.
   */
  readonly requestsLeft: number | null;
  /** Requests sent per minute, over the last one; 0 before the first. */
  readonly requestsPerMinute: number;
  /**
   * Time at which the export continues, in unix milliseconds, if it waits because the deployment
   * requested it, or is down; else `null`.
   */
  readonly waitingUntilMs: number | null;
  /** Whether it waits because the deployment is down: it fails, or does not respond. */
  readonly isDown: boolean;
}

/** Auction ids from one on, for an export that follows. */
export interface AuctionIdsFrom {
  /** First id. */
  readonly from: number;
  /** Left out. */
  readonly to?: undefined;
}

/**
 * Options of {@linkcode exportDataset}. Exactly one of the first six selects what to export. Title,
 * license and creator of the dataset stay until another run changes them.
 */
export interface ExportOptions extends CallOptions, DatasetAbout {
  /** A range of auction ids; without `to` if the export follows. */
  auctions?: AuctionIds | AuctionIdsFrom | undefined;
  /**
   * Auctions that began between two times of UTC, the end excluded: `{ from: "2026-11-01", to:
   * "2026-11-08" }`. They become auction ids in the first run, and those stay: with a node exactly,
   * without one padded so that none is missing.
   */
  dates?: DateRange | undefined;
  /** Auctions whose start block is in a range. They become auction ids in the first run. */
  blocks?: BlockRange | undefined;
  /**
   * Method of finding auctions. `ids` requests each id of the range. `settlements` reads the logs of
   * the settlement contract from `node`, and requests the auctions of the settlements in `blocks`, or
   * in the blocks of `dates`: fewer requests where most ids are absent. Auctions that settled nothing
   * are missing then, and the manifest says so.
   *
   * @default {"ids"}
   */
  walk?: "ids" | "settlements" | undefined;
  /** Number of ids up to the newest auction, which is determined by the first run. */
  last?: number | undefined;
  /** Account whose orders to export. */
  owner?: string | undefined;
  /** UIDs of the orders to export. */
  uids?: Iterable<string> | undefined;
  /**
   * Names of the tables; only what they are made of is requested.
   *
   * @default {all tables; `blocks` and those of settlements only with a node}
   */
  tables?: readonly string[] | undefined;
  /**
   * A node of the network, or an equivalent: its URL, a sandbox, a recording. The timestamps of start
   * blocks and of blocks with fills are stored, so that times in tables are exact; so are the
   * settlements. A key in the URL is stored nowhere.
   *
   * @default {no node; times are intervals}
   */
  node?: NodeSource | undefined;
  /**
   * Whether to get the timestamps of blocks from the node. Without them, and without `node`, times
   * are intervals.
   *
   * @default {true}
   */
  blockTimes?: boolean | undefined;
  /**
   * Whether to fetch the settlements of the auctions from the node: transaction and receipt of each,
   * which are audited. Without `node`, there are none.
   *
   * @default {true, but an export that was begun without them continues so}
   */
  settlements?: boolean | undefined;
  /**
   * Whether to continue with new auctions until `signal` aborts, which then ends the export as usual.
   * With `last`, or `auctions` or `dates` without an end.
   *
   * @default {false}
   */
  follow?: boolean | undefined;
  /** Whether to get the fills of orders. @default {true} */
  trades?: boolean | undefined;
  /** Whether to get debug reports, if the deployment provides them. @default {true} */
  debugReports?: boolean | undefined;
  /**
   * Store of the instances of auctions: what solvers were asked to solve, with the signed limit of every
   * order and the owners whose JIT orders capture surplus. The URL of a folder with a file `{id}.json` for
   * each auction, or of its files, with `{id}` in place of the auction id; a path is one of the deployment. The
   * protocol keeps them for about a month (README of KaiserSolver/cow-backtester). Each auction takes one
   * request more. Credentials and query of the URL are stored nowhere.
   *
   * @default {none are requested}
   * @see {@link https://github.com/cowprotocol/services/blob/main/crates/s3/src/lib.rs | crates/s3/src/lib.rs of cowprotocol/services: names of the files}
   */
  instances?: string | URL | undefined;
  /**
   * Maximum requests per minute, which all exports of this machine from one host share.
   *
   * @default {80 for public networks, else what the transport allows}
   */
  rate?: number | undefined;
  /**
   * Number of requests after which this run stops, with everything stored; the range is determined in
   * any case. The same call continues.
   *
   * @default {no limit}
   */
  maxRequests?: number | undefined;
  /** Maximum number of concurrent requests, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Called after responses were stored, for each file that is written, and before and after waits. */
  onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** Only plans what would be requested, and writes nothing. @default {false} */
  dryRun?: boolean | undefined;
}

export const TABLES = defineRule<readonly string[]>(
  `a list of names of tables: ${TABLE_NAMES.join(", ")}`,
  (value) => Array.isArray(value) && value.every((name) => TABLE_NAMES.includes(name)),
);

export const INSTANCE_STORE = defineRule<string | URL>(
  "the URL of a store of instances",
  (value) => typeof value === "string" || value instanceof URL,
);

export const NODE = defineRule<NodeSource>(
  "the URL of a node, or an object with `rpc` such as a sandbox",
  (value) =>
    typeof value === "string" || value instanceof URL || typeof Object(value).rpc === "function",
);

const EXPORT_OPTIONS: OptionRules<ExportOptions> = {
  ...ABOUT_OPTIONS,
  auctions: defineRule(
    "{ from, to } with auction ids, the lower first,",
    (value) => isAuctionRange(value) || isOpenRange(value),
  ),
  dates: defineRule("{ from, to } with days or times of UTC", (value) => {
    const { from, to = from, ...extras } = Object(value);
    return [from, to].every(isTime) && Object.keys(extras).length === 0;
  }),
  blocks: defineRule("{ from, to } with block numbers, the lower first,", isAuctionRange),
  walk: oneOf("ids", "settlements"),
  last: wholeNumber(1),
  owner: ADDRESS,
  uids: defineRule("a list of order UIDs", isUidList),
  tables: TABLES,
  node: NODE,
  blockTimes: Boolean,
  settlements: Boolean,
  follow: Boolean,
  trades: Boolean,
  debugReports: Boolean,
  instances: INSTANCE_STORE,
  rate: numberAtLeast(1),
  maxRequests: wholeNumber(1),
  concurrency: CONCURRENCY,
  onProgress: Function,
  signal: AbortSignal,
  dryRun: Boolean,
};

const ACTION = "Cannot export";
const SELECTIONS = ["auctions", "dates", "blocks", "last", "owner", "uids"] as const;

/**
 * Checks the options of an export.
 *
 * @throws {InputError} If one is invalid, not exactly one says what to export, or options contradict each other.
 */
export function checkExport(options: ExportOptions): void {
  checkOptions(options, EXPORT_OPTIONS, ACTION);
  const selections = SELECTIONS.filter((name) => options[name] !== undefined);
  if (selections.length !== 1) {
    throw new InputError(
      `${ACTION} ${
        selections.length === 0 ? "without a selection" : `both ${selections.join(" and ")}`
      }`,
      { remedy: `Pass exactly one of ${SELECTIONS.join(", ")}` },
    );
  }
  checkWalk(options);
  checkEnd(options);
  if (options.dates !== undefined) readDates(options.dates);
  if (options.instances !== undefined) parseInstanceStore(options.instances);
  const ofStore = options.tables?.find((name) => INSTANCE_TABLES.includes(name));
  if (options.instances === undefined && ofStore !== undefined) {
    throw new InputError(`${ACTION} the table ${ofStore} without instances`, {
      remedy: "Pass `instances`, the URL of their store, or leave the table out",
    });
  }
  const ofNode = options.tables?.find((name) => NODE_TABLES.includes(name));
  if (options.node === undefined && ofNode !== undefined) {
    throw new InputError(`${ACTION} the table ${ofNode} without a node`, {
      remedy: "Pass `node`, such as the URL of a JSON-RPC endpoint, or leave the table out",
    });
  }
  const needing = { blockTimes: ["blocks"], settlements: SETTLEMENT_TABLES };
  for (const option of ["blockTimes", "settlements"] as const) {
    const table = options.tables?.find((name) => needing[option].includes(name));
    if (options[option] !== false || table === undefined) continue;
    throw new InputError(`${ACTION} the table ${table} without \`${option}\``, {
      remedy: "Leave out the table or the option",
    });
  }
}

/** Settlements are found in blocks, by a node. */
function checkWalk({ walk, dates, blocks, node, follow = false }: ExportOptions): void {
  if (walk !== "settlements") return;
  const fault = blocks === undefined && dates === undefined
    ? ["without blocks or dates", "Pass `blocks`, or `dates` with an end"]
    : follow
    ? ["and follow", "Pass a range that has an end, or leave out `walk`"]
    : node === undefined
    ? [
      "without a node",
      "Pass `node`, such as the URL of a JSON-RPC endpoint, or leave out `walk`",
    ]
    : null;
  if (fault === null) return;
  throw new InputError(`${ACTION} by settlements ${fault[0]}`, { remedy: fault[1]! });
}

/** Checks that an export that follows has no end, and any other has one. */
function checkEnd({ auctions, dates, last, follow = false }: ExportOptions): void {
  const range = auctions ?? dates;
  const isOpen = range !== undefined && range.to === undefined;
  if (follow && !isOpen && last === undefined) {
    throw new InputError(`${ACTION} and follow a range that has an end`, {
      remedy: "Pass `last`, or `auctions` or `dates` with `from` alone",
    });
  }
  if (!follow && isOpen) {
    throw new InputError(`${ACTION} a range without an end`, {
      remedy: "Pass `to`, or `follow: true` to keep exporting new auctions",
    });
  }
}

function isTime(value: unknown): boolean {
  return typeof value === "string" || value instanceof Temporal.Instant;
}

function isOpenRange(value: unknown): boolean {
  const { from, to, ...extras } = Object(value);
  return isWhole(from, 0) && to === undefined && Object.keys(extras).length === 0;
}

/** Whether a value is an inclusive range of auction ids. */
export function isAuctionRange(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!("from" in value && "to" in value) || Object.keys(value).length !== 2) return false;
  const { from, to } = value;
  return isWhole(from, 0) && isWhole(to, 0) && from <= to;
}

function isUidList(value: unknown): boolean {
  const isList = Array.isArray(value) || value instanceof Set;
  return isList &&
    [...value].every((uid) => typeof uid === "string" && /^0x[0-9a-f]{112}$/i.test(uid));
}
