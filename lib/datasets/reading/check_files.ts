import { readBytes } from "../../http/read_body.ts";
import { type DatasetPaths, factsOf } from "../layout/files.ts";
import type { DatasetManifest, IdRanges } from "../layout/manifest.ts";
import type { DatasetProblem } from "./refetch.ts";

const SUMS = "SHA256SUMS";
/** Files besides tables and answers. */
const DESCRIPTIONS = [
  "README.md",
  "croissant.json",
  "datapackage.json",
  "deployment.json",
  "manifest.json",
];
const SUM = /^([0-9a-f]{64}) {2}(.+)$/;

/** Compares every file with its hash, in the manifest and in `SHA256SUMS`. */
export async function checkFiles(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<{ problems: DatasetProblem[]; checked: number }> {
  const problems: DatasetProblem[] = [];
  const expected = new Map(manifest.files.map((file) => [file.path, file]));
  const sums = await sumsOf(paths);
  const all = new Set([...expected.keys(), ...sums.keys(), ...DESCRIPTIONS]);
  for (const path of all) {
    signal?.throwIfAborted();
    if (await isLink(paths, path)) {
      problems.push({ file: path, problem: "it is a link, or in a folder that is one" });
      continue;
    }
    const found = await factsOf(paths.file(path));
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
  for (const path of await filesIn(paths, manifest)) {
    if (!expected.has(path)) {
      problems.push({ file: path, problem: "the manifest does not list it" });
    }
  }
  for await (const { name } of Deno.readDir(paths.folder)) {
    if (name.startsWith(".") || isOwn(name, manifest)) continue;
    problems.push({ file: name, problem: "it does not belong to the dataset" });
  }
  for (const problem of falseClaims(manifest)) problems.push({ file: "manifest.json", problem });
  return { problems, checked: all.size };
}

function isOwn(name: string, { request }: DatasetManifest): boolean {
  return [...DESCRIPTIONS, SUMS, "raw", ...request.tables].includes(name);
}

/** Whether a file, or a folder on the way to it, is a link. */
async function isLink(paths: DatasetPaths, path: string): Promise<boolean> {
  const parts = path.split("/");
  for (const end of parts.keys()) {
    try {
      const { isSymlink } = await Deno.lstat(paths.file(parts.slice(0, end + 1).join("/")));
      if (isSymlink) return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }
  return false;
}

/** What a manifest counts that its own files do not have. */
function* falseClaims({ files, ids, items, request, range, merged }: DatasetManifest) {
  const rowsOf = (folder: string) =>
    files.reduce((sum, { path, rows }) => path.startsWith(`${folder}/`) ? sum + rows : sum, 0);
  if (merged !== undefined || range === null) return;
  const present = countOf(ids.present);
  const asked = items.competition;
  for (const [state, count] of Object.entries(asked ?? {})) {
    const ranges = countOf(ids[state as keyof typeof ids] ?? []);
    if (ranges !== count) yield `it counts ${count} auctions that are ${state}, its ids ${ranges}`;
  }
  if (!request.tables.includes("auctions")) return;
  const rows = rowsOf("auctions");
  if (rows !== present) yield `it counts ${present} auctions, its table ${rows}`;
}

function countOf(ranges: IdRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

async function sumsOf(paths: DatasetPaths): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  const file = paths.file(SUMS);
  if (await factsOf(file) === null) return sums;
  for (const line of new TextDecoder().decode(await readBytes(file)).split("\n")) {
    const [, sum = "", path = ""] = SUM.exec(line) ?? [];
    if (path !== "") sums.set(path, sum);
  }
  return sums;
}

/** Files in the folders of tables and answers: what a reader of `*.parquet` would read. */
async function filesIn(paths: DatasetPaths, { request }: DatasetManifest): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [...request.tables, "raw"]) {
    for await (const path of filesBelow(paths, folder)) found.push(path);
  }
  return found.sort();
}

async function* filesBelow(
  paths: DatasetPaths,
  folder: string,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const { name, isDirectory } of Deno.readDir(paths.file(folder))) {
      if (isDirectory) yield* filesBelow(paths, `${folder}/${name}`);
      else yield `${folder}/${name}`;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
