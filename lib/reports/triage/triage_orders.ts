import type { OrderBook } from "../../client/order_book.ts";
import { readClock } from "../../client/track_order.ts";
import { fetchTrades } from "../../client/trade_request.ts";
import { type CallOptions, CONCURRENCY, mapInOrder, type Progress } from "../../endpoints/calls.ts";
import { UIDS_PER_REQUEST } from "../../endpoints/orders_by_uids.ts";
import { classifyFailure } from "../../errors/failure_kind.ts";
import { OrderlensError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import { assessSettlement } from "../../metrics/mod.ts";
import { isReturned } from "../../metrics/orders/settlement_outlook.ts";
import { readFilled } from "../../metrics/orders/lifecycle_facts.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { BOOKS } from "../locate.ts";
import { assembleReport } from "../order/assemble_report.ts";
import {
  fetchCompetitions,
  fetchDebugReport,
  fetchReplacements,
  type OrderRecords,
  selectTrades,
} from "../order/gather_evidence.ts";
import { INSPECT_NOUN_OPTIONS } from "../order/inspect_order.ts";
import { createNameLookup } from "../order/report_parts.ts";
import {
  fetchOptional,
  fetchStated,
  type MaybeRecord,
  MissingResponses,
  recordOrNull,
} from "../order/report_requests.ts";
import { toEmptyRow, toTriageRow, type TriageRow } from "./triage_row.ts";

/** Options of {@linkcode triageOrders}. */
export interface TriageOptions extends CallOptions {
  /**
   * Other deployments, searched one after another for orders that the book does not have; the one
   * that had most orders so far is searched first. @default {none}
   */
  elsewhere?: Iterable<OrderBook> | undefined;
  /**
   * Whether to read the auction of each fill too: one more request per settlement, which distinguishes
   * fills in time from late ones, and from liquidity that a solver brought. @default {false}
   */
  settlements?: boolean | undefined;
  /** Maximum number of orders whose own requests are pending at once, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Names of solvers by address in lower case, preferred to those that ship. @default {none} */
  solvers?: ReadonlyMap<string, string> | undefined;
  /** Called for each row, with the number of rows and of the UIDs read so far. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

const OPTIONS: OptionRules<TriageOptions> = {
  elsewhere: BOOKS,
  settlements: Boolean,
  concurrency: CONCURRENCY,
  solvers: INSPECT_NOUN_OPTIONS.solvers,
  onProgress: Function,
  signal: AbortSignal,
};

const DEFAULT_CONCURRENCY = 4;

/** A deployment, a function that reads its evidence, and the number of orders that it had so far. */
interface Candidate {
  readonly book: OrderBook;
  readonly readEvidence: ReturnType<typeof createEvidenceReader>;
  foundCount: number;
}

/** Result of the lookup of one UID. */
type OrderLookup =
  | { readonly uid: string; readonly candidate: Candidate; readonly order: Order }
  | { readonly uid: string; readonly candidate: Candidate; readonly error: OrderlensError }
  | { readonly uid: string; readonly candidate: Candidate };

/**
 * Judges many orders with as few requests as their verdicts need: a row per order, each once, in the
 * order of the UIDs.
 *
 * One request has 128 orders. A filled order then takes one for its trades; an order that was not
 * filled takes one for its debug report, or for its stage where the deployment gives no reports (one
 * request finds out). The stage of a cancelled order is read only while it may still be settled.
 * Verdicts are those of {@linkcode inspectOrder} from the same responses; a fill counts as in time
 * unless `settlements` is set. An order whose requests fail becomes a row with the verdict `not_read`,
 * and the others continue. Memory holds 128 orders and the UIDs.
 *
 * @param book The deployment, a recording or the sandbox.
 * @param uids UIDs in any letter case; a repeated one is judged once.
 * @throws {InputError} If a UID or an option is invalid.
 * @throws {OrderlensError} If the orders themselves cannot be requested.
 *
 * @example Every order of a recording
 * ```ts
 * import { connect } from "orderlens";
 * import { triageOrders } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const uids = recording.recorded.orderUids.slice(0, 2);
 * const rows = await Array.fromAsync(triageOrders(connect(recording), uids));
 *
 * assertEquals(rows.map((row) => row.order_id), uids);
 * assertEquals(rows[1]?.verdict, "filled");
 * ```
 */
export async function* triageOrders(
  book: OrderBook,
  uids: Iterable<string> | AsyncIterable<string>,
  options: TriageOptions = {},
): AsyncGenerator<TriageRow, void, undefined> {
  checkOptions(options, OPTIONS, "Cannot triage orders");
  const { signal, onProgress, settlements = false } = options;
  const { concurrency = DEFAULT_CONCURRENCY, solvers = new Map<string, string>() } = options;
  const candidates = [book, ...options.elsewhere ?? []].map((candidateBook): Candidate => ({
    book: candidateBook,
    readEvidence: createEvidenceReader(candidateBook, settlements),
    foundCount: 0,
  }));
  const judge = (lookup: OrderLookup, taskSignal: AbortSignal) =>
    judgeRow(lookup, { solvers, signal: taskSignal });
  let done = 0;
  let readCount = 0;
  for await (const chunk of chunkUids(uids)) {
    signal?.throwIfAborted();
    readCount += chunk.length;
    const lookups = await findOrders(candidates, chunk, signal);
    for await (const row of mapInOrder(lookups, judge, { concurrency, signal })) {
      onProgress?.({ done: ++done, total: readCount });
      yield row;
    }
  }
}

/** Splits UIDs, in lower case and each once, into chunks of one request. */
async function* chunkUids(
  uids: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string[], void, undefined> {
  const seenUids = new Set<string>();
  let chunk: string[] = [];
  for await (const uid of uids) {
    const key = String(uid).toLowerCase();
    if (seenUids.has(key)) continue;
    seenUids.add(key);
    chunk.push(key);
    if (chunk.length < UIDS_PER_REQUEST) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Searches each candidate for the orders that those before lack, first the one with most finds so far.
 * The first candidate is the caller's deployment, under which orders stand that none has.
 */
async function findOrders(
  candidates: readonly Candidate[],
  uids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<OrderLookup[]> {
  const lookups = new HexMap<OrderLookup>();
  const failures = new HexMap<OrderLookup>();
  const [first] = candidates;
  let missingUids = uids;
  for (const candidate of candidates.toSorted((a, b) => b.foundCount - a.foundCount)) {
    if (missingUids.length === 0) break;
    try {
      const response = await candidate.book.orders(missingUids, { signal });
      for (const order of response.orders) {
        lookups.set(order.uid, { uid: order.uid, candidate, order });
      }
      for (const { uid, error } of response.failed) {
        if (uid !== undefined) lookups.set(uid, { uid, candidate, error });
      }
      candidate.foundCount += response.orders.length;
    } catch (error) {
      signal?.throwIfAborted();
      // Without the first deployment there is nothing to judge; the others may fail.
      const isFailure = error instanceof OrderlensError && classifyFailure(error) !== null;
      if (candidate === first || !isFailure) throw error;
      for (const uid of missingUids) failures.set(uid, { uid, candidate, error });
    }
    missingUids = missingUids.filter((uid) => !lookups.has(uid));
  }
  return uids.map((uid) => lookups.get(uid) ?? failures.get(uid) ?? { uid, candidate: first! });
}

async function judgeRow(
  lookup: OrderLookup,
  { solvers, signal }: {
    readonly solvers: ReadonlyMap<string, string>;
    readonly signal: AbortSignal;
  },
): Promise<TriageRow> {
  const { uid, candidate: { book, readEvidence: evidence } } = lookup;
  if (!("order" in lookup)) return toEmptyRow(uid, book, "error" in lookup ? lookup.error : null);
  try {
    const records = await evidence(lookup.order, signal);
    const report = await assembleReport(book, uid, { records, solvers, signal });
    const row = toTriageRow(report, createNameLookup(solvers, book));
    const gaps = records.missing.map(({ why }) => ` ${why}.`).join("");
    return { ...row, sentence: `${row.sentence}${gaps}` };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OrderlensError) return toEmptyRow(uid, book, error);
    throw error;
  }
}

/** Lookups of records that need not be requested; `undefined` if one must be. */
export interface CachedRecords {
  /** The fills of an order, oldest first. */
  readonly trades?: (uid: string) => readonly Trade[] | undefined;
  /** The debug report of an order. */
  readonly debugReport?: (uid: string) => DebugReport | undefined;
  /** The auction that a transaction settled, by its hash in lower case. */
  readonly competition?: (txHash: string) => Competition | undefined;
}

/** Maximum number of owners whose newest orders are cached, to find replacements. */
const MAX_OWNERS = 256;

/**
 * Creates a function that requests from one deployment what the verdict of an order needs beyond the
 * order, and no more: its trades if it has fills; if it was not filled, its debug report where the
 * deployment gives them, and otherwise its stage; if it was cancelled, the order that replaced it.
 */
export function createEvidenceReader(
  book: OrderBook,
  includesSettlements: boolean,
  cached: CachedRecords = {},
) {
  const replacements = new Map<string, ReturnType<typeof fetchReplacements>>();
  let firstReport: Promise<MaybeRecord<DebugReport>> | undefined;

  /** Waits for the first report, so that a deployment that refuses reports is requested only once. */
  const fetchReport = async (uid: string, gaps: MissingResponses, signal: AbortSignal) => {
    if (firstReport === undefined) {
      return await (firstReport = fetchDebugReport(book, uid, signal, gaps));
    }
    await firstReport.catch(() => {});
    return await fetchDebugReport(book, uid, signal, gaps);
  };

  const findReplacement = async (
    { uid, owner }: Order,
    gaps: MissingResponses,
    signal: AbortSignal,
  ) => {
    const key = owner.toLowerCase();
    const ownGaps = new MissingResponses();
    const request = replacements.get(key) ?? fetchReplacements(book, owner, signal, ownGaps);
    replacements.delete(key);
    replacements.set(key, request);
    const [oldest] = replacements.keys();
    if (replacements.size > MAX_OWNERS && oldest !== undefined) replacements.delete(oldest);
    request.catch(() => replacements.delete(key));
    const replacementsByUid = await request;
    // What did not come is requested again by the owner's next order.
    if (ownGaps.unknown.length > 0) replacements.delete(key);
    gaps.add(ownGaps.unknown);
    return replacementsByUid?.get(uid.toLowerCase()) ?? null;
  };

  return async (order: Order, signal: AbortSignal): Promise<OrderRecords> => {
    const isOver = order.status === "fulfilled" || isReturned(order);
    const now = readClock(book);
    // Without a time, its stage alone shows that a settlement was pending.
    const isPending = order.status === "open" || order.status === "expired" || now === null ||
      assessSettlement({ order, now }).mayStillSettle !== false;
    const missing = new MissingResponses();
    const noteTrades = missing.note("trades", "The trades of the order");
    const [tradesResponse, debugReport, replacement] = await Promise.all([
      cached.trades?.(order.uid) ??
        (readFilled(order)[0] > 0n
          ? fetchOptional(() => fetchTrades(book, order.uid, { signal }), noteTrades)
          : []),
      isOver
        ? "refused" as const
        : cached.debugReport?.(order.uid) ?? fetchReport(order.uid, missing, signal),
      order.status === "cancelled" ? findReplacement(order, missing, signal) : null,
    ]);
    const needsStage = isPending && !isOver && recordOrNull(debugReport) === null;
    const trades = selectTrades(order, { trades: tradesResponse, debugReport }, missing);
    const noteStage = missing.note("stage", "The stage of the order");
    const stage = needsStage
      ? await fetchStated(() => book.orderStatus(order.uid, { signal }), noteStage)
      : "refused";
    const competitions = includesSettlements
      ? await fetchCompetitions(book, trades, signal, missing, cached.competition)
      : [];
    return {
      ...{ order, trades, stage, debugReport, competitions, replacement },
      simulation: null,
      walked: null,
      missing: missing.unknown,
    };
  };
}
