import { localFiles } from "../../http/local_files.ts";
import { type DatasetPaths, replaceFiles, sha256 } from "../layout/files.ts";
import {
  type BlockRange,
  type DatasetContradiction,
  type DatasetDrift,
  type DatasetFailure,
  type DatasetManifest,
  type DatasetRequest,
  type IdRanges,
  ITEM_STATES,
  type ItemState,
  LIBRARY,
  MANIFEST_SCHEMA,
  printManifest,
  type RangeResolution,
  type WalkedSettlements,
} from "../layout/manifest.ts";
import { includesDerived } from "../shards/published_tables.ts";
import { sumDrift } from "../shards/shard_records.ts";
import { type FileSpans, readTimeSpan } from "./citation.ts";
import { buildCroissant, buildDataPackage } from "./data_package.ts";
import { formatCard } from "./dataset_card.ts";
import { buildModel } from "./dataset_model.ts";
import { CONTRADICTIONS, type ExportState } from "./export_state.ts";

export interface ExportSpec
  extends Pick<DatasetManifest, "source" | "request" | "about" | "range"> {
  /** Resolution of dates or blocks into the range; `null` without them. */
  readonly resolution?: RangeResolution | null;
  /** Blocks whose settlements are walked; `null` or absent where ids are. */
  readonly walk?: BlockRange | null;
  /** Content of `deployment.json`. */
  readonly deployment: Readonly<Record<string, unknown>>;
}

export const MAX_FAILURES = 100;

export function buildManifest(state: ExportState, spec: ExportSpec): DatasetManifest {
  const { source, request, about, range, resolution = null, walk = null } = spec;
  const files = state.listFiles().map(({ shard: _, ...file }) => file);
  const ids = readIdRanges(state);
  const unfinished = state.queryRow(
    "SELECT 1 FROM items WHERE state IS NULL OR state IN ('hidden', 'failed') LIMIT 1",
  );
  // Before the floor of history is found, no id of a range is known.
  const isEveryIdKnown = walk === null
    ? range === null || state.readMeta("floor") !== null
    : range !== null && state.readMeta("walkedTo") === String(walk.to);
  const manifest: DatasetManifest = {
    schema: MANIFEST_SCHEMA,
    ...LIBRARY,
    source,
    request,
    ...about === undefined ? {} : { about },
    range,
    resolution,
    ...walk === null ? {} : { walk: readWalk(state, walk) },
    ids,
    items: countItems(state),
    isComplete: unfinished === undefined && isEveryIdKnown,
    reportsRefused: state.readMeta("reportsRefused"),
    failures: listFailures(state),
    ...readOpen(state, request),
    files,
    answers: countResponses(state),
    derived: toDerived(state.readMeta("derived"), request),
    drift: readDrift(state),
  };
  const contradictions = JSON.parse(state.readMeta(CONTRADICTIONS) || "[]");
  return { ...manifest, ...selectContradictions(manifest, contradictions) };
}

/**
 * Selects the contradictions for a manifest. Where auctions of its range are missing anyway, a
 * settlement that none of the others names is expected; likewise missing records of an export that is
 * not complete, or did not request them.
 */
export function selectContradictions(
  { range, ids, walk, openIds, merged, request, isComplete }: Omit<
    DatasetManifest,
    "contradictions"
  >,
  contradictions: readonly DatasetContradiction[],
): Pick<DatasetManifest, "contradictions"> {
  const isEveryAuctionHere = range !== null && walk === undefined && openIds === undefined &&
    merged === undefined && ids.hidden.length === 0 && ids.failed.length === 0;
  const isOfAuctions = request.owner === null && request.uids === null;
  const isEveryRecordHere = isComplete && isOfAuctions && request.trades && merged === undefined;
  const selected = contradictions.filter(({ kind }) =>
    (kind !== "settlement_auction" || isEveryAuctionHere) &&
    (kind !== "missing_record" || isEveryRecordHere)
  );
  return selected.length === 0 ? {} : { contradictions: selected };
}

/** Writes the manifest and everything that follows from it. */
export async function writeManifest(
  paths: DatasetPaths,
  state: ExportState,
  spec: ExportSpec,
): Promise<DatasetManifest> {
  const manifest = buildManifest(state, spec);
  await writeDescriptions(paths, manifest, spec.deployment, state.spans);
  return manifest;
}

/**
 * Builds the files that follow from a manifest and its tables alone: the card, the data package and
 * Croissant.
 */
export function buildDescriptions(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  spans?: FileSpans,
): [name: string, text: string][] {
  const model = buildModel(manifest, readTimeSpan(paths, manifest, spans));
  return [
    ["README.md", formatCard(model)],
    ["datapackage.json", `${JSON.stringify(buildDataPackage(model), null, 1)}\n`],
    ["croissant.json", `${JSON.stringify(buildCroissant(model))}\n`],
  ];
}

/** Writes a manifest with the card, the data package, the deployment and the sums. */
export async function writeDescriptions(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  deployment: Readonly<Record<string, unknown>>,
  spans?: FileSpans,
): Promise<void> {
  const texts: readonly (readonly [string, string])[] = [
    ...buildDescriptions(paths, manifest, spans),
    ["deployment.json", `${JSON.stringify(addWalkedRange(deployment, manifest), null, 1)}\n`],
    ["manifest.json", printManifest(manifest)],
  ];
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const sums = manifest.files.map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  for (const [name, text] of texts) sums.push(`${sha256(text)}  ${name}\n`);
  const files = [...texts, ["SHA256SUMS", sums.join("")] as const];
  await replaceFiles(files.map(([name, text]) => ({
    file: paths.file(name),
    text,
    temporary: paths.toTemporary(name),
  })));
}

/**
 * Adds a complete range of ids to a deployment, in which an id without a response is no auction. Where
 * only auctions that settled were requested, it may be one.
 */
function addWalkedRange(deployment: Readonly<Record<string, unknown>>, manifest: DatasetManifest) {
  const { range, isComplete, walk, openIds } = manifest;
  const isEveryIdKnown = range !== null && isComplete && walk === undefined &&
    openIds === undefined;
  return isEveryIdKnown ? { ...deployment, walked: range } : deployment;
}

function readWalk(state: ExportState, { from }: BlockRange): WalkedSettlements {
  const to = Number(state.readMeta("walkedTo") ?? from - 1);
  const counts = state.queryRow<{ settlements: number; unknown: number | null }>(
    `SELECT count(*) AS settlements, sum(state = 'absent') AS unknown FROM items
     WHERE kind = 'settlement' AND key NOT LIKE 'unlogged %'`,
  );
  return {
    blocks: to < from ? [] : [[from, to]],
    settlements: counts?.settlements ?? 0,
    unknown: counts?.unknown ?? 0,
  };
}

function readIdRanges(state: ExportState): Record<ItemState, IdRanges> {
  const ranges = Object.fromEntries(
    ITEM_STATES.map((state) => [state, [] as [number, number][]]),
  ) as Record<ItemState, [number, number][]>;
  const rows = state.iterateRows<{ key: string; state: ItemState }>(
    "SELECT key, state FROM items WHERE kind = 'competition' AND state IS NOT NULL ORDER BY key",
  );
  for (const { key, state } of rows) addId(ranges[state], key);
  return ranges;
}

function addId(ranges: [number, number][], key: string): void {
  const id = Number(key);
  const last = ranges.at(-1);
  if (last !== undefined && last[1] === id - 1) last[1] = id;
  else ranges.push([id, id]);
}

function readOpen(
  state: ExportState,
  { follow }: DatasetRequest,
): Pick<DatasetManifest, "openOrders" | "openIds"> {
  // Items that a recording left open stay open.
  if (!follow && state.readMeta("origin") !== "HTTP") return {};
  const orders = state.countOpenOrders();
  const count = orders.reduce((sum, row) => sum + row.count, 0);
  const sinceMs = Math.min(...orders.map((row) => row.sinceMs));
  const askedSince = count === 0 || !follow ? null : new Date(sinceMs).toISOString();
  const statuses = Object.fromEntries(orders.map((row) => [row.status ?? "unknown", row.count]));
  const openIds: [number, number][] = [];
  const sql = `SELECT key FROM items
    WHERE kind = 'competition' AND state = 'absent' AND isFinal = 0 ORDER BY key`;
  for (const { key } of state.iterateRows<{ key: string }>(sql)) addId(openIds, key);
  return {
    ...count > 0 && { openOrders: { count, statuses, askedSince } },
    ...openIds.length > 0 && { openIds },
  };
}

function countItems(state: ExportState): Record<string, Partial<Record<ItemState, number>>> {
  const counts: Record<string, Partial<Record<ItemState, number>>> = {};
  for (const { kind, state: outcome, count } of state.countStates()) {
    (counts[kind] ??= {})[outcome] = count;
  }
  return counts;
}

function listFailures(state: ExportState): DatasetFailure[] {
  const rows = state.query<{ kind: string; key: string; note: string | null }>(
    `SELECT kind, key, note FROM items WHERE state = 'failed' ORDER BY kind, key LIMIT ?`,
    MAX_FAILURES,
  );
  return rows.map(({ kind, key, note }) => ({
    kind,
    key: formatKey(kind, key),
    reason: note ?? "",
  }));
}

/** Formats a key for readers: an auction id, a block, a hash, a UID. */
function formatKey(kind: string, key: string): string {
  const [first = "", second = ""] = key.split(" ");
  if (kind === "settlement") return second;
  return ["competition", "instance", "block"].includes(kind) ? String(Number(first)) : key;
}

/** Returns the library version of the derived tables. */
export function toDerived(
  version: string | null,
  { tables }: Pick<DatasetRequest, "tables">,
): { version: string } | null {
  return version && includesDerived(tables) ? { version } : null;
}

function readDrift(state: ExportState): DatasetDrift {
  const rows = state.query<{ value: string }>("SELECT value FROM meta WHERE name LIKE 'drift %'");
  return sumDrift(rows.map(({ value }) => JSON.parse(value)));
}

function countResponses(state: ExportState): Record<string, number> {
  const rows = state.query<{ route: string; count: number }>(
    "SELECT route, count(*) AS count FROM answers GROUP BY route ORDER BY route",
  );
  return Object.fromEntries(rows.map(({ route, count }) => [route, count]));
}
