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
  /** Body of a successful response. */
  readonly answer: BodyKind;
}

function object(kind: WireKind): BodyKind {
  return { kind, isList: false };
}

function list(kind: WireKind): BodyKind {
  return { kind, isList: true };
}

const UID = "0x[0-9a-fA-F]{112}";
const HASH = "0x[0-9a-fA-F]{64}";
const ADDRESS = "0x[0-9a-fA-F]{40}";

/** Routes of the service and of its OpenAPI document: method, path without query, and bodies. */
const ROUTES: readonly (readonly [string, RouteKinds])[] = [
  ["POST /api/v1/orders", { request: object("order_creation"), answer: object("order_uid") }],
  ["DELETE /api/v1/orders", { request: object("order_cancellations"), answer: object("text") }],
  ["POST /api/v1/orders/by_uids", {
    request: list("order_uid"),
    answer: list("order_by_uid"),
  }],
  [`GET /api/v1/orders/${UID}`, { answer: object("order") }],
  [`DELETE /api/v1/orders/${UID}`, {
    request: object("order_cancellation"),
    answer: object("text"),
  }],
  [`GET /api/v1/orders/${UID}/status`, { answer: object("order_status") }],
  [`GET (?:/restricted)?/api/v1/debug/order/${UID}`, { answer: object("debug_report") }],
  [`GET /api/v1/account/${ADDRESS}/orders`, { answer: list("order") }],
  [`GET /api/v1/transactions/${HASH}/orders`, { answer: list("order") }],
  [`GET /api/v1/orders/tx/${HASH}`, { answer: list("order") }],
  ["GET /api/v1/trades", { answer: list("trade") }],
  ["GET /api/v2/trades", { answer: list("trade") }],
  ["GET (?:/restricted)?/api/v2/solver_competition/\\d+", { answer: object("competition_v2") }],
  ["GET /api/v2/solver_competition/latest", { answer: object("competition_v2") }],
  [`GET /api/v2/solver_competition/by_tx_hash/${HASH}`, { answer: object("competition_v2") }],
  ["GET /api/v1/solver_competition/(?:\\d+|latest)", { answer: object("competition_v1") }],
  [`GET /api/v1/solver_competition/by_tx_hash/${HASH}`, { answer: object("competition_v1") }],
  ["GET /api/v1/auction", { answer: object("auction") }],
  ["POST /api/v1/quote", { request: object("quote_request"), answer: object("quote_response") }],
  ["POST /api/v1/quote/stream", {
    request: object("quote_request"),
    answer: object("quote_response"),
  }],
  [`GET /api/v1/app_data/${HASH}`, { answer: object("app_data_registration") }],
  [`PUT /api/v1/app_data(?:/${HASH})?`, {
    request: object("app_data_registration"),
    answer: object("app_data_hash"),
  }],
  [`GET /api/v1/token/${ADDRESS}/native_price`, { answer: object("native_price") }],
  [`GET /api/v1/token/${ADDRESS}/metadata`, { answer: object("token_metadata") }],
  [`GET /api/v1/users/${ADDRESS}/total_surplus`, { answer: object("total_surplus") }],
  ["GET /api/v1/version", { answer: object("text") }],
  [`GET /accounts/${ADDRESS}/notifications`, { answer: list("notification") }],
  ["GET /instances/\\d+\\.json", { answer: object("instance") }],
];

const PATTERNS = ROUTES.map(([route, kinds]) => ({ pattern: new RegExp(`^${route}$`), kinds }));

/** Finds the bodies of a route; `undefined` for unknown routes. */
export function findRouteKinds(method: string, path: string): RouteKinds | undefined {
  const route = `${method} ${path.split("?", 1)[0]}`;
  return PATTERNS.find(({ pattern }) => pattern.test(route))?.kinds;
}

const LISTED_KINDS: Readonly<Record<string, BodyKind>> = {
  app_data_document: object("app_data_registration"),
  error_text: object("error"),
  notifications: list("notification"),
  orders: list("order"),
  orders_by_uids: list("order_by_uid"),
  trades_v1: list("trade"),
  trades_v2: list("trade"),
  version: object("text"),
};

/**
 * Finds the content of a body by its kind in a `bodies.json`, which names a list or a wire object;
 * `undefined` for unknown kinds.
 */
export function findBodyKind(kind: string): BodyKind | undefined {
  if (Object.hasOwn(LISTED_KINDS, kind)) return LISTED_KINDS[kind];
  const wireKind = WIRE_KINDS.find((name) => name === kind);
  return wireKind === undefined ? undefined : object(wireKind);
}

/** The kinds that a `bodies.json` may name. */
export const LISTABLE_KINDS: readonly string[] = [
  ...new Set([...Object.keys(LISTED_KINDS), ...WIRE_KINDS]),
].sort();
