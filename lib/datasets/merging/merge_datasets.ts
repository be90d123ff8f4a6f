import type { CallOptions, Progress } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import { callable, checkOptions, type OptionRules, SIGNAL } from "../../errors/option_rules.ts";
import { localFiles } from "../../http/local_files.ts";
import { readFacts } from "../../recordings/deployment.ts";
import { byText } from "../../recordings/recorded_competitions.ts";
import { itemsFor, shardsOf, takeAll, type Taking } from "../export/take_up.ts";
import {
  DatasetPaths,
  factsOfMade,
  padded,
  putInPlace,
  rawPath,
  SELECTED_ORDERS,
  shardName,
  shardOf,
  UNBID_ORDERS,
} from "../layout/files.ts";
import { putInPlaceOf, requireNothingAt } from "../layout/folders.ts";
import { countIds, hullOf, isPartitioned, partitionOf, unionOf } from "../layout/id_ranges.ts";
import { type DatasetManifest, firstDifference, rawsOf, readManifest } from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { leaveRowsOnce } from "../rebuilding/rows_once.ts";
import { needsOf } from "../shards/published_tables.ts";
import { sumOfCounts, sumOfDrift } from "../shards/shard_records.ts";
import { tableContext } from "../shards/table_context.ts";
import { saidAbout } from "../state/citation.ts";
import { unknownIds } from "../state/dataset_gaps.ts";
import { ExportState, type Item } from "../state/export_state.ts";
import { publishShard, writeAnswers } from "../state/publish_shard.ts";
import { itemsIn, keptAnswers } from "../state/segment_lines.ts";
import { FAILURES_SHOWN, manifestOf, writeDescriptions } from "../state/write_manifest.ts";
import { isLaterAnswer } from "./later_answer.ts";
import { sameHex } from "../../units/mod.ts";

/** How far a merge is; it counts files of 1,000 auctions of one environment. */
export interface MergeProgress extends Required<Progress> {
  /** Whether answers are compared or files are made. */
  readonly phase: "answers" | "tables";
  /** The 1,000 auction ids that it is about, as file names have them. */
  readonly shard: string;
}

/** Options of {@linkcode mergeDatasets}. */
export interface MergeOptions extends CallOptions {
  /** Called before each file of 1,000 auctions. */
  onProgress?: ((progress: MergeProgress) => void) | undefined;
}

const OPTIONS: OptionRules<MergeOptions> = { onProgress: callable(), signal: SIGNAL };

const ACTION = "Cannot merge datasets";

/**
 * Joins datasets of one chain into a new one.
 *
 * - Of one environment: ranges that may overlap, or exports of single orders. Each thing that was
 *   asked for is in the result once, in the file of the first auctions that need it, so that neighbouring
 *   ranges become what one export of both would have been, byte for byte. If two
 *   answers differ, the later one counts: the one with more settlements, more filled, or of more fills.
 *   Of two nodes' answers about a settlement, which agree in what it did, the one with more fields.
 *   If nothing tells which is later, that is an error. Ids that no dataset has asked for stay without a
 *   state, and the result is not complete.
 * - Of several environments, such as production and staging: their auctions have ids of their own, and
 *   the files of each stand in `environment=…/` in every folder of files. Each fill is there once, by
 *   block and log index: in the environment whose auction settled it. Each settlement is there once, by
 *   its transaction: in the environment whose auction it differs from least. Orders that both have are
 *   in both, so orders are joined by environment and UID.
 *
 * The result is a dataset like any other: it opens, verifies and rebuilds. Its manifest names those of
 * the datasets by their SHA-256. It is not exported on. It appears when it is complete.
 *
 * @param folders Folders of the datasets.
 * @param output Folder to write; nothing may be there.
 * @returns The manifest.
 * @throws {InputError} If one is not a dataset, they do not belong together, an answer or a file
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
  checkOptions(options, OPTIONS, ACTION);
  if (!Array.isArray(folders) || folders.length === 0) {
    throw new InputError(`${ACTION}: there are none`, {
      remedy: "Pass the folders of the datasets",
    });
  }
  // In whichever order they are passed, the result is the same.
  const inputs = (await Array.fromAsync(folders, inputOf)).sort((a, b) =>
    byText(a.partition, b.partition) || a.firstId - b.firstId || byText(a.sha256, b.sha256)
  );
  for (const [place, input] of inputs.entries()) requireCommon(inputs[place - 1] ?? input, input);
  const groups = [...Map.groupBy(inputs, ({ partition }) => partition).values()];
  const [action, place] = ["Cannot merge into", new DatasetPaths(output).folder];
  const at = { action, output: place, requireFree: () => requireNothingAt(place, action) };
  return await putInPlaceOf(at, (made) => mergeInto(new DatasetPaths(made), groups, options));
}

/** A dataset that is merged. */
type MergeInput = Awaited<ReturnType<typeof inputOf>>;

async function inputOf(folder: string | URL) {
  const paths = new DatasetPaths(folder);
  const manifest = await readManifest(paths);
  if (isPartitioned(manifest)) {
    throw new InputError(`${ACTION}: ${paths.folder} has several environments`, {
      remedy: "Pass the datasets that it was merged from",
    });
  }
  const { sha256 } = await factsOfMade(paths.file("manifest.json"));
  const { deployment } = await readFacts(paths.file("deployment.json"));
  const partition = partitionOf(manifest.source.environment);
  return { paths, manifest, sha256, deployment, partition, firstId: manifest.range?.from ?? 0 };
}

/**
 * Rejects a dataset that lacks what it must have in common with another, of one environment or not;
 * names both, and what.
 */
function requireCommon(first: MergeInput, second: MergeInput): void {
  const [one, two] = [first, second].map(({ manifest: { source, request, range, about } }) => {
    const { tables, trades, debugReports, blockTimes } = request;
    const { network, chainId } = source;
    const settlementContract = source.settlementContract.toLowerCase();
    const chain = `${network ?? "no name"}, chain ${chainId}`;
    const selection = range === null ? "orders" : "auctions";
    const rewardsOf = about?.rewardsOf ?? null;
    const own = { debugReports, blockTimes, settlementContract, selection, rewardsOf };
    return { chain, tables, trades, ...first.partition === second.partition && own };
  });
  const found = firstDifference(one!, two!);
  if (found === null) return;
  const [what, before, now] = found;
  const folders = `${first.paths.folder} with ${second.paths.folder}`;
  throw new InputError(`Cannot merge ${folders}: they differ in ${what}`, {
    facts: { "in the first": before, "in the second": now },
    remedy: what === "tables"
      ? "Export them with the same tables; `orderlens rebuild DIR` adds those of later versions"
      : "Merge datasets of one chain that were exported with the same settings",
  });
}

/** Each environment is made as a dataset of its own; of several, the files stand in folders of its name. */
async function mergeInto(
  output: DatasetPaths,
  groups: readonly (readonly MergeInput[])[],
  options: MergeOptions,
): Promise<DatasetManifest> {
  const parts = await Array.fromAsync(groups, async (group) => {
    const partition = groups.length === 1 ? "" : group[0]!.partition;
    const paths = new DatasetPaths(`${output.temporary}/${partition}`);
    const manifest = await mergeEnvironment(group, paths, options);
    const files = await Array.fromAsync(manifest.files, async (file) => {
      const path = file.path.replace("/", `/${partition}`);
      await putInPlace(paths.file(file.path), output.file(path));
      return { ...file, path };
    });
    return { ...manifest, files };
  });
  const merged = groups.flat().map(({ sha256: manifestSha256, manifest }) => {
    const { source, request, range, ids, isComplete } = manifest;
    return { manifestSha256, source, request, range, ids, isComplete };
  });
  const all = parts.length === 1 ? parts[0]! : severalOf(parts);
  const manifest = { ...all, files: await leaveRowsOnce(output, all.files), merged };
  await writeDescriptions(output, manifest, { ...groups[0]![0]!.deployment });
  await localFiles().rm(output.own, { recursive: true });
  return manifest;
}

/**
 * Writes datasets of one environment as the export of all of them would have: each answer is taken up
 * as if the service gave it now, so that it stands with the first auctions that need it. Of two that
 * differ, the later one counts.
 *
 * @param paths Folder to write, without descriptions.
 * @throws {InputError} If nothing tells which of two answers is later.
 */
async function mergeEnvironment(
  inputs: readonly MergeInput[],
  paths: DatasetPaths,
  { onProgress = () => {}, signal }: MergeOptions,
): Promise<DatasetManifest> {
  const [{ manifest: { source, about }, deployment }] = inputs as [MergeInput];
  const manifests = inputs.map(({ manifest }) => manifest);
  const { walk, ...asked } = mergedRequest(manifests);
  await localFiles().mkdir(paths.own, { recursive: true });
  using state = new ExportState(paths);
  const keeping = { paths, state, round: 1, now: () => 0, step: () => {} };
  // Titles and licenses are those of one of them; the rules are those of all.
  const rules = saidAbout(undefined, { rewardsOf: about?.rewardsOf });
  const assignment = { source, ...asked, ...rules, deployment: { ...deployment } };
  const context = tableContext(assignment);
  const settlementContract = source.settlementContract.toLowerCase();
  const needs = needsOf(asked.request);
  const asking = {
    state,
    needs,
    settlementContract,
    concurrency: 1,
    signal,
    now: () => 0,
    executed: new Map(),
  };
  const shards = shardsOf(manifests.flatMap(rawsOf));
  const each = async (phase: MergeProgress["phase"], take: (shard: number) => Promise<unknown>) => {
    for (const [done, shard] of shards.entries()) {
      signal?.throwIfAborted();
      onProgress({ phase, shard: shardName(shard), done, total: shards.length });
      await take(shard);
    }
  };
  // Which ids no dataset was asked for, their manifests tell.
  state.setMeta("floor", "0");
  // Without an answer of any dataset, what became of it is told all the same.
  if (asked.request.owner !== null) state.add("account", asked.request.owner, SELECTED_ORDERS);
  await each("answers", (shard) => takeShard({ asking, keeping, assignment }, inputs, shard));
  endState(manifests, state);
  await each("tables", async (shard) => {
    // Every order without a bid in one dataset may have one in another.
    if (shard === UNBID_ORDERS && state.countAnswers(shard) === 0) return;
    await publishShard(keeping, shard, context);
  });
  await writeAnswers(keeping, context, { signal, atHand: new Map() });
  const manifest = manifestOf(state, assignment);
  // Of ids that nobody asked for, and of other orders, no item tells.
  const isComplete = manifest.isComplete &&
    (asked.range === null || walk !== undefined
      ? manifests.every((one) => one.isComplete)
      : unknownIds(manifest).length === 0);
  return { ...manifest, ...walk === undefined ? {} : { walk }, isComplete };
}

/** What a block without an answer is asked for by, in whichever shards, which its keys name. */
const ASKED_BLOCK =
  "SELECT * FROM items WHERE kind = 'block' AND key GLOB ? AND state IS NULL ORDER BY key";

/** Takes up the answers of one shard; of two about the same thing, the later one. */
async function takeShard(taking: Taking, inputs: readonly MergeInput[], shard: number) {
  const { paths, state } = taking.keeping;
  for (const input of inputs) {
    const file = input.manifest.files.find(({ path }) => path === rawPath(shard));
    if (file === undefined) continue;
    await requireWhole(input.paths, file);
    const items = itemsIn(input.paths.file(file.path), shardName(shard));
    await takeAll(taking, items, async (answered) => {
      const { kind, key } = answered;
      if (kind === "block") return state.rows<Item>(ASKED_BLOCK, `${key.split(" ")[0]} *`);
      if (shard === SELECTED_ORDERS && (kind === "order" || kind === "account")) {
        state.add(kind, key, shard);
      }
      const items = itemsFor(taking, answered);
      const kept = items[0]?.state == null ? [] : await keptAnswers(paths, state, items[0]);
      const isLater = kept.length === 0 || isLaterAnswer(answered, kept);
      if (isLater !== null) return isLater ? items : [];
      const others = inputs.filter((one) => one !== input).map(({ paths }) => paths.folder);
      const folders = `${input.paths.folder} with ${others.join(", ")}`;
      throw new InputError(`Cannot merge ${folders}: answers differ`, {
        facts: { "answer for": `${kind} ${kind === "competition" ? Number(key) : key}` },
        remedy: "Resume the exports so that all have the last answer, or leave one of them out",
      });
    });
  }
}

/** What has no answer ended as the datasets say: from the state that counts most. */
function endState(manifests: readonly DatasetManifest[], state: ExportState): void {
  const end = (kind: string, name: string, ended: string, note: string | null = null) => {
    const key = /^\d+$/.test(name) ? padded(Number(name)) : name;
    if (kind === "competition") state.add(kind, key, shardOf(Number(name)));
    // A block stands in several shards, which its keys name behind it.
    state.run(
      `UPDATE items SET state = ?, note = ? WHERE kind = ? AND key >= ? AND key < ? AND state IS NULL`,
      ...[ended, note, kind, key, `${key}!`],
    );
  };
  state.inOneStep(() => {
    // Where a dataset was refused reports, none is missing.
    const refusals = manifests.flatMap(({ reportsRefused }) => reportsRefused ?? []);
    if (refusals.length > 0) {
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    }
    if (refusals.length === manifests.length) state.setMeta("reportsRefused", refusals[0]!);
    for (const { kind, key, reason } of manifests.flatMap(({ failures }) => failures)) {
      end(kind, key, "failed", reason);
    }
    for (const ended of ["absent", "beforeHistory", "failed", "hidden"] as const) {
      for (const [from, to] of manifests.flatMap(({ ids }) => ids[ended])) {
        for (let id = from; id <= to; id++) end("competition", `${id}`, ended);
      }
    }
  });
}

/** What datasets of one environment stand for together. */
function mergedRequest(
  manifests: readonly DatasetManifest[],
): Pick<DatasetManifest, "request" | "range" | "walk"> {
  const [{ request: { walk: _, ...request } }] = manifests as [DatasetManifest];
  const range = hullOf(manifests.flatMap(({ range }) => range ? [[range.from, range.to]] : []));
  const walks = manifests.flatMap(({ walk }) => walk ?? []);
  const { owner, uids } = request;
  const isOfOwner = owner !== null &&
    manifests.every((one) => one.request.owner !== null && sameHex(one.request.owner, owner));
  const orders = {
    owner: isOfOwner ? owner : null,
    uids: manifests.every((one) => one.request.uids === uids) ? uids : null,
  };
  const none = { dates: null, blocks: null, last: null, follow: false };
  const asked = { ...request, ...none, ...orders };
  if (walks.length < manifests.length) return { request: { ...asked, auctions: range }, range };
  const all = walks.flatMap(({ blocks }) => blocks);
  const blocks = unionOf(all);
  // Settlements of blocks that several have are not counted.
  const isCounted = countIds(blocks) === countIds(all) &&
    walks.every(({ settlements }) => settlements !== null);
  const counts = isCounted
    ? sumOfCounts(walks.map(({ settlements, unknown }) => ({ settlements, unknown })))
    : { settlements: null, unknown: null };
  const ofBlocks = { blocks: hullOf(blocks), walk: "settlements" } as const;
  return { request: { ...asked, ...ofBlocks }, range, walk: { blocks, ...counts } };
}

/** What datasets of several environments are together; ranges and ids stand with each of them. */
function severalOf(parts: readonly DatasetManifest[]): DatasetManifest {
  const [first] = parts as [DatasetManifest];
  return {
    ...first,
    source: { ...first.source, environment: null },
    request: { ...first.request, auctions: null, blocks: null, owner: null, uids: null },
    range: null,
    ids: { present: [], absent: [], hidden: [], beforeHistory: [], failed: [] },
    items: sumOfCounts(parts.map(({ items }) => items)),
    isComplete: parts.every(({ isComplete }) => isComplete),
    reportsRefused: parts.every((one) => one.reportsRefused !== null) ? first.reportsRefused : null,
    failures: parts.flatMap(({ failures }) => failures).slice(0, FAILURES_SHOWN),
    files: parts.flatMap(({ files }) => files),
    answers: sumOfCounts(parts.map(({ answers }) => answers)),
    drift: sumOfDrift(parts.map(({ drift }) => drift)),
  };
}
