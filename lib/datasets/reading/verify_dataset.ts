import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  type OptionRules,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { statPath } from "../../http/local_files.ts";
import { readBytes } from "../../http/read_body.ts";
import { NODE } from "../export/export_options.ts";
import { readParquet } from "../../tables/columns/frame_files.ts";
import type { Frame, Table } from "../../tables/mod.ts";
import { pluralize } from "../../units/format.ts";
import type { DatasetPaths } from "../layout/files.ts";
import {
  type DatasetFile,
  type DatasetManifest,
  isOfThisLibrary,
  listRaws,
  readManifest,
} from "../layout/manifest.ts";
import { findSignatureFault, parseSigner } from "../layout/signature.ts";
import { findRowFault } from "../layout/verify_file.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { describeRows, freeFrames, toFileColumns } from "../shards/file_columns.ts";
import {
  DERIVED,
  lacksDerived,
  REFERENCES,
  selectSiblingTables,
} from "../shards/published_tables.ts";
import { PUBLICATION_HEADINGS } from "../state/dataset_card.ts";
import { buildDescriptions } from "../state/write_manifest.ts";
import { checkDerived, describeContradictions } from "./check_derived.ts";
import { type CheckContext, checkCounts, checkFiles } from "./check_files.ts";
import type { ChainProof } from "./prove_chain.ts";
import { recompute, type RecomputeResult } from "./recompute.ts";
import {
  type DatasetProblem,
  type DrawOptions,
  refetch,
  type RefetchResult,
  requireBook,
  type VerifyOptions,
} from "./refetch.ts";

const OPTIONS: OptionRules<VerifyOptions> = {
  book: defineRule("what `connect` returns", (value) => Object(value).transport !== undefined),
  refetch: wholeNumber(0),
  seed: wholeNumber(0),
  recompute: Boolean,
  chain: NODE,
  sample: wholeNumber(1),
  signer: defineRule(
    "a public key of Ed25519: ssh-ed25519 AAAA…, or RW… of minisign",
    (value) => typeof value === "string" && parseSigner(value) !== null,
  ),
  signal: AbortSignal,
};

/** Result of {@linkcode verifyDataset}. */
export interface DatasetVerification {
  /** Whether there are no problems; gaps that the manifest names are not problems. */
  readonly isWhole: boolean;
  /** Problems, file by file. */
  readonly problems: readonly DatasetProblem[];
  /** Number of files whose bytes were compared with their hash. */
  readonly files: number;
  /** Number of rows whose keys were compared. */
  readonly rows: number;
  /** Records that were requested again; `null` without `refetch`. */
  readonly refetched: RefetchResult | null;
  /** Seed of the samples; `null` if nothing was drawn. */
  readonly seed: number | null;
  /** Recomputed values; `null` without `recompute`. */
  readonly recomputed: RecomputeResult | null;
  /** Proof by the chain; `null` without `chain`. */
  readonly chain: ChainProof | null;
}

/**
 * Verifies a dataset: every file has its hash and is in the manifest, every table has its rows, with
 * unique keys in the range that the manifest states, and every reference of one table to another
 * exists: every bid's solution and auction, every fill's order, every fee's fill. The counts of the
 * manifest match the responses, and the card matches the manifest.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @param options `refetch` requests some auctions and orders again, and distinguishes changes that are
 *   possible from others; `recompute` recomputes whatever follows from the responses, and compares the
 *   responses with stored transactions and receipts; `chain` proves fills, fees and winners: it requests
 *   the settlements from a node again, compares them with the stored ones, audits the stored ones again,
 *   and compares the tables with the audits. A settlement for which the node's response differs is a
 *   problem; a difference between chain and report is not a problem of the dataset, and is in `chain`.
 * @throws {InputError} If it is not a dataset, an option is invalid, or the node is on another chain.
 * @throws {NetworkError} If the deployment or the node cannot be reached.
 *
 * @example A file that lost a byte
 * ```ts
 * import { connect } from "orderlens";
 * import { exportDataset, verifyDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const book = connect(await replay("market_1"));
 * await exportDataset(book, folder, { auctions: { from: 2620, to: 2624 } });
 * assertEquals((await verifyDataset(folder)).isWhole, true);
 *
 * const file = "trades/0000002000-0000002999.parquet";
 * const bytes = await Deno.readFile(`${folder}/${file}`);
 * await Deno.writeFile(`${folder}/${file}`, bytes.subarray(1));
 * const { problems } = await verifyDataset(folder);
 *
 * assertEquals(problems[0]?.file, file);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function verifyDataset(
  folder: string | URL,
  options: VerifyOptions = {},
): Promise<DatasetVerification> {
  checkOptions(options, OPTIONS, "Cannot verify a dataset");
  if (options.sample !== undefined && options.chain === undefined) {
    throw new InputError("Cannot verify a dataset with sample but without chain", {
      remedy: "Pass a node as `chain`",
    });
  }
  const paths = await findDataset(folder);
  const manifest: DatasetManifest = await readManifest(paths);
  requireBook(options, manifest);
  const { signal, seed = crypto.getRandomValues(new Uint32Array(1))[0]! } = options;
  const isDrawn = (options.refetch ?? 0) > 0 || options.sample !== undefined;
  const files = await checkFiles(paths, manifest, signal);
  const damaged = new Set(files.problems.map(({ file }) => file));
  const counts = await checkCounts(paths, manifest, { damaged, signal });
  for (const { file } of counts) damaged.add(file);
  const tables = await checkTables(paths, manifest, { damaged, signal });
  const isReadable = !listRaws(manifest).some(({ path }) => damaged.has(path));
  const isRecomputed = isReadable && options.recompute === true;
  const faulty = new Set([...damaged, ...tables.problems.map(({ file }) => file)]);
  const refetched = isReadable ? await refetch(paths, manifest, { ...options, seed }) : null;
  const recomputed = isRecomputed ? await recompute(paths, manifest, signal) : null;
  const chain = isReadable ? await prove(paths, manifest, { ...options, seed }) : null;
  const problems = [
    ...files.problems,
    ...counts,
    ...tables.problems,
    ...isRecomputed ? await checkDerived(paths, manifest, { damaged, signal }) : [],
    ...describeContradictions(manifest.contradictions),
    ...await checkDescriptions(paths, manifest, faulty),
    ...listChangedResponses(refetched),
    ...listChangedSettlements(chain),
    ...chain?.facts.differing ?? [],
    ...await checkSignature(paths, options.signer),
  ];
  return {
    isWhole: problems.length === 0,
    problems,
    files: files.checked,
    rows: tables.rows,
    refetched,
    seed: isDrawn ? seed : null,
    recomputed,
    chain,
  };
}

async function prove(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { chain: node, sample, seed, signal }: DrawOptions,
): Promise<ChainProof | null> {
  if (node === undefined) return null;
  // Decoding calldata takes viem, which nothing else here needs.
  const { proveChain } = await import("./prove_chain.ts");
  return await proveChain(paths, manifest, { node, sample, seed, signal });
}

/**
 * Lists settlements that changed; one that a node lacks, or contradicts itself about, is no problem of
 * the dataset.
 */
function listChangedSettlements(chain: ChainProof | null): DatasetProblem[] {
  const words = { reorganized: "is in another block", different: "has another response" } as const;
  return (chain?.changed ?? []).flatMap(({ file, txHash, what, detail }) =>
    what === "reorganized" || what === "different"
      ? [{ file, problem: `settlement ${txHash} ${words[what]} today: ${detail}` }]
      : []
  );
}

function listChangedResponses(refetched: RefetchResult | null): DatasetProblem[] {
  const { differing = [], differingOrders = [], differingAbsent = [] } = refetched ?? {};
  const { differingInstances = [] } = refetched ?? {};
  return [
    ...differing.map((auctionId) => `auction ${auctionId}`),
    ...differingOrders.map((uid) => `order ${uid}`),
    ...differingInstances.map((auctionId) => `the instance of auction ${auctionId}`),
  ].map((which) => ({ file: "raw", problem: `${which} has a different response today` })).concat(
    differingAbsent.map((id) => ({
      file: "manifest.json",
      problem: `auction ${id} is counted as absent, but the service has it`,
    })),
  );
}

/**
 * Compares card and data package with what the manifest says, if this version wrote them.
 *
 * @param faulty Files that have a problem already.
 */
async function checkDescriptions(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  faulty: ReadonlySet<string>,
): Promise<DatasetProblem[]> {
  // They state times that are read from the tables.
  const areTablesWhole = manifest.files.every(({ path }) => !faulty.has(path));
  if (!isOfThisLibrary(manifest) || !areTablesWhole) return [];
  const problems: DatasetProblem[] = [];
  for (const [file, text] of buildDescriptions(paths, manifest)) {
    if (faulty.has(file) || await hasText(paths, file, text)) continue;
    problems.push({ file, problem: "it does not match the manifest" });
  }
  return problems;
}

/** Whether a file has a text; to a card, a publication adds its parts. */
async function hasText(paths: DatasetPaths, file: string, text: string): Promise<boolean> {
  const content = new TextDecoder().decode(await readBytes(paths.file(file)));
  if (file !== "README.md" || !content.startsWith(text)) return content === text;
  const added = content.slice(text.length);
  return added === "" || PUBLICATION_HEADINGS.some((heading) => added.startsWith(`\n${heading}\n`));
}

/** Compares the signature of the manifest with its signer, if one is named. */
async function checkSignature(
  paths: DatasetPaths,
  signer: string | undefined,
): Promise<DatasetProblem[]> {
  const key = signer === undefined ? null : parseSigner(signer);
  if (key === null) return [];
  if (await statPath(paths.file(key.file)) === null) {
    return [{ file: key.file, problem: "it is missing" }];
  }
  const [manifest, signature] = await Promise.all([
    readBytes(paths.file("manifest.json")),
    readBytes(paths.file(key.file)),
  ]);
  const fault = findSignatureFault(manifest, new TextDecoder().decode(signature), key);
  return fault === null ? [] : [{ file: key.file, problem: fault }];
}

/** Checks rows, keys and references of the tables, one shard after another. */
async function checkTables(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { damaged, signal }: CheckContext,
): Promise<{ problems: DatasetProblem[]; rows: number }> {
  const { files, request } = manifest;
  const problems: DatasetProblem[] = [];
  const byPath = new Map(files.map((file) => [file.path, file]));
  const isUnderived = lacksDerived(manifest);
  const names = request.tables.filter((name) => !isUnderived || !DERIVED.includes(name));
  if (isUnderived) {
    problems.push({
      file: "manifest.json",
      problem: "derived tables are missing: run the same export again, or rebuild the dataset",
    });
  }
  let rows = 0;
  for (const name of listShardFileNames(files)) {
    signal?.throwIfAborted();
    const frames = new Map<string, Frame>();
    for (const table of selectSiblingTables(name, names)) {
      const path = `${table.name}/${name}`;
      const file = byPath.get(path);
      const fault = file === undefined
        ? "the manifest does not list it"
        : damaged.has(path)
        ? null
        : findRowFault(paths, file);
      if (fault !== null) problems.push({ file: path, problem: fault });
      if (file === undefined || fault !== null || damaged.has(path)) continue;
      const frame = readParquet(paths.file(path));
      frames.set(table.name, frame);
      rows += frame.height;
      for (const problem of findFaults(frame, { table, file, source: manifest.source })) {
        problems.push({ file: path, problem });
      }
    }
    for (const { table, columns, to, toColumns } of REFERENCES) {
      const lost = countLostReferences([frames.get(table), columns], [frames.get(to), toColumns]);
      if (lost === 0) continue;
      problems.push({
        file: `${table}/${name}`,
        problem: `${pluralize(lost, "row")} with ${columns.join(", ")} not in ${to}`,
      });
    }
    frames.clear();
    await freeFrames();
  }
  return { problems, rows };
}

function listShardFileNames(files: readonly DatasetFile[]): string[] {
  const tables = files.filter(({ path }) => path.endsWith(".parquet"));
  return [...new Set(tables.map(({ path }) => path.slice(path.indexOf("/") + 1)))].sort();
}

/** Columns that say where rows are from. */
const ORIGIN = ["network", "environment", "chain_id"];

function* findFaults(
  frame: Frame,
  { table, file, source }: {
    readonly table: Table;
    readonly file: DatasetFile;
    readonly source: DatasetManifest["source"];
  },
) {
  const { key } = table;
  // Each use of `frame.columns` requests all names from polars.
  const columns = frame.columns;
  const missingColumns = toFileColumns(table).filter(({ name }) => !columns.includes(name));
  if (missingColumns.length > 0) {
    yield `it lacks the columns ${missingColumns.map(({ name }) => name).join(", ")}`;
  }
  if (missingColumns.length > 0 || frame.height === 0) return;
  const { network, environment, chainId } = source;
  const origin = JSON.stringify([network, environment, chainId]);
  const origins = new Set(formatRows(frame.select(...ORIGIN).unique() as Frame, ORIGIN));
  if (origins.size > 1 || !origins.has(origin)) {
    yield `its rows are of ${[...origins].sort().join(" and ")}, the manifest of ${origin}`;
  }
  const repeated = frame.height - frame.select(...key).unique().height;
  if (repeated > 0) yield `${pluralize(repeated, "row")} with the key of another row`;
  const { longAmounts, ...ends } = describeRows(frame, key);
  const { leastKey, greatestKey } = file;
  if (JSON.stringify(ends) !== JSON.stringify({ leastKey, greatestKey })) {
    yield "its least or greatest key does not match the manifest";
  }
  if (JSON.stringify(longAmounts) !== JSON.stringify(file.longAmounts)) {
    yield "the digits of its longest amounts do not match the manifest";
  }
}

type TableColumns = readonly [frame: Frame | undefined, columns: readonly string[]];

function countLostReferences([from, columns]: TableColumns, [to, toColumns]: TableColumns): number {
  if (from === undefined || to === undefined || from.height === 0) return 0;
  const [fromColumns, availableColumns] = [from.columns, to.columns];
  if (!columns.every((column) => fromColumns.includes(column))) return 0;
  if (!toColumns.every((column) => availableColumns.includes(column))) return 0;
  const keys = new Set(formatRows(to, toColumns));
  return formatRows(from, columns).filter((row) => !keys.has(row)).length;
}

function formatRows(frame: Frame, columns: readonly string[]): string[] {
  return frame.select(...columns).rows().map((row) => JSON.stringify(row));
}
