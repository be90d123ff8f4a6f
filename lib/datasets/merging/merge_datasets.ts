import type { CallOptions, Progress } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { localFiles } from "../../http/local_files.ts";
import { readFacts } from "../../recordings/deployment.ts";
import { compareTexts } from "../../recordings/recorded_competitions.ts";
import { sameHex } from "../../units/mod.ts";
import {
  findItems,
  type RestoreContext,
  restoreResponses,
  sortShards,
} from "../export/restore_state.ts";
import {
  DatasetPaths,
  dirname,
  formatShard,
  hashWritten,
  padId,
  SELECTED_ORDERS,
  toRawPath,
  toShard,
  toShardName,
  UNBID_ORDERS,
} from "../layout/files.ts";
import { packLines, requireVacant, writeAtomically } from "../layout/folders.ts";
import { boundRange, countIds, mergeRanges } from "../layout/id_ranges.ts";
import { type DatasetManifest, findDiff, listRaws, readManifest } from "../layout/manifest.ts";
import { verifyFile } from "../layout/verify_file.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { buildTables } from "../rebuilding/rebuild_dataset.ts";
import { findNeeds } from "../shards/published_tables.ts";
import { sumCounts } from "../shards/shard_records.ts";
import { createTableContext } from "../shards/table_context.ts";
import { mergeCitation } from "../state/citation.ts";
import { findUnknownIds } from "../state/dataset_gaps.ts";
import { ExportState, type Item } from "../state/export_state.ts";
import { readItems, readResponses, readSegment } from "../state/segment_lines.ts";
import { buildManifest } from "../state/write_manifest.ts";
import { isLaterResponse } from "./later_response.ts";

/** Progress of a merge; it counts files of 1,000 auctions. */
export interface MergeProgress extends Required<Progress> {
  /** Whether responses are compared or tables are built. */
  readonly phase: "answers" | "tables";
  /** The current 1,000 auction ids, as in file names. */
  readonly shard: string;
}

/** Options of {@linkcode mergeDatasets}. */
export interface MergeOptions extends CallOptions {
  /** Called before each file of 1,000 auctions. */
  onProgress?: ((progress: MergeProgress) => void) | undefined;
}

const ACTION = "Cannot merge datasets";

/**
 * Joins datasets of one deployment into a new one: of ranges that may overlap, or exports of single
 * orders.
 *
 * Each requested item is in the result once, in the file of the first auctions that need it, so that
 * neighbouring ranges become what one export of both would have been, byte for byte. If two responses
 * differ, the later one counts: the one with more settlements, more filled, or of more fills. Of two
 * nodes' responses about a settlement, which agree in what it did, the one with more fields. If it
 * cannot be determined which is later, that is an error. Ids that no dataset has requested stay without
 * a state, and the result is not complete.
 *
 * Datasets of production and staging stay apart: `openSql` reads them side by side, with each fill once.
 *
 * The result is a dataset like any other: it opens, verifies and rebuilds. Its manifest names those of
 * the datasets by their SHA-256. It is not exported on. It appears when it is complete.
 *
 * @param folders Folders of the datasets, or names of those that ship.
 * @param output Folder to write; nothing may be there.
 * @returns The manifest.
 * @throws {InputError} If one is not a dataset, they do not belong together, a response or a file
 *   differs, or the result cannot be written.
 *
 * @example Two ranges become one
 * ```ts
 * import { connect } from "orderlens";
 * import { exportDataset, mergeDatasets } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const book = connect(await replay("market_1"));
 * const tables = ["auctions", "orders", "trades"];
 * await exportDataset(book, `${folder}/1`, { auctions: { from: 1990, to: 1999 }, tables });
 * await exportDataset(book, `${folder}/2`, { auctions: { from: 2000, to: 2010 }, tables });
 * const { range, isComplete } = await mergeDatasets([`${folder}/1`, `${folder}/2`], `${folder}/all`);
 *
 * assertEquals(range, { from: 1990, to: 2010 });
 * assertEquals(isComplete, true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function mergeDatasets(
  folders: readonly (string | URL)[],
  output: string | URL,
  options: MergeOptions = {},
): Promise<DatasetManifest> {
  checkOptions(options, { onProgress: Function, signal: AbortSignal }, ACTION);
  if (!Array.isArray(folders) || folders.length === 0) {
    throw new InputError(`${ACTION}: there are none`, {
      remedy: "Pass the folders of the datasets",
    });
  }
  // In whichever order they are passed, the result is the same.
  const inputs = (await Array.fromAsync(folders, openInput)).sort((a, b) =>
    a.firstId - b.firstId || compareTexts(a.sha256, b.sha256)
  );
  for (const [index, input] of inputs.entries()) requireCommon(inputs[index - 1] ?? input, input);
  const [action, folder] = ["Cannot merge into", new DatasetPaths(output).folder];
  const target = { action, output: folder, requireFree: () => requireVacant(folder, action) };
  return await writeAtomically(target, (dir) => mergeInto(new DatasetPaths(dir), inputs, options));
}

/** A dataset that is merged. */
type MergeInput = Awaited<ReturnType<typeof openInput>>;

async function openInput(folder: string | URL) {
  const paths = await findDataset(folder);
  const manifest = await readManifest(paths);
  const { sha256 } = await hashWritten(paths.file("manifest.json"));
  const { deployment } = await readFacts(paths.file("deployment.json"));
  return { paths, manifest, sha256, deployment, firstId: manifest.range?.from ?? 0 };
}

/** Rejects a dataset that lacks what it must have in common with another; names both, and what. */
function requireCommon(first: MergeInput, second: MergeInput): void {
  const [left, right] = [first, second].map(({ manifest: { source, request, range, about } }) => {
    const { tables, trades, debugReports, blockTimes } = request;
    const { network, chainId, environment } = source;
    return {
      chain: `${network ?? "no name"}, chain ${chainId}`,
      environment,
      tables,
      trades,
      debugReports,
      blockTimes,
      settlementContract: source.settlementContract.toLowerCase(),
      selection: range === null ? "orders" : "auctions",
      rewardsOf: about?.rewardsOf ?? null,
      cowPrice: about?.cowPrice ?? null,
    };
  });
  const difference = findDiff(left!, right!);
  if (difference === null) return;
  const [field, firstValue, secondValue] = difference;
  const folders = [first, second].map(({ paths }) => paths.folder);
  throw new InputError(`Cannot merge ${folders.join(" with ")}: they differ in ${field}`, {
    facts: { "in the first": firstValue, "in the second": secondValue },
    remedy: REMEDIES[field]?.(folders.join(" ")) ??
      "Merge datasets of one chain that were exported with the same settings",
  });
}

const REMEDIES: Readonly<Record<string, (folders: string) => string>> = {
  environment: (folders) => `Query them side by side: \`orderlens sql ${folders}\``,
  cowPrice: (folders) =>
    `Rebuild each of ${folders} with the same \`--cow-price\`, a file with the prices of all weeks`,
  tables: () =>
    "Export them with the same tables; `orderlens rebuild DIR` adds those of later versions",
};

/**
 * Writes datasets as the export of all of them would have: each response is restored as if the service
 * sent it now, so that it is in the file of the first auctions that need it, and tables are built from
 * these.
 *
 * @param paths Folder to write.
 * @throws {InputError} If it cannot be determined which of two responses is later.
 */
async function mergeInto(
  paths: DatasetPaths,
  inputs: readonly MergeInput[],
  { onProgress = () => {}, signal }: MergeOptions,
): Promise<DatasetManifest> {
  await localFiles().mkdir(paths.internal, { recursive: true });
  const shards = sortShards(inputs.flatMap(({ manifest }) => listRaws(manifest)));
  let done = 0;
  const report = (phase: MergeProgress["phase"], shard: string, total: number) => {
    signal?.throwIfAborted();
    onProgress({ phase, shard, done: done++, total });
  };
  const merged = await mergeResponses(
    { paths, inputs, signal },
    shards,
    (shard) => report("answers", formatShard(shard), shards.length),
  );
  await localFiles().rm(paths.internal, { recursive: true });
  done = 0;
  const deployment = { ...inputs[0]!.deployment };
  const context = createTableContext({ ...merged, deployment });
  const total = listRaws(merged).length;
  const manifest = await buildTables(
    paths,
    { manifest: merged, deployment, context, workers: 1, signal },
    { prepare: ({ path }) => Promise.resolve(report("tables", toShardName(path), total)) },
  );
  await localFiles().rm(paths.internal, { recursive: true });
  return manifest;
}

/** Writes the files of responses; returns a manifest that lacks all that follows from them. */
async function mergeResponses(
  { paths, inputs, signal }: {
    readonly paths: DatasetPaths;
    readonly inputs: readonly MergeInput[];
    readonly signal: AbortSignal | undefined;
  },
  shards: readonly number[],
  onShard: (shard: number) => void,
): Promise<DatasetManifest> {
  const [{ manifest: { source, about }, deployment }] = inputs as [MergeInput];
  const manifests = inputs.map(({ manifest }) => manifest);
  const { walk, ...selection } = mergeRequests(manifests);
  using state = new ExportState(paths);
  // Titles and licenses are those of one of them; the rules are those of all.
  const rules = mergeCitation(undefined, {
    rewardsOf: about?.rewardsOf,
    cowPrice: about?.cowPrice,
  });
  const context: RestoreContext = {
    spec: { source, ...selection, ...rules, deployment: { ...deployment } },
    writer: { paths, state, round: 1, now: () => 0, onStep: () => {} },
    context: {
      state,
      needs: findNeeds(selection.request),
      settlementContract: source.settlementContract.toLowerCase(),
      concurrency: 1,
      signal,
      now: () => 0,
      executed: new Map(),
    },
  };
  // The manifests state which ids no dataset has requested.
  state.setMeta("floor", "0");
  // Its outcome is recorded even without a response in any dataset.
  if (selection.request.owner !== null) {
    state.add("account", selection.request.owner, SELECTED_ORDERS);
  }
  for (const shard of shards) {
    onShard(shard);
    await restoreShard(context, inputs, shard);
  }
  endItems(manifests, state);
  for (const shard of shards) {
    const rows = state.countResponses(shard);
    // Every order without a bid in one dataset may have one in another.
    if (shard === UNBID_ORDERS && rows === 0) continue;
    const path = toRawPath(shard);
    await localFiles().mkdir(dirname(paths.file(path)), { recursive: true });
    await packLines(paths.file(path), readSegment(paths, state, shard));
    const facts = await hashWritten(paths.file(path));
    state.recordFiles([{ path, ...facts, shard, rows, leastKey: null, greatestKey: null }]);
  }
  const manifest = buildManifest(state, context.spec);
  // Ids that nobody requested, and other orders, have no item.
  const isComplete = manifest.isComplete &&
    (selection.range === null || walk !== undefined
      ? manifests.every((manifest) => manifest.isComplete)
      : findUnknownIds(manifest).length === 0);
  const merged = inputs.map(({ sha256: manifestSha256, manifest }) => {
    const { source, request, range, ids, isComplete } = manifest;
    return { manifestSha256, source, request, range, ids, isComplete };
  });
  return { ...manifest, ...walk === undefined ? {} : { walk }, isComplete, merged };
}

/** Items of a block without a response, in whichever shards, which their keys name. */
const BLOCK_ITEMS =
  "SELECT * FROM items WHERE kind = 'block' AND key GLOB ? AND state IS NULL ORDER BY key";

/** Restores the responses of one shard; of two about the same item, the later one. */
async function restoreShard(
  context: RestoreContext,
  inputs: readonly MergeInput[],
  shard: number,
): Promise<void> {
  const { paths, state } = context.writer;
  for (const input of inputs) {
    const file = input.manifest.files.find(({ path }) => path === toRawPath(shard));
    if (file === undefined) continue;
    await verifyFile(input.paths, file);
    const items = readItems(input.paths.file(file.path), formatShard(shard));
    await restoreResponses(context, items, async (responses) => {
      const { kind, key } = responses;
      if (kind === "block") return state.query<Item>(BLOCK_ITEMS, `${key.split(" ")[0]} *`);
      if (shard === SELECTED_ORDERS && (kind === "order" || kind === "account")) {
        state.add(kind, key, shard);
      }
      const items = findItems(context, responses);
      const earlier = items[0]?.state == null ? [] : await readResponses(paths, state, items[0]);
      const isLater = earlier.length === 0 || isLaterResponse(responses, earlier);
      if (isLater !== null) return isLater ? items : [];
      const elsewhere = inputs.filter((other) => other !== input).map(({ paths }) => paths.folder);
      const folders = `${input.paths.folder} with ${elsewhere.join(", ")}`;
      throw new InputError(`Cannot merge ${folders}: responses differ`, {
        facts: { "response for": `${kind} ${kind === "competition" ? Number(key) : key}` },
        remedy: "Resume the exports so that all have the latest response, or leave one of them out",
      });
    });
  }
}

/**
 * Records the outcome of items without a response by the datasets' manifests: the most important state
 * counts.
 */
function endItems(manifests: readonly DatasetManifest[], state: ExportState): void {
  const end = (kind: string, name: string, itemState: string, note: string | null = null) => {
    const key = /^\d+$/.test(name) ? padId(Number(name)) : name;
    if (kind === "competition") state.add(kind, key, toShard(Number(name)));
    // A block may be in several shards, whose names follow it in its keys.
    state.run(
      `UPDATE items SET state = ?, note = ? WHERE kind = ? AND key >= ? AND key < ? AND state IS NULL`,
      ...[itemState, note, kind, key, `${key}!`],
    );
  };
  state.runInTransaction(() => {
    // If a deployment refused reports, none is missing.
    const refusals = manifests.flatMap(({ reportsRefused }) => reportsRefused ?? []);
    if (refusals.length > 0) {
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    }
    if (refusals.length === manifests.length) state.setMeta("reportsRefused", refusals[0]!);
    for (const { kind, key, reason } of manifests.flatMap(({ failures }) => failures)) {
      end(kind, key, "failed", reason);
    }
    for (const itemState of ["absent", "beforeHistory", "failed", "hidden"] as const) {
      for (const [from, to] of manifests.flatMap(({ ids }) => ids[itemState])) {
        for (let id = from; id <= to; id++) end("competition", `${id}`, itemState);
      }
    }
  });
}

/** Merges the requests and ranges of datasets. */
function mergeRequests(
  manifests: readonly DatasetManifest[],
): Pick<DatasetManifest, "request" | "range" | "walk"> {
  const [{ request: { walk: _, ...request } }] = manifests as [DatasetManifest];
  const range = boundRange(manifests.flatMap(({ range }) => range ? [[range.from, range.to]] : []));
  const walks = manifests.flatMap(({ walk }) => walk ?? []);
  const { owner, uids } = request;
  const isOfOwner = owner !== null &&
    manifests.every((input) => input.request.owner !== null && sameHex(input.request.owner, owner));
  const orders = {
    owner: isOfOwner ? owner : null,
    uids: manifests.every((manifest) => manifest.request.uids === uids) ? uids : null,
  };
  const noSelection = { dates: null, blocks: null, last: null, follow: false };
  const merged = { ...request, ...noSelection, ...orders };
  if (walks.length < manifests.length) return { request: { ...merged, auctions: range }, range };
  const blockRanges = walks.flatMap(({ blocks }) => blocks);
  const blocks = mergeRanges(blockRanges);
  // Settlements of blocks that several have are not counted.
  const isCounted = countIds(blocks) === countIds(blockRanges) &&
    walks.every(({ settlements }) => settlements !== null);
  const counts = isCounted
    ? sumCounts(walks.map(({ settlements, unknown }) => ({ settlements, unknown })))
    : { settlements: null, unknown: null };
  const ofBlocks = { blocks: boundRange(blocks), walk: "settlements" } as const;
  return { request: { ...merged, ...ofBlocks }, range, walk: { blocks, ...counts } };
}
