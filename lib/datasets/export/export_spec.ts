import type { OrderBook } from "../../client/order_book.ts";
import { readChainFacts } from "../../client/trade_request.ts";
import { InputError } from "../../errors/mod.ts";
import { localFiles, statPath } from "../../http/local_files.ts";
import { type Deployment, isDeployment } from "../../recordings/deployment.ts";
import { type DatasetPaths, hashFile, toShard } from "../layout/files.ts";
import {
  type BlockRange,
  type DatasetRequest,
  findDiff,
  type RangeResolution,
  readManifest,
} from "../layout/manifest.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import type { ExportState } from "../state/export_state.ts";
import type { OutcomeWriter } from "../state/write_outcomes.ts";
import type { ExportSpec } from "../state/write_manifest.ts";
import type { ExportOptions } from "./export_options.ts";
import { resolveRange, resolveWalk, toRequest, toSource } from "./prepare_export.ts";

/**
 * Returns the origin of responses: a recording or a sandbox by name, since many have the same chain and
 * contract. A deployment over HTTP may move to another address.
 */
function formatOrigin({ transport: { baseUrl } }: OrderBook): string {
  return /^https?:/.test(baseUrl) ? "HTTP" : baseUrl;
}

/** The spec that a folder has, and what a request adds to it. */
interface StoredSpec {
  readonly spec: Omit<ExportSpec, "deployment"> & Partial<ExportSpec>;
  /** Whether the state belongs to it. */
  readonly isRestored: boolean;
  readonly more: Partial<DatasetRequest>;
  readonly wider: Partial<HasRange> | null;
}

/**
 * Reads the spec of a folder with responses, and compares a request with it; writes nothing.
 *
 * @returns `null` for a folder without responses, which takes any export.
 * @throws {InputError} If it is an export with different settings, or none; names the difference.
 */
export async function requireSameSettings(
  book: OrderBook,
  folder: { readonly paths: DatasetPaths; readonly state: ExportState | null },
  options: ExportOptions,
): Promise<StoredSpec | null> {
  const { paths, state } = folder;
  const request = toRequest(options);
  const hasAnswers = state?.queryRow("SELECT 1 FROM answers LIMIT 1") !== undefined;
  const isRestored = state?.readMeta("restored") === "yes" && hasAnswers;
  const spec = isRestored
    ? JSON.parse(state.readMeta("assignment")!)
    : await readStoredSpec(folder);
  if (spec === null) {
    await requireExportFolder(paths);
    return null;
  }
  const origin = formatOrigin(book);
  // A downloaded folder has no origin.
  requireSame(paths, { deployment: state?.readMeta("origin") ?? origin }, { deployment: origin });
  // Without a node, tables are missing too: the first difference is the cause.
  const earlier = { walk: undefined, instances: undefined, blockTimes: false, ...spec.request };
  const [more, wider] = [findAddedSettings(earlier, request), findWiderRange(earlier, request)];
  const requested = { ...toSource(book), ...request };
  requireSame(paths, { ...spec.source, ...earlier, ...more, ...wider }, requested);
  const { auctions } = wider ?? {};
  if (auctions != null) requireLaterFiles(paths, spec.range.from, auctions.from);
  return { spec, isRestored, more, wider };
}

/**
 * Resolves the spec of a folder: its first run decides it for all later ones.
 *
 * @returns The spec, and whether the state belongs to it: otherwise it is restored from the responses
 *   in the folder.
 * @throws {InputError} If it is an export with different settings; names the difference.
 */
export async function resolveSpec(
  book: OrderBook,
  folder: Pick<OutcomeWriter, "paths" | "state">,
  options: ExportOptions,
): Promise<{ spec: ExportSpec; isRestored: boolean }> {
  const { state } = folder;
  const request = toRequest(options);
  const stored = await requireSameSettings(book, folder, options);
  state.setMeta("origin", formatOrigin(book));
  if (stored !== null) {
    const { isRestored, more, wider } = stored;
    const isMore = Object.keys(more).length > 0;
    const walk = stored.spec.walk ?? await resolveWalk(options);
    const isKnown = !isMore && stored.spec.deployment !== undefined;
    const spec: ExportSpec = {
      ...stored.spec,
      request,
      ...walk === null ? {} : { walk },
      ...isKnown ? {} : { deployment: describeDeployment(book, options) },
    } as ExportSpec;
    return {
      spec: wider === null ? spec : await widenRange(book, spec, folder, options),
      isRestored: isRestored && !isMore,
    };
  }
  const walk = await resolveWalk(options);
  const resolved = walk === null ? await resolveRange(book, options) : null;
  const spec: ExportSpec = {
    source: toSource(book),
    request,
    range: resolved === null ? null : { from: resolved.from, to: resolved.to },
    resolution: resolved?.resolution ?? toResolution(request, walk),
    ...walk === null ? {} : { walk },
    deployment: describeDeployment(book, options),
  };
  return { spec, isRestored: false };
}

function describeDeployment(book: OrderBook, { node }: ExportOptions): ExportSpec["deployment"] {
  const { transport } = book;
  const facts: Deployment = "deployment" in transport && isDeployment(transport.deployment)
    ? transport.deployment
    : { chainId: book.chainId, settlementContract: book.settlementContract };
  const { chainId, settlementContract, ...extras } = facts;
  // A node in this process knows the wrapped native token, which imbalances need.
  const chain = node === undefined ? {} : readChainFacts(node, undefined);
  return { chainId, settlementContract, ...chain, ...extras };
}

/** Reads the spec of a folder with responses; `null` without responses. */
async function readStoredSpec(
  { paths, state }: { readonly paths: DatasetPaths; readonly state: ExportState | null },
): Promise<StoredSpec["spec"] | null> {
  const begun = state?.readMeta("restored") === "no" ? state.readMeta("assignment") : null;
  if (begun !== null) return JSON.parse(begun);
  if (await statPath(paths.file("manifest.json")) === null) return null;
  const manifest = await readManifest(paths);
  const has = async (folder: string) => await statPath(folder) !== null;
  const isWithAnswers = manifest.files.length > 0 || await has(paths.segments) ||
    await has(paths.oldSegments);
  if (!isWithAnswers) return null;
  await requireExportFolder(paths);
  const { source, request, about, range, resolution } = manifest;
  return { source, request, ...about === undefined ? {} : { about }, range, resolution };
}

/** Finds settings that extend an earlier request: more tables, and their needs. */
function findAddedSettings(earlier: DatasetRequest, now: DatasetRequest): Partial<DatasetRequest> {
  const areMore = now.tables.length > earlier.tables.length &&
    earlier.tables.every((name) => now.tables.includes(name));
  const flags = (["trades", "debugReports", "blockTimes"] as const)
    .filter((name) => now[name] && !earlier[name]);
  return {
    ...areMore ? { tables: now.tables } : {},
    // A store may move to another address.
    ...now.instances !== undefined && now.instances !== earlier.instances
      ? { instances: now.instances }
      : {},
    ...Object.fromEntries(flags.map((name) => [name, true])),
  };
}

type HasRange = Pick<DatasetRequest, "auctions" | "dates" | "blocks"> & { readonly walk?: unknown };

/** Finds a range that contains that of an earlier request and more; `null` if it does not. */
function findWiderRange(earlier: HasRange, now: HasRange): Partial<HasRange> | null {
  if (earlier.walk !== undefined || now.walk !== undefined) return null;
  for (const name of ["auctions", "dates", "blocks"] as const) {
    const [earlierBounds, bounds] = [parseBounds(earlier[name]), parseBounds(now[name])];
    if (earlierBounds === null || bounds === null) continue;
    const isWider = bounds.from <= earlierBounds.from && bounds.to >= earlierBounds.to;
    const isSame = bounds.from === earlierBounds.from && bounds.to === earlierBounds.to;
    return isWider && !isSame ? { [name]: now[name] } : null;
  }
  return null;
}

/** Parses the ends of a range into numbers; without an end, the last is infinite. */
function parseBounds(
  range: { readonly from: number | string; readonly to: number | string | null } | null,
): { readonly from: number; readonly to: number } | null {
  if (range === null) return null;
  const toNumber = (end: number | string) =>
    typeof end === "number" ? end : Temporal.Instant.from(end).epochMilliseconds;
  return { from: toNumber(range.from), to: range.to === null ? Infinity : toNumber(range.to) };
}

/**
 * Widens the range of an export: only new auctions are requested. An order is in the file of the first
 * auction that bid on it, so a range does not grow into an earlier file.
 */
async function widenRange(
  book: OrderBook,
  spec: ExportSpec,
  { paths, state }: Pick<OutcomeWriter, "paths" | "state">,
  options: ExportOptions,
): Promise<ExportSpec> {
  const resolved = await resolveRange(book, options);
  if (resolved === null || spec.range === null) return spec;
  const { from, to } = spec.range;
  const range = { from: Math.min(from, resolved.from), to: Math.max(to, resolved.to) };
  requireLaterFiles(paths, from, range.from);
  const wider = { ...spec, range, resolution: resolved.resolution };
  state.runInTransaction(() => {
    state.setMeta("assignment", JSON.stringify(wider));
    // The first auction of history was found for the earlier range.
    if (range.from < from) state.run("DELETE FROM meta WHERE name = 'floor'");
  });
  return wider;
}

/** Rejects a range that begins before the first file of a folder. */
function requireLaterFiles({ folder }: DatasetPaths, stored: number, requested: number): void {
  if (toShard(requested) >= toShard(stored)) return;
  throw new InputError(
    `Cannot export into ${folder}: the range begins before the first file of the folder`,
    {
      facts: { "in the folder": `from auction ${stored}`, requested: `from auction ${requested}` },
      remedy: "Export the earlier auctions into another folder, then merge both, or read both",
    },
  );
}

function toResolution({ dates }: DatasetRequest, walk: BlockRange | null): RangeResolution | null {
  if (walk === null || dates === null) return null;
  const notes = [`Dates became blocks ${walk.from} to ${walk.to} by their timestamps.`];
  return { basis: "timestamps", isPadded: false, notes };
}

function requireSame(
  { folder }: DatasetPaths,
  stored: Readonly<Record<string, unknown>>,
  requested: Readonly<Record<string, unknown>>,
): void {
  const difference = findDiff(stored, requested);
  if (difference === null) return;
  const [setting, before, now] = difference;
  throw new InputError(
    `Cannot export into ${folder}: the folder holds an export with different settings`,
    {
      facts: { setting, "in the folder": before, requested: now },
      remedy:
        "Pass the settings of the folder to resume it, or another folder. A later end, more " +
        "tables, a node and instances may be added",
    },
  );
}

/** Names that an export replaces, in addition to tables. */
const OUTPUTS = ["README.md", "SHA256SUMS", "datapackage.json", "deployment.json", "raw"] as const;

/**
 * Rejects a merged folder, since only its exports know what to request again, and one with foreign
 * files that would be replaced.
 *
 * @throws {InputError} If it is either.
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
  const name = [...OUTPUTS, ...TABLE_NAMES].find((file) => names.includes(file));
  if (name === undefined) return;
  throw new InputError(`Cannot export into ${paths.folder}: its ${name} was written by no export`, {
    remedy: "Pass a folder that is new or empty",
  });
}
