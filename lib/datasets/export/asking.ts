import {
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  MismatchError,
  NotRecordedError,
  ServiceError,
  TimeoutError,
  UnansweredError,
  UnavailableError,
} from "../../errors/mod.ts";
import { mapInOrder } from "../../endpoints/call/map_in_order.ts";
import { uidParts } from "../../endpoints/call/uid_parts.ts";
import type { Transport } from "../../http/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import type { Need } from "../shards/table_needs.ts";
import type { DatasetRequest } from "../layout/manifest.ts";
import type { ExportState } from "../state/export_state.ts";
import type { Item, Outcome } from "../state/items.ts";
import { Capture, keptAnswer } from "./capture.ts";

const HOUR_MS = 3_600_000;
/** A settlement is indexed at most this long after the expiry of its auction's orders. */
const SETTLED_AFTER_MS = 2 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
const NO_EXPIRY = 2 ** 32 - 1;
/** The service is not asked on after so many failures in a row. */
const MOST_FAILURES = 8;

/** What asking needs. */
export interface Asking {
  /** The deployment. */
  readonly transport: Transport;
  /** What is known. */
  readonly state: ExportState;
  /** What was asked for. */
  readonly request: DatasetRequest;
  /** What the tables need besides auctions. */
  readonly needs: ReadonlySet<Need>;
  /** The settlement contract, in lower case. */
  readonly settlementContract: string;
  /** Where timestamps of blocks and settlements are from; `null` without a node. */
  readonly node: NodeSource | null;
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
  /** The time in unix milliseconds. */
  readonly now: () => number;
  /** Failures since the last success. */
  readonly failures: { inRow: number };
}

/** What one request came to, without its answers. */
export type Ending = Omit<Outcome, "item" | "answers">;

/** Something present, with nothing to follow. */
export function present(isFinal: boolean): Ending {
  return { state: "present", isFinal, next: [] };
}

/** Something that does not exist. */
export const ABSENT: Ending = { state: "absent", isFinal: true, next: [] };

/** Asks for things, several concurrently, each with its own captured answers. */
export async function* askEach(
  asking: Asking,
  items: readonly Item[],
  ask: (item: Item, transport: Transport, signal: AbortSignal) => Promise<Ending>,
): AsyncGenerator<Outcome, void, undefined> {
  async function one(item: Item, signal: AbortSignal): Promise<Outcome> {
    const capture = new Capture(asking.transport);
    const ending = await ask(item, capture, signal).catch((error) =>
      failureOf(asking, error, signal)
    );
    if (ending.state !== "failed") asking.failures.inRow = 0;
    const isKept = ending.state !== "hidden";
    const exchanges = isKept ? capture.take().filter(({ status }) => isAnswer(status)) : [];
    return { item, ...ending, answers: exchanges.map(keptAnswer) };
  }
  const { concurrency, signal } = asking;
  yield* mapInOrder(items, one, { concurrency, signal });
}

function isAnswer(status: number): boolean {
  return status === 200 || status === 404;
}

/**
 * How a failed request ends: what the answer is to blame for counts as failed, and is asked for again
 * in the next run; everything else ends the export.
 */
export function failureOf(asking: Asking, error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted || !(error instanceof Error)) throw error;
  // A connection that was made and broke may be the fault of this one answer.
  const isBroken = error instanceof TimeoutError ||
    error instanceof UnansweredError && error.mayHaveBeenReceived;
  const isRefusal = error instanceof HttpStatusError || error instanceof ServiceError ||
    error instanceof UnavailableError || isBroken;
  const isUnreadable = error instanceof DecodeError || error instanceof MismatchError ||
    error instanceof IncompleteListError || error instanceof NotRecordedError;
  if (!isRefusal && !isUnreadable) throw error;
  if (isRefusal && ++asking.failures.inRow >= MOST_FAILURES) throw error;
  const [note = ""] = error.message.split("\n");
  return { state: "failed", isFinal: false, note, next: [] };
}

/**
 * Whether a competition can no longer change: every winner has its settlement, or none can get one
 * any more. An auction begins before the first of its orders expires, and hashes come up to half an
 * hour late.
 */
export function isFinalCompetition(
  { solutions, auction }: Competition,
  { firstAskedMs }: Pick<Item, "firstAskedMs">,
  nowMs: number,
): boolean {
  const winners = solutions.filter(({ isWinner }) => isWinner);
  if (winners.length > 0 && winners.every(({ txHash }) => txHash != null)) return true;
  if (firstAskedMs !== null && nowMs - firstAskedMs > HOUR_MS) return true;
  let firstExpiry = NO_EXPIRY;
  for (const uid of auction.orders) firstExpiry = Math.min(firstExpiry, uidParts(uid).validTo);
  return firstExpiry !== NO_EXPIRY && nowMs - firstExpiry * 1000 > SETTLED_AFTER_MS;
}

/** Whether an order that the service does not have can no longer appear: a day after its expiry. */
export function isGone(uid: string, { firstAskedMs }: Item, nowMs: number): boolean {
  const { validTo } = uidParts(uid);
  if (validTo !== NO_EXPIRY) return nowMs - validTo * 1000 > DAY_MS;
  return firstAskedMs !== null && nowMs - firstAskedMs > DAY_MS;
}
