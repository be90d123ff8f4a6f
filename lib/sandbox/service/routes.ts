import { hashAppData } from "../../evm/mod.ts";
import { encodeNotification, encodeTrade, type Trade } from "../../schemas/mod.ts";
import { describeSandbox, type SandboxLimits } from "../handlers/terms.ts";
import { getAuction, getCompetition, getDebugReport } from "../handlers/competitions.ts";
import {
  createOrder,
  getAccountOrders,
  getOrder,
  getOrdersByUids,
  getOrderStatus,
  getTransactionOrders,
} from "../handlers/create_order.ts";
import { getInstance } from "../handlers/instances.ts";
import { quote, streamQuotes } from "../handlers/quote.ts";
import {
  cancelOneOrder,
  cancelOrders,
  simulateKnownOrder,
  simulateOrder,
} from "../handlers/simulate_order.ts";
import type { RecordedFill } from "../market/liquidity.ts";
import type { Market } from "../market/market.ts";
import { checkAppData } from "../wire/check_app_data.ts";
import {
  parsePathAuctionId,
  parsePathHash,
  parsePathHex,
  parsePathUid,
  readBody,
  readFields,
  readQueryValue,
  slicePage,
} from "../wire/fields.ts";
import { parseHex, parseUid, readText } from "../wire/loose_values.ts";
import { badRequest, json, orReject, rejection, type Reply, text } from "../wire/reply.ts";
import { handleRpc } from "./handle_rpc.ts";

/** An operation of the order book, named as in `orderlens`. */
export type Operation =
  | "accountOrders"
  | "appData"
  | "auction"
  | "cancelOrders"
  | "competition"
  | "createOrder"
  | "debugReport"
  | "instance"
  | "nativePrice"
  | "notifications"
  | "order"
  | "orderStatus"
  | "orders"
  | "quote"
  | "quotes"
  | "registerAppData"
  | "rpc"
  | "sandbox"
  | "simulation"
  | "tokenMetadata"
  | "totalSurplus"
  | "trades"
  | "transactionOrders"
  | "version";

/** Context of handling a request. */
interface RequestContext {
  /** The market. */
  readonly market: Market;
  /** The variable segment of the path; empty if there is none. */
  readonly param: string;
  /** The query. */
  readonly query: URLSearchParams;
  /** The body as text. */
  readonly body: string;
  /** Rate limits. */
  readonly limits: SandboxLimits;
}

/** One route of the order book. */
export interface Route {
  /** HTTP method. */
  readonly method: string;
  /** Path with `*` for its variable segment. */
  readonly path: string;
  /** Operation of the API. */
  readonly operation: Operation;
  /** The kind of body it accepts, and the maximum size in bytes; `undefined` if it accepts none. */
  readonly body: { readonly kind: "json" | "any"; readonly limit: number } | undefined;
  /** Handles a request. */
  readonly handle: (context: RequestContext) => Reply | Promise<Reply>;
}

const JSON_BODY = { kind: "json", limit: 16 * 1024 } as const;

const DOCUMENT_BODY = { kind: "json", limit: 8 * 1024 } as const;

/** Enough for a batch of 1,000 calls, or one multicall of 200. */
const RPC_BODY = { kind: "json", limit: 1024 * 1024 } as const;

/** The service responds to a cancellation that is not JSON with 400 and no body. */
const ANY_BODY = { kind: "any", limit: 16 * 1024 } as const;

function createRoute(
  request: string,
  operation: Operation,
  handle: Route["handle"],
  body?: Route["body"],
): Route {
  const [method = "", path = ""] = request.split(" ");
  return { method, path, operation, handle, body };
}

type Handler<Input> = (market: Market, input: Input) => Reply | Promise<Reply>;

function passUid(handle: Handler<string>): Route["handle"] {
  return ({ market, param }) => handle(market, parsePathUid(param));
}

function passHex(name: string, bytes: number, handle: Handler<string>): Route["handle"] {
  return ({ market, param }) => handle(market, parsePathHex(param, { name, bytes }));
}

function passBody(handle: Handler<string>): Route["handle"] {
  return ({ market, body }) => handle(market, body);
}

function passQuery(handle: Handler<URLSearchParams>): Route["handle"] {
  return ({ market, query }) => handle(market, query);
}

const transactionOrders = passHex("hash", 32, getTransactionOrders);

/** Creates the three routes of competitions, as in the service and its OpenAPI document. */
function createCompetitionRoutes(prefix: string): Route[] {
  const path = `GET ${prefix}/api/v2/solver_competition`;
  const getByTransaction: Handler<string> = ({ book }, hash) =>
    getCompetition(book.auctionsByTransaction.get(hash));
  const getLatest: Route["handle"] = ({ market }) => getCompetition(market.book.latestAuction);
  const getById: Route["handle"] = ({ market, param }) =>
    getCompetition(market.book.auctions.get(parsePathAuctionId(param)));
  return [
    createRoute(`${path}/latest`, "competition", getLatest),
    createRoute(`${path}/by_tx_hash/*`, "competition", passHex("tx_hash", 32, getByTransaction)),
    createRoute(`${path}/*`, "competition", getById),
  ];
}

/** All routes, at the paths of the service and of its OpenAPI document. */
export const ROUTES: readonly Route[] = [
  createRoute(
    "POST /api/v1/orders",
    "createOrder",
    ({ market, ...request }) => createOrder(market, request),
    JSON_BODY,
  ),
  createRoute("DELETE /api/v1/orders", "cancelOrders", passBody(cancelOrders), ANY_BODY),
  createRoute("POST /api/v1/orders/by_uids", "orders", passBody(getOrdersByUids), JSON_BODY),
  createRoute("GET /api/v1/orders/tx/*", "transactionOrders", transactionOrders),
  createRoute("GET /api/v1/transactions/*/orders", "transactionOrders", transactionOrders),
  createRoute("GET /api/v1/orders/*", "order", passUid(getOrder)),
  createRoute(
    "DELETE /api/v1/orders/*",
    "cancelOrders",
    ({ market, param, body }) => cancelOneOrder(market, { uid: parsePathUid(param), body }),
    ANY_BODY,
  ),
  createRoute("GET /api/v1/orders/*/status", "orderStatus", passUid(getOrderStatus)),
  createRoute(
    "GET /api/v1/account/*/orders",
    "accountOrders",
    ({ market, param, query }) =>
      getAccountOrders(market, { owner: parsePathHex(param, { name: "owner", bytes: 20 }), query }),
  ),
  createRoute("GET /api/v1/trades", "trades", passQuery(getTradesV1)),
  createRoute("GET /api/v2/trades", "trades", passQuery(getTrades)),
  createRoute("GET /api/v1/auction", "auction", ({ market }) => getAuction(market)),
  createRoute("POST /api/v1/quote", "quote", passBody(quote), JSON_BODY),
  createRoute("POST /api/v1/quote/stream", "quotes", passBody(streamQuotes), JSON_BODY),
  ...createCompetitionRoutes(""),
  ...createCompetitionRoutes("/restricted"),
  createRoute("GET /restricted/api/v1/debug/order/*", "debugReport", passUid(getDebugReport)),
  createRoute("GET /api/v1/debug/order/*", "debugReport", passUid(getDebugReport)),
  createRoute(
    "POST /restricted/api/v1/debug/simulation",
    "simulation",
    passBody(simulateOrder),
    JSON_BODY,
  ),
  createRoute(
    "GET /restricted/api/v1/debug/simulation/*",
    "simulation",
    ({ market, param, query }) => simulateKnownOrder(market, { uid: parsePathUid(param), query }),
  ),
  createRoute(
    "GET /api/v1/app_data/*",
    "appData",
    ({ market, param }) => getAppData(market, parsePathHash(param)),
  ),
  createRoute(
    "PUT /api/v1/app_data/*",
    "registerAppData",
    ({ market, param, body }) => putAppData(market, body, parsePathHash(param)),
    DOCUMENT_BODY,
  ),
  createRoute("PUT /api/v1/app_data", "registerAppData", passBody(putAppData), DOCUMENT_BODY),
  createRoute(
    "GET /api/v1/token/*/native_price",
    "nativePrice",
    passHex("token", 20, getNativePrice),
  ),
  createRoute(
    "GET /api/v1/token/*/metadata",
    "tokenMetadata",
    passHex("token", 20, getTokenMetadata),
  ),
  createRoute(
    "GET /api/v1/users/*/total_surplus",
    "totalSurplus",
    passHex("user", 20, getTotalSurplus),
  ),
  createRoute("GET /api/v1/version", "version", () => text("orderlens-sandbox")),
  createRoute(
    "GET /accounts/*/notifications",
    "notifications",
    passHex("account", 20, getNotifications),
  ),
  createRoute("GET /instances/*", "instance", ({ market, param }) => getInstance(market, param)),
  createRoute("POST /rpc", "rpc", passBody(handleRpc), RPC_BODY),
  createRoute("GET /sandbox", "sandbox", ({ market }) => json(describeSandbox(market))),
];

/** `GET accounts/{account}/notifications`: newest first. */
function getNotifications(market: Market, account: string): Reply {
  const notifications = market.book.notifications.get(account) ?? [];
  return {
    ...json(notifications.toReversed().map((notification) => encodeNotification(notification))),
    headers: { "cache-control": "public, max-age=300" },
  };
}

/** `GET token/{token}/native_price`: native atoms per atom. */
function getNativePrice(market: Market, token: string): Reply {
  const price = market.atomPrice(token);
  if (price === null) throw rejection(404, "NoLiquidity", "no route found");
  const digits = Number.isInteger(price) ? price.toFixed(1) : String(price);
  return { status: 200, contentType: "application/json", body: `{"price":${digits}}` };
}

/** `GET token/{token}/metadata`. */
function getTokenMetadata(market: Market, token: string): Reply {
  const price = market.nativePrice(token);
  return json({
    firstTradeBlock: market.book.firstTrades.get(token) ?? null,
    nativePrice: price === null ? null : String(price),
  });
}

/** `GET app_data/{hash}`. */
function getAppData(market: Market, hash: string): Reply {
  const fullAppData = market.book.documents.get(hash);
  return fullAppData === undefined ? text("full app data not found", 404) : json({ fullAppData });
}

/** `PUT app_data` and `PUT app_data/{hash}`: registers a document; 201 if it is new. */
function putAppData(market: Market, body: string, expectedHash: string | null = null): Reply {
  const { fullAppData: document } = readBody(
    body,
    "AppDataDocument",
    (fields) => readFields(fields, { fullAppData: readText }),
  );
  orReject(
    () => checkAppData(document, market.hasFastPath),
    (reason) => badRequest("AppDataInvalid", reason),
  );
  const hash = hashAppData(document);
  if (expectedHash !== null && expectedHash !== hash) {
    throw badRequest(
      "AppDataHashMismatch",
      `computed appDataHash ${hash} doesn't match expected ${expectedHash}`,
    );
  }
  const { documents } = market.book;
  const isNew = !documents.has(hash);
  documents.set(hash, document);
  return json(hash, isNew ? 201 : 200);
}

/** `GET v2/trades`: a page, newest first. */
function getTrades(market: Market, query: URLSearchParams): Reply {
  const page = slicePage(findFills(market, query), query, [
    "InvalidLimit",
    "limit must be between 1 and 1000",
  ]);
  return json(page.map((fill) => encodeTrade(toTrade(market, fill))));
}

/** `GET v1/trades`: all trades, newest first. */
function getTradesV1(market: Market, query: URLSearchParams): Reply {
  const fills = findFills(market, query).toReversed();
  return json(fills.map((fill) => encodeTrade(toTrade(market, fill))));
}

function findFills(market: Market, query: URLSearchParams): readonly RecordedFill[] {
  const uid = readQueryValue(query, "orderUid", parseUid);
  const owner = readQueryValue(query, "owner", (value) => parseHex(value, 20));
  if (uid !== undefined && owner === undefined) return market.book.orders.get(uid)?.fills ?? [];
  if (owner !== undefined && uid === undefined) return market.book.fillsByOwner.get(owner) ?? [];
  throw badRequest("InvalidTradeFilter", "Must specify exactly one of owner or orderUid.");
}

function toTrade(market: Market, fill: RecordedFill): Trade {
  const { data, owner } = market.book.orders.get(fill.uid)!;
  return {
    blockNumber: fill.block,
    logIndex: fill.logIndex,
    orderUid: fill.uid,
    buyAmount: fill.buyAmount,
    sellAmount: fill.sellAmount,
    sellAmountBeforeFees: fill.sellAmount,
    owner,
    buyToken: data.buyToken,
    sellToken: data.sellToken,
    txHash: fill.txHash,
    executedProtocolFees: fill.protocolFees,
    ...fill.penaltyCapNative !== null && { penaltyCapNative: fill.penaltyCapNative },
  };
}

/** `GET users/{user}/total_surplus`: total surplus over limit prices, in native atoms. */
export function getTotalSurplus(market: Market, user: string): Reply {
  return json({ totalSurplus: String(market.book.surplusByOwner.get(user) ?? 0n) });
}
