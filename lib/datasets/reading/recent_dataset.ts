import type { OrderBook } from "../../client/order_book.ts";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, needed, type OptionRules, wholeFrom } from "../../errors/option_rules.ts";
import { exportDataset } from "../export/export_dataset.ts";
import { checkExport, type ExportOptions } from "../export/export_options.ts";
import { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf } from "../layout/durable_files.ts";
import { type Dataset, openDataset } from "./dataset.ts";

/** Options of {@linkcode recentDataset}. */
export interface RecentDatasetOptions
  extends Omit<ExportOptions, "auctions" | "last" | "owner" | "uids" | "dryRun"> {
  /** Number of auction ids, up to that of the latest competition. */
  auctions: number;
}

/**
 * The latest auctions of a deployment, kept in a folder: the first call exports them, the same call
 * opens what is there and requests nothing, and an interrupted one goes on.
 *
 * The folder stands for the latest auctions as of its first call; another folder has newer ones.
 * {@linkcode exportDataset} requests again what may have changed since.
 *
 * @param book The deployment.
 * @param folder Folder of the dataset; created if it does not exist.
 * @param options `auctions`, and options of {@linkcode exportDataset}.
 * @throws {InputError} If an option is invalid, or the folder is an export of something else.
 *
 * @example Asking twice is free
 * ```ts
 * import { connect } from "orderlens";
 * import { recentDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const book = connect(await replay("market_1"));
 *
 * const dataset = await recentDataset(book, folder, { auctions: 5 });
 * const { competitions, trades } = await dataset.recent({ auctions: 5 });
 *
 * assertEquals([competitions.length, trades.length], [2, 3]);
 * await recentDataset(book, folder, { auctions: 5 }); // reads the folder
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function recentDataset(
  book: OrderBook,
  folder: string | URL,
  options: RecentDatasetOptions,
): Promise<Dataset> {
  const { auctions, ...others } = options;
  checkOptions({ auctions }, OPTIONS, ACTION);
  const other = SELECTIONS.find((name) => name in others);
  if (other !== undefined) {
    throw new InputError(`${ACTION} with ${other}`, {
      remedy: "Pass `auctions`, or call exportDataset and openDataset",
    });
  }
  checkExport({ ...others, last: auctions });
  const known = await keptIn(folder);
  const isSame = known !== null && known.manifest.request.last === auctions &&
    known.manifest.source.chainId === book.chainId &&
    known.manifest.source.environment === book.environment &&
    known.manifest.source.settlementContract === book.settlementContract;
  if (isSame && known.manifest.isComplete) return known;
  await exportDataset(book, folder, { ...others, last: auctions });
  return await openDataset(folder);
}

const ACTION = "Cannot keep the latest auctions";
/** Options of an export that a number of auctions stands for. */
const SELECTIONS = ["last", "owner", "uids", "dryRun"];
const OPTIONS: OptionRules<{ auctions: number }> = { auctions: needed(wholeFrom(1)) };

/** The dataset of a folder; `null` if there is none yet. */
async function keptIn(folder: string | URL): Promise<Dataset | null> {
  const manifest = new DatasetPaths(folder).file("manifest.json");
  return await factsOf(manifest) === null ? null : await openDataset(folder);
}
