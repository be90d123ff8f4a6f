import { getInstance } from "../../endpoints/instances.ts";
import {
  HttpError,
  MismatchError,
  NotFoundError,
  UnansweredError,
  UnauthorizedError,
} from "../../errors/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { HOUR_MS } from "../../units/instant.ts";
import { padId } from "../layout/files.ts";
import type { Item, Outcome } from "../state/export_state.ts";
import {
  type ExportContext,
  failedOutcome,
  fetchEach,
  type FetchItem,
  firstRequestedBefore,
  PERMANENTLY_ABSENT,
  presentOutcome,
  type RequestOutcome,
} from "./export_context.ts";

/** Lists the instance of an auction, if instances are requested. */
export function listInstance(
  { needs }: ExportContext,
  { auctionId }: Competition,
): RequestOutcome["next"] {
  return needs.has("instances") ? [{ kind: "instance", key: padId(auctionId) }] : [];
}

/**
 * Fetches instances of auctions from their store. One that refuses requests, or does not respond, ends no
 * export: what it was not asked for has failed, and is requested by the next run.
 */
export async function* fetchInstances(
  context: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const openItems = new Set(items);
  try {
    const failures = { inRow: 0 };
    for await (const outcome of fetchEach({ ...context, failures }, items, fetchInstance)) {
      openItems.delete(outcome.item);
      yield outcome;
    }
  } catch (error) {
    const isOfStore = error instanceof HttpError || error instanceof UnansweredError;
    if (!isOfStore || context.signal?.aborted === true) throw error;
    for (const item of openItems) yield { item, ...failedOutcome(error.message), responses: [] };
  }
}

const fetchInstance: FetchItem = async ({ transport, now }, item, signal) => {
  try {
    await getInstance(transport, Number(item.key), { signal });
    return presentOutcome(true);
  } catch (error) {
    if (error instanceof NotFoundError) {
      // It is stored while solvers are at work, which may take a moment.
      return { ...PERMANENTLY_ABSENT, isFinal: firstRequestedBefore(HOUR_MS, item, now()) };
    }
    if (error instanceof MismatchError) {
      const { asked, answered } = error;
      return failedOutcome(`The store has the instance of auction ${answered} as that of ${asked}`);
    }
    // A store may refuse what it does not have.
    if (error instanceof UnauthorizedError) return failedOutcome(error.message);
    throw error;
  }
};
