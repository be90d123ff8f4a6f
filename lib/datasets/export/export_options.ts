import type { AuctionIds, CallOptions } from "../../endpoints/mod.ts";
import { CONCURRENCY } from "../../endpoints/call/call_options.ts";
import { isWhole } from "../../errors/is_whole.ts";
import { InputError } from "../../errors/mod.ts";
import {
  atLeast,
  callable,
  checkOptions,
  FLAG,
  type OptionRules,
  rule,
  SIGNAL,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { ItemKind } from "../state/items.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";

/** How far an export is. */
export interface ExportProgress {
  /** What is being asked for, or `tables` while a file of 1,000 auctions is made. */
  readonly phase: ItemKind | "tables";
  /** The 1,000 auction ids that it is about, as file names have them. */
  readonly shard: string;
  /** Auction ids, or orders, that have ended in a state. */
  readonly done: number;
  /** All of them; for the orders of an account as far as they are known. */
  readonly total: number;
  /** Requests sent in this run. */
  readonly requests: number;
}

/** Options of {@linkcode exportDataset}. Exactly one of the first four says what to export. */
export interface ExportOptions extends CallOptions {
  /** A range of auction ids. */
  auctions?: AuctionIds | undefined;
  /** Number of ids up to the newest auction, which is determined by the first run. */
  last?: number | undefined;
  /** Account whose orders to export. */
  owner?: string | undefined;
  /** UIDs of the orders to export. */
  uids?: Iterable<string> | undefined;
  /** Names of the tables. @default {all tables} */
  tables?: readonly string[] | undefined;
  /** Whether to get the fills of orders. @default {true} */
  trades?: boolean | undefined;
  /** Whether to get debug reports, if the deployment provides them. @default {true} */
  debugReports?: boolean | undefined;
  /** Maximum requests per minute. @default {80 for public networks, else what the transport allows} */
  rate?: number | undefined;
  /** Maximum number of concurrent requests, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Called after each request that was kept, and for each file that is made. */
  onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** Only tells what would be requested, and writes nothing. @default {false} */
  dryRun?: boolean | undefined;
}

const EXPORT_OPTIONS: OptionRules<ExportOptions> = {
  auctions: rule("{ from, to } with auction ids, the lower first,", isAuctionRange),
  last: wholeFrom(1),
  owner: rule("an address", (value) => isHex(value, 40)),
  uids: rule("a list of order UIDs", isUidList),
  tables: rule(
    `a list of names of tables: ${TABLE_NAMES.join(", ")}`,
    (value) => Array.isArray(value) && value.every((name) => TABLE_NAMES.includes(name)),
  ),
  trades: FLAG,
  debugReports: FLAG,
  rate: atLeast(1),
  concurrency: CONCURRENCY,
  onProgress: callable(),
  signal: SIGNAL,
  dryRun: FLAG,
};

const ACTION = "Cannot export";

/**
 * Checks the options of an export.
 *
 * @throws {InputError} If one is invalid, or not exactly one says what to export.
 */
export function checkExport(options: ExportOptions): void {
  checkOptions(options, EXPORT_OPTIONS, ACTION);
  const given = (["auctions", "last", "owner", "uids"] as const)
    .filter((name) => options[name] !== undefined);
  if (given.length === 1) return;
  throw new InputError(
    `${ACTION} ${given.length === 0 ? "without a selection" : `both ${given.join(" and ")}`}`,
    { remedy: "Pass exactly one of auctions, last, owner and uids" },
  );
}

/** Whether a value is an inclusive range of auction ids. */
export function isAuctionRange(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!("from" in value && "to" in value) || Object.keys(value).length !== 2) return false;
  const { from, to } = value;
  return isWhole(from, 0) && isWhole(to, 0) && from <= to;
}

function isHex(value: unknown, digits: number): boolean {
  return typeof value === "string" && new RegExp(`^0x[0-9a-f]{${digits}}$`, "i").test(value);
}

function isUidList(value: unknown): boolean {
  const isList = Array.isArray(value) || value instanceof Set;
  return isList && [...value].every((uid) => isHex(uid, 112));
}
