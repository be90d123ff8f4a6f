import { DecodeError } from "../../errors/mod.ts";
import { exchangesIn } from "../../recordings/read_recording.ts";
import { type Exchange, parseExchange } from "../../recordings/exchange.ts";
import { routeOf } from "../../recordings/request_key.ts";
import {
  type Competition,
  type DebugReport,
  decodeAppDataRegistration,
  decodeCompetition,
  decodeDebugReport,
  decodeOrdersByUids,
  decodeTrades,
  type Order,
  type Trade,
} from "../../schemas/mod.ts";

/** A decoded answer of a dataset, by its kind. */
export type ShardRecord =
  | { readonly kind: "competition"; readonly competition: Competition }
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "trade"; readonly trade: Trade }
  | { readonly kind: "app_data"; readonly hash: string; readonly document: string }
  | { readonly kind: "report"; readonly report: DebugReport };

/** Reads the lines of a file, and then the competitions among them. */
export interface AuctionDecoder {
  /** Reads a line, as {@linkcode parseExchange} does. */
  parse(line: string, where: string): Exchange;
  /** Decodes the body of the line that was read last, as {@linkcode decodeCompetition} does. */
  decode(body: unknown): Competition;
}

/**
 * Decodes the answers of a file one after another. What cannot be decoded is left out: it stays in
 * the file, for a version of the library that can.
 *
 * @param auctions Reads lines, and competitions.
 * @throws {InputError} If the file cannot be read.
 */
export async function* shardRecords(
  file: string,
  auctions: AuctionDecoder = { parse: parseExchange, decode: decodeCompetition },
): AsyncGenerator<ShardRecord, void, undefined> {
  for await (const exchange of exchangesIn(file, (...line) => auctions.parse(...line))) {
    if (exchange.status !== 200) continue;
    try {
      yield* recordsOf(exchange, auctions);
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof SyntaxError)) throw error;
    }
  }
}

const COMPETITION = /^\/api\/v2\/solver_competition\//;
const APP_DATA = /^\/api\/v1\/app_data\/(0x[0-9a-f]{64})$/i;
const REPORT = /\/debug\/order\/0x/;

function* recordsOf(
  { method, path, responseBody }: Exchange,
  auctions: AuctionDecoder,
): Generator<ShardRecord> {
  const body: unknown = JSON.parse(responseBody);
  const [, hash] = APP_DATA.exec(path) ?? [];
  if (method === "POST" && path === "/api/v1/orders/by_uids") {
    for (const { order } of decodeOrdersByUids(body).items) {
      if (order !== undefined) yield { kind: "order", order };
    }
  } else if (method !== "GET") return;
  else if (COMPETITION.test(path)) {
    yield { kind: "competition", competition: auctions.decode(body) };
  } else if (routeOf(path) === "/api/v2/trades?orderUid") {
    for (const trade of decodeTrades(body).items) yield { kind: "trade", trade };
  } else if (hash !== undefined) {
    yield { kind: "app_data", hash, document: decodeAppDataRegistration(body).fullAppData };
  } else if (REPORT.test(path)) {
    yield { kind: "report", report: decodeDebugReport(body) };
  }
}
