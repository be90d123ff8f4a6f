import { classifyFailure } from "../errors/failure_kind.ts";
import {
  DecodeError,
  MismatchError,
  NotFoundError,
  NotRecordedError,
  OrderlensError,
} from "../errors/mod.ts";
import type { Transport } from "../http/mod.ts";
import type { Competition } from "../schemas/mod.ts";
import { type CallOptions, DEFAULT_CONCURRENCY, mapInOrder } from "./calls.ts";
import { getCompetition } from "./competitions.ts";

/** The response to an auction id: the competition, or the error. */
export type AuctionResponse =
  | { readonly competition: Competition; readonly error: null }
  | { readonly competition: null; readonly error: OrderlensError };

/** One step of a walk. */
export type WalkedAuction = AuctionResponse & { readonly id: number };

/** Options of {@linkcode walkAuctions}. */
export interface WalkAuctionsOptions extends CallOptions {
  /** Maximum number of concurrent requests. @default {4} */
  concurrency?: number | undefined;
  /**
   * Responses by id, which are not requested again: those of the walk are added, unless the service
   * failed.
   *
   * @default {none: a walk of any length holds at most `concurrency` competitions}
   */
  cache?: Map<number, AuctionResponse> | undefined;
  /** Clock in unix milliseconds, by which a competition is final. @default {Date.now} */
  now?: (() => number) | undefined;
}

/** Number of consecutive failures of the service after which nothing more is requested. */
const MAX_FAILURES_IN_ROW = 8;

/**
 * Walks over auctions: one step for each id, in the order of the ids, several requests at a time.
 *
 * Ids are taken as the walk advances, at most `concurrency` ahead of the consumed step: with one
 * request at a time, an id can follow from the steps before it.
 *
 * An id that fails is a step with its error. After eight failures of the service in a row, the other
 * ids are steps with the last error, and are not requested.
 *
 * @throws The signal's reason; an error that no response caused.
 */
export async function* walkAuctions(
  transport: Transport,
  ids: Iterable<number>,
  { concurrency = DEFAULT_CONCURRENCY, cache, signal, now }: WalkAuctionsOptions = {},
): AsyncGenerator<WalkedAuction, void, undefined> {
  let failuresInRow = 0;
  let outage: AuctionResponse | undefined;
  const read = async (id: number, taskSignal: AbortSignal) => {
    taskSignal.throwIfAborted();
    const response = outage ?? cache?.get(id) ?? await readAuction(transport, id, taskSignal, now);
    return { id, response };
  };
  for await (const { id, response } of mapInOrder(ids, read, { concurrency, signal })) {
    const hasFailed = response.error !== null && !isWithoutAuction(response.error);
    failuresInRow = hasFailed ? failuresInRow + 1 : 0;
    if (failuresInRow >= MAX_FAILURES_IN_ROW) outage = response;
    if (!hasFailed) cache?.set(id, response);
    yield { id, ...response };
  }
}

/**
 * Reads one auction.
 *
 * @throws The signal's reason; an error that no response caused.
 */
export async function readAuction(
  transport: Transport,
  id: number | "latest",
  signal: AbortSignal | undefined,
  now?: () => number,
): Promise<AuctionResponse> {
  try {
    return { competition: await getCompetition(transport, id, { signal, now }), error: null };
  } catch (error) {
    const isResponse = error instanceof OrderlensError && classifyFailure(error) !== null;
    if (signal?.aborted || !isResponse) throw error;
    return { competition: null, error };
  }
}

/** Whether an id has no auction, or none that can be read; otherwise the service failed. */
export function isWithoutAuction(error: OrderlensError): boolean {
  return error instanceof NotFoundError || error instanceof NotRecordedError ||
    error instanceof DecodeError || error instanceof MismatchError;
}

/** Lists the ids from one to another, both included. */
export function* listIds(from: number, to: number): Generator<number, void, undefined> {
  for (let id = from; id <= to; id++) yield id;
}
