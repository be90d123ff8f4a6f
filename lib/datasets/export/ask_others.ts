import { getCompetition } from "../../endpoints/competitions.ts";
import { getAppData } from "../../endpoints/facts.ts";
import { getAccountOrders, getTrades } from "../../endpoints/order_lists.ts";
import { getDebugReport } from "../../endpoints/orders.ts";
import {
  NotFoundError,
  NotRecordedError,
  UnauthorizedError,
  UnavailableError,
} from "../../errors/mod.ts";
import { SELECTED_ORDERS } from "../layout/files.ts";
import type { Item, Outcome } from "../state/export_state.ts";
import { settledBy, startBlockOf } from "./ask_competitions.ts";
import {
  ABSENT,
  askEach,
  type Asking,
  type AskOne,
  blockKey,
  type Ending,
  isFinalCompetition,
  isGone,
  present,
} from "./asking.ts";

/** Asks for the orders of an account. */
export const askAccount: AskOne = async ({ transport }, { key }, signal) => {
  const next: Ending["next"][number][] = [];
  for await (const { uid } of getAccountOrders(transport, key, { signal })) {
    next.push({ kind: "order", key: uid.toLowerCase() });
  }
  return { state: "present", isFinal: false, next };
};

/** Asks for the fills of orders by account, or else one by one. */
export function askFills(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { fills } = asking;
  const transport = fills?.transportFor(asking.transport, items) ?? asking.transport;
  return askEach({ ...asking, transport }, items, askTrades);
}

const askTrades: AskOne = async (asking, item, signal) => {
  const { needs, state, now, transport } = asking;
  const { key, shard } = item;
  const trades = await Array.fromAsync(getTrades(transport, { orderUid: key }, { signal }));
  const hashes = new Set(trades.flatMap(({ txHash }) => txHash?.toLowerCase() ?? []));
  // Auctions of single orders are found by their settlements; those of a range are asked for by id.
  const next = shard === SELECTED_ORDERS ? [...hashes] : [];
  const areIndexed = trades.every(({ txHash }) => txHash !== null) || isGone(key, item, now());
  const blocks = needs.has("blocks") ? trades.map(({ blockNumber }) => blockNumber) : [];
  return {
    ...present(areIndexed && isOrderFinal(state, key)),
    next: [
      ...next.map((hash) => ({ kind: "transaction", key: hash } as const)),
      ...settledBy(asking, next),
      ...blocks.map((block) => ({ kind: "block", key: blockKey(block, shard) } as const)),
    ],
  };
};

/** Asks for the auction of a settlement. */
export const askTransaction: AskOne = async (asking, item, signal) => {
  try {
    const competition = await getCompetition(asking.transport, item.key, { signal });
    return {
      ...present(isFinalCompetition(competition, item, asking.now())),
      next: startBlockOf(asking, competition, item),
    };
  } catch (error) {
    if (error instanceof NotFoundError) return { ...ABSENT, isFinal: false };
    throw error;
  }
};

/** Asks for a document. */
export const askAppData: AskOne = async ({ transport }, { key }, signal) => {
  try {
    await getAppData(transport, key, { signal });
    return present(true);
  } catch (error) {
    if (error instanceof NotFoundError) return ABSENT;
    throw error;
  }
};

/**
 * Asks for debug reports until the deployment refuses one, as all public ones do: then no more are
 * asked for.
 */
export async function* askReports(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { state } = asking;
  if (state.meta("reportsRefused") !== null) return;
  try {
    yield* askEach(asking, items, askReport);
  } catch (error) {
    if (!(error instanceof RefusedReports)) throw error;
    state.inOneStep(() => {
      state.setMeta("reportsRefused", error.message);
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    });
  }
}

/** Why a deployment has no reports. */
class RefusedReports extends Error {}

const askReport: AskOne = async ({ state, now, transport }, item, signal) => {
  // The end of a settlement attempt is noted after the order is fulfilled.
  const { key } = item;
  const isFinal = isGone(key, item, now()) && isOrderFinal(state, key);
  try {
    await getDebugReport(transport, key, { signal });
    return present(isFinal);
  } catch (error) {
    const isMissing = error instanceof NotFoundError ||
      error instanceof NotRecordedError && error.isRouteRecorded;
    if (isMissing) return { ...ABSENT, isFinal };
    const isRefused = error instanceof UnauthorizedError || error instanceof UnavailableError ||
      error instanceof NotRecordedError;
    if (isRefused) throw new RefusedReports(error.code);
    throw error;
  }
};

function isOrderFinal(state: Asking["state"], uid: string): boolean {
  const sql = "SELECT 1 FROM items WHERE kind = 'order' AND key = ? AND isFinal = 1";
  return state.row(sql, uid) !== undefined;
}
