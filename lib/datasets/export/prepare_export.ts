import type { OrderBook } from "../../client/order_book.ts";
import { parseInstanceStore } from "../../endpoints/instances.ts";
import { InputError } from "../../errors/mod.ts";
import { type NodeSource, requireNode } from "../../evm/node/node_source.ts";
import { fetchNewestBlock } from "../../evm/node/settlement_windows.ts";
import { sha256 } from "../layout/files.ts";
import type { BlockRange, DatasetRequest, DatasetSource } from "../layout/manifest.ts";
import { INSTANCE_TABLES, SETTLEMENT_TABLES, TABLE_NAMES } from "../shards/published_tables.ts";
import {
  createBlockClock,
  createMissingBlockError,
  parseMs,
  readDates,
  resolveBlocks,
  resolveDates,
  type ResolvedRange,
  resolveLatest,
} from "./resolve_range.ts";
import type { ExportOptions } from "./export_options.ts";

/** Converts options into the request of an export. */
export function toRequest(options: ExportOptions): DatasetRequest {
  const { auctions, dates, blocks, last, owner, uids, trades, debugReports, node, instances } =
    options;
  const blockTimes = node !== undefined && options.blockTimes !== false;
  const omitted = [
    ...blockTimes ? [] : ["blocks"],
    ...node !== undefined && options.settlements !== false ? [] : SETTLEMENT_TABLES,
    ...instances !== undefined ? [] : INSTANCE_TABLES,
  ];
  const tables = options.tables ?? TABLE_NAMES.filter((name) => !omitted.includes(name));
  return {
    auctions: auctions === undefined ? null : { from: auctions.from, to: auctions.to ?? null },
    dates: dates === undefined ? null : readDates(dates),
    blocks: blocks === undefined ? null : { from: blocks.from, to: blocks.to },
    last: last ?? null,
    owner: owner?.toLowerCase() ?? null,
    uids: uids === undefined ? null : sha256(sortUids(uids).join("\n")),
    tables: TABLE_NAMES.filter((name) => tables.includes(name)),
    trades: trades ?? true,
    debugReports: debugReports ?? true,
    blockTimes,
    follow: options.follow ?? false,
    ...options.walk === "settlements" ? { walk: "settlements" } : {},
    ...instances !== undefined && { instances: parseInstanceStore(instances).name },
  };
}

/** Sorts UIDs in lower case, each once. */
export function sortUids(uids: Iterable<string>): string[] {
  return [...new Set(Array.from(uids, (uid) => uid.toLowerCase()))].sort();
}

/** Returns the origin of the records of a deployment. */
export function toSource(book: OrderBook): DatasetSource {
  return {
    network: book.network?.name ?? null,
    environment: book.environment,
    chainId: book.chainId,
    settlementContract: book.settlementContract,
  };
}

/** Resolves the blocks whose settlements to walk; `null` for a walk over ids. */
export async function resolveWalk(
  { walk, dates, blocks, node, signal }: ExportOptions,
): Promise<BlockRange | null> {
  if (walk !== "settlements" || node === undefined) return null;
  if (blocks !== undefined) return { from: blocks.from, to: blocks.to };
  const { from, to } = readDates(dates ?? { from: "" });
  return to === null ? null : await findBlocks(node, { from, to }, signal);
}

/**
 * Resolves the range of auction ids of the options; `null` for orders. One without an end goes up to
 * the newest auction.
 *
 * @throws {InputError} If dates or blocks have no auctions, or not all of theirs are visible yet.
 * @throws {NotFoundError} If there is no auction yet.
 */
export async function resolveRange(
  { transport, clock }: OrderBook,
  { auctions, dates, blocks, last, node, signal }: ExportOptions,
): Promise<ResolvedRange | null> {
  const context = { transport, node: node ?? null, nowMs: clock.now(), signal };
  if (dates !== undefined) return await resolveDates(readDates(dates), context);
  if (blocks !== undefined) return await resolveBlocks(blocks, context);
  if (last !== undefined) return await resolveLatest({ last }, context);
  if (auctions === undefined) return null;
  const { from, to } = auctions;
  if (to === undefined) return await resolveLatest({ from }, context);
  return { from, to, resolution: null };
}

/**
 * Finds the blocks between two times by bisection of their timestamps, with some 50 requests.
 *
 * @throws {InputError} If there are none, the chain has not reached the end, or the node does not have
 *   a block.
 */
async function findBlocks(
  node: NodeSource,
  { from, to }: { readonly from: string; readonly to: string },
  signal: AbortSignal | undefined,
): Promise<BlockRange> {
  const newest = await fetchNewestBlock(requireNode(node, "the newest block", { signal }));
  const readTime = createBlockClock(node, signal);
  const reached = await readTime(newest);
  if (reached === null) throw createMissingBlockError(newest);
  if (reached < parseMs(to)) {
    throw new InputError(`Cannot export: the chain has not reached ${to} yet`, {
      facts: { "newest block": newest },
      remedy: "Pass an earlier end, or try again later",
    });
  }
  const first = await findFirstBlock(readTime, newest, parseMs(from));
  const end = await findFirstBlock(readTime, newest, parseMs(to));
  // A node may lack old blocks, which are not known to be before the range.
  const isBegin = first === 0 || await readTime(first) === parseMs(from);
  if (!isBegin && await readTime(first - 1) === null) throw createMissingBlockError(first - 1);
  if (first < end) return { from: first, to: end - 1 };
  throw new InputError(`Cannot export: no block from ${from} and before ${to}`, {
    remedy: "Pass a longer range",
  });
}

/**
 * Finds the first block that is not before a time; the newest one is not, and old ones may be missing.
 */
async function findFirstBlock(
  readTime: (block: number) => Promise<number | null>,
  newest: number,
  atMs: number,
): Promise<number> {
  let [low, high] = [0, newest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await readTime(middle) ?? -Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
