import { hashAppData } from "../../evm/mod.ts";
import { encodeNotification, encodeTrade, type Trade } from "../../schemas/mod.ts";
import type { SandboxLimits } from "../handlers/check_terms.ts";
import { getAuction, getCompetition, getDebugReport } from "../handlers/competitions.ts";
import {
  createOrder,
  getAccountOrders,
  getOrder,
  getOrdersByUids,
  getOrderStatus,
  getTransactionOrders,
} from "../handlers/create_order.ts";
import { describeSandbox } from "../handlers/describe_sandbox.ts";
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
import { Fields, required } from "../wire/fields.ts";
import { readText } from "../wire/loose_values.ts";
import {
  pathAuctionId,
  pathDocumentHash,
  pathHex,
  pathUid,
  queryAddress,
  queryPage,
  queryUid,
} from "../wire/url_values.ts";
import { json, orReject, rejection, type Reply, text } from "../wire/reply.ts";
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
  /** The kind of body it accepts, and the maximum size in bytes; absent if it accepts none. */
  readonly body?: { readonly kind: "json" | "any"; readonly limit: number };
  /** Handles a request. */
  readonly answer: (context: RequestContext) => Reply | Promise<Reply>;
}

const JSON_BODY = { kind: "json", limit: 16 * 1024 } as const;

const DOCUMENT_BODY = { kind: "json", limit: 8 * 1024 } as const;

/** Enough for a batch of 1,000 calls, or one multicall of 200. */
const RPC_BODY = { kind: "json", limit: 1024 * 1024 } as const;

/** The service answers 400 without a body to a cancellation that is not JSON. */
const ANY_BODY = { kind: "any", limit: 16 * 1024 } as const;

function get(path: string, operation: Operation, answer: Route["answer"]): Route {
  return { method: "GET", path, operation, answer };
}

function post(path: string, operation: Operation, answer: Route["answer"]): Route {
  return { method: "POST", path, operation, body: JSON_BODY, answer };
}

const hash = (name: string) => (param: string) => pathHex(param, { name, bytes: 32 });

const address = (name: string) => (param: string) => pathHex(param, { name, bytes: 20 });

const txHash = hash("tx_hash");

const settledIn = hash("hash");

const owner = address("owner");

const user = address("user");

const token = address("token");

const account = address("account");

const transactionOrders: Route["answer"] = ({ market, param }) =>
  getTransactionOrders(market, settledIn(param));

const debugReport: Route["answer"] = ({ market, param }) => getDebugReport(market, pathUid(param));

const competition: Route["answer"] = ({ market, param }) =>
  getCompetition(market.book.auctions.get(pathAuctionId(param)));

const latest: Route["answer"] = ({ market }) => getCompetition(market.book.latestAuction);

const byTransaction: Route["answer"] = ({ market, param }) =>
  getCompetition(market.book.auctionsByTransaction.get(txHash(param)));

/** All routes, at the paths of the service and of its OpenAPI document. */
export const ROUTES: readonly Route[] = [
  post(
    "/api/v1/orders",
    "createOrder",
    ({ market, body, limits }) => createOrder(market, { body, limits }),
  ),
  {
    method: "DELETE",
    path: "/api/v1/orders",
    operation: "cancelOrders",
    body: ANY_BODY,
    answer: ({ market, body }) => cancelOrders(market, body),
  },
  post("/api/v1/orders/by_uids", "orders", ({ market, body }) => getOrdersByUids(market, body)),
  get("/api/v1/orders/tx/*", "transactionOrders", transactionOrders),
  get("/api/v1/transactions/*/orders", "transactionOrders", transactionOrders),
  get("/api/v1/orders/*", "order", ({ market, param }) => getOrder(market, pathUid(param))),
  {
    method: "DELETE",
    path: "/api/v1/orders/*",
    operation: "cancelOrders",
    body: ANY_BODY,
    answer: ({ market, param, body }) => cancelOneOrder(market, { uid: pathUid(param), body }),
  },
  get(
    "/api/v1/orders/*/status",
    "orderStatus",
    ({ market, param }) => getOrderStatus(market, pathUid(param)),
  ),
  get(
    "/api/v1/account/*/orders",
    "accountOrders",
    ({ market, param, query }) => getAccountOrders(market, { owner: owner(param), query }),
  ),
  get("/api/v1/trades", "trades", ({ market, query }) => getTradesV1(market, query)),
  get("/api/v2/trades", "trades", ({ market, query }) => getTrades(market, query)),
  get("/api/v1/auction", "auction", ({ market }) => getAuction(market)),
  post("/api/v1/quote", "quote", ({ market, body }) => quote(market, body)),
  post("/api/v1/quote/stream", "quotes", ({ market, body }) => streamQuotes(market, body)),
  get("/api/v2/solver_competition/latest", "competition", latest),
  get("/api/v2/solver_competition/by_tx_hash/*", "competition", byTransaction),
  get("/api/v2/solver_competition/*", "competition", competition),
  get("/restricted/api/v2/solver_competition/latest", "competition", latest),
  get("/restricted/api/v2/solver_competition/by_tx_hash/*", "competition", byTransaction),
  get("/restricted/api/v2/solver_competition/*", "competition", competition),
  get("/restricted/api/v1/debug/order/*", "debugReport", debugReport),
  get("/api/v1/debug/order/*", "debugReport", debugReport),
  post(
    "/restricted/api/v1/debug/simulation",
    "simulation",
    ({ market, body }) => simulateOrder(market, body),
  ),
  get(
    "/restricted/api/v1/debug/simulation/*",
    "simulation",
    ({ market, param, query }) => simulateKnownOrder(market, { uid: pathUid(param), query }),
  ),
  get(
    "/api/v1/app_data/*",
    "appData",
    ({ market, param }) => getAppData(market, pathDocumentHash(param)),
  ),
  {
    method: "PUT",
    path: "/api/v1/app_data/*",
    operation: "registerAppData",
    body: DOCUMENT_BODY,
    answer: ({ market, param, body }) =>
      putAppData(market, { body, expected: pathDocumentHash(param) }),
  },
  {
    method: "PUT",
    path: "/api/v1/app_data",
    operation: "registerAppData",
    body: DOCUMENT_BODY,
    answer: ({ market, body }) => putAppData(market, { body, expected: null }),
  },
  get(
    "/api/v1/token/*/native_price",
    "nativePrice",
    ({ market, param }) => getNativePrice(market, token(param)),
  ),
  get(
    "/api/v1/token/*/metadata",
    "tokenMetadata",
    ({ market, param }) => getTokenMetadata(market, token(param)),
  ),
  get(
    "/api/v1/users/*/total_surplus",
    "totalSurplus",
    ({ market, param }) => getTotalSurplus(market, user(param)),
  ),
  get("/api/v1/version", "version", () => text("orderlens-sandbox")),
  get(
    "/accounts/*/notifications",
    "notifications",
    ({ market, param }) => getNotifications(market, account(param)),
  ),
  {
    method: "POST",
    path: "/rpc",
    operation: "rpc",
    body: RPC_BODY,
    answer: ({ market, body }) => answerRpc(market, body),
  },
  get("/sandbox", "sandbox", ({ market }) => json(describeSandbox(market))),
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
function putAppData(
  market: Market,
  { body, expected }: { body: string; expected: string | null },
): Reply {
  const { fullAppData: document } = new Fields(body, "AppDataDocument").all({
    fullAppData: required(readText),
  });
  orReject(() => checkAppData(document), (reason) => rejection(400, "AppDataInvalid", reason));
  const hash = hashAppData(document);
  if (expected !== null && expected !== hash) {
    throw rejection(
      400,
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
export function getTrades(market: Market, query: URLSearchParams): Reply {
  const fills = fillsFor(market, query);
  const { offset, limit } = queryPage(query, {
    errorType: "InvalidLimit",
    description: "limit must be between 1 and 1000",
  });
  const page = fills.toReversed().slice(offset, offset + limit);
  return json(page.map((fill) => encodeTrade(tradeOf(market, fill))));
}

/** `GET v1/trades`: all trades, newest first. */
function getTradesV1(market: Market, query: URLSearchParams): Reply {
  const fills = fillsFor(market, query).toReversed();
  return json(fills.map((fill) => encodeTrade(tradeOf(market, fill))));
}

function fillsFor(market: Market, query: URLSearchParams): readonly RecordedFill[] {
  const uid = queryUid(query, "orderUid");
  const owner = queryAddress(query, "owner");
  if (uid !== undefined && owner === undefined) return market.book.orders.get(uid)?.fills ?? [];
  if (owner !== undefined && uid === undefined) return market.book.fillsByOwner.get(owner) ?? [];
  throw rejection(400, "InvalidTradeFilter", "Must specify exactly one of owner or orderUid.");
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
  };
}

/** `GET users/{user}/total_surplus`: total surplus over limit prices, in native atoms. */
export function getTotalSurplus(market: Market, user: string): Reply {
  return json({ totalSurplus: String(market.book.surplusByOwner.get(user) ?? 0n) });
}
