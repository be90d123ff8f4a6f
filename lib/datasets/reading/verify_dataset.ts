import type { OrderBook } from "../../client/order_book.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import {
  checkOptions,
  FLAG,
  type OptionRules,
  rule,
  SIGNAL,
  wholeFrom,
} from "../../errors/option_rules.ts";
import { datasetAt } from "../layout/shipped_datasets.ts";
import { type DatasetManifest, readManifest } from "../layout/manifest.ts";
import { checkFiles } from "./check_files.ts";
import { checkTables } from "./check_tables.ts";
import { recompute } from "./recompute.ts";
import type { Recomputed } from "./recomputed.ts";
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
   * Whether to recompute winners, places, scores, reference scores, fees and statuses. A difference
   * is no problem of the dataset, which has what was answered.
   *
   * @default {false}
   */
  recompute?: boolean | undefined;
}

const OPTIONS: OptionRules<VerifyOptions> = {
  book: rule("what `connect` returns", (value) => Object(value).transport !== undefined),
  refetch: wholeFrom(0),
  seed: wholeFrom(0),
  recompute: FLAG,
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
}

/**
 * Verifies a dataset: every file has its hash and is in the manifest, every table has its rows, with
 * keys that are different and in the range that the manifest names, and what one table names is in
 * the other: every bid's solution and auction, every fill's order, every fee's fill.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @param options `refetch` requests some auctions and orders again, and tells what may have changed
 *   since from what cannot; `recompute` recomputes whatever follows from the answers.
 * @throws {InputError} If it is not a dataset, or an option is invalid.
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
  const paths = datasetAt(folder);
  const manifest: DatasetManifest = await readManifest(paths);
  const { signal } = options;
  const files = await checkFiles(paths, manifest, signal);
  const damaged = new Set(files.problems.map(({ file }) => file));
  const tables = await checkTables(paths, manifest, { damaged, signal });
  const isReadable = !manifest.files.some(({ path }) =>
    path.startsWith("raw/") && damaged.has(path)
  );
  const refetched = isReadable ? await refetch(paths, manifest, options) : null;
  const recomputed = isReadable && options.recompute === true
    ? await recompute(paths, manifest, signal)
    : null;
  const problems = [
    ...files.problems,
    ...tables.problems,
    ...differencesOf(refetched).map((which) => ({
      file: "raw",
      problem: `${which} is answered differently today`,
    })),
  ];
  return {
    isWhole: problems.length === 0,
    problems,
    files: files.checked,
    rows: tables.rows,
    refetched,
    recomputed,
  };
}

function differencesOf(refetched: Refetched | null): string[] {
  if (refetched === null) return [];
  const { differing, differingOrders } = refetched;
  return [
    ...differing.map((auctionId) => `auction ${auctionId}`),
    ...differingOrders.map((uid) => `order ${uid}`),
  ];
}
