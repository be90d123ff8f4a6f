import { knownFacts } from "../../client/chain_facts.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { InputError } from "../../errors/mod.ts";
import { type Deployment, isDeployment } from "../../recordings/deployment.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { sha256 } from "../layout/file_hash.ts";
import type {
  BlockRange,
  DatasetRequest,
  DatasetSource,
  RangeResolution,
} from "../layout/manifest.ts";
import { blocksOfDates } from "../ranges/blocks_of_dates.ts";
import { readDates } from "../ranges/date_range.ts";
import {
  resolveBlocks,
  resolveDates,
  type ResolvedRange,
  resolveLatest,
} from "../ranges/resolve_range.ts";
import { SELECTED_ORDERS, shardOf } from "../layout/shard_name.ts";
import { withLaterTables } from "../shards/later_tables.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import { SETTLEMENT_TABLES } from "../shards/table_needs.ts";
import type { ExportState } from "../state/export_state.ts";
import type { Assignment } from "../state/write_manifest.ts";
import type { ExportOptions } from "./export_options.ts";
import { requireOwnFolder } from "./require_own_folder.ts";

/** What an export with these options is asked for. */
export function requestOf(options: ExportOptions): DatasetRequest {
  const { auctions, dates, blocks, last, owner, uids, trades, debugReports, node } = options;
  const blockTimes = node !== undefined && options.blockTimes !== false;
  const left = [
    ...blockTimes ? [] : ["blocks"],
    ...node !== undefined && options.settlements !== false ? [] : SETTLEMENT_TABLES,
  ];
  const tables = options.tables ?? TABLE_NAMES.filter((name) => !left.includes(name));
  return {
    auctions: auctions === undefined ? null : { from: auctions.from, to: auctions.to ?? null },
    dates: dates === undefined ? null : readDates(dates),
    blocks: blocks === undefined ? null : { from: blocks.from, to: blocks.to },
    last: last ?? null,
    owner: owner?.toLowerCase() ?? null,
    uids: uids === undefined ? null : sha256(sortedUids(uids).join("\n")),
    tables: TABLE_NAMES.filter((name) => tables.includes(name)),
    trades: trades ?? true,
    debugReports: debugReports ?? true,
    blockTimes,
    follow: options.follow ?? false,
    ...options.walk === "settlements" ? { walk: "settlements" } : {},
  };
}

/** Settings that a folder of an earlier version does not name. */
const ADDED_LATER = {
  dates: null,
  blocks: null,
  blockTimes: false,
  follow: false,
  walk: undefined,
} as const;

function sortedUids(uids: Iterable<string>): string[] {
  return [...new Set(Array.from(uids, (uid) => uid.toLowerCase()))].sort();
}

/** Where the records of a deployment are from. */
export function sourceOf(book: OrderBook): DatasetSource {
  return {
    network: book.network?.name ?? null,
    environment: book.environment,
    chainId: book.chainId,
    settlementContract: book.settlementContract,
  };
}

/**
 * What answers: a recording or a sandbox by name, since many have the same chain and contract. What is
 * asked over HTTP may move to another address.
 */
function originOf({ transport: { baseUrl } }: OrderBook): string {
  return /^https?:/.test(baseUrl) ? "HTTP" : baseUrl;
}

/**
 * What the folder is an export of: decided by its first run, and kept.
 *
 * @throws {InputError} If it is an export of something else; names the difference.
 */
export async function assignmentOf(
  book: OrderBook,
  { paths, state }: { readonly paths: DatasetPaths; readonly state: ExportState },
  options: ExportOptions,
): Promise<Assignment> {
  const [source, request] = [sourceOf(book), requestOf(options)];
  const origin = originOf(book);
  const known = hasAnswers(state) ? state.meta("assignment") : null;
  if (known !== null) {
    const assignment: Assignment = JSON.parse(known);
    // Folders of earlier versions do not tell.
    requireSame(paths, { deployment: state.meta("origin") ?? origin }, { deployment: origin });
    const before = { ...ADDED_LATER, ...assignment.request };
    const wider = widened(before, request);
    if (wider !== null) {
      requireSame(paths, { ...assignment.source, ...before, ...wider }, { ...source, ...request });
      return await extended(book, { assignment, request, state, folder: paths.folder }, options);
    }
    // All tables of an earlier version are continued as they are, until they are rebuilt.
    const tables = continues(before.tables, options, request) ? before.tables : request.tables;
    requireSame(paths, { ...assignment.source, ...before }, { ...source, ...request, tables });
    return assignment;
  }
  if (state.meta("assignment") !== null) forget(state);
  await requireOwnFolder(paths);
  const { transport } = book;
  const facts: Deployment = "deployment" in transport && isDeployment(transport.deployment)
    ? transport.deployment
    : { chainId: book.chainId, settlementContract: book.settlementContract };
  const { chainId, settlementContract, ...others } = facts;
  // A node in this process knows the wrapped native token, which imbalances need.
  const chain = options.node === undefined ? {} : knownFacts(options.node, undefined);
  const walk = await walkedBlocks(options);
  const resolved = walk === null ? await rangeOf(book, options) : null;
  const assignment: Assignment = {
    source,
    request,
    range: resolved === null ? null : { from: resolved.from, to: resolved.to },
    resolution: resolved?.resolution ?? resolutionOf(request, walk),
    ...walk === null ? {} : { walk },
    deployment: { chainId, settlementContract, ...chain, ...others },
  };
  state.inOneStep(() => {
    if (request.owner !== null) state.add("account", request.owner, SELECTED_ORDERS);
    for (const uid of sortedUids(options.uids ?? [])) state.add("order", uid, SELECTED_ORDERS);
    state.setMeta("assignment", JSON.stringify(assignment));
    state.setMeta("origin", origin);
  });
  return assignment;
}

function hasAnswers(state: ExportState): boolean {
  return state.rows("SELECT 1 FROM answers LIMIT 1").length > 0;
}

/** A run that failed before its first answer leaves nothing to be kept: the next one may be another. */
function forget(state: ExportState): void {
  state.inOneStep(() => {
    for (const table of ["items", "shards", "segments", "files", "intents"]) {
      state.run(`DELETE FROM ${table}`);
    }
    state.run("DELETE FROM meta WHERE name NOT IN ('openShard', 'runStarted')");
  });
}

type Ranged = Pick<DatasetRequest, "auctions" | "dates" | "blocks"> & { readonly walk?: unknown };

/** The range of a request that has all of an earlier one and more; `null` if it is no such range. */
function widened(before: Ranged, now: Ranged): Partial<Ranged> | null {
  if (before.walk !== undefined || now.walk !== undefined) return null;
  for (const name of ["auctions", "dates", "blocks"] as const) {
    const [old, asked] = [boundsOf(before[name]), boundsOf(now[name])];
    if (old === null || asked === null) continue;
    const isWider = asked.from <= old.from && asked.to >= old.to;
    const isSame = asked.from === old.from && asked.to === old.to;
    return isWider && !isSame ? { [name]: now[name] } : null;
  }
  return null;
}

/** The ends of a range as numbers, of which the last is infinite where it has none. */
function boundsOf(
  range: { readonly from: number | string; readonly to: number | string | null } | null,
): { readonly from: number; readonly to: number } | null {
  if (range === null) return null;
  const numberOf = (end: number | string) =>
    typeof end === "number" ? end : Temporal.Instant.from(end).epochMilliseconds;
  return { from: numberOf(range.from), to: range.to === null ? Infinity : numberOf(range.to) };
}

/**
 * The same export with a wider range: only what is new is asked for. An order stands in the file of
 * the first auction that bid on it, so a range does not grow into an earlier file.
 */
async function extended(
  book: OrderBook,
  { assignment, request, state, folder }: {
    readonly assignment: Assignment;
    readonly request: DatasetRequest;
    readonly state: ExportState;
    readonly folder: string;
  },
  options: ExportOptions,
): Promise<Assignment> {
  const resolved = await rangeOf(book, options);
  if (resolved === null || assignment.range === null) return assignment;
  const { from, to } = assignment.range;
  const range = { from: Math.min(from, resolved.from), to: Math.max(to, resolved.to) };
  if (shardOf(range.from) < shardOf(from)) {
    throw new InputError(`Cannot export into ${folder}: the range begins in an earlier file`, {
      facts: { "in the folder": `from auction ${from}`, "asked for": `from auction ${range.from}` },
      remedy:
        "Export the earlier auctions into a folder of their own, and merge both, or read both",
    });
  }
  const wider = { ...assignment, request, range, resolution: resolved.resolution };
  state.inOneStep(() => {
    state.setMeta("assignment", JSON.stringify(wider));
    // Where the first auction of all is was found for the range before.
    if (range.from < from) state.run("DELETE FROM meta WHERE name = 'floor'");
  });
  return wider;
}

/** The blocks whose settlements to walk; `null` where ids are. */
export async function walkedBlocks(
  { walk, dates, blocks, node, signal }: ExportOptions,
): Promise<BlockRange | null> {
  if (walk !== "settlements" || node === undefined) return null;
  if (blocks !== undefined) return { from: blocks.from, to: blocks.to };
  const { from, to } = readDates(dates ?? { from: "" });
  return to === null ? null : await blocksOfDates(node, { from, to }, signal);
}

function resolutionOf({ dates }: DatasetRequest, walk: BlockRange | null): RangeResolution | null {
  if (walk === null || dates === null) return null;
  const notes = [`Dates became blocks ${walk.from} to ${walk.to} by their timestamps.`];
  return { basis: "timestamps", isPadded: false, notes };
}

/** Whether tables of a folder are all tables of an earlier version, with or without settlements. */
function continues(
  before: readonly string[],
  { tables, settlements }: ExportOptions,
  request: DatasetRequest,
): boolean {
  if (tables !== undefined) return false;
  const later = withLaterTables(before).join();
  const others = request.tables.filter((name) => !SETTLEMENT_TABLES.includes(name));
  return later === request.tables.join() || settlements === undefined && later === others.join();
}

/**
 * The range of auction ids that the options stand for; `null` for orders. One without an end goes up
 * to the newest auction.
 *
 * @throws {InputError} If dates or blocks have no auctions, or not all of theirs are visible yet.
 * @throws {NotFoundError} If there is no auction yet.
 */
export async function rangeOf(
  { transport, clock }: OrderBook,
  { auctions, dates, blocks, last, node, signal }: ExportOptions,
): Promise<ResolvedRange | null> {
  const resolving = { transport, node: node ?? null, nowMs: clock.now(), signal };
  if (dates !== undefined) return await resolveDates(readDates(dates), resolving);
  if (blocks !== undefined) return await resolveBlocks(blocks, resolving);
  if (last !== undefined) return await resolveLatest({ last }, resolving);
  if (auctions === undefined) return null;
  const { from, to } = auctions;
  return to === undefined ? await resolveLatest({ from }, resolving) : {
    from,
    to,
    resolution: null,
  };
}

function requireSame(
  { folder }: DatasetPaths,
  known: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(known)) {
    // Settings of an earlier version that are gone were null.
    const [before, now] = [JSON.stringify(value ?? null), JSON.stringify(asked[name] ?? null)];
    if (before === now) continue;
    throw new InputError(`Cannot export into ${folder}: it is an export with other settings`, {
      facts: {
        setting: name,
        "in the folder": before ?? "nothing",
        "asked for": now ?? "nothing",
      },
      remedy: "Pass the settings of the folder to resume it, or another folder",
    });
  }
}
