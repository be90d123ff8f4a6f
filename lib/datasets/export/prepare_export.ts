import type { OrderBook } from "../../client/order_book.ts";
import { getCompetition } from "../../endpoints/auctions/get_competition.ts";
import { InputError } from "../../errors/mod.ts";
import { isDeployment } from "../../recordings/deployment.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { partOfRange } from "../layout/part_of_range.ts";
import { sha256 } from "../layout/file_hash.ts";
import type { DatasetRequest, DatasetSource } from "../layout/manifest.ts";
import { SELECTED_ORDERS } from "../layout/shard_name.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import type { ExportState } from "../state/export_state.ts";
import type { Assignment } from "../state/write_manifest.ts";
import type { ExportOptions } from "./export_options.ts";
import { requireNotMerged } from "./require_not_merged.ts";

/** What an export with these options is asked for. */
export function requestOf(options: ExportOptions): DatasetRequest {
  const { auctions, last, owner, uids, tables = TABLE_NAMES, trades, debugReports, part } = options;
  return {
    auctions: auctions === undefined ? null : { from: auctions.from, to: auctions.to },
    last: last ?? null,
    owner: owner?.toLowerCase() ?? null,
    uids: uids === undefined ? null : sha256(sortedUids(uids).join("\n")),
    part: part === undefined ? null : { index: part.index, of: part.of },
    tables: TABLE_NAMES.filter((name) => tables.includes(name)),
    trades: trades ?? true,
    debugReports: debugReports ?? true,
  };
}

function sortedUids(uids: Iterable<string>): string[] {
  return [...new Set(Array.from(uids, (uid) => uid.toLowerCase()))].sort();
}

/** Where the records of a deployment are from. */
export function sourceOf(book: OrderBook): DatasetSource {
  return {
    network: book.network?.name ?? null,
    environment: book.environment,
    chainId: book.chainId,
    settlementContract: book.settlementContract,
  };
}

/**
 * What the folder is an export of: decided by its first run, and kept.
 *
 * @throws {InputError} If it is an export of something else; names the difference.
 */
export async function assignmentOf(
  book: OrderBook,
  { paths, state }: { readonly paths: DatasetPaths; readonly state: ExportState },
  options: ExportOptions,
): Promise<Assignment> {
  const [source, request] = [sourceOf(book), requestOf(options)];
  const known = state.meta("assignment");
  if (known !== null) {
    const assignment: Assignment = JSON.parse(known);
    requireSame(paths, { ...assignment.source, ...assignment.request }, { ...source, ...request });
    return assignment;
  }
  await requireNotMerged(paths);
  const { transport } = book;
  const facts = "deployment" in transport && isDeployment(transport.deployment)
    ? transport.deployment
    : { chainId: book.chainId, settlementContract: book.settlementContract };
  const assignment: Assignment = {
    source,
    request,
    range: await rangeOf(book, options),
    deployment: { ...facts },
  };
  state.inOneStep(() => {
    if (request.owner !== null) state.add("account", request.owner, SELECTED_ORDERS);
    for (const uid of sortedUids(options.uids ?? [])) state.add("order", uid, SELECTED_ORDERS);
    state.setMeta("assignment", JSON.stringify(assignment));
  });
  return assignment;
}

/**
 * The range of auction ids that the options stand for; `null` for orders.
 *
 * @throws {NotFoundError} If the newest auctions are asked for, and there is none yet.
 */
export async function rangeOf(
  { transport }: OrderBook,
  { auctions, last, part, signal }: ExportOptions,
): Promise<{ from: number; to: number } | null> {
  if (auctions !== undefined) {
    return part === undefined
      ? { from: auctions.from, to: auctions.to }
      : partOfRange(auctions, part);
  }
  if (last === undefined) return null;
  const { auctionId } = await getCompetition(transport, "latest", { signal });
  return { from: Math.max(0, auctionId - last + 1), to: auctionId };
}

function requireSame(
  { folder }: DatasetPaths,
  known: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(known)) {
    const [before, now] = [JSON.stringify(value), JSON.stringify(asked[name])];
    if (before === now) continue;
    throw new InputError(`Cannot export into ${folder}: it is an export with other settings`, {
      facts: { setting: name, "in the folder": before, "asked for": now ?? "nothing" },
      remedy: "Pass the settings of the folder to resume it, or another folder",
    });
  }
}
