import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { readBytes } from "../../http/read_body.ts";
import { type Exchange, parseExchange, toRoute } from "../../recordings/request_key.ts";
import { type DatasetPaths, extractShardName, hashFile } from "../layout/files.ts";
import { statIfExists } from "../layout/folders.ts";
import { countTableRows, type DatasetManifest, listRawFiles } from "../layout/manifest.ts";
import { NETWORKS } from "../../networks/networks.ts";
import { sameHex } from "../../units/mod.ts";
import { identifyItem, isAbsence } from "../shards/shard_records.ts";
import { BEFORE_BODY, findBytes, readLines } from "./response_file.ts";
import type { DatasetProblem } from "./refetch.ts";
import { countIds } from "../layout/id_ranges.ts";
import { resolveNeeds } from "../shards/published_tables.ts";
import { MAX_FAILURES } from "../state/write_manifest.ts";

const SUMS = "SHA256SUMS";
/** Files besides tables and answers. */
const DESCRIPTIONS = ["README.md", "croissant.json", "datapackage.json", "deployment.json"]
  .concat("manifest.json");
const IS_LINK = "it is a link, or in a folder that is one";
const SUM = /^([0-9a-f]{64}) {2}(.+)$/;

/** What checks know besides a manifest. */
export interface CheckContext {
  /** Files that have a problem already. */
  readonly damaged: ReadonlySet<string>;
  /** Ends them. */
  readonly signal: AbortSignal | undefined;
}

/** Compares every file with its hash, in the manifest and in `SHA256SUMS`. */
export async function checkFiles(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<{ problems: DatasetProblem[]; checked: number }> {
  const problems: DatasetProblem[] = [];
  const expected = new Map(manifest.files.map((file) => [file.path, file]));
  const sums = await readSums(paths);
  const all = new Set([...expected.keys(), ...sums.keys(), ...DESCRIPTIONS]);
  if (await isLink(paths, SUMS)) problems.push({ file: SUMS, problem: IS_LINK });
  for (const path of all) {
    signal?.throwIfAborted();
    if (await isLink(paths, path)) {
      problems.push({ file: path, problem: IS_LINK });
      continue;
    }
    const found = await hashFile(paths.file(path));
    const listed = expected.get(path);
    const sum = sums.get(path);
    const problem = found === null
      ? "it is missing"
      : listed !== undefined && found.bytes !== listed.bytes
      ? `it has ${found.bytes} bytes instead of ${listed.bytes}`
      : listed !== undefined && found.sha256 !== listed.sha256
      ? `its SHA-256 is ${found.sha256} instead of ${listed.sha256}`
      : sum !== undefined && found.sha256 !== sum
      ? `its SHA-256 is ${found.sha256} instead of ${sum}, as in SHA256SUMS`
      : null;
    if (problem !== null) problems.push({ file: path, problem });
    if (sum === undefined) problems.push({ file: SUMS, problem: `it does not list ${path}` });
  }
  // What a reader of `*.parquet` would read.
  const below = [...manifest.request.tables, "raw"].map((folder) => listFiles(paths, folder));
  for (const path of (await Promise.all(below)).flat().sort()) {
    if (!expected.has(path)) {
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
  return { problems, checked: all.size };
}

function isDatasetName(name: string, { request }: DatasetManifest): boolean {
  return [...DESCRIPTIONS, SUMS, "raw", ...request.tables].includes(name);
}

/** Whether a file, or a folder on the way to it, is a link. */
async function isLink(paths: DatasetPaths, path: string): Promise<boolean> {
  const parts = path.split("/");
  for (const end of parts.keys()) {
    try {
      const found = await localFiles().lstat(paths.file(parts.slice(0, end + 1).join("/")));
      if (found.isSymbolicLink()) return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
  return false;
}

/** What a manifest counts that its own files do not have. */
function* findClaimErrors(manifest: DatasetManifest) {
  const { ids, items, request, range, merged } = manifest;
  if (merged !== undefined || range === null) return;
  const present = countIds(ids.present);
  for (const [state, count] of Object.entries(items.competition ?? {})) {
    const ranges = countIds(ids[state as keyof typeof ids] ?? []);
    if (ranges !== count) yield `it counts ${count} auctions that are ${state}, its ids ${ranges}`;
  }
  if (!request.tables.includes("auctions")) return;
  const rows = countTableRows(manifest, "auctions");
  if (rows !== present) yield `it counts ${present} auctions, its table ${rows}`;
}

/** A network has one chain id, and settlement contracts that are known. */
function* findSourceFaults({ source }: DatasetManifest): Generator<string> {
  const network = Object.values(NETWORKS).find(({ name }) => name === source.network);
  if (network === undefined) return;
  const { chainId, settlementContract } = source;
  if (network.chainId !== chainId) {
    yield `it names ${network.name}, whose chain id is ${network.chainId}, and chain id ${chainId}`;
  }
  const { production, staging } = network.contracts.settlement;
  const known = [production, staging.same, staging.newer];
  if (known.some((address) => sameHex(address, settlementContract))) return;
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

/** The files of a folder and of those in it; none if it is missing. */
async function listFiles(paths: DatasetPaths, folder: string): Promise<string[]> {
  if (await statIfExists(paths.file(folder)) === null) return [];
  const entries = await localFiles().readdir(paths.file(folder), { withFileTypes: true });
  const found = await Promise.all(entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(paths, path) : [path];
  }));
  return found.flat();
}

/** Characters of a body that tell whether it is empty. */
const HEAD_BYTES = 16;

interface Counts {
  /** Things with an answer, and those whose answer is that there is none, by kind. */
  readonly items: Map<string, { found: number; absent: number }>;
  /** Answers by method, route and status. */
  readonly routes: Map<string, number>;
}

/** Compares what the manifest counts with the answers of its files; a file that stops being read is named. */
export async function checkCounts(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { damaged, signal }: CheckContext,
): Promise<DatasetProblem[]> {
  const counts: Counts = { items: new Map(), routes: new Map() };
  const problems: DatasetProblem[] = [];
  const raws = listRawFiles(manifest);
  for (const { path, rows } of raws) {
    signal?.throwIfAborted();
    if (damaged.has(path)) continue;
    try {
      const lines = await countFile(paths.file(path), path, counts);
      if (lines === rows) continue;
      problems.push({ file: path, problem: `it has ${lines} answers instead of ${rows}` });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const { cause } = error;
      const why = cause instanceof Error ? cause.message : error.message.split("\n")[0];
      problems.push({ file: path, problem: `its answers cannot be read: ${why}` });
    }
  }
  const isRead = problems.length === 0 && !raws.some(({ path }) => damaged.has(path));
  const claims = isRead ? findCountErrors(manifest, counts) : [];
  return [...problems, ...Array.from(claims, (problem) => ({ file: "manifest.json", problem }))];
}

async function countFile(file: string, path: string, { items, routes }: Counts): Promise<number> {
  const shard = extractShardName(path);
  let lines = 0;
  let last = "";
  for await (const line of readLines(file)) {
    const exchange = parseHead(line, `${path}:${++lines}`);
    const route = `${exchange.method} ${toRoute(exchange.path)} ${exchange.status}`;
    routes.set(route, (routes.get(route) ?? 0) + 1);
    const { kind, key } = identifyItem(exchange, shard);
    // Pages of one list stand together.
    if (`${kind} ${key}` === last) continue;
    last = `${kind} ${key}`;
    const count = items.get(kind) ?? { found: 0, absent: 0 };
    items.set(kind, count);
    count[isAbsence(kind, exchange) ? "absent" : "found"]++;
  }
  return lines;
}

/** An answer with the beginning of its body: only calls to a node are told apart by all of it. */
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

function* findCountErrors(manifest: DatasetManifest, { items: found, routes }: Counts) {
  const { items, answers, failures, walk, openOrders, request, merged } = manifest;
  for (const route of new Set([...Object.keys(answers), ...routes.keys()])) {
    const [claimed = 0, had = 0] = [answers[route], routes.get(route)];
    if (claimed !== had) yield `it counts ${claimed} answers of ${route}, its files have ${had}`;
  }
  let allFailed = 0;
  for (const kind of new Set([...Object.keys(items), ...found.keys()])) {
    const { present = 0, absent = 0, failed = 0 } = items[kind] ?? {};
    allFailed += failed;
    // Settlements only lead to auctions, whose answers are kept.
    if (kind === "settlement") continue;
    const had = found.get(kind) ?? { found: 0, absent: 0 };
    // What failed may have an answer that cannot be read. A recording lacks reports without an answer.
    if (present > had.found || present + failed < had.found) {
      yield `it counts ${present} of ${kind} that are present, its files have ${had.found}`;
    }
    const isAnswered = kind !== "report" && kind !== "competition";
    if (isAnswered ? absent !== had.absent : absent < had.absent) {
      yield `it counts ${absent} of ${kind} that are absent, its files have ${had.absent}`;
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
  const ended = Object.values(settlement ?? {}).reduce((sum, count) => sum + count, 0);
  if (ended > (walk?.settlements ?? 0)) {
    yield `it counts ${walk?.settlements ?? 0} settlements, and ${ended}`;
  }
  const needs = resolveNeeds(request);
  for (const [kind, need] of Object.entries(NEEDED_FOR)) {
    if (!found.has(kind) || needs.has(need)) continue;
    yield `it has answers of ${kind}, which none of its tables is made of: one is missing`;
  }
}

/** Kinds that are asked for because tables need them. */
const NEEDED_FOR = {
  order: "orders",
  trades: "trades",
  app_data: "app_data",
  report: "reports",
  block: "blocks",
  receipt: "settlements",
} as const;
