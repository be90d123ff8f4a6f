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
  pageOf,
  pathAuctionId,
  pathDocumentHash,
  pathHex,
  pathUid,
  queryValue,
  readBody,
  readFields,
} from "../wire/fields.ts";
import { parseHex, parseUid, readText } from "../wire/loose_values.ts";
import { badRequest, json, orReject, rejection, type Reply, text } from "../wire/reply.ts";
import { answerRpc } from "./answer_rpc.ts";

/** An operation of the order book, named as in `orderlens`. */
export type Operation =
  | "accountOrders"
  | "appData"
  | "auction"
  | "cancelOrders"
  | "competition"
  | "createOrder"
  | "debugReport"
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

/** What a handler needs to answer a request. */
interface RequestContext {
  /** The market that answers. */
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
  readonly answer: (context: RequestContext) => Reply | Promise<Reply>;
}

const JSON_BODY = { kind: "json", limit: 16 * 1024 } as const;

const DOCUMENT_BODY = { kind: "json", limit: 8 * 1024 } as const;

/** Enough for a batch of 1,000 calls, or one multicall of 200. */
const RPC_BODY = { kind: "json", limit: 1024 * 1024 } as const;

/** The service answers 400 without a body to a cancellation that is not JSON. */
const ANY_BODY = { kind: "any", limit: 16 * 1024 } as const;

function route(
  request: string,
  operation: Operation,
  answer: Route["answer"],
  body?: Route["body"],
): Route {
  const [method = "", path = ""] = request.split(" ");
  return { method, path, operation, answer, body };
}

type Handler<Given> = (market: Market, given: Given) => Reply | Promise<Reply>;

function withUid(handle: Handler<string>): Route["answer"] {
  return ({ market, param }) => handle(market, pathUid(param));
}

function withHex(name: string, bytes: number, handle: Handler<string>): Route["answer"] {
  return ({ market, param }) => handle(market, pathHex(param, { name, bytes }));
}

function withBody(handle: Handler<string>): Route["answer"] {
  return ({ market, body }) => handle(market, body);
}

function withQuery(handle: Handler<URLSearchParams>): Route["answer"] {
  return ({ market, query }) => handle(market, query);
}

const transactionOrders = withHex("hash", 32, getTransactionOrders);

/** The three routes of competitions, as the service and its OpenAPI document have them. */
function competitionRoutes(prefix: string): Route[] {
  const path = `GET ${prefix}/api/v2/solver_competition`;
  const ofTransaction: Handler<string> = ({ book }, hash) =>
    getCompetition(book.auctionsByTransaction.get(hash));
  const latest: Route["answer"] = ({ market }) => getCompetition(market.book.latestAuction);
  const ofId: Route["answer"] = ({ market, param }) =>
    getCompetition(market.book.auctions.get(pathAuctionId(param)));
  return [
    route(`${path}/latest`, "competition", latest),
    route(`${path}/by_tx_hash/*`, "competition", withHex("tx_hash", 32, ofTransaction)),
    route(`${path}/*`, "competition", ofId),
  ];
}

/** All routes, at the paths of the service and of its OpenAPI document. */
export const ROUTES: readonly Route[] = [
  route(
    "POST /api/v1/orders",
    "createOrder",
    ({ market, ...asked }) => createOrder(market, asked),
    JSON_BODY,
  ),
  route("DELETE /api/v1/orders", "cancelOrders", withBody(cancelOrders), ANY_BODY),
  route("POST /api/v1/orders/by_uids", "orders", withBody(getOrdersByUids), JSON_BODY),
  route("GET /api/v1/orders/tx/*", "transactionOrders", transactionOrders),
  route("GET /api/v1/transactions/*/orders", "transactionOrders", transactionOrders),
  route("GET /api/v1/orders/*", "order", withUid(getOrder)),
  route(
    "DELETE /api/v1/orders/*",
    "cancelOrders",
    ({ market, param, body }) => cancelOneOrder(market, { uid: pathUid(param), body }),
    ANY_BODY,
  ),
  route("GET /api/v1/orders/*/status", "orderStatus", withUid(getOrderStatus)),
  route(
    "GET /api/v1/account/*/orders",
    "accountOrders",
    ({ market, param, query }) =>
      getAccountOrders(market, { owner: pathHex(param, { name: "owner", bytes: 20 }), query }),
  ),
  route("GET /api/v1/trades", "trades", withQuery(getTradesV1)),
  route("GET /api/v2/trades", "trades", withQuery(getTrades)),
  route("GET /api/v1/auction", "auction", ({ market }) => getAuction(market)),
  route("POST /api/v1/quote", "quote", withBody(quote), JSON_BODY),
  route("POST /api/v1/quote/stream", "quotes", withBody(streamQuotes), JSON_BODY),
  ...competitionRoutes(""),
  ...competitionRoutes("/restricted"),
  route("GET /restricted/api/v1/debug/order/*", "debugReport", withUid(getDebugReport)),
  route("GET /api/v1/debug/order/*", "debugReport", withUid(getDebugReport)),
  route(
    "POST /restricted/api/v1/debug/simulation",
    "simulation",
    withBody(simulateOrder),
    JSON_BODY,
  ),
  route(
    "GET /restricted/api/v1/debug/simulation/*",
    "simulation",
    ({ market, param, query }) => simulateKnownOrder(market, { uid: pathUid(param), query }),
  ),
  route(
    "GET /api/v1/app_data/*",
    "appData",
    ({ market, param }) => getAppData(market, pathDocumentHash(param)),
  ),
  route(
    "PUT /api/v1/app_data/*",
    "registerAppData",
    ({ market, param, body }) => putAppData(market, body, pathDocumentHash(param)),
    DOCUMENT_BODY,
  ),
  route("PUT /api/v1/app_data", "registerAppData", withBody(putAppData), DOCUMENT_BODY),
  route("GET /api/v1/token/*/native_price", "nativePrice", withHex("token", 20, getNativePrice)),
  route("GET /api/v1/token/*/metadata", "tokenMetadata", withHex("token", 20, getTokenMetadata)),
  route("GET /api/v1/users/*/total_surplus", "totalSurplus", withHex("user", 20, getTotalSurplus)),
  route("GET /api/v1/version", "version", () => text("orderlens-sandbox")),
  route("GET /accounts/*/notifications", "notifications", withHex("account", 20, getNotifications)),
  route("POST /rpc", "rpc", withBody(answerRpc), RPC_BODY),
  route("GET /sandbox", "sandbox", ({ market }) => json(describeSandbox(market))),
];

/** `GET accounts/{account}/notifications`: newest first. */
function getNotifications(market: Market, account: string): Reply {
  const notifications = market.book.notifications.get(account) ?? [];
  return {
    ...json(notifications.toReversed().map((one) => encodeNotification(one))),
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
function putAppData(market: Market, body: string, expected: string | null = null): Reply {
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
  if (expected !== null && expected !== hash) {
    throw badRequest(
      "AppDataHashMismatch",
      `computed appDataHash ${hash} doesn't match expected ${expected}`,
    );
  }
  const { documents } = market.book;
  const isNew = !documents.has(hash);
  documents.set(hash, document);
  return json(hash, isNew ? 201 : 200);
}

/** `GET v2/trades`: a page, newest first. */
function getTrades(market: Market, query: URLSearchParams): Reply {
  const page = pageOf(fillsFor(market, query), query, [
    "InvalidLimit",
    "limit must be between 1 and 1000",
  ]);
  return json(page.map((fill) => encodeTrade(tradeOf(market, fill))));
}

/** `GET v1/trades`: all trades, newest first. */
function getTradesV1(market: Market, query: URLSearchParams): Reply {
  const fills = fillsFor(market, query).toReversed();
  return json(fills.map((fill) => encodeTrade(tradeOf(market, fill))));
}

function fillsFor(market: Market, query: URLSearchParams): readonly RecordedFill[] {
  const uid = queryValue(query, "orderUid", parseUid);
  const owner = queryValue(query, "owner", (value) => parseHex(value, 20));
  if (uid !== undefined && owner === undefined) return market.book.orders.get(uid)?.fills ?? [];
  if (owner !== undefined && uid === undefined) return market.book.fillsByOwner.get(owner) ?? [];
  throw badRequest("InvalidTradeFilter", "Must specify exactly one of owner or orderUid.");
}

function tradeOf(market: Market, fill: RecordedFill): Trade {
  const { signed, owner } = market.book.orders.get(fill.uid)!;
  return {
    blockNumber: fill.block,
    logIndex: fill.logIndex,
    orderUid: fill.uid,
    buyAmount: fill.buyAmount,
    sellAmount: fill.sellAmount,
    sellAmountBeforeFees: fill.sellAmount,
    owner,
    buyToken: signed.buyToken,
    sellToken: signed.sellToken,
    txHash: fill.txHash,
    executedProtocolFees: fill.protocolFees,
    ...fill.penaltyCapNative !== null && { penaltyCapNative: fill.penaltyCapNative },
  };
}

/** `GET users/{user}/total_surplus`: total surplus over limit prices, in native atoms. */
export function getTotalSurplus(market: Market, user: string): Reply {
  return json({ totalSurplus: String(market.book.surplusByOwner.get(user) ?? 0n) });
}
