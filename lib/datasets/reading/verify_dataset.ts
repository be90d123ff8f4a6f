import type { OrderBook } from "../../client/order_book.ts";
import { InputError } from "../../errors/mod.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import {
  checkOptions,
  FLAG,
  type OptionRules,
  rule,
  SIGNAL,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { datasetAt } from "../layout/shipped_datasets.ts";
import { type DatasetManifest, readManifest } from "../layout/manifest.ts";
import { checkDescriptions } from "./check_descriptions.ts";
import { checkCounts } from "./check_counts.ts";
import { checkFiles } from "./check_files.ts";
import { checkDerived } from "./check_derived.ts";
import { checkTables } from "./check_tables.ts";
import { recompute } from "./recompute.ts";
import type { Recomputed } from "./recomputed.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import type { ChainProof } from "./prove_chain.ts";
import { refetch, type Refetched } from "./refetch.ts";

/** Something that is wrong with a dataset. */
export interface DatasetProblem {
  /** Path of the file, or of the table's folder. */
  readonly file: string;
  /** What is wrong. */
  readonly problem: string;
}

/** Options of {@linkcode verifyDataset}. */
export interface VerifyOptions extends CallOptions {
  /** The deployment to ask again, if `refetch` is passed. */
  book?: OrderBook | undefined;
  /** Number of random auctions, and of random orders, to request again and compare. @default {0} */
  refetch?: number | undefined;
  /** Seed that picks them. @default {1} */
  seed?: number | undefined;
  /**
   * Whether to build the tables again from the kept answers, which must be the same, and to recompute
   * winners, places, scores, reference scores, fees and statuses, and what commits to the fields of
   * orders: UIDs, hashes of app data and signers. A difference of these is no problem of the dataset,
   * which has what was answered.
   *
   * @default {false}
   */
  recompute?: boolean | undefined;
  /**
   * A node of the network, or an equivalent: its URL, a sandbox, a recording. It is asked for the
   * settlements of the dataset again, and what the dataset has is compared with the chain.
   */
  chain?: NodeSource | undefined;
  /** Number of random settlements to ask `chain` for. @default {all of them} */
  sample?: number | undefined;
}

const OPTIONS: OptionRules<VerifyOptions> = {
  book: rule("what `connect` returns", (value) => Object(value).transport !== undefined),
  refetch: wholeFrom(0),
  seed: wholeFrom(0),
  recompute: FLAG,
  chain: rule(
    "the URL of a node, or an object with `rpc` such as a sandbox",
    (value) =>
      typeof value === "string" || value instanceof URL || typeof Object(value).rpc === "function",
  ),
  sample: wholeFrom(1),
  signal: SIGNAL,
};

/** Result of {@linkcode verifyDataset}. */
export interface DatasetVerification {
  /** Whether nothing is wrong; gaps that the manifest names are not. */
  readonly isWhole: boolean;
  /** What is wrong, file by file. */
  readonly problems: readonly DatasetProblem[];
  /** Number of files whose bytes were compared with their hash. */
  readonly files: number;
  /** Number of rows whose keys were compared. */
  readonly rows: number;
  /** What was requested again; `null` if nothing was to be. */
  readonly refetched: Refetched | null;
  /** What was recomputed; `null` if it was not asked for. */
  readonly recomputed: Recomputed | null;
  /** What the chain proves; `null` if no node was to be asked. */
  readonly chain: ChainProof | null;
}

/**
 * Verifies a dataset: every file has its hash and is in the manifest, every table has its rows, with
 * keys that are different and in the range that the manifest names, and what one table names is in
 * the other: every bid's solution and auction, every fill's order, every fee's fill. What the manifest
 * counts is counted in the answers, and the card says what the manifest says.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @param options `refetch` requests some auctions and orders again, and tells what may have changed
 *   since from what cannot; `recompute` recomputes whatever follows from the answers; `chain` proves
 *   fills, fees and winners: it asks a node for the settlements again, compares them with the kept
 *   ones, audits those again, and compares the tables. A settlement that the node answers differently
 *   is a problem; what differs between chain and report is none of the dataset, and is in `chain`.
 * @throws {InputError} If it is not a dataset, an option is invalid, or the node is of another chain.
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
    throw new InputError("Cannot verify a dataset with sample and without chain", {
      remedy: "Pass a node as `chain`",
    });
  }
  const paths = datasetAt(folder);
  const manifest: DatasetManifest = await readManifest(paths);
  const { signal } = options;
  const files = await checkFiles(paths, manifest, signal);
  const damaged = new Set(files.problems.map(({ file }) => file));
  const counts = await checkCounts(paths, manifest, { damaged, signal });
  for (const { file } of counts) damaged.add(file);
  const tables = await checkTables(paths, manifest, { damaged, signal });
  const isReadable = !manifest.files.some(({ path }) =>
    path.startsWith("raw/") && damaged.has(path)
  );
  const faulty = new Set([...damaged, ...tables.problems.map(({ file }) => file)]);
  const refetched = isReadable ? await refetch(paths, manifest, options) : null;
  const recomputed = isReadable && options.recompute === true
    ? await recompute(paths, manifest, signal)
    : null;
  const chain = isReadable ? await proofOf(paths, manifest, options) : null;
  const derived = isReadable && options.recompute === true
    ? await checkDerived(paths, manifest, { damaged, signal })
    : [];
  const problems = [
    ...files.problems,
    ...counts,
    ...tables.problems,
    ...derived,
    ...await checkDescriptions(paths, manifest, faulty),
    ...differencesOf(refetched).map((which) => ({
      file: "raw",
      problem: `${which} is answered differently today`,
    })),
    ...changesOf(chain),
  ];
  return {
    isWhole: problems.length === 0,
    problems,
    files: files.checked,
    rows: tables.rows,
    refetched,
    recomputed,
    chain,
  };
}

async function proofOf(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { chain: node, sample, seed = 1, signal }: VerifyOptions,
): Promise<ChainProof | null> {
  if (node === undefined) return null;
  // Decoding calldata takes viem, which nothing else here needs.
  const { proveChain } = await import("./prove_chain.ts");
  return await proveChain(paths, manifest, { node, sample, seed, signal });
}

/** What a node lacks, or contradicts itself about, is no fault of the dataset. */
function changesOf(chain: ChainProof | null): DatasetProblem[] {
  return (chain?.changed ?? [])
    .filter(({ what }) => what === "reorganized" || what === "different")
    .map(({ file, txHash, what, detail }) => ({
      file,
      problem: what === "reorganized"
        ? `settlement ${txHash} is in another block today: ${detail}`
        : `settlement ${txHash} is answered differently today: ${detail}`,
    }));
}

function differencesOf(refetched: Refetched | null): string[] {
  if (refetched === null) return [];
  const { differing, differingOrders } = refetched;
  return [
    ...differing.map((auctionId) => `auction ${auctionId}`),
    ...differingOrders.map((uid) => `order ${uid}`),
  ];
}
