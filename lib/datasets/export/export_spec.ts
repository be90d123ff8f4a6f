import type { OrderBook } from "../../client/order_book.ts";
import { readChainFacts } from "../../client/trade_request.ts";
import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { type Deployment, isDeployment } from "../../recordings/deployment.ts";
import { type DatasetPaths, hashFile, toShard } from "../layout/files.ts";
import { statIfExists } from "../layout/folders.ts";
import {
  type BlockRange,
  type DatasetRequest,
  findDifference,
  type RangeResolution,
  readManifest,
} from "../layout/manifest.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import type { OutcomeWriter } from "../state/write_outcomes.ts";
import type { ExportSpec } from "../state/write_manifest.ts";
import type { ExportOptions } from "./export_options.ts";
import { resolveRange, resolveWalk, toRequest, toSource } from "./prepare_export.ts";

/**
 * What answers: a recording or a sandbox by name, since many have the same chain and contract. What is
 * asked over HTTP may move to another address.
 */
function formatOrigin({ transport: { baseUrl } }: OrderBook): string {
  return /^https?:/.test(baseUrl) ? "HTTP" : baseUrl;
}

/**
 * What the folder is an export of: decided by its first run, and kept.
 *
 * @returns The assignment, and whether the state is that of it: otherwise it begins with the answers
 *   that the folder has.
 * @throws {InputError} If it is an export of something else; names the difference.
 */
export async function resolveSpec(
  book: OrderBook,
  folder: Pick<OutcomeWriter, "paths" | "state">,
  options: ExportOptions,
): Promise<{ assignment: ExportSpec; isRestored: boolean }> {
  const { paths, state } = folder;
  const [source, request] = [toSource(book), toRequest(options)];
  const origin = formatOrigin(book);
  const hasAnswers = state.queryRow("SELECT 1 FROM answers LIMIT 1") !== undefined;
  const isRestored = state.readMeta("restored") === "yes" && hasAnswers;
  const known = isRestored
    ? JSON.parse(state.readMeta("assignment")!)
    : await readStoredSpec(folder);
  if (known !== null) {
    // What was downloaded does not tell.
    requireSameSpec(paths, { deployment: state.readMeta("origin") ?? origin }, {
      deployment: origin,
    });
    state.setMeta("origin", origin);
    // Without a node, tables are missing too: what is named first says why.
    const before = { walk: undefined, blockTimes: false, ...known.request };
    const [more, wider] = [findAddedSettings(before, request), findWiderRange(before, request)];
    const asked = { ...source, ...request };
    requireSameSpec(paths, { ...known.source, ...before, ...more, ...wider }, asked);
    const isMore = Object.keys(more).length > 0;
    const walk = known.walk ?? await resolveWalk(options);
    const isKnown = !isMore && known.deployment !== undefined;
    const assignment: ExportSpec = {
      ...known,
      request,
      ...walk === null ? {} : { walk },
      ...isKnown ? {} : { deployment: describeDeployment(book, options) },
    };
    return {
      assignment: wider === null ? assignment : await widenRange(book, assignment, folder, options),
      isRestored: isRestored && !isMore,
    };
  }
  await requireExportFolder(paths);
  const walk = await resolveWalk(options);
  const resolved = walk === null ? await resolveRange(book, options) : null;
  const assignment: ExportSpec = {
    source,
    request,
    range: resolved === null ? null : { from: resolved.from, to: resolved.to },
    resolution: resolved?.resolution ?? describeResolution(request, walk),
    ...walk === null ? {} : { walk },
    deployment: describeDeployment(book, options),
  };
  state.setMeta("origin", origin);
  return { assignment, isRestored: false };
}

function describeDeployment(book: OrderBook, { node }: ExportOptions): ExportSpec["deployment"] {
  const { transport } = book;
  const facts: Deployment = "deployment" in transport && isDeployment(transport.deployment)
    ? transport.deployment
    : { chainId: book.chainId, settlementContract: book.settlementContract };
  const { chainId, settlementContract, ...others } = facts;
  // A node in this process knows the wrapped native token, which imbalances need.
  const chain = node === undefined ? {} : readChainFacts(node, undefined);
  return { chainId, settlementContract, ...chain, ...others };
}

/** What the manifest says that a folder with answers is an export of; `null` without answers. */
async function readStoredSpec(
  { paths, state }: Pick<OutcomeWriter, "paths" | "state">,
): Promise<Omit<ExportSpec, "deployment"> & Partial<ExportSpec> | null> {
  const begun = state.readMeta("restored") === "no" ? state.readMeta("assignment") : null;
  if (begun !== null) return JSON.parse(begun);
  if (await statIfExists(paths.file("manifest.json")) === null) return null;
  const manifest = await readManifest(paths);
  const has = async (folder: string) => await statIfExists(folder) !== null;
  const isWithAnswers = manifest.files.length > 0 || await has(paths.segments) ||
    await has(paths.oldSegments);
  if (!isWithAnswers) return null;
  await requireExportFolder(paths);
  const { source, request, about, range, resolution } = manifest;
  return { source, request, ...about === undefined ? {} : { about }, range, resolution };
}

/** Settings by which a request asks for more than an earlier one: for other tables, and their needs. */
function findAddedSettings(before: DatasetRequest, now: DatasetRequest): Partial<DatasetRequest> {
  const areMore = now.tables.length > before.tables.length &&
    before.tables.every((name) => now.tables.includes(name));
  const added = (["trades", "debugReports", "blockTimes"] as const)
    .filter((name) => now[name] && !before[name]);
  return {
    ...areMore ? { tables: now.tables } : {},
    ...Object.fromEntries(added.map((name) => [name, true])),
  };
}

type HasRange = Pick<DatasetRequest, "auctions" | "dates" | "blocks"> & { readonly walk?: unknown };

/** The range of a request that has all of an earlier one and more; `null` if it is no such range. */
function findWiderRange(before: HasRange, now: HasRange): Partial<HasRange> | null {
  if (before.walk !== undefined || now.walk !== undefined) return null;
  for (const name of ["auctions", "dates", "blocks"] as const) {
    const [old, asked] = [parseBounds(before[name]), parseBounds(now[name])];
    if (old === null || asked === null) continue;
    const isWider = asked.from <= old.from && asked.to >= old.to;
    const isSame = asked.from === old.from && asked.to === old.to;
    return isWider && !isSame ? { [name]: now[name] } : null;
  }
  return null;
}

/** The ends of a range as numbers, of which the last is infinite where it has none. */
function parseBounds(
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
async function widenRange(
  book: OrderBook,
  assignment: ExportSpec,
  { paths, state }: Pick<OutcomeWriter, "paths" | "state">,
  options: ExportOptions,
): Promise<ExportSpec> {
  const resolved = await resolveRange(book, options);
  if (resolved === null || assignment.range === null) return assignment;
  const { from, to } = assignment.range;
  const range = { from: Math.min(from, resolved.from), to: Math.max(to, resolved.to) };
  if (toShard(range.from) < toShard(from)) {
    const action = `Cannot export into ${paths.folder}`;
    throw new InputError(`${action}: the range begins in an earlier file`, {
      facts: { "in the folder": `from auction ${from}`, "asked for": `from auction ${range.from}` },
      remedy:
        "Export the earlier auctions into a folder of their own, and merge both, or read both",
    });
  }
  const wider = { ...assignment, range, resolution: resolved.resolution };
  state.runInTransaction(() => {
    state.setMeta("assignment", JSON.stringify(wider));
    // Where the first auction of all is was found for the range before.
    if (range.from < from) state.run("DELETE FROM meta WHERE name = 'floor'");
  });
  return wider;
}

function describeResolution(
  { dates }: DatasetRequest,
  walk: BlockRange | null,
): RangeResolution | null {
  if (walk === null || dates === null) return null;
  const notes = [`Dates became blocks ${walk.from} to ${walk.to} by their timestamps.`];
  return { basis: "timestamps", isPadded: false, notes };
}

function requireSameSpec(
  { folder }: DatasetPaths,
  known: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): void {
  const found = findDifference(known, asked);
  if (found === null) return;
  const [setting, before, now] = found;
  throw new InputError(`Cannot export into ${folder}: it is an export with other settings`, {
    facts: { setting, "in the folder": before, "asked for": now },
    remedy: "Pass the settings of the folder to resume it, or another folder. A later end, more " +
      "tables and a node may be added",
  });
}

/** What an export replaces, besides tables. */
const WRITTEN_NAMES = [
  "README.md",
  "SHA256SUMS",
  "datapackage.json",
  "deployment.json",
  "raw",
] as const;

/**
 * Rejects a folder that was merged, since what of it to ask for again stands with the exports, and one
 * with files that are of no dataset and would be replaced.
 *
 * @throws {InputError} If it is one of them.
 */
async function requireExportFolder(paths: DatasetPaths): Promise<void> {
  if (await hashFile(paths.file("manifest.json")) === null) {
    return await requireNoForeignFiles(paths);
  }
  const { merged } = await readManifest(paths);
  if (merged === undefined) return;
  throw new InputError(`Cannot export into ${paths.folder}: it was merged from several datasets`, {
    remedy: "Resume the exports that it was merged from, and merge them again into another folder",
  });
}

async function requireNoForeignFiles(paths: DatasetPaths): Promise<void> {
  const names = await localFiles().readdir(paths.folder);
  const name = [...WRITTEN_NAMES, ...TABLE_NAMES].find((one) => names.includes(one));
  if (name === undefined) return;
  throw new InputError(`Cannot export into ${paths.folder}: it has a ${name} of something else`, {
    remedy: "Pass a folder that is new or empty",
  });
}
