import { NotRecordedError } from "../errors/mod.ts";
import type { HttpRequest } from "../http/mod.ts";
import { type AuctionRange, isObject } from "./deployment.ts";
import { findOtherSpelling, type KeyedExchange, type Recording } from "./recording.ts";
import {
  normalizePath,
  type RecordedResponse,
  toJson,
  toRoute,
  tryParseJson,
} from "./request_key.ts";

const variable = /(0x[0-9a-f]+|(?<=\/)\d+$)/;
const nearestShown = 3;
const routesShown = 12;

/** Creates the error for a request that was not recorded, with similar recorded requests. */
export function toNotRecorded(
  recording: Recording,
  request: HttpRequest,
  context: {
    readonly recording: string;
    readonly near: Readonly<Record<string, string>> | undefined;
  },
): NotRecordedError {
  const { method, path, body } = request;
  const key = normalizePath(path);
  const spelling = findOtherSpelling(key);
  const target = spelling === undefined || findOnRoute(recording, method, key).length > 0
    ? key
    : spelling;
  const recorded = findOnRoute(recording, method, target);
  const count = recorded.length === 0 ? "none" : recorded.length;
  return new NotRecordedError(`Cannot replay ${method} ${path}: it was never recorded`, {
    facts: {
      recording: context.recording,
      ...(body === undefined || body === "" ? {} : { body: truncate(body, 120) }),
      route: `${method} ${toRoute(target)}, ${count} recorded`,
      ...(context.near ??
        (recorded.length === 0
          ? { "recorded routes": formatRoutes(recording) }
          : method === "GET"
          ? describeNearest(target, recorded)
          : describeNearestBody(body, recorded))),
    },
    isRouteRecorded: recorded.length > 0,
    remedy:
      "Request only what the replay's `recorded` lists, or record this request with `record(transport, folder)` and replay that folder",
  });
}

function findOnRoute(recording: Recording, method: string, key: string): readonly KeyedExchange[] {
  return recording.routes.get(`${method} ${toRoute(key)}`) ?? [];
}

function describeNearest(
  target: string,
  sameRoute: readonly KeyedExchange[],
): Record<string, string> {
  const keys = [...new Set(sameRoute.map(({ key }) => key))];
  const nearest = findNearestKeys(keys, target).map((key) => shortenKey(key, target));
  return { nearest: nearest.join(", ") };
}

/** Finds the nearest keys: by number if the key ends in one, otherwise by the longest common prefix. */
function findNearestKeys(keys: readonly string[], target: string): string[] {
  const number = parseNumber(target);
  const distance = number === undefined
    ? (key: string) => -countCommon(key, target)
    : (key: string) => Math.abs((parseNumber(key) ?? Infinity) - number);
  return keys
    .map((key) => ({ key, distance: distance(key) }))
    .sort((a, b) => a.distance - b.distance || compareTexts(a.key, b.key))
    .slice(0, nearestShown)
    .map(({ key }) => key)
    .sort((a, b) => (parseNumber(a) ?? 0) - (parseNumber(b) ?? 0) || compareTexts(a, b));
}

function describeNearestBody(
  body: string | undefined,
  sameRoute: readonly KeyedExchange[],
): Record<string, string> {
  const requestedFields = parseFields(body);
  const best = sameRoute
    .map(({ exchange }) => diffFields(requestedFields, parseFields(exchange.requestBody)))
    .filter((fields) => fields.length > 0)
    .sort((a, b) => a.length - b.length)[0];
  return best === undefined ? {} : { nearest: `a body that differs in ${best.join(", ")}` };
}

function parseFields(body: string | undefined): Map<string, string> {
  const value = tryParseJson(body);
  if (!isObject(value)) return new Map();
  return new Map(Object.entries(value).map(([key, field]) => [key, JSON.stringify(field)]));
}

function diffFields(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}

function formatRoutes(recording: Recording): string {
  const counts = countRoutes(recording);
  const texts = counts.slice(0, routesShown).map(([route, count]) => `${route} (${count})`);
  const more = counts.length - texts.length;
  return texts.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** Counts exchanges per route, such as `GET /api/v1/orders/{uid}`, the largest first. */
export function countRoutes({ routes }: Recording): [route: string, count: number][] {
  return Array.from(routes, ([route, { length }]): [string, number] => [route, length])
    .sort(([, a], [, b]) => b - a);
}

/** Returns the part in which a key differs from the requested one, if there is just one such part. */
function shortenKey(key: string, target: string): string {
  const parts = key.split(variable);
  const targetParts = target.split(variable);
  const different = parts.filter((part, index) => part !== targetParts[index]);
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : key;
}

function parseNumber(key: string): number | undefined {
  const digits = /\/(\d+)$/.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Counts the characters that two texts begin with alike. */
export function countCommon(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

const byId = /^\/api\/v2\/solver_competition\/(\d+)$/;
const byHash = /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/;
const settlements = /"(?:transactionHashes"\s*:\s*\[[^\]]*\]|txHash"\s*:\s*"0x[0-9a-fA-F]{64}")/g;
const hashes = /0x[0-9a-fA-F]{64}/g;
const notFoundBody = '{"errorType":"NotFound","description":"solver competition not found"}';
const routeById = "/api/v2/solver_competition/";
const latestPath = `${routeById}latest`;

/** The competitions of a recording. */
export interface RecordedCompetitions {
  /** Auction ids whose competition was recorded, ascending. */
  readonly ids: readonly number[];
  /** Auction id of the recorded `latest` response. */
  readonly latest?: number;
  /** Finds the auction that a transaction settled, by its hash in lower case. */
  readonly findAuction: (txHash: string) => number | undefined;
}

/** Collects the auction ids of recorded competitions. */
export function collectCompetitions(recording: Recording): RecordedCompetitions {
  const ids: number[] = [];
  for (const [key, { status }] of recording.gets) {
    const id = byId.exec(key)?.[1];
    if (id !== undefined && status === 200) ids.push(Number(id));
  }
  ids.sort((a, b) => a - b);
  const latest = recording.get(latestPath);
  const id = /"auctionId"\s*:\s*(\d+)/.exec(latest?.status === 200 ? latest.responseBody : "")?.[1];
  let auctionByTx: Map<string, number> | undefined;
  const findAuction = (txHash: string) =>
    (auctionByTx ??= indexBySettlement(recording, ids)).get(txHash);
  return id === undefined ? { ids, findAuction } : { ids, latest: Number(id), findAuction };
}

/** Indexes auctions by the transactions that settled them, as their competitions name them. */
function indexBySettlement(recording: Recording, ids: readonly number[]): Map<string, number> {
  const auctionByTx = new Map<string, number>();
  for (const id of ids) {
    const body = recording.get(`${routeById}${id}`)?.responseBody ?? "";
    for (const [text] of body.matchAll(settlements)) {
      for (const [hash] of text.matchAll(hashes)) auctionByTx.set(hash.toLowerCase(), id);
    }
  }
  return auctionByTx;
}

/**
 * Derives a competition response: the newest competition for `latest`, that of an auction for the
 * transaction which settled it, and the service's 404 for an
 * id that the recording proves absent, in a gap of a complete range or above the latest.
 */
export function composeCompetition(
  { ids, latest, findAuction }: RecordedCompetitions,
  path: string,
  context: { readonly recording: Recording; readonly walked: AuctionRange | undefined },
): RecordedResponse | undefined {
  const newest = ids.at(-1);
  if (path === latestPath) {
    return newest === undefined ? undefined : context.recording.get(`${routeById}${newest}`);
  }
  const hash = byHash.exec(path)?.[1];
  if (hash !== undefined) {
    const auctionId = findAuction(hash);
    return auctionId === undefined ? undefined : context.recording.get(`${routeById}${auctionId}`);
  }
  const id = Number(byId.exec(path)?.[1] ?? NaN);
  if (!Number.isSafeInteger(id)) return undefined;
  const { walked } = context;
  const isGap = walked !== undefined && walked.from <= id && id <= walked.to;
  const isAhead = latest !== undefined && id > latest && (newest === undefined || newest <= latest);
  return isGap || isAhead ? toJson(404, notFoundBody) : undefined;
}
