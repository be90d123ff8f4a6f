import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles, statPath } from "../../http/local_files.ts";
import { readBytes } from "../../http/read_body.ts";
import { type Exchange, parseExchange, toRoute } from "../../recordings/request_key.ts";
import { type DatasetPaths, hashFile, toShardName } from "../layout/files.ts";
import { SIGNATURES } from "../layout/signature.ts";
import { countRows, type DatasetManifest, listRaws } from "../layout/manifest.ts";
import { NETWORKS } from "../../networks/networks.ts";
import { sameHex } from "../../units/mod.ts";
import { identifyItem, isAbsence } from "../shards/shard_records.ts";
import { BEFORE_BODY, findBytes, readLines } from "./response_file.ts";
import type { DatasetProblem } from "./refetch.ts";
import { countIds } from "../layout/id_ranges.ts";
import { findNeeds } from "../shards/published_tables.ts";
import { MAX_FAILURES } from "../state/write_manifest.ts";

const SUMS = "SHA256SUMS";
/** Files in addition to tables and responses. */
const DESCRIPTIONS = ["README.md", "croissant.json", "datapackage.json", "deployment.json"]
  .concat("manifest.json");
/** Files that a publication has beside those of its dataset. */
const PUBLISHED = ["CITATION.cff", "LICENSE.txt", "picture.png", ...SIGNATURES];
const IS_LINK = "it is a link, or in a folder that is one";
const SUM = /^([0-9a-f]{64}) {2}(.+)$/;

export interface CheckContext {
  readonly damaged: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

/** Compares every file with its hash, in the manifest and in `SHA256SUMS`. */
export async function checkFiles(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<{ problems: DatasetProblem[]; checked: number }> {
  const problems: DatasetProblem[] = [];
  const files = new Map(manifest.files.map((file) => [file.path, file]));
  const sums = await readSums(paths);
  const names = new Set([...files.keys(), ...sums.keys(), ...DESCRIPTIONS]);
  if (await isLink(paths, SUMS)) problems.push({ file: SUMS, problem: IS_LINK });
  for (const path of names) {
    signal?.throwIfAborted();
    if (await isLink(paths, path)) {
      problems.push({ file: path, problem: IS_LINK });
      continue;
    }
    const facts = await hashFile(paths.file(path));
    const file = files.get(path);
    const sum = sums.get(path);
    const problem = facts === null
      ? "it is missing"
      : file !== undefined && facts.bytes !== file.bytes
      ? `it has ${facts.bytes} bytes instead of ${file.bytes}`
      : file !== undefined && facts.sha256 !== file.sha256
      ? `its SHA-256 is ${facts.sha256} instead of ${file.sha256}`
      : sum !== undefined && facts.sha256 !== sum
      ? `its SHA-256 is ${facts.sha256} instead of ${sum}, as in SHA256SUMS`
      : null;
    if (problem !== null) problems.push({ file: path, problem });
    if (sum === undefined) problems.push({ file: SUMS, problem: `it does not list ${path}` });
  }
  // Files that a reader of `*.parquet` would read.
  const folders = [...manifest.request.tables, "raw"].map((folder) => listFiles(paths, folder));
  for (const path of (await Promise.all(folders)).flat().sort()) {
    if (!files.has(path)) {
      problems.push({ file: path, problem: "the manifest does not list it" });
    }
  }
  for (const name of await localFiles().readdir(paths.folder)) {
    if (name.startsWith(".") || isDatasetName(name, manifest)) continue;
    problems.push({ file: name, problem: "it does not belong to the dataset" });
  }
  for (const problem of [...findClaimErrors(manifest), ...findSourceFaults(manifest)]) {
    problems.push({ file: "manifest.json", problem });
  }
  return { problems, checked: names.size };
}

function isDatasetName(name: string, { request }: DatasetManifest): boolean {
  const folders = ["raw", ...request.tables];
  return [...DESCRIPTIONS, SUMS, ...PUBLISHED, ...folders].includes(name) ||
    folders.includes(name.replace(/\.tar$/, ""));
}

/** Whether a file, or a folder on the way to it, is a link. */
async function isLink(paths: DatasetPaths, path: string): Promise<boolean> {
  const parts = path.split("/");
  for (const end of parts.keys()) {
    try {
      const stats = await localFiles().lstat(paths.file(parts.slice(0, end + 1).join("/")));
      if (stats.isSymbolicLink()) return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
  return false;
}

/** Finds counts of a manifest that its own ids and files contradict. */
function* findClaimErrors(manifest: DatasetManifest) {
  const { ids, items, request, range, merged } = manifest;
  if (merged !== undefined || range === null) return;
  const present = countIds(ids.present);
  for (const [state, count] of Object.entries(items.competition ?? {})) {
    const ranges = countIds(ids[state as keyof typeof ids] ?? []);
    if (ranges !== count) yield `it counts ${count} auctions that are ${state}, its ids ${ranges}`;
  }
  if (!request.tables.includes("auctions")) return;
  const rows = countRows(manifest, "auctions");
  if (rows !== present) yield `it counts ${present} auctions, its table ${rows}`;
}

/** Finds a chain id or settlement contract that the network does not have. */
function* findSourceFaults({ source }: DatasetManifest): Generator<string> {
  const network = Object.values(NETWORKS).find(({ name }) => name === source.network);
  if (network === undefined) return;
  const { chainId, settlementContract } = source;
  if (network.chainId !== chainId) {
    yield `it names ${network.name}, whose chain id is ${network.chainId}, and chain id ${chainId}`;
  }
  const { production, staging } = network.contracts.settlement;
  const contracts = [production, staging.same, staging.newer];
  if (contracts.some((address) => sameHex(address, settlementContract))) return;
  yield `it names ${network.name} and the contract ${settlementContract}, which is not deployed there`;
}

async function readSums(paths: DatasetPaths): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  const file = paths.file(SUMS);
  if (await hashFile(file) === null) return sums;
  for (const line of new TextDecoder().decode(await readBytes(file)).split("\n")) {
    const [, sum = "", path = ""] = SUM.exec(line) ?? [];
    if (path !== "") sums.set(path, sum);
  }
  return sums;
}

/** Lists the files below a folder; none if it is missing. */
async function listFiles(paths: DatasetPaths, folder: string): Promise<string[]> {
  if (await statPath(paths.file(folder)) === null) return [];
  const entries = await localFiles().readdir(paths.file(folder), { withFileTypes: true });
  const files = await Promise.all(entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(paths, path) : [path];
  }));
  return files.flat();
}

/** Characters of a body that show whether it is empty. */
const HEAD_BYTES = 16;

interface Counts {
  /** Items that exist, and items that do not, by kind. */
  readonly items: Map<string, { found: number; absent: number }>;
  /** Responses by method, route and status. */
  readonly routes: Map<string, number>;
}

/**
 * Compares the counts of the manifest with the responses in its files; reports files that cannot be
 * read.
 */
export async function checkCounts(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { damaged, signal }: CheckContext,
): Promise<DatasetProblem[]> {
  const counts: Counts = { items: new Map(), routes: new Map() };
  const problems: DatasetProblem[] = [];
  const raws = listRaws(manifest);
  for (const { path, rows } of raws) {
    signal?.throwIfAborted();
    if (damaged.has(path)) continue;
    try {
      const lines = await countFile(paths.file(path), path, counts);
      if (lines === rows) continue;
      problems.push({ file: path, problem: `it has ${lines} responses instead of ${rows}` });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const { cause } = error;
      const reason = cause instanceof Error ? cause.message : error.message.split("\n")[0];
      problems.push({ file: path, problem: `its responses cannot be read: ${reason}` });
    }
  }
  const isRead = problems.length === 0 && !raws.some(({ path }) => damaged.has(path));
  const claims = isRead ? findCountErrors(manifest, counts) : [];
  return [...problems, ...Array.from(claims, (problem) => ({ file: "manifest.json", problem }))];
}

async function countFile(file: string, path: string, { items, routes }: Counts): Promise<number> {
  const shard = toShardName(path);
  let lines = 0;
  let last = "";
  for await (const line of readLines(file)) {
    const exchange = parseHead(line, `${path}:${++lines}`);
    const route = `${exchange.method} ${toRoute(exchange.path)} ${exchange.status}`;
    routes.set(route, (routes.get(route) ?? 0) + 1);
    const { kind, key } = identifyItem(exchange, shard);
    // Pages of one list are adjacent.
    if (`${kind} ${key}` === last) continue;
    last = `${kind} ${key}`;
    const count = items.get(kind) ?? { found: 0, absent: 0 };
    items.set(kind, count);
    count[isAbsence(kind, exchange) ? "absent" : "found"]++;
  }
  return lines;
}

/** Parses a response with the beginning of its body: only calls to a node need all of it. */
function parseHead(line: Uint8Array, where: string): Exchange {
  const decoder = new TextDecoder();
  const end = findBytes(line, BEFORE_BODY);
  const head = end === -1 ? null : JSON.parse(`${decoder.decode(line.subarray(0, end))}}`);
  if (head === null || !head.path.startsWith("/api/")) {
    return parseExchange(decoder.decode(line), where);
  }
  const start = end + BEFORE_BODY.length + 1;
  const responseBody = decoder.decode(line.subarray(start, start + HEAD_BYTES))
    .replace(/"\}?$/, "");
  return { ...head, responseBody };
}

function* findCountErrors(manifest: DatasetManifest, { items: counts, routes }: Counts) {
  const { items, answers, failures, walk, openOrders, request, merged } = manifest;
  for (const route of new Set([...Object.keys(answers), ...routes.keys()])) {
    const [claimed = 0, counted = 0] = [answers[route], routes.get(route)];
    if (claimed !== counted) {
      yield `it counts ${claimed} responses of ${route}, its files have ${counted}`;
    }
  }
  let allFailed = 0;
  for (const kind of new Set([...Object.keys(items), ...counts.keys()])) {
    const { present = 0, absent = 0, failed = 0 } = items[kind] ?? {};
    allFailed += failed;
    // Settlements only lead to auctions, whose responses are stored.
    if (kind === "settlement") continue;
    const counted = counts.get(kind) ?? { found: 0, absent: 0 };
    // A failed item may have a response that cannot be read. A recording lacks reports without a
    // response.
    if (present > counted.found || present + failed < counted.found) {
      yield `it counts ${present} of ${kind} that are present, its files have ${counted.found}`;
    }
    const isAnswered = kind !== "report" && kind !== "competition";
    if (isAnswered ? absent !== counted.absent : absent < counted.absent) {
      yield `it counts ${absent} of ${kind} that are absent, its files have ${counted.absent}`;
    }
  }
  if (failures.length !== Math.min(allFailed, MAX_FAILURES)) {
    yield `it counts ${allFailed} failures, and names ${failures.length}`;
  }
  const orders = items.order?.present ?? 0;
  if ((openOrders?.count ?? 0) > orders) {
    yield `it counts ${openOrders!.count} open orders of ${orders}`;
  }
  const ofStatuses = Object.values(openOrders?.statuses ?? {});
  const sum = ofStatuses.reduce((total, count) => total + count, 0);
  if (ofStatuses.length > 0 && sum !== openOrders!.count) {
    yield `it counts ${openOrders!.count} open orders, and ${sum} by status`;
  }
  if (merged !== undefined) return;
  const { settlement } = items;
  if (walk !== undefined && walk.unknown !== (settlement?.absent ?? 0)) {
    yield `it counts ${walk.unknown} unknown settlements, and ${settlement?.absent ?? 0}`;
  }
  const endedCount = Object.values(settlement ?? {}).reduce((sum, count) => sum + count, 0);
  if (endedCount > (walk?.settlements ?? 0)) {
    yield `it counts ${walk?.settlements ?? 0} settlements, and ${endedCount}`;
  }
  const needs = findNeeds(request);
  for (const [kind, need] of Object.entries(NEEDED_FOR)) {
    if (!counts.has(kind) || needs.has(need)) continue;
    yield `it has responses of ${kind}, which none of its tables needs: one is missing`;
  }
}

/** Kinds that are requested because tables need them. */
const NEEDED_FOR = {
  order: "orders",
  trades: "trades",
  app_data: "app_data",
  report: "reports",
  block: "blocks",
  receipt: "settlements",
  instance: "instances",
} as const;
