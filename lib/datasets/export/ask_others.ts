import { getCompetition } from "../../endpoints/auctions/get_competition.ts";
import { getAppData } from "../../endpoints/facts/get_app_data.ts";
import { getAccountOrders } from "../../endpoints/orders/get_account_orders.ts";
import { getDebugReport } from "../../endpoints/orders/get_debug_report.ts";
import { getTrades } from "../../endpoints/orders/get_trades.ts";
import {
  NotFoundError,
  NotRecordedError,
  UnauthorizedError,
  UnavailableError,
} from "../../errors/mod.ts";
import type { Transport } from "../../http/mod.ts";
import { SELECTED_ORDERS } from "../layout/shard_name.ts";
import type { FiledKind, Item, Outcome } from "../state/items.ts";
import { blockKey } from "./ask_blocks.ts";
import { withOwnerTrades } from "./owner_trades.ts";
import { settledBy, startBlockOf } from "./ask_competitions.ts";
import {
  ABSENT,
  askEach,
  type Asking,
  type Ending,
  isFinalCompetition,
  isGone,
  present,
} from "./asking.ts";

type Ask = (
  asking: Asking,
  item: Item,
  transport: Transport,
  signal: AbortSignal,
) => Promise<Ending>;

/** How each kind is asked for that takes one call. */
const ASK: Readonly<
  Record<Exclude<FiledKind, "competition" | "order" | "report" | "block" | "receipt">, Ask>
> = {
  account: askAccount,
  trades: askTrades,
  transaction: askTransaction,
  app_data: askAppData,
};

/** Asks for things of one kind, one call for each, or for trades by account where that is less. */
export async function* askOthers(
  asking: Asking,
  kind: keyof typeof ASK,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const transport = kind === "trades" ? await withOwnerTrades(asking, items) : asking.transport;
  yield* askEach(
    { ...asking, transport },
    items,
    (item, transport, signal) => ASK[kind](asking, item, transport, signal),
  );
}

async function askAccount(
  _: Asking,
  { key }: Item,
  transport: Transport,
  signal: AbortSignal,
): Promise<Ending> {
  const next: Ending["next"][number][] = [];
  for await (const { uid } of getAccountOrders(transport, key, { signal })) {
    next.push({ kind: "order", key: uid.toLowerCase() });
  }
  return { state: "present", isFinal: false, next };
}

async function askTrades(
  asking: Asking,
  item: Item,
  transport: Transport,
  signal: AbortSignal,
): Promise<Ending> {
  const { needs, state, now } = asking;
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
}

async function askTransaction(
  asking: Asking,
  item: Item,
  transport: Transport,
  signal: AbortSignal,
): Promise<Ending> {
  try {
    const competition = await getCompetition(transport, item.key, { signal });
    return {
      ...present(isFinalCompetition(competition, item, asking.now())),
      next: startBlockOf(asking, competition, item),
    };
  } catch (error) {
    if (error instanceof NotFoundError) return { ...ABSENT, isFinal: false };
    throw error;
  }
}

async function askAppData(
  _: Asking,
  { key }: Item,
  transport: Transport,
  signal: AbortSignal,
): Promise<Ending> {
  try {
    await getAppData(transport, key, { signal });
    return present(true);
  } catch (error) {
    if (error instanceof NotFoundError) return ABSENT;
    throw error;
  }
}

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
    yield* askEach(
      asking,
      items,
      (item, transport, signal) => askReport(asking, item, transport, signal),
    );
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

async function askReport(
  { state, now }: Asking,
  item: Item,
  transport: Transport,
  signal: AbortSignal,
): Promise<Ending> {
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
}

function isOrderFinal(state: Asking["state"], uid: string): boolean {
  const [order] = state.rows<{ isFinal: number }>(
    "SELECT isFinal FROM items WHERE kind = 'order' AND key = ?",
    uid,
  );
  return order?.isFinal === 1;
}
