import type { OrderBook } from "../../client/order_book.ts";
import { knownFacts } from "../../client/trade_request.ts";
import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { type Deployment, isDeployment } from "../../recordings/deployment.ts";
import { type DatasetPaths, factsOf, shardOf } from "../layout/files.ts";
import { statOf } from "../layout/folders.ts";
import {
  type BlockRange,
  type DatasetRequest,
  firstDifference,
  type RangeResolution,
  readManifest,
} from "../layout/manifest.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import type { Keeping } from "../state/keep_outcomes.ts";
import type { Assignment } from "../state/write_manifest.ts";
import type { ExportOptions } from "./export_options.ts";
import { rangeOf, requestOf, sourceOf, walkedBlocks } from "./prepare_export.ts";

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
 * @returns The assignment, and whether the state is that of it: otherwise it begins with the answers
 *   that the folder has.
 * @throws {InputError} If it is an export of something else; names the difference.
 */
export async function assignmentOf(
  book: OrderBook,
  folder: Pick<Keeping, "paths" | "state">,
  options: ExportOptions,
): Promise<{ assignment: Assignment; isRestored: boolean }> {
  const { paths, state } = folder;
  const [source, request] = [sourceOf(book), requestOf(options)];
  const origin = originOf(book);
  const hasAnswers = state.row("SELECT 1 FROM answers LIMIT 1") !== undefined;
  const isRestored = state.meta("restored") === "yes" && hasAnswers;
  const known = isRestored ? JSON.parse(state.meta("assignment")!) : await keptAssignment(folder);
  if (known !== null) {
    // What was downloaded does not tell.
    requireSame(paths, { deployment: state.meta("origin") ?? origin }, { deployment: origin });
    state.setMeta("origin", origin);
    // Without a node, tables are missing too: what is named first says why.
    const before = { walk: undefined, blockTimes: false, ...known.request };
    const [more, wider] = [furtherOf(before, request), widened(before, request)];
    const asked = { ...source, ...request };
    requireSame(paths, { ...known.source, ...before, ...more, ...wider }, asked);
    const isMore = Object.keys(more).length > 0;
    const walk = known.walk ?? await walkedBlocks(options);
    const isKnown = !isMore && known.deployment !== undefined;
    const assignment: Assignment = {
      ...known,
      request,
      ...walk === null ? {} : { walk },
      ...isKnown ? {} : { deployment: deploymentOf(book, options) },
    };
    return {
      assignment: wider === null ? assignment : await extended(book, assignment, folder, options),
      isRestored: isRestored && !isMore,
    };
  }
  await requireOwnFolder(paths);
  const walk = await walkedBlocks(options);
  const resolved = walk === null ? await rangeOf(book, options) : null;
  const assignment: Assignment = {
    source,
    request,
    range: resolved === null ? null : { from: resolved.from, to: resolved.to },
    resolution: resolved?.resolution ?? resolutionOf(request, walk),
    ...walk === null ? {} : { walk },
    deployment: deploymentOf(book, options),
  };
  state.setMeta("origin", origin);
  return { assignment, isRestored: false };
}

function deploymentOf(book: OrderBook, { node }: ExportOptions): Assignment["deployment"] {
  const { transport } = book;
  const facts: Deployment = "deployment" in transport && isDeployment(transport.deployment)
    ? transport.deployment
    : { chainId: book.chainId, settlementContract: book.settlementContract };
  const { chainId, settlementContract, ...others } = facts;
  // A node in this process knows the wrapped native token, which imbalances need.
  const chain = node === undefined ? {} : knownFacts(node, undefined);
  return { chainId, settlementContract, ...chain, ...others };
}

/** What the manifest says that a folder with answers is an export of; `null` without answers. */
async function keptAssignment(
  { paths, state }: Pick<Keeping, "paths" | "state">,
): Promise<Omit<Assignment, "deployment"> & Partial<Assignment> | null> {
  const begun = state.meta("restored") === "no" ? state.meta("assignment") : null;
  if (begun !== null) return JSON.parse(begun);
  if (await statOf(paths.file("manifest.json")) === null) return null;
  const manifest = await readManifest(paths);
  const has = async (folder: string) => await statOf(folder) !== null;
  const isWithAnswers = manifest.files.length > 0 || await has(paths.segments) ||
    await has(paths.kept);
  if (!isWithAnswers) return null;
  await requireOwnFolder(paths);
  const { source, request, about, range, resolution } = manifest;
  return { source, request, ...about === undefined ? {} : { about }, range, resolution };
}

/** Settings by which a request asks for more than an earlier one: for other tables, and their needs. */
function furtherOf(before: DatasetRequest, now: DatasetRequest): Partial<DatasetRequest> {
  const areMore = now.tables.length > before.tables.length &&
    before.tables.every((name) => now.tables.includes(name));
  const added = (["trades", "debugReports", "blockTimes"] as const)
    .filter((name) => now[name] && !before[name]);
  return {
    ...areMore ? { tables: now.tables } : {},
    ...Object.fromEntries(added.map((name) => [name, true])),
  };
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
  assignment: Assignment,
  { paths, state }: Pick<Keeping, "paths" | "state">,
  options: ExportOptions,
): Promise<Assignment> {
  const resolved = await rangeOf(book, options);
  if (resolved === null || assignment.range === null) return assignment;
  const { from, to } = assignment.range;
  const range = { from: Math.min(from, resolved.from), to: Math.max(to, resolved.to) };
  if (shardOf(range.from) < shardOf(from)) {
    const action = `Cannot export into ${paths.folder}`;
    throw new InputError(`${action}: the range begins in an earlier file`, {
      facts: { "in the folder": `from auction ${from}`, "asked for": `from auction ${range.from}` },
      remedy:
        "Export the earlier auctions into a folder of their own, and merge both, or read both",
    });
  }
  const wider = { ...assignment, range, resolution: resolved.resolution };
  state.inOneStep(() => {
    state.setMeta("assignment", JSON.stringify(wider));
    // Where the first auction of all is was found for the range before.
    if (range.from < from) state.run("DELETE FROM meta WHERE name = 'floor'");
  });
  return wider;
}

function resolutionOf({ dates }: DatasetRequest, walk: BlockRange | null): RangeResolution | null {
  if (walk === null || dates === null) return null;
  const notes = [`Dates became blocks ${walk.from} to ${walk.to} by their timestamps.`];
  return { basis: "timestamps", isPadded: false, notes };
}

function requireSame(
  { folder }: DatasetPaths,
  known: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): void {
  const found = firstDifference(known, asked);
  if (found === null) return;
  const [setting, before, now] = found;
  throw new InputError(`Cannot export into ${folder}: it is an export with other settings`, {
    facts: { setting, "in the folder": before, "asked for": now },
    remedy: "Pass the settings of the folder to resume it, or another folder. A later end, more " +
      "tables and a node may be added",
  });
}

/** What an export replaces, besides tables. */
const WRITTEN = ["README.md", "SHA256SUMS", "datapackage.json", "deployment.json", "raw"] as const;

/**
 * Rejects a folder that was merged, since what of it to ask for again stands with the exports, and one
 * with files that are of no dataset and would be replaced.
 *
 * @throws {InputError} If it is one of them.
 */
async function requireOwnFolder(paths: DatasetPaths): Promise<void> {
  if (await factsOf(paths.file("manifest.json")) === null) return await requireNoOther(paths);
  const { merged } = await readManifest(paths);
  if (merged === undefined) return;
  throw new InputError(`Cannot export into ${paths.folder}: it was merged from several datasets`, {
    remedy: "Resume the exports that it was merged from, and merge them again into another folder",
  });
}

async function requireNoOther(paths: DatasetPaths): Promise<void> {
  const names = await localFiles().readdir(paths.folder);
  const name = [...WRITTEN, ...TABLE_NAMES].find((one) => names.includes(one));
  if (name === undefined) return;
  throw new InputError(`Cannot export into ${paths.folder}: it has a ${name} of something else`, {
    remedy: "Pass a folder that is new or empty",
  });
}
