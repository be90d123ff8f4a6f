import { DecodeError } from "../../errors/mod.ts";
import {
  isRpc,
  parseBlock,
  parseSettlement,
  readExchanges,
  type RecordedSettlement,
} from "../../recordings/recording.ts";
import { type Exchange, parseExchange, splitPath, toRoute } from "../../recordings/request_key.ts";
import {
  type Competition,
  type DebugReport,
  decodeAppDataRegistration,
  decodeCompetition,
  decodeDebugReport,
  decodeOrdersByUids,
  decodeTrades,
  drift,
  type KindedBody,
  type Order,
  type Trade,
  type WireKind,
} from "../../schemas/mod.ts";
import { isExpected } from "../../schemas/drift.ts";
import { padId } from "../layout/files.ts";
import type { DatasetDrift } from "../layout/manifest.ts";

/**
 * A decoded answer of a dataset, by its kind. `fills` says that the fills of an order were answered,
 * of which there may be none; `no_order` that the service does not have an order.
 */
export type ShardRecord =
  | { readonly kind: "competition"; readonly competition: Competition }
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "trade"; readonly trade: Trade }
  | { readonly kind: "fills"; readonly orderUid: string }
  | { readonly kind: "no_order"; readonly orderUid: string }
  | { readonly kind: "app_data"; readonly hash: string; readonly document: string }
  | { readonly kind: "report"; readonly report: DebugReport }
  | {
    readonly kind: "block";
    readonly number: number;
    readonly at: Temporal.Instant;
    /** Whether the table of another shard has it. */
    readonly isElsewhere: boolean;
  }
  | { readonly kind: "settlement" } & RecordedSettlement;

/** Takes each answer with its body. */
type OnBody = (exchange: Exchange, body: unknown) => void;

/** Reads the lines of a file, and then the competitions among them. */
export interface AuctionDecoder {
  /** Reads a line, as {@linkcode parseExchange} does. */
  parse(line: string, where: string): Exchange;
  /** Decodes the body of the line that was read last, as {@linkcode decodeCompetition} does. */
  decode(body: unknown): Competition;
}

/**
 * Decodes the answers of a file one after another. What cannot be decoded, or is about something
 * else than was asked for, is left out: it stays in the file, for a version of the library that can.
 *
 * @param auctions Reads lines, and competitions.
 * @param see Called with the body of each answer but those of a node.
 * @throws {InputError} If the file cannot be read.
 */
export async function* readRecords(
  file: string,
  auctions: AuctionDecoder = { parse: parseExchange, decode: decodeCompetition },
  see: OnBody = () => {},
): AsyncGenerator<ShardRecord, void, undefined> {
  for await (const exchange of readExchanges(file, (...line) => auctions.parse(...line))) {
    if (exchange.status !== 200) continue;
    try {
      yield* decodeRecords(exchange, auctions, see);
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof SyntaxError)) throw error;
    }
  }
}

const COMPETITION = /^\/api\/v2\/solver_competition\//;
const APP_DATA = /^\/api\/v1\/app_data\/(0x[0-9a-f]{64})$/i;
const REPORT = /\/debug\/order\/0x/;

function* decodeRecords(
  exchange: Exchange,
  auctions: AuctionDecoder,
  see: OnBody,
): Generator<ShardRecord> {
  const { method, path, responseBody } = exchange;
  if (isRpc(exchange)) {
    yield* decodeNodeRecords(exchange);
    return;
  }
  const body: unknown = JSON.parse(responseBody);
  see(exchange, body);
  const [, hash] = APP_DATA.exec(path) ?? [];
  if (method === "POST" && path === "/api/v1/orders/by_uids") {
    const { items } = decodeOrdersByUids(body);
    for (const { order } of items) if (order !== undefined) yield { kind: "order", order };
    if (items.length === 0) yield* listAbsentOrders(exchange);
  } else if (method !== "GET") return;
  else if (COMPETITION.test(path)) {
    if (isOfAuction(path, body)) yield { kind: "competition", competition: auctions.decode(body) };
  } else if (toRoute(path) === "/api/v2/trades?orderUid") {
    const [, uid] = splitPath(path).fields.find(([name]) => name === "orderUid") ?? [];
    if (uid !== undefined) yield { kind: "fills", orderUid: uid.toLowerCase() };
    for (const trade of decodeTrades(body).items) {
      if (isOfOrder(path, trade)) yield { kind: "trade", trade };
    }
  } else if (hash !== undefined) {
    yield { kind: "app_data", hash, document: decodeAppDataRegistration(body).fullAppData };
  } else if (REPORT.test(path)) {
    const report = decodeDebugReport(body);
    if (isOfOrder(path, report)) yield { kind: "report", report };
  }
}

/** The orders that a response without any says are not there. */
function* listAbsentOrders({ requestBody }: Exchange): Generator<ShardRecord> {
  const uids: unknown = JSON.parse(requestBody ?? "[]");
  for (const uid of Array.isArray(uids) ? uids : []) {
    yield { kind: "no_order", orderUid: String(uid).toLowerCase() };
  }
}

function* decodeNodeRecords(exchange: Exchange): Generator<ShardRecord> {
  const settlement = parseSettlement(exchange);
  if (settlement !== null) yield { kind: "settlement", ...settlement };
  const block = parseBlock(exchange);
  if (block === null) return;
  const { number, seconds } = block;
  const at = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
  yield { kind: "block", number, at, isElsewhere: exchange.path.includes("?in=") };
}

/** Whether an answer is about the auction that was asked for: a service may answer for another. */
function isOfAuction(path: string, body: unknown): boolean {
  const id = /\/(\d+)$/.exec(path)?.[1];
  return id === undefined || Number(id) === Object(body).auctionId;
}

function isOfOrder(path: string, { orderUid }: { readonly orderUid: string }): boolean {
  return path.includes(orderUid) || path.toLowerCase().includes(orderUid.toLowerCase());
}

/** What is read of each route; lists have one body for each element. */
const KINDS: Readonly<Record<string, WireKind>> = {
  "GET /api/v2/solver_competition/{id}": "competition_v2",
  "GET /api/v2/solver_competition/by_tx_hash/{hash}": "competition_v2",
  "POST /api/v1/orders/by_uids": "order_by_uid",
  "GET /api/v1/account/{address}/orders": "order",
  "GET /api/v2/trades?orderUid": "trade",
  "GET /restricted/api/v1/debug/order/{uid}": "debug_report",
};
const MAX_VALUE_CHARS = 80;

/** A time after every change of responses that this version knows. */
const LATEST = Temporal.Instant.from("2100-01-01T00:00:00Z");

/** Counts, response by response, how they differ from what this version of the library knows. */
export class DriftCounter {
  readonly #drifts: DatasetDrift[] = [];

  /** Takes an answer with its body. */
  add({ method, path }: Exchange, body: unknown): void {
    const kind = KINDS[`${method} ${toRoute(path)}`];
    if (kind === undefined) return;
    const bodies = [body].flat().map((element): KindedBody => ({ kind, body: element }));
    const report = drift(bodies, { sentAt: LATEST });
    const { unknownFields, unknownValues, unreadableMembers, missingFields } = report;
    const lists = [unknownFields, unknownValues, unreadableMembers, missingFields];
    if (lists.every((list) => list.length === 0)) return;
    this.#drifts.push({
      unknownFields: unknownFields.map(({ kind, path, count }) => ({ kind, path, count })),
      unknownValues: unknownValues.map(({ kind, path, count, value }) => {
        return { kind, path, value: value.slice(0, MAX_VALUE_CHARS), count };
      }),
      unreadableMembers: unreadableMembers.map(({ kind, path, count }) => ({ kind, path, count })),
      missingFields: missingFields.map(({ kind, path, since, count }) => {
        return { kind, path, since, count };
      }),
    });
  }

  /**
   * The counts of all responses.
   *
   * @param latest A time that they name, so that they were not all sent before it: a field that
   * responses have since a later day is not missed.
   */
  sum(latest: Temporal.Instant): DatasetDrift {
    const { missingFields, ...others } = sumDrift(this.#drifts);
    return {
      ...others,
      missingFields: missingFields.filter(({ since }) => isExpected(since, latest)),
    };
  }
}

/** The counts of several files together, by kind, path and value. */
export function sumDrift(found: readonly DatasetDrift[]): DatasetDrift {
  return {
    unknownFields: groupCounts(found.flatMap(({ unknownFields }) => unknownFields)),
    unknownValues: groupCounts(found.flatMap(({ unknownValues }) => unknownValues)),
    unreadableMembers: groupCounts(found.flatMap(({ unreadableMembers }) => unreadableMembers)),
    missingFields: groupCounts(found.flatMap(({ missingFields }) => missingFields)),
  };
}

/** Counts of the same names added up, and those of groups within them. */
export function sumCounts<Counts extends object>(all: readonly Counts[]): Counts {
  const sums = new Map<string, unknown>();
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts))) {
    const before = sums.get(name);
    const isNumber = typeof count === "number";
    sums.set(name, isNumber ? Number(before ?? 0) + count : sumCounts([Object(before), count]));
  }
  return Object.fromEntries(sums) as Counts;
}

function groupCounts<Counted extends { readonly count: number }>(
  counted: readonly Counted[],
): Counted[] {
  const sums = new Map<string, Counted>();
  for (const one of counted) {
    const key = JSON.stringify({ ...one, count: 0 });
    sums.set(key, { ...one, count: (sums.get(key)?.count ?? 0) + one.count });
  }
  return [...sums].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}

/** What an answer of a dataset is the answer for. */
export interface ItemKey {
  /** Its kind; `other` for what this version does not know. */
  readonly kind: string;
  /** Its key, as exports have it. */
  readonly key: string;
}

/** Routes of answers, and what of the path is the key. */
const ROUTES: readonly (readonly [kind: string, route: RegExp])[] = [
  ["competition", /^\/api\/v2\/solver_competition\/(\d+)$/],
  ["transaction", /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/i],
  ["account", /^\/api\/v1\/account\/(0x[0-9a-f]{40})\/orders$/i],
  ["app_data", /^\/api\/v1\/app_data\/(0x[0-9a-f]{64})$/i],
  ["report", /\/debug\/order\/(0x[0-9a-f]{112})$/i],
];

/** Whether an answer says that there is no such thing: a list of the order asked for is empty then. */
export function isAbsence(
  kind: string,
  { status, responseBody }: Pick<Exchange, "status" | "responseBody">,
): boolean {
  return status !== 200 || kind === "order" && /^\s*\[\s*\]/.test(responseBody);
}

/**
 * Tells what an answer is the answer for.
 *
 * @param shard Name of its file: every file asks for its blocks by itself.
 */
export function identifyItem(exchange: Exchange, shard: string): ItemKey {
  const { method, path, requestBody } = exchange;
  const block = isRpc(exchange) ? parseBlock(exchange) : null;
  if (block !== null) return { kind: "block", key: `${padId(block.number)} ${shard}` };
  const settlement = parseSettlement(exchange);
  if (settlement !== null) return { kind: "receipt", key: settlement.txHash };
  const { route, fields } = splitPath(path);
  if (method === "POST" && route === "/api/v1/orders/by_uids") {
    const uids: unknown = JSON.parse(requestBody ?? "[]");
    if (Array.isArray(uids) && uids.length === 1) {
      return { kind: "order", key: String(uids[0]).toLowerCase() };
    }
  }
  if (method === "GET" && route === "/api/v2/trades") {
    const [, uid] = fields.find(([name]) => name === "orderUid") ?? [];
    if (uid !== undefined) return { kind: "trades", key: uid.toLowerCase() };
  }
  for (const [kind, pattern] of method === "GET" ? ROUTES : []) {
    const [, key] = pattern.exec(route) ?? [];
    if (key === undefined) continue;
    return { kind, key: kind === "competition" ? padId(Number(key)) : key.toLowerCase() };
  }
  return { kind: "other", key: `${method} ${path} ${requestBody ?? ""}` };
}
