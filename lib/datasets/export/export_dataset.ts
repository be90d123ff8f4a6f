import { requireChain, requireNode } from "../../evm/node/node_source.ts";
import { localFiles, statPath } from "../../http/local_files.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { DatasetPaths } from "../layout/files.ts";
import { runLocked, wrapFolderErrors } from "../layout/folders.ts";
import { ExportState } from "../state/export_state.ts";
import type { OnStep } from "../state/write_outcomes.ts";
import { checkExport, type ExportOptions } from "./export_options.ts";
import { requireSameSettings } from "./export_spec.ts";
import { type ExportPlan, planExport } from "./plan_export.ts";
import { type ExportResult, ExportRun } from "./run_export.ts";

/**
 * Plans what an export would request, and writes nothing.
 *
 * @throws {InputError} If an option is invalid.
 */
export function exportDataset(
  book: OrderBook,
  folder: string | URL,
  options: ExportOptions & { dryRun: true },
): Promise<ExportPlan>;
/**
 * Exports auctions with everything that belongs to them into a folder: competitions, the orders that
 * they list, app data, of orders that solvers bid on the fills and, where the deployment provides them,
 * debug reports; the responses as they were, and tables as Parquet files.
 *
 * The same call resumes an export that was interrupted, at whatever moment: stored responses are not
 * requested again. After an export has ended, the same call requests what may have changed since:
 * hidden and failed auctions, hashes of late settlements, orders that were still open. The same range
 * gives the same bytes, except for `.orderlens/`, which belongs to the export.
 *
 * A later end of the range, more tables and a node may be added: what is new is requested alone, and
 * the bytes are those of an export that had them from the start. A folder needs no `.orderlens/` for
 * any of this, and a damaged state is rebuilt: the responses in the folder are read as if the service
 * sent them now, and those that may have changed since are requested again.
 *
 * Dates and blocks become auction ids in the first run, and stay the same; the manifest says how. With
 * a node, timestamps of blocks and the settlements of the auctions are stored beside the responses: a
 * rebuild needs no node, and the replay of the folder serves them. A node that fails, is of another
 * chain, or contradicts itself ends the export with its error, and the same call continues; a block
 * that it does not have is `failed` in the manifest, and rows that need it have intervals.
 *
 * Of each settlement, transaction and receipt are requested, 50 settlements at a time, and audited as
 * by {@linkcode compareSettlement} against the orders and fills of the same file: tables `settlements`,
 * `imbalances` and `chain_differences`. A settlement that the node does not have, or whose responses
 * contradict each other, is `failed` in the manifest with the reason. A transaction that does not call
 * the settlement contract itself has a row with the reason. What is younger than an hour is requested
 * again by the next call.
 *
 * An export that follows requests an open order again when a new auction bids on it, every ten minutes
 * all items that may have changed, and these once more when it is stopped. `openOrders` of the manifest
 * counts what could still be filled then.
 *
 * An item that cannot be fetched is `hidden` or `failed` in the manifest and does not stop an export; a
 * network that cannot be reached does, and so do eight refusals or broken responses in a row. The next
 * call requests failed items again.
 *
 * Requests are limited by `rate`, evenly spaced, for all exports of this machine from one host
 * together: they share a file in the user's cache folder (`orderlens/limits` in `$XDG_CACHE_HOME` or
 * `~/.cache`), for which they may read `XDG_CACHE_HOME` and `HOME`; without that permission, or the
 * folder, each process limits its own rate. 429 halves the rate, which recovers by 5 % of it a minute,
 * and all requests wait as long as `Retry-After` says. Where a proxy blocks the sender, which it does
 * by 403 with an HTML page, they wait ten minutes once; then the export ends with a {@linkcode
 * RateLimitedError} that says when to try again. Failed requests are retried four times, whatever the
 * options of the book say. Where an export still takes more than half an hour at its rate, and the
 * deployment does not respond, all requests wait: one minute, then twice as long each time, up to ten
 * minutes, and a tenth of the remaining time in all. `onProgress` reports it.
 *
 * @param book The deployment.
 * @param folder Folder of the dataset; created if it does not exist.
 * @param options What to export, and how. Exactly one of `auctions`, `dates`, `blocks`,
 *   `last`, `owner` and `uids`.
 * @returns The manifest; `isComplete` says whether anything is hidden or failed.
 * @throws {InputError} If an option is invalid, the folder is an export with different settings, it is
 *   already being written, or it cannot be written, for example on a full disk.
 * @throws {NotFoundError} If the range ends with the newest auction, and there is none yet.
 * @throws {NetworkError} If the deployment or the node cannot be reached; likewise
 *   {@linkcode TimeoutError} and {@linkcode RateLimitedError}.
 *
 * @example Three auctions of a recording
 * ```ts
 * import { connect } from "orderlens";
 * import { exportDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const { manifest } = await exportDataset(connect(await replay("market_1")), folder, {
 *   auctions: { from: 2620, to: 2624 },
 * });
 *
 * assertEquals(manifest.ids.present, [[2623, 2624]]);
 * assertEquals(manifest.isComplete, true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function exportDataset(
  book: OrderBook,
  folder: string | URL,
  options: ExportOptions,
): Promise<ExportResult>;
export async function exportDataset(
  book: OrderBook,
  folder: string | URL,
  options: ExportOptions,
): Promise<ExportResult | ExportPlan> {
  checkExport(options);
  if (options.dryRun === true) return await planExport(book, options);
  return await exportInSteps(book, folder, options, () => {});
}

/** Exports a dataset, and calls a function between the steps of each change. */
export async function exportInSteps(
  book: OrderBook,
  folder: string | URL,
  options: ExportOptions,
  step: OnStep,
): Promise<ExportResult> {
  const { node, signal } = options;
  signal?.throwIfAborted();
  const paths = new DatasetPaths(folder);
  return await wrapFolderErrors("Cannot export into", paths.folder, async () => {
    if (await statPath(paths.folder) !== null && await statPath(paths.state) === null) {
      await requireSameSettings(book, { paths, state: null }, options);
    }
    if (node !== undefined) {
      const call = requireNode(node, "the chain id", { signal });
      await requireChain(call, book.chainId, "Cannot export");
    }
    await localFiles().mkdir(paths.internal, { recursive: true });
    return await runLocked(paths, "Cannot export into", async () => {
      using state = new ExportState(paths);
      return await new ExportRun(book, options, { paths, state, step }).run();
    });
  });
}
