import type { OrderBook } from "../client/mod.ts";
import { Dataset } from "../datasets/mod.ts";
import { DEFAULT_CONCURRENCY, mapInOrder } from "../endpoints/calls.ts";
import { getInstance, routeInstances } from "../endpoints/instances.ts";
import {
  DecodeError,
  HttpStatusError,
  MismatchError,
  NotFoundError,
  NotRecordedError,
  UnauthorizedError,
} from "../errors/mod.ts";
import type { Competition, Instance } from "../schemas/mod.ts";
import type { MarketOptions } from "./market_options.ts";

/** Path of instances in a dataset that has them. */
const OWN_STORE = "/instances";

/**
 * Reads the instances of auctions, from the store of the options, otherwise of a dataset that was exported
 * with them. Instances that the store lacks, refuses, has under another id or that cannot be read are left
 * out.
 *
 * @param earlier Instances of an earlier reading: they never change.
 * @returns `null` without a store.
 */
export async function readInstances(
  { book, origin }: { readonly book: OrderBook; readonly origin: object | null },
  competitions: readonly Pick<Competition, "auctionId">[],
  { instances, signal }: MarketOptions,
  earlier: readonly Instance[] | null = null,
): Promise<readonly Instance[] | null> {
  const hasOwn = origin instanceof Dataset && origin.manifest.request.instances !== undefined;
  const store = instances ?? (hasOwn ? OWN_STORE : null);
  if (store === null) return null;
  const transport = routeInstances(book.transport, store);
  const readEarlier = new Map(earlier?.map((instance) => [instance.id, instance]));
  const read = async ({ auctionId }: Pick<Competition, "auctionId">, signal: AbortSignal) => {
    const instance = readEarlier.get(auctionId);
    if (instance !== undefined) return [instance];
    try {
      return [{ ...await getInstance(transport, auctionId, { signal }), id: auctionId }];
    } catch (error) {
      const isLacking = error instanceof NotFoundError || error instanceof NotRecordedError ||
        error instanceof UnauthorizedError || error instanceof MismatchError ||
        error instanceof DecodeError ||
        // What a dataset has stays as it is; the URL of a store may be mended.
        instances === undefined && error instanceof HttpStatusError;
      if (isLacking) return [];
      throw error;
    }
  };
  const concurrency = DEFAULT_CONCURRENCY;
  const parts = await Array.fromAsync(mapInOrder(competitions, read, { concurrency, signal }));
  return parts.flat();
}
