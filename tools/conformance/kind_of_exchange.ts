import { WIRE_KINDS, type WireKind } from "orderlens/schemas";

/** The content of a body: one wire object, or a list of them. */
export interface BodyKind {
  /** The wire object. */
  readonly kind: WireKind;
  /** Whether the body is a list of them. */
  readonly isList: boolean;
}

/** The bodies of a route; absent if there is none. */
export interface RouteKinds {
  /** Request body. */
  readonly request?: BodyKind;
  /** Body of a successful answer. */
  readonly answer: BodyKind;
}

function one(kind: WireKind): BodyKind {
  return { kind, isList: false };
}

function listOf(kind: WireKind): BodyKind {
  return { kind, isList: true };
}

const UID = "0x[0-9a-fA-F]{112}";
const HASH = "0x[0-9a-fA-F]{64}";
const ADDRESS = "0x[0-9a-fA-F]{40}";

/** Routes of the service and of its OpenAPI document: method, path without query, and bodies. */
const ROUTES: readonly (readonly [string, RouteKinds])[] = [
  ["POST /api/v1/orders", { request: one("order_creation"), answer: one("order_uid") }],
  ["DELETE /api/v1/orders", { request: one("order_cancellations"), answer: one("text") }],
  ["POST /api/v1/orders/by_uids", {
    request: listOf("order_uid"),
    answer: listOf("order_by_uid"),
  }],
  [`GET /api/v1/orders/${UID}`, { answer: one("order") }],
  [`DELETE /api/v1/orders/${UID}`, {
    request: one("order_cancellation"),
    answer: one("text"),
  }],
  [`GET /api/v1/orders/${UID}/status`, { answer: one("order_status") }],
  [`GET (?:/restricted)?/api/v1/debug/order/${UID}`, { answer: one("debug_report") }],
  [`GET /api/v1/account/${ADDRESS}/orders`, { answer: listOf("order") }],
  [`GET /api/v1/transactions/${HASH}/orders`, { answer: listOf("order") }],
  [`GET /api/v1/orders/tx/${HASH}`, { answer: listOf("order") }],
  ["GET /api/v1/trades", { answer: listOf("trade") }],
  ["GET /api/v2/trades", { answer: listOf("trade") }],
  ["GET (?:/restricted)?/api/v2/solver_competition/\\d+", { answer: one("competition_v2") }],
  ["GET /api/v2/solver_competition/latest", { answer: one("competition_v2") }],
  [`GET /api/v2/solver_competition/by_tx_hash/${HASH}`, { answer: one("competition_v2") }],
  ["GET /api/v1/solver_competition/(?:\\d+|latest)", { answer: one("competition_v1") }],
  [`GET /api/v1/solver_competition/by_tx_hash/${HASH}`, { answer: one("competition_v1") }],
  ["GET /api/v1/auction", { answer: one("auction") }],
  ["POST /api/v1/quote", { request: one("quote_request"), answer: one("quote_response") }],
  ["POST /api/v1/quote/stream", { request: one("quote_request"), answer: one("quote_response") }],
  [`GET /api/v1/app_data/${HASH}`, { answer: one("app_data_registration") }],
  [`PUT /api/v1/app_data(?:/${HASH})?`, {
    request: one("app_data_registration"),
    answer: one("app_data_hash"),
  }],
  [`GET /api/v1/token/${ADDRESS}/native_price`, { answer: one("native_price") }],
  [`GET /api/v1/token/${ADDRESS}/metadata`, { answer: one("token_metadata") }],
  [`GET /api/v1/users/${ADDRESS}/total_surplus`, { answer: one("total_surplus") }],
  ["GET /api/v1/version", { answer: one("text") }],
  [`GET /accounts/${ADDRESS}/notifications`, { answer: listOf("notification") }],
];

const PATTERNS = ROUTES.map(([route, kinds]) => ({ pattern: new RegExp(`^${route}$`), kinds }));

/** The bodies of a request, by its route; `undefined` for unknown routes. */
export function kindsOfRoute(method: string, path: string): RouteKinds | undefined {
  const route = `${method} ${path.split("?", 1)[0]}`;
  return PATTERNS.find(({ pattern }) => pattern.test(route))?.kinds;
}

const LISTED_KINDS: Readonly<Record<string, BodyKind>> = {
  app_data_document: one("app_data_registration"),
  error_text: one("error"),
  notifications: listOf("notification"),
  orders: listOf("order"),
  orders_by_uids: listOf("order_by_uid"),
  trades_v1: listOf("trade"),
  trades_v2: listOf("trade"),
  version: one("text"),
};

/**
 * The content of a body by its kind in a `bodies.json`: a name of several bodies, or that of a wire
 * object; `undefined` for others.
 */
export function kindOfListedBody(kind: string): BodyKind | undefined {
  if (Object.hasOwn(LISTED_KINDS, kind)) return LISTED_KINDS[kind];
  const known = WIRE_KINDS.find((name) => name === kind);
  return known === undefined ? undefined : one(known);
}

/** The kinds that a `bodies.json` may name. */
export const LISTABLE_KINDS: readonly string[] = [
  ...new Set([...Object.keys(LISTED_KINDS), ...WIRE_KINDS]),
].sort();
