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
  askForReport,
  type OrderAnswers,
  replacementsOf,
  settledIn,
} from "../order/gather_evidence.ts";
import { INSPECT_NOUN_OPTIONS } from "../order/inspect_order.ts";
import { namesOf } from "../order/report_parts.ts";
import { ask, type Asked, MissingResponses, recordOf } from "../order/report_requests.ts";
import { emptyRow, rowOf, type TriageRow } from "./triage_row.ts";

/** Options of {@linkcode triageOrders}. */
export interface TriageOptions extends CallOptions {
  /**
   * Other deployments, which are asked one after the other for orders that the book does not have;
   * the one that had most so far is asked first. @default {none}
   */
  elsewhere?: Iterable<OrderBook> | undefined;
  /**
   * Whether to read the auction of each fill too: one more request per settlement, which tells late
   * fills, and liquidity that a solver brought, from fills in time. @default {false}
   */
  settlements?: boolean | undefined;
  /** Orders whose own requests are under way at the same time, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Names of solvers by address in lower case, which come before those that ship. @default {none} */
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

const USUAL_CONCURRENCY = 4;

/** A deployment, what it is asked for, and how many of the orders it had so far. */
interface Place {
  readonly book: OrderBook;
  readonly evidence: ReturnType<typeof triageEvidence>;
  found: number;
}

/** What one request found out about a UID. */
type Found =
  | { readonly uid: string; readonly place: Place; readonly order: Order }
  | { readonly uid: string; readonly place: Place; readonly error: OrderlensError }
  | { readonly uid: string; readonly place: Place };

/**
 * Judges many orders with as few requests as their verdicts need: a row per order, each once, in the
 * order of the UIDs.
 *
 * One request has 128 orders. A filled order then takes one for its trades; an order that was not
 * filled takes one for its debug report, or for its stage where the deployment gives no reports,
 * which it is asked for once; a cancelled one only while it may still be settled. Verdicts are those of {@linkcode inspectOrder} from the same answers; a
 * fill counts as in time unless `settlements` is set. Memory holds 128 orders and the UIDs.
 *
 * An order whose requests fail is a row with the verdict `not_read`, and the next ones go on.
 *
 * @param book The deployment, a recording or the sandbox.
 * @param uids UIDs in any letter case; a repeated one is judged once.
 * @throws {InputError} If a UID or an option is invalid.
 * @throws {OrderlensError} If the orders themselves cannot be asked for.
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
  const { concurrency = USUAL_CONCURRENCY, solvers = new Map<string, string>() } = options;
  const places = [book, ...options.elsewhere ?? []].map((each): Place => ({
    book: each,
    evidence: triageEvidence(each, settlements),
    found: 0,
  }));
  const judge = (found: Found, ended: AbortSignal) => rowFor(found, { solvers, signal: ended });
  let done = 0;
  let read = 0;
  for await (const chunk of chunksOf(uids)) {
    signal?.throwIfAborted();
    read += chunk.length;
    const found = await findOrders(places, chunk, signal);
    for await (const row of mapInOrder(found, judge, { concurrency, signal })) {
      onProgress?.({ done: ++done, total: read });
      yield row;
    }
  }
}

/** UIDs in lower case, each once, in pieces of one request. */
async function* chunksOf(
  uids: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string[], void, undefined> {
  const seen = new Set<string>();
  let chunk: string[] = [];
  for await (const uid of uids) {
    const key = String(uid).toLowerCase();
    if (seen.has(key)) continue;
    seen.add(key);
    chunk.push(key);
    if (chunk.length < UIDS_PER_REQUEST) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Asks deployment after deployment for the orders that those before do not have. */
async function findOrders(
  places: Place[],
  uids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const found = new HexMap<Found>();
  const failures = new HexMap<Found>();
  const [first] = places;
  let missing = uids;
  for (const place of places) {
    if (missing.length === 0) break;
    try {
      const answer = await place.book.orders(missing, { signal });
      for (const order of answer.orders) found.set(order.uid, { uid: order.uid, place, order });
      for (const { uid, error } of answer.failed) {
        if (uid !== undefined) found.set(uid, { uid, place, error });
      }
      place.found += answer.orders.length;
    } catch (error) {
      signal?.throwIfAborted();
      // Without the first deployment there is nothing to judge; the others may fail.
      const isFailure = error instanceof OrderlensError && classifyFailure(error) !== null;
      if (place === first || !isFailure) throw error;
      for (const uid of missing) failures.set(uid, { uid, place, error });
    }
    missing = missing.filter((uid) => !found.has(uid));
  }
  places.sort((a, b) => b.found - a.found);
  return uids.map((uid) => found.get(uid) ?? failures.get(uid) ?? { uid, place: first! });
}

async function rowFor(
  found: Found,
  { solvers, signal }: {
    readonly solvers: ReadonlyMap<string, string>;
    readonly signal: AbortSignal;
  },
): Promise<TriageRow> {
  const { uid, place: { book, evidence } } = found;
  if (!("order" in found)) return emptyRow(uid, book, "error" in found ? found.error : null);
  try {
    const answers = await evidence(found.order, signal);
    const report = await assembleReport(book, uid, { answers, solvers, signal });
    const row = rowOf(report, namesOf(solvers, book));
    const gaps = answers.missing.map(({ why }) => ` ${why}.`).join("");
    return { ...row, sentence: `${row.sentence}${gaps}` };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OrderlensError) return emptyRow(uid, book, error);
    throw error;
  }
}

/** Records that need not be requested; each is `undefined` where it is to be requested. */
export interface KnownRecords {
  /** The fills of an order, oldest first. */
  readonly trades?: (uid: string) => readonly Trade[] | undefined;
  /** The debug report of an order. */
  readonly debugReport?: (uid: string) => DebugReport | undefined;
  /** The auction that a transaction settled, by its hash in lower case. */
  readonly competition?: (txHash: string) => Competition | undefined;
}

/** Owners whose newest orders are remembered, for replacements. */
const MOST_OWNERS = 256;

/**
 * Asks one deployment for what the verdict of an order needs besides the order, and for no more: its
 * trades if it has fills; if it was not filled, its debug report where the deployment gives them, and
 * its stage where it does not; if it was cancelled, the order that replaced it.
 */
export function triageEvidence(
  book: OrderBook,
  isWithSettlements: boolean,
  known: KnownRecords = {},
) {
  const replacements = new Map<string, Promise<ReadonlyMap<string, string>>>();
  let firstReport: Promise<Asked<DebugReport>> | undefined;

  /** One order asks first, so that a deployment that refuses is asked once. */
  const reportOf = async (uid: string, missing: MissingResponses, signal: AbortSignal) => {
    if (firstReport === undefined) {
      return await (firstReport = askForReport(book, uid, signal, missing));
    }
    await firstReport.catch(() => {});
    return await askForReport(book, uid, signal, missing);
  };

  const replacementOf = async (
    { uid, owner }: Order,
    missing: MissingResponses,
    signal: AbortSignal,
  ) => {
    const key = owner.toLowerCase();
    const failed = new MissingResponses();
    const known = replacements.get(key) ?? replacementsOf(book, owner, signal, failed);
    replacements.delete(key);
    replacements.set(key, known);
    const [oldest] = replacements.keys();
    if (replacements.size > MOST_OWNERS && oldest !== undefined) replacements.delete(oldest);
    known.catch(() => replacements.delete(key));
    const replaced = await known;
    // What did not come is asked for again by the owner's next order.
    if (failed.unknown.length > 0) replacements.delete(key);
    missing.add(failed.unknown);
    return replaced.get(uid.toLowerCase()) ?? null;
  };

  return async (order: Order, signal: AbortSignal): Promise<OrderAnswers> => {
    const isOver = order.status === "fulfilled" || isReturned(order);
    const outlook = assessSettlement({ order, now: readClock(book) });
    const isPending = order.status === "open" || order.status === "expired" ||
      outlook.mayStillSettle !== false;
    const missing = new MissingResponses();
    const noteTrades = missing.note("trades", "The trades of the order");
    const [asked, debugReport, replacedBy] = await Promise.all([
      known.trades?.(order.uid) ??
        (readFilled(order)[0] > 0n
          ? ask(() => fetchTrades(book, order.uid, { signal }), noteTrades)
          : []),
      isOver
        ? "refused" as const
        : known.debugReport?.(order.uid) ?? reportOf(order.uid, missing, signal),
      order.status === "cancelled" ? replacementOf(order, missing, signal) : null,
    ]);
    const needsStage = isPending && !isOver && recordOf(debugReport) === null;
    const trades = recordOf(asked) ?? [];
    const noteStage = missing.note("stage", "The stage of the order");
    const stage = needsStage
      ? await ask(() => book.orderStatus(order.uid, { signal }), noteStage)
      : "refused";
    const competitions = isWithSettlements
      ? await settledIn(book, trades, signal, missing, known.competition)
      : [];
    return {
      ...{ order, trades, stage, debugReport, competitions, replacedBy },
      simulation: null,
      walked: null,
      missing: missing.unknown,
    };
  };
}
