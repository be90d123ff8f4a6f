import { ignoreNotFound } from "../../endpoints/calls.ts";
import { getCompetition, QUOTE_VALIDITY_MS } from "../../endpoints/competitions.ts";
import { getAppData } from "../../endpoints/facts.ts";
import { getAccountOrders, getTrades } from "../../endpoints/order_lists.ts";
import { getDebugReport } from "../../endpoints/orders.ts";
import { type CompetitionLookup, CompetitionWalk } from "../../endpoints/walk_competitions.ts";
import {
  NoOrderBookError,
  NotFoundError,
  NotRecordedError,
  UnauthorizedError,
  UnavailableError,
} from "../../errors/mod.ts";
import { sumFills } from "../../metrics/orders/fills.ts";
import type { Competition, Trade } from "../../schemas/mod.ts";
import { pluralize } from "../../units/format.ts";
import { SELECTED_ORDERS } from "../layout/files.ts";
import type { Item, Outcome } from "../state/export_state.ts";
import { listInstance } from "./fetch_instances.ts";
import {
  ExchangeRecorder,
  type ExecutedAmounts,
  type ExportContext,
  failedOutcome,
  fetchEach,
  type FetchItem,
  firstRequestedBefore,
  isFinalItem,
  isPermanentlyMissing,
  PERMANENTLY_ABSENT,
  presentOutcome,
  type RequestOutcome,
  toBlockKey,
  toFailure,
  toStored,
} from "./export_context.ts";

const NOT_YET_VISIBLE: RequestOutcome = { state: "hidden", isFinal: false, next: [] };

/**
 * Fetches competitions by auction id. A 404 above the newest competition means that the competition is
 * hidden, and below it that the id is absent: permanently once no quote that took it can be valid.
 */
export class CompetitionFetcher {
  readonly #context: ExportContext;
  readonly #recorder: ExchangeRecorder;
  readonly #walk: CompetitionWalk;

  /** Begins a walk over ascending ids; one walk knows the newest competition for all of them. */
  constructor(context: ExportContext) {
    this.#context = context;
    this.#recorder = new ExchangeRecorder(context.transport);
    this.#walk = new CompetitionWalk(this.#recorder, context.now);
  }

  /** Ids below `id` that are absent after `sinceMs` are permanently absent. */
  get past(): { readonly id: number; readonly sinceMs: number } {
    return { id: this.#walk.pastId, sinceMs: this.#walk.pastSinceMs };
  }

  /** Fetches ascending auction ids, with one outcome each. */
  async *fetch(items: readonly Item[]): AsyncGenerator<Outcome, void, undefined> {
    const { concurrency, signal } = this.#context;
    const itemsById = new Map(items.map((item) => [Number(item.key), item]));
    const hasGaps = items.some(({ state }) => state === "absent");
    const sightings = this.#walk.lookUp(itemsById.keys(), { concurrency, signal, hasGaps });
    for await (const sighting of sightings) {
      const item = itemsById.get(sighting.auctionId)!;
      const outcome = this.#toOutcome(item, sighting);
      // The newest competition proved the id, whose own response is not stored yet.
      const isWithoutAnswer = outcome.state === "present" && outcome.responses.length === 0;
      yield isWithoutAnswer
        ? this.#toOutcome(item, await this.#walk.requestAgain(sighting.auctionId, signal))
        : outcome;
    }
  }

  #toOutcome(item: Item, sighting: CompetitionLookup): Outcome {
    const outcome = this.#toRequestOutcome(sighting, item);
    const exchange = this.#recorder.takeLast(`/api/v2/solver_competition/${sighting.auctionId}`);
    const status = outcome.state === "absent" ? 404 : outcome.state === "hidden" ? null : 200;
    const isKept = exchange !== undefined && exchange.status === status;
    return { item, ...outcome, responses: isKept ? [toStored(exchange)] : [] };
  }

  #toRequestOutcome(sighting: CompetitionLookup, item: Item): RequestOutcome {
    const context = this.#context;
    if (sighting.is === "failed") return toFailure(context, sighting.error, context.signal);
    context.failures.inRow = 0;
    switch (sighting.is) {
      case "visible":
        return competitionOutcome(sighting.competition, item, context);
      case "absent":
        return missingOutcome(item, context, this.past.id);
      case "hidden":
        return NOT_YET_VISIBLE;
    }
  }
}

/**
 * Returns the outcome of an id without an auction: permanent below `pastId`, and otherwise after an
 * hour.
 */
export function missingOutcome(item: Item, { now }: ExportContext, pastId: number): RequestOutcome {
  const isFinal = firstRequestedBefore(QUOTE_VALIDITY_MS, item, now()) || Number(item.key) < pastId;
  return { ...PERMANENTLY_ABSENT, isFinal };
}

/** Returns the outcome of a visible competition, with its follow-up requests. */
export function competitionOutcome(
  competition: Competition,
  item: Item,
  context: ExportContext,
): RequestOutcome {
  return {
    state: "present",
    isFinal: isFinalItem(competition, item, context.now()),
    ...context.needs.has("orders") && { listed: competition.auction.orders },
    next: [
      ...context.needs.has("orders") ? listBidOrders(competition) : [],
      ...listInstance(context, competition),
      ...listStartBlock(context, competition, item),
      ...listReceipts(context, competition.transactionHashes),
    ],
  };
}

/** Lists the start block of an auction, if blocks are requested. */
function listStartBlock(
  { needs }: ExportContext,
  { auctionStartBlock }: Competition,
  { shard }: Item,
): RequestOutcome["next"] {
  if (!needs.has("blocks")) return [];
  return [{ kind: "block", key: toBlockKey(auctionStartBlock, shard) }];
}

/** Lists settlements by hash, if they are requested. */
function listReceipts({ needs }: ExportContext, hashes: Iterable<string>): RequestOutcome["next"] {
  if (!needs.has("settlements")) return [];
  const keys = new Set(Array.from(hashes, (hash) => hash.toLowerCase()));
  return Array.from(keys, (key) => ({ kind: "receipt", key }));
}

function listBidOrders({ solutions }: Competition): RequestOutcome["next"] {
  const uids = solutions.flatMap(({ orders }) => orders.map(({ id }) => id.toLowerCase()));
  return [...new Set(uids)].map((key) => ({ kind: "order", key }));
}

export const fetchAccount: FetchItem = async ({ transport }, { key }, signal) => {
  const orders = await Array.fromAsync(getAccountOrders(transport, key, { signal }));
  return {
    ...presentOutcome(false),
    next: orders.map(({ uid }) => ({ kind: "order", key: uid.toLowerCase() })),
  };
};

/** Fetches the fills of orders by account, or else one by one. */
export function fetchFills(
  context: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { fills } = context;
  const transport = fills?.createTransport(context.transport, items) ?? context.transport;
  return fetchEach({ ...context, transport }, items, fetchTrades);
}

/** Requests for the fills of an order while they do not add up to what it executed. */
const MAX_FILL_REQUESTS = 3;

/**
 * Fetches the fills of an order. A lagging replica of the service's database lacks fills that the order
 * has executed: they are requested again, and have failed if they stay missing.
 */
const fetchTrades: FetchItem = async (context, item, signal) => {
  const { needs, state, now, transport, executed } = context;
  const { key, shard } = item;
  const amounts = executed.get(key);
  let trades: readonly Trade[] = [];
  let difference: string | null = null;
  for (let request = 1; request <= MAX_FILL_REQUESTS; request++) {
    trades = await Array.fromAsync(getTrades(transport, { orderUid: key }, { signal }));
    difference = amounts === undefined ? null : describeMissingFills(trades, amounts);
    if (difference === null) break;
  }
  executed.delete(key);
  const hashes = new Set(trades.flatMap(({ txHash }) => txHash?.toLowerCase() ?? []));
  // Auctions of single orders are found by their settlements; those of a range are requested by id.
  const next = shard === SELECTED_ORDERS ? [...hashes] : [];
  const areIndexed = trades.every(({ txHash }) => txHash !== null) ||
    isPermanentlyMissing(key, item, now());
  const blocks = needs.has("blocks") ? trades.map(({ blockNumber }) => blockNumber) : [];
  const outcome = difference === null
    ? presentOutcome(areIndexed && isOrderFinal(state, key))
    : failedOutcome(difference);
  return {
    ...outcome,
    next: [
      ...next.map((hash) => ({ kind: "transaction", key: hash } as const)),
      ...listReceipts(context, next),
      ...blocks.map((block) => ({ kind: "block", key: toBlockKey(block, shard) } as const)),
    ],
  };
};

/** Describes how fills differ from what their order executed; `null` if they add up to it. */
function describeMissingFills(
  trades: readonly Trade[],
  { sell, buy, isOpen }: ExecutedAmounts,
): string | null {
  const { sellAmount, buyAmount } = sumFills(trades);
  const isWhole = sellAmount === sell && buyAmount === buy ||
    isOpen && sellAmount >= sell && buyAmount >= buy;
  if (isWhole) return null;
  return `Its ${pluralize(trades.length, "fill")} add up to ${sellAmount} sold and ${buyAmount} ` +
    `bought, but the order executed ${sell} and ${buy}`;
}

export const fetchTransaction: FetchItem = async (context, item, signal) => {
  const competition = await getCompetition(context.transport, item.key, { signal })
    .catch(ignoreNotFound);
  if (competition === null) return { ...PERMANENTLY_ABSENT, isFinal: false };
  return {
    ...presentOutcome(isFinalItem(competition, item, context.now())),
    next: [
      ...listInstance(context, competition),
      ...listStartBlock(context, competition, item),
    ],
  };
};

export const fetchAppData: FetchItem = async ({ transport }, { key }, signal) =>
  await getAppData(transport, key, { signal }).catch(ignoreNotFound) === null
    ? PERMANENTLY_ABSENT
    : presentOutcome(true);

/** Fetches debug reports until the deployment refuses one, as all public ones do. */
export async function* fetchReports(
  context: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { state } = context;
  if (state.readMeta("reportsRefused") !== null) return;
  try {
    yield* fetchEach(context, items, fetchReport);
  } catch (cause) {
    // So many failures in a row mean that the gateway blocks this route.
    const error = cause instanceof NoOrderBookError
      ? new ReportsRefusedError("unavailable")
      : cause;
    if (!(error instanceof ReportsRefusedError)) throw error;
    state.runInTransaction(() => {
      state.setMeta("reportsRefused", error.message);
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    });
  }
}

class ReportsRefusedError extends Error {}

const fetchReport: FetchItem = async ({ state, now, transport }, item, signal) => {
  // The end of a settlement attempt is recorded after the order is fulfilled.
  const { key } = item;
  const isFinal = isPermanentlyMissing(key, item, now()) && isOrderFinal(state, key);
  try {
    await getDebugReport(transport, key, { signal });
    return presentOutcome(isFinal);
  } catch (error) {
    const isMissing = error instanceof NotFoundError ||
      error instanceof NotRecordedError && error.isRouteRecorded;
    if (isMissing) return { ...PERMANENTLY_ABSENT, isFinal };
    const isRefused = error instanceof UnauthorizedError || error instanceof UnavailableError ||
      error instanceof NotRecordedError;
    if (isRefused) throw new ReportsRefusedError(error.code);
    throw error;
  }
};

function isOrderFinal(state: ExportContext["state"], uid: string): boolean {
  const sql = "SELECT 1 FROM items WHERE kind = 'order' AND key = ? AND isFinal = 1";
  return state.queryRow(sql, uid) !== undefined;
}
