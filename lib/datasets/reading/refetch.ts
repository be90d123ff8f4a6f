import type { OrderBook } from "../../client/order_book.ts";
import { getCompetition } from "../../endpoints/auctions/get_competition.ts";
import { getOrdersByUids } from "../../endpoints/orders/get_orders_by_uids.ts";
import { InputError, NotFoundError } from "../../errors/mod.ts";
import type { Transport } from "../../http/mod.ts";
import type { Competition, Order } from "../../schemas/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { isPartitioned, sourceOfFile } from "../layout/partitions.ts";
import { shardRecords } from "../shards/shard_records.ts";
import { type Change, competitionChange, orderChange } from "./record_change.ts";
import { Draw } from "./draw.ts";
import type { VerifyOptions } from "./verify_dataset.ts";

/** Auctions and orders that were requested again. */
export interface Refetched {
  /** Number of auctions. */
  readonly auctions: number;
  /** Ids of those of which something has changed that cannot. */
  readonly differing: readonly number[];
  /** Number of orders. */
  readonly orders: number;
  /** UIDs of those of which something has changed that cannot. */
  readonly differingOrders: readonly string[];
  /** What has changed since the export, as it may: the hash of a late settlement, a fill. */
  readonly changed: readonly string[];
}

/**
 * Requests some auctions and as many orders again, and compares all fields with what the dataset has.
 *
 * @returns `null` if none are to be requested.
 * @throws {InputError} If there is no book to ask, or it is of another chain, contract or environment.
 */
export async function refetch(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { refetch: count = 0, seed = 1, book, signal }: VerifyOptions,
): Promise<Refetched | null> {
  if (count === 0) return null;
  if (book === undefined) {
    throw new InputError("Cannot verify a dataset with refetch and without a book", {
      remedy: "Pass what `connect` returns as book",
    });
  }
  requireSameDeployment(book, manifest);
  const [auctions, orders] = [new Draw<Competition>(count, seed), new Draw<Order>(count, seed)];
  for (const { path } of manifest.files) {
    if (!path.startsWith("raw/") || !isOf(book, manifest, path)) continue;
    for await (const record of shardRecords(paths.file(path))) {
      signal?.throwIfAborted();
      if (record.kind === "competition") {
        auctions.add(String(record.competition.auctionId), record.competition);
      } else if (record.kind === "order") orders.add(record.order.uid, record.order);
    }
  }
  const changed: string[] = [];
  const differing: number[] = [];
  for (const then of auctions.drawn) {
    const { auctionId } = then;
    const change = await auctionChange(book.transport, then, signal);
    if (change?.isPossible === false) differing.push(auctionId);
    if (change?.isPossible === true) changed.push(`auction ${auctionId}: ${change.fields}`);
  }
  const differingOrders: string[] = [];
  const { orders: found } = await getOrdersByUids(
    book.transport,
    orders.drawn.map(({ uid }) => uid),
    { signal },
  );
  for (const then of orders.drawn) {
    const change = orderChange(then, found.find(({ uid }) => uid === then.uid));
    if (change?.isPossible === false) differingOrders.push(then.uid);
    if (change?.isPossible === true) changed.push(`order ${then.uid}: ${change.fields}`);
  }
  return {
    auctions: auctions.drawn.length,
    differing: differing.sort((a, b) => a - b),
    orders: orders.drawn.length,
    differingOrders,
    changed,
  };
}

function requireSameDeployment(book: OrderBook, manifest: DatasetManifest): void {
  const { chainId, settlementContract, environment } = manifest.source;
  const hasOther = environment !== null && book.environment !== null &&
    environment !== book.environment && !isPartitioned(manifest);
  const isSame = chainId === book.chainId && !hasOther &&
    settlementContract.toLowerCase() === book.settlementContract.toLowerCase();
  if (isSame) return;
  throw new InputError("Cannot compare a dataset with another deployment", {
    facts: {
      dataset: nameOf(chainId, settlementContract, environment),
      deployment: nameOf(book.chainId, book.settlementContract, book.environment),
    },
    remedy: "Pass the deployment that the dataset was exported from",
  });
}

function nameOf(chainId: number, contract: string, environment: string | null): string {
  return `chain ${chainId}, ${contract}${environment === null ? "" : `, ${environment}`}`;
}

/** Of several environments, a book has the records of its own. */
function isOf(book: OrderBook, manifest: DatasetManifest, path: string): boolean {
  return !isPartitioned(manifest) ||
    sourceOfFile(manifest.source, path).environment === book.environment;
}

async function auctionChange(
  transport: Transport,
  then: Competition,
  signal: AbortSignal | undefined,
): Promise<Change | null> {
  try {
    return competitionChange(then, await getCompetition(transport, then.auctionId, { signal }));
  } catch (error) {
    if (error instanceof NotFoundError) return { isPossible: false, fields: "it is gone" };
    throw error;
  }
}
