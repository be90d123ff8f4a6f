import type { OrderBook } from "../../client/order_book.ts";
import { readClock } from "../../client/track_order.ts";
import { fetchTrades } from "../../client/trade_request.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import {
  HttpError,
  type OrderlensError,
  TimeoutError,
  UnauthorizedError,
} from "../../errors/mod.ts";
import { limitTime, TimeLimitError } from "../../http/time_limit.ts";
import { isSettledFrom } from "../../metrics/orders/fills.ts";
import { parseOrderAppData } from "../../metrics/orders/calculate_status.ts";
import {
  type Competition,
  type CompetitionOrderStatus,
  type DebugReport,
  isOpenStatus,
  type Order,
  type OrderSimulation,
  type Trade,
} from "../../schemas/mod.ts";
import type { ReportedUnknown, WalkedAuctions } from "./order_report.ts";
import {
  fetchOptional,
  fetchStated,
  fetchSubject,
  type MaybeRecord,
  MissingResponses,
  recordOrNull,
} from "./report_requests.ts";
import { walkLifetime, type WalkLimits, type WalkOptions } from "./walk_lifetime.ts";
import { SEARCH_ALL, WALK_AUCTIONS } from "./walk_text.ts";

/** The answers about one order. */
export interface OrderRecords {
  /** The order; `null` if the deployment does not have it. */
  readonly order: Order | null;
  /** Its trades, oldest first; of its debug report, without fees, if that alone came; `null` if neither did. */
  readonly trades: readonly Trade[] | null;
  /** Its stage. */
  readonly stage: MaybeRecord<CompetitionOrderStatus>;
  /** Its debug report. */
  readonly debugReport: MaybeRecord<DebugReport>;
  /** Whether it can be settled now; `null` if it is over, or there is no debug report. */
  readonly simulation: OrderSimulation | null;
  /** Competitions of auctions that settled it, or that were found by walking, by ascending id. */
  readonly competitions: readonly Competition[];
  /** Auction ids that were walked; `null` if none were. */
  readonly walked: WalkedAuctions | null;
  /** The order that replaced it; `null` if none is known. */
  readonly replacement: Replacement | null;
  /** Records that were requested and did not come. */
  readonly missing: readonly ReportedUnknown[];
}

/** An order that replaced another one, which it cancelled when it was created. */
export type Replacement = Pick<Order, "uid" | "creationDate">;

/** Options of {@linkcode gatherEvidence}. */
interface GatherEvidenceOptions {
  /** The order, if it is known already. */
  readonly order?: Order | undefined;
  /** Aborts the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** Orders of an account among which a replacement is looked for. */
const MAX_ORDERS = 100;
const CONCURRENCY = 4;

/**
 * Asks for everything that one order needs: the order, its trades, stage and debug report at the same
 * time, then the auctions that its fills were settled from.
 *
 * A filled order takes five requests, two round trips deep, and one for each further settlement. A
 * deployment that refuses one debug report is not asked for another.
 */
export async function gatherEvidence(
  book: OrderBook,
  uid: string,
  options: GatherEvidenceOptions,
): Promise<OrderRecords> {
  const { signal } = options;
  const gaps = new MissingResponses();
  const [order, tradesResponse, stage, debugReport] = await Promise.all([
    options.order ?? fetchSubject(() => book.order(uid, { signal })),
    isUnfilled(options.order) ? [] : fetchOptional(
      () => fetchTrades(book, uid, { signal }),
      gaps.note("trades", "The trades of the order"),
    ),
    fetchStated(
      () => book.orderStatus(uid, { signal }),
      gaps.note("stage", "The stage of the order"),
    ),
    fetchDebugReport(book, uid, signal, gaps),
  ]);
  const trades = selectTrades(order, { trades: tradesResponse, debugReport }, gaps);
  const records = { order, trades, stage, debugReport };
  const [simulation, competitions, replacements] = await Promise.all([
    simulateSettlement(book, records, { gaps, signal }),
    fetchCompetitions(book, records.trades, signal, gaps),
    order?.status === "cancelled"
      ? fetchReplacements(book, order.owner, signal, gaps)
      : new Map<string, Replacement>(),
  ]);
  if (replacements === null) gaps.noteUnrecorded("replacement", "the newest orders of its owner");
  const replacement = replacements?.get(uid.toLowerCase()) ?? null;
  const missing = gaps.unknown;
  return { ...records, simulation, competitions, replacement, walked: null, missing };
}

/** The answers about an order with what the auctions of its lifetime show, within limits. */
export async function addWalk(
  book: OrderBook,
  records: OrderRecords,
  options: Partial<Pick<WalkOptions, "node" | "onProgress" | "signal">> & {
    readonly limits: WalkLimits;
  },
): Promise<OrderRecords> {
  const { order, trades, competitions } = records;
  if (order === null) return records;
  const { walked, failure, isSpent, competitions: walkedCompetitions } = await walkLifetime(
    book,
    order,
    {
      limits: options.limits,
      known: competitions,
      end: order.status === "fulfilled" ? findWalkEnd(trades, competitions) : null,
      node: options.node,
      onProgress: options.onProgress,
      signal: options.signal,
    },
  );
  const gaps = new MissingResponses();
  gaps.add(records.missing);
  if (failure !== null) {
    const name = walked === null ? "The auctions" : "All auctions";
    gaps.note("auction_search", `${name} of its lifetime`)(failure);
  } else if (isSpent && walked === null) {
    const isLive = readClock(book) !== null;
    gaps.add([{
      what: "auction_search",
      why: `The report's limit of requests${
        isLive ? ", or the rate limit," : ""
      } left none for the auctions of its lifetime`,
      remedy: isLive ? `Try again in a minute, or search all: ${SEARCH_ALL}` : WALK_AUCTIONS,
    }]);
  }
  return {
    ...records,
    walked,
    competitions: mergeCompetitions(competitions, walkedCompetitions),
    missing: gaps.unknown,
  };
}

/** Finds the end of the walk of a filled order: an auction is over once its deadline has passed, and others list it again. */
function findWalkEnd(
  trades: readonly Trade[] | null,
  competitions: readonly Competition[],
): WalkOptions["end"] {
  const fill = trades?.at(-1);
  if (fill === undefined) return null;
  const { blockNumber: block } = fill;
  const settledCompetitions = competitions.filter((competition) =>
    isSettledFrom(competition, fill)
  );
  const isInTime = (competition: Competition) =>
    block <= (competition.auctionDeadlineBlock ?? -Infinity);
  const [auction] = settledCompetitions;
  return auction !== undefined && settledCompetitions.every(isInTime)
    ? { auctionId: Math.max(auction.auctionId, competitions.at(-1)?.auctionId ?? 0) }
    : { block };
}

/**
 * The competition of the last auction that listed an order, if nobody bid on the order there: what it
 * offered others shows the market. `null` otherwise, and where that auction is not known. What
 * `findKnown` has is not requested.
 */
export async function findLastUnbid(
  book: OrderBook,
  { order, debugReport }: Pick<OrderRecords, "order" | "debugReport">,
  signal: AbortSignal | undefined,
  findCached: (auctionId: number) => Competition | undefined = () => undefined,
): Promise<Competition | null> {
  const last = recordOrNull(debugReport)?.auctions.at(-1);
  const isPending = order?.status === "open" || order?.status === "expired";
  if (!isPending || last === undefined || last.proposedSolutions.length > 0) return null;
  // It only adds to the report, which says what nobody bid on without it.
  return findCached(last.id) ??
    recordOrNull(await fetchOptional(() => book.competition(last.id, { signal }), () => {}));
}

/** Nobody waits long for a simulation, which may hang: a report is whole without it. */
const SIMULATION_MS = 10_000;

/** The simulation of an order that may still be filled, where the deployment gives debug reports. */
async function simulateSettlement(
  book: OrderBook,
  { order, debugReport }: Pick<OrderRecords, "order" | "debugReport">,
  { gaps, signal }: {
    readonly gaps: MissingResponses;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<OrderSimulation | null> {
  if (order === null || !isOpenStatus(order.status)) return null;
  if (recordOrNull(debugReport) === null) return null;
  const note = gaps.note("simulation", "The simulation of its settlement");
  return await fetchSimulation(book, order.uid, { signal, note });
}

/** Fetches the simulation of an order, at the latest block or at another one. */
export async function fetchSimulation(
  book: OrderBook,
  uid: string,
  { blockNumber, signal, note: noteFailure }: {
    readonly blockNumber?: number;
    readonly signal: AbortSignal | undefined;
    readonly note: (error: OrderlensError) => void;
  },
): Promise<OrderSimulation | null> {
  // A deployment may give reports and not simulate.
  const note = (error: OrderlensError) => {
    const isOffered = !(error instanceof UnauthorizedError) &&
      !(error instanceof HttpError && error.status === 405);
    if (isOffered) noteFailure(error);
  };
  try {
    const simulate = (limitedSignal: AbortSignal) =>
      fetchOptional(() => book.simulate(uid, { blockNumber, signal: limitedSignal }), note);
    return recordOrNull(await limitTime(SIMULATION_MS, signal, simulate));
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    note(
      new TimeoutError(error.message, {
        request: `GET /restricted/api/v1/debug/simulation/${uid}`,
        attempts: 1,
        mayHaveBeenReceived: true,
        remedy: "Try again later",
      }),
    );
    return null;
  }
}

function mergeCompetitions(...lists: (readonly Competition[])[]): Competition[] {
  const byId = new Map(lists.flat().map((competition) => [competition.auctionId, competition]));
  return [...byId.values()].sort((a, b) => a.auctionId - b.auctionId);
}

/** Deployments that refused a debug report: they refuse all, and are not asked again. */
const refusingBooks = new WeakSet<OrderBook>();

/** The debug report of an order; a deployment that has refused one is not asked for another. */
export async function fetchDebugReport(
  book: OrderBook,
  uid: string,
  signal: AbortSignal | undefined,
  gaps?: MissingResponses,
): Promise<MaybeRecord<DebugReport>> {
  if (refusingBooks.has(book)) return "refused";
  const note = gaps?.note("debug_report", "The debug report");
  // That it is refused is usual: reports are for partners.
  const noteFailure = note &&
    ((error: OrderlensError) => void (error instanceof UnauthorizedError || note(error)));
  const report = await fetchOptional(() => book.debugReport(uid, { signal }), noteFailure);
  if (report === "refused") refusingBooks.add(book);
  return report;
}

/**
 * Selects the trades of an order: those of their own response, otherwise those of its debug report, which have
 * no fees; none if it executed nothing; `null`, which is noted, if no response has them.
 */
export function selectTrades(
  order: Order | null,
  { trades, debugReport }: {
    readonly trades: MaybeRecord<readonly Trade[]>;
    readonly debugReport: MaybeRecord<DebugReport>;
  },
  gaps: MissingResponses,
): readonly Trade[] | null {
  const ownTrades = recordOrNull(trades);
  if (ownTrades !== null || order === null) return ownTrades;
  const reportTrades = recordOrNull(debugReport)?.trades;
  if (reportTrades === undefined && !isUnfilled(order)) {
    gaps.noteUnrecorded("trades", "the trades of the order");
    return null;
  }
  const { uid: orderUid, owner, sellToken, buyToken } = order;
  return (reportTrades ?? []).map((trade) => ({
    ...{ ...trade, orderUid, owner, sellToken, buyToken },
    txHash: trade.txHash ?? null,
  })).sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** Whether an order is known to have no trades. */
function isUnfilled(order: Order | undefined): boolean {
  return order !== undefined && order.executedSellAmount === 0n && order.executedBuyAmount === 0n;
}

/** The competitions of some trades, each once; those that `findKnown` has are not requested. */
export async function fetchCompetitions(
  book: OrderBook,
  trades: readonly Trade[] | null,
  signal: AbortSignal | undefined,
  gaps: MissingResponses,
  findCached: (hash: string) => Competition | undefined = () => undefined,
): Promise<Competition[]> {
  const hashes = new Set((trades ?? []).flatMap(({ txHash }) => txHash?.toLowerCase() ?? []));
  const byId = new Map<number, Competition>();
  const note = gaps.note("competition", "The competition of a fill");
  const fetchOne = (hash: string, taskSignal: AbortSignal): Promise<MaybeRecord<Competition>> => {
    const cached = findCached(hash);
    return cached === undefined
      ? fetchOptional(() => book.competition(hash, { signal: taskSignal }), note)
      : Promise.resolve(cached);
  };
  for await (
    const response of mapInOrder([...hashes], fetchOne, { concurrency: CONCURRENCY, signal })
  ) {
    const competition = recordOrNull(response);
    if (competition !== null) byId.set(competition.auctionId, competition);
  }
  return [...byId.values()].sort((a, b) => a.auctionId - b.auctionId);
}

/**
 * Newest orders of an account that replaced others, by the UID of the other in lower case; `null` if they did not
 * come.
 */
export async function fetchReplacements(
  book: OrderBook,
  owner: string,
  signal: AbortSignal | undefined,
  gaps: MissingResponses,
): Promise<ReadonlyMap<string, Replacement> | null> {
  const orders = await fetchOptional(
    () => Array.fromAsync(book.accountOrders(owner, { limit: MAX_ORDERS, signal })),
    gaps.note("replacement", "The newest orders of its owner"),
  );
  // The newest first, so that of several the first counts.
  const newestFirst = recordOrNull(orders)?.toReversed();
  return newestFirst === undefined ? null : new Map(newestFirst.flatMap((order) => {
    const replaced = readReplacedUid(order);
    return replaced === null ? [] : [[replaced.toLowerCase(), order] as const];
  }));
}

/** The order that an order replaced, by its own app data; `null` if none. */
export function readReplacedUid(order: Order): string | null {
  const uid: unknown = parseOrderAppData(order)?.metadata?.replacedOrder?.uid;
  return typeof uid === "string" ? uid : null;
}
