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
  decodeInstance,
  decodeOrdersByUids,
  decodeTrades,
  drift,
  type Instance,
  type KindedBody,
  type Order,
  type Trade,
  type WireKind,
} from "../../schemas/mod.ts";
import { isExpected } from "../../schemas/drift.ts";
import { parseInstancePath } from "../../endpoints/instances.ts";
import { padId } from "../layout/files.ts";
import type { DatasetDrift } from "../layout/manifest.ts";

/**
 * A decoded record of a dataset, by its kind. `fills` says that there is a response for the fills
 * of an order, which may be empty; `no_order` that the service does not have an order.
 */
export type ShardRecord =
  | { readonly kind: "competition"; readonly competition: Competition }
  | {
    readonly kind: "instance";
    readonly auctionId: number;
    readonly instance: Instance;
  }
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

/** Called with each response and its parsed body. */
type OnBody = (exchange: Exchange, body: unknown) => void;

/** Reads the lines of a file, and then the competitions among them. */
export interface AuctionDecoder {
  /** Reads a line, as {@linkcode parseExchange} does. */
  parse(line: string, where: string): Exchange;
  /** Decodes the body of the line that was read last, as {@linkcode decodeCompetition} does. */
  decode(body: unknown): Competition;
}

/**
 * Decodes the responses of a file one after another. Skips what cannot be decoded, or is about
 * another item than was requested: it stays in the file, for a version of the library that can.
 *
 * @param auctions Reads lines, and competitions.
 * @param onBody Called with the body of each response of the service.
 * @throws {InputError} If the file cannot be read.
 */
export async function* readRecords(
  file: string,
  auctions: AuctionDecoder = { parse: parseExchange, decode: decodeCompetition },
  onBody: OnBody = () => {},
): AsyncGenerator<ShardRecord, void, undefined> {
  for await (const exchange of readExchanges(file, (...line) => auctions.parse(...line))) {
    if (exchange.status !== 200) continue;
    try {
      yield* decodeRecords(exchange, auctions, onBody);
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
  onBody: OnBody,
): Generator<ShardRecord> {
  const { method, path, responseBody } = exchange;
  if (isRpc(exchange)) {
    yield* decodeNodeRecords(exchange);
    return;
  }
  const body: unknown = JSON.parse(responseBody);
  onBody(exchange, body);
  const [, hash] = APP_DATA.exec(path) ?? [];
  const instanceOf = method === "GET" ? parseInstancePath(path) : null;
  if (method === "POST" && path === "/api/v1/orders/by_uids") {
    const { items } = decodeOrdersByUids(body);
    for (const { order } of items) if (order !== undefined) yield { kind: "order", order };
    if (items.length === 0) yield* listAbsentOrders(exchange);
  } else if (method !== "GET") return;
  else if (COMPETITION.test(path)) {
    if (isOfAuction(path, body)) yield { kind: "competition", competition: auctions.decode(body) };
  } else if (instanceOf !== null) {
    const instance = decodeInstance(body);
    const { id = instanceOf } = instance;
    if (id === instanceOf) yield { kind: "instance", auctionId: id, instance: { ...instance, id } };
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

/** Lists the requested orders of an empty response: they do not exist. */
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
  const minedAt = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
  yield { kind: "block", number, at: minedAt, isElsewhere: exchange.path.includes("?in=") };
}

/** Whether a response is about the requested auction: a service may return another. */
function isOfAuction(path: string, body: unknown): boolean {
  const id = /\/(\d+)$/.exec(path)?.[1];
  return id === undefined || Number(id) === Object(body).auctionId;
}

function isOfOrder(path: string, { orderUid }: { readonly orderUid: string }): boolean {
  return path.includes(orderUid) || path.toLowerCase().includes(orderUid.toLowerCase());
}

/** Kind of wire object of each route; lists have one body per element. */
const KINDS: Readonly<Record<string, WireKind>> = {
  "GET /api/v2/solver_competition/{id}": "competition_v2",
  "GET /api/v2/solver_competition/by_tx_hash/{hash}": "competition_v2",
  "POST /api/v1/orders/by_uids": "order_by_uid",
  "GET /instances/{id}.json": "instance",
  "GET /api/v1/account/{address}/orders": "order",
  "GET /api/v2/trades?orderUid": "trade",
  "GET /restricted/api/v1/debug/order/{uid}": "debug_report",
};
const MAX_VALUE_CHARS = 80;

/** A time after every change of responses that this version knows. */
const LATEST = Temporal.Instant.from("2100-01-01T00:00:00Z");

/** Counts how responses differ from what this version of the library knows. */
export class DriftCounter {
  readonly #drifts: DatasetDrift[] = [];

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
   * Returns the counts of all responses.
   *
   * @param latest A time in the responses, so that not all were sent before it: a field that
   *   responses have since a later day is not missing.
   */
  sum(latest: Temporal.Instant): DatasetDrift {
    const { missingFields, ...drifts } = sumDrift(this.#drifts);
    return {
      ...drifts,
      missingFields: missingFields.filter(({ since }) => isExpected(since, latest)),
    };
  }
}

/** Adds up the counts of several files, by kind, path and value. */
export function sumDrift(drifts: readonly DatasetDrift[]): DatasetDrift {
  return {
    unknownFields: groupCounts(drifts.flatMap(({ unknownFields }) => unknownFields)),
    unknownValues: groupCounts(drifts.flatMap(({ unknownValues }) => unknownValues)),
    unreadableMembers: groupCounts(drifts.flatMap(({ unreadableMembers }) => unreadableMembers)),
    missingFields: groupCounts(drifts.flatMap(({ missingFields }) => missingFields)),
  };
}

/** Adds up counts of the same names, and those of groups within them. */
export function sumCounts<Counts extends object>(parts: readonly Counts[]): Counts {
  const sums = new Map<string, unknown>();
  for (const [name, count] of parts.flatMap((counts) => Object.entries(counts))) {
    const sum = sums.get(name);
    const isNumber = typeof count === "number";
    sums.set(name, isNumber ? Number(sum ?? 0) + count : sumCounts([Object(sum), count]));
  }
  return Object.fromEntries(sums) as Counts;
}

function groupCounts<Counted extends { readonly count: number }>(
  entries: readonly Counted[],
): Counted[] {
  const sums = new Map<string, Counted>();
  for (const entry of entries) {
    const key = JSON.stringify({ ...entry, count: 0 });
    sums.set(key, { ...entry, count: (sums.get(key)?.count ?? 0) + entry.count });
  }
  return [...sums].sort(([a], [b]) => a < b ? -1 : 1).map(([, entry]) => entry);
}

/** Identifies the item of a response. */
export interface ItemKey {
  /** Its kind; `other` if unknown to this version. */
  readonly kind: string;
  /** Its key, as exports have it. */
  readonly key: string;
}

/** Routes, and the part of the path that is the key. */
const ROUTES: readonly (readonly [kind: string, route: RegExp])[] = [
  ["competition", /^\/api\/v2\/solver_competition\/(\d+)$/],
  ["instance", /^\/instances\/(\d+)\.json$/],
  ["transaction", /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/i],
  ["account", /^\/api\/v1\/account\/(0x[0-9a-f]{40})\/orders$/i],
  ["app_data", /^\/api\/v1\/app_data\/(0x[0-9a-f]{64})$/i],
  ["report", /\/debug\/order\/(0x[0-9a-f]{112})$/i],
];

/**
 * Whether a response says that the item does not exist: the list of a requested order is then empty.
 */
export function isAbsence(
  kind: string,
  { status, responseBody }: Pick<Exchange, "status" | "responseBody">,
): boolean {
  return status !== 200 || kind === "order" && /^\s*\[\s*\]/.test(responseBody);
}

/**
 * Returns the item of a response.
 *
 * @param shard Name of its file: every file requests its own blocks.
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
    const isId = kind === "competition" || kind === "instance";
    return { kind, key: isId ? padId(Number(key)) : key.toLowerCase() };
  }
  return { kind: "other", key: `${method} ${path} ${requestBody ?? ""}` };
}
