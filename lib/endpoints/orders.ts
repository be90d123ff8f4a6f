import { InputError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import {
  type CompetitionOrderStatus,
  type DebugReport,
  decodeDebugReport,
  decodeOrder,
  decodeOrderSimulation,
  decodeOrderStatus,
  decodeOrderUid,
  effectiveValidTo,
  encodeOrderCancellations,
  encodeOrderCreation,
  isClosedStatus,
  type Order,
  type OrderCancellations,
  type OrderCreation,
  type OrderSimulation,
} from "../schemas/mod.ts";
import { DAY_MS } from "../units/instant.ts";
import { CALL_OPTIONS, type CallOptions, requireHex, requireSame, splitUid } from "./calls.ts";
import { requestEitherPath, requestJson, send } from "./send.ts";

/** Options of {@linkcode getOrder}. */
export interface GetOrderOptions extends CallOptions {
  /**
   * Returns milliseconds since the unix epoch, to determine how long ago an order expired. @default
   * {Date.now}
   */
  now?: (() => number) | undefined;
}

const OPTIONS: OptionRules<GetOrderOptions> = {
  ...CALL_OPTIONS,
  now: Function,
};

/**
 * Gets one order.
 *
 * Calls `GET /api/v1/orders/{uid}`. An order that can no longer change may be cached on disk, if
 * the transport has a cache folder: an order fulfilled by a single fill, once its fees are known,
 * and any closed order a day after its expiry.
 *
 * @param transport Transport that sends the request.
 * @param uid The order's UID.
 * @returns The order; amounts in atoms.
 * @throws {InputError} If `uid` is not an order UID; nothing is sent.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {DecodeError} If the response is not an order.
 * @throws {MismatchError} If the response is another order.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getOrder } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const order = await getOrder(await replay("market_1"), uid);
 *
 * assertEquals(order.kind, "sell");
 * assertEquals(order.sellAmount, 125349568184000000000n);
 * ```
 */
export async function getOrder(
  transport: Transport,
  uid: string,
  options: GetOrderOptions = {},
): Promise<Order> {
  checkOptions(options, OPTIONS, "Cannot get an order");
  requireHex(uid, "an order UID");
  const { now = Date.now } = options;
  const path = `/api/v1/orders/${uid}`;
  function read(body: unknown): Order {
    const source = `GET ${path}`;
    const order = decodeOrder(body, { source });
    requireSame(source, { field: "uid", asked: uid, answered: order.uid });
    return order;
  }
  const { json } = await requestJson(transport, {
    path,
    isImmutable: ({ body }) => isFinalOrder(read(JSON.parse(body)), now()),
    action: `get order ${uid}`,
    notFound:
      "Check the UID, the network and the environment: a UID names neither network nor environment, and an order is only known where it was placed",
  }, options);
  return read(json);
}

/**
 * Whether an order can no longer change.
 *
 * A closed order is final a day after its expiry: no settlement is possible after the expiry, and a
 * day is ample time for the service to index the last ones. Before that, an order is final only if
 * a single fill fulfilled it and its fees are known, which the service determines after the fill. A
 * cancellation alone is not final: a pending settlement may still fill the order.
 */
export function isFinalOrder(order: Order, nowMs: number): boolean {
  if (!isClosedStatus(order.status)) return false;
  const { executedFee, partiallyFillable } = order;
  const areFeesKnown = !partiallyFillable && executedFee !== undefined && executedFee > 0n;
  if (order.status === "fulfilled" && areFeesKnown) return true;
  return nowMs > effectiveValidTo(order) * 1000 + DAY_MS;
}

/**
 * Gets an order's stage in the latest auction, and the amounts that each solver would have executed.
 *
 * Calls `GET /api/v1/orders/{uid}/status`. For an order with several fills, the response is about the
 * auction of the first fill.
 *
 * @param transport Transport that sends the request.
 * @param uid The order's UID.
 * @returns The stage, and the solvers of the competition if there was one, worst first. The response
 *   does not name its order, so a mix-up cannot be detected.
 * @throws {InputError} If `uid` is not an order UID; nothing is sent.
 * @throws {NotFoundError} If the service has no events of the order; it deletes them after 30 days.
 * @throws {DecodeError} If the response is not a competition status.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/orderbook.rs | get_order_status in the service}
 * @example The winner comes last
 * ```ts
 * import { getOrderStatus } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const { type, value } = await getOrderStatus(await replay("market_1"), uid);
 *
 * assertEquals(type, "traded");
 * assertEquals(value?.at(-1)?.solver, "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344");
 * ```
 */
export async function getOrderStatus(
  transport: Transport,
  uid: string,
  options: CallOptions = {},
): Promise<CompetitionOrderStatus> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the status of an order");
  requireHex(uid, "an order UID");
  const { json, source } = await requestJson(transport, {
    path: `/api/v1/orders/${uid}/status`,
    action: `get the competition status of order ${uid}`,
    notFound:
      "Get the order itself: the service deletes the auction events of an order after 30 days",
  }, options);
  return decodeOrderStatus(json, { source });
}

/** The remedy where debug reports are not available: the other operations about an order. */
const DEBUG_REPORT_REMEDY =
  "the public operations return the order (order), its fills (trades), its stage in the latest auction (orderStatus) and the auctions that settled it (transactionOrders, competition); events, losing bids and settlement attempts are only in the report";

/**
 * Gets the debug report of an order: its events, the auctions it was in, bids and settlement attempts.
 *
 * Calls `GET /restricted/api/v1/debug/order/{uid}`, and on deployments without that route
 * `GET /api/v1/debug/order/{uid}`, the path in the API specification. The public deployments return
 * reports to partners only: pass a partner's key as a header of the connection.
 *
 * @param transport Transport that sends the request.
 * @param uid The order's UID.
 * @returns The report; amounts in atoms, text with an exponent converted exactly.
 * @throws {InputError} If `uid` is not an order UID; nothing is sent.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {UnauthorizedError} If the caller is not allowed to see it; the remedy names the
 * alternatives.
 * @throws {UnavailableError} If the deployment has neither route; the remedy names the
 * alternatives.
 * @throws {DecodeError} If the response is not a debug report.
 * @throws {MismatchError} If the response is about another order.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/debug_report.rs | the service}
 * @example The events of an order, in order
 * ```ts
 * import { getDebugReport } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const report = await getDebugReport(await replay("market_1"), uid);
 *
 * assertEquals(
 *   report.events.map((event) => event.label),
 *   ["created", "ready", "executing", "filtered", "traded"],
 * );
 * ```
 */
export async function getDebugReport(
  transport: Transport,
  uid: string,
  options: CallOptions = {},
): Promise<DebugReport> {
  checkOptions(options, CALL_OPTIONS, "Cannot get a debug report");
  requireHex(uid, "an order UID");
  const { json, source } = await requestEitherPath(transport, {
    route: "debug",
    path: `/restricted/api/v1/debug/order/${uid}`,
    document: `/api/v1/debug/order/${uid}`,
    action: `get the debug report of order ${uid}`,
    notFound:
      "Check the UID, the network and the environment: a UID names neither network nor environment",
    unauthorized:
      `Pass a partner's key in the option \`headers\`, or proceed without it: ${DEBUG_REPORT_REMEDY}`,
    feature: "debug reports",
    unavailable: `Proceed without it: ${DEBUG_REPORT_REMEDY}`,
  }, options);
  const report = decodeDebugReport(json, { source });
  requireSame(source, { field: "orderUid", asked: uid, answered: report.orderUid });
  requireSame(source, { field: "order.uid", asked: uid, answered: report.order.uid });
  return report;
}

/** Options of {@linkcode getSimulation}. */
export interface SimulationOptions extends CallOptions {
  /** Block to simulate it at. @default {the latest one} */
  blockNumber?: number | undefined;
}

const SIMULATION_OPTIONS: OptionRules<SimulationOptions> = {
  ...CALL_OPTIONS,
  blockNumber: wholeNumber(0),
};

/**
 * Simulates the settlement of one order alone, at its limit price, with the amount it buys given to the
 * settlement contract: whether the order itself can be settled, and if not, why.
 *
 * Calls `GET /restricted/api/v1/debug/simulation/{uid}` for an order that the service has, and
 * `POST …/debug/simulation` for any other. The public deployments simulate for partners only.
 *
 * @param transport Transport that sends the request.
 * @param uidOrOrder The order's UID; or a signed order, with its owner in `from` and its app data document.
 * @returns The error of the simulation, and the request to Tenderly that repeats it.
 * @throws {InputError} If the UID or the order is invalid; nothing is sent.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {UnauthorizedError} If the caller is not allowed to simulate.
 * @throws {HttpStatusError} With 405 if the deployment does not simulate.
 * @throws {DecodeError} If the response is not that of a simulation.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example An order that cannot be settled
 * ```ts
 * import { getSimulation } from "orderlens/endpoints";
 * import { assertEquals } from "@std/assert";
 *
 * const body = JSON.stringify({ tenderlyRequest: {}, error: "GPv2: order expired" });
 * const send = () =>
 *   Promise.resolve({ status: 200, contentType: "application/json", headers: new Headers(), body });
 *
 * const { error } = await getSimulation({ baseUrl: "http://localhost", send }, `0x${"ab".repeat(56)}`);
 *
 * assertEquals(error, "GPv2: order expired");
 * ```
 */
export async function getSimulation(
  transport: Transport,
  uidOrOrder: string | OrderCreation,
  options: SimulationOptions = {},
): Promise<OrderSimulation> {
  checkOptions(options, SIMULATION_OPTIONS, "Cannot simulate an order");
  const path = "/restricted/api/v1/debug/simulation";
  const { blockNumber } = options;
  const call = {
    action: "simulate an order",
    unauthorized: "Pass a partner's key in the option `headers`",
    feature: "simulations",
  };
  if (typeof uidOrOrder === "string") {
    requireHex(uidOrOrder, "an order UID");
    const query = blockNumber === undefined ? "" : `?block_number=${blockNumber}`;
    const uidCall = { ...call, path: `${path}/${uidOrOrder}${query}` };
    const { json, source } = await requestJson(transport, uidCall, options);
    return decodeOrderSimulation(json, { source });
  }
  const { from, quoteId: _, appDataHash: __, ...order } = uidOrOrder;
  if (from == null) {
    throw new InputError("Cannot simulate an order without its owner", {
      remedy: "Pass the owner as `from`",
    });
  }
  const body = {
    ...encodeOrderCreation(order) as object,
    owner: from,
    ...blockNumber !== undefined && { blockNumber },
  };
  const { json, source } = await requestJson(
    transport,
    { ...call, method: "POST", path, body },
    options,
  );
  return decodeOrderSimulation(json, { source });
}

/** Options of {@linkcode postOrder}. */
export interface PostOrderOptions extends CallOptions {
  /** UID of the order, if known: `computeOrderUid` computes it for a domain. */
  uid?: string | undefined;
}

/**
 * Places a signed order.
 *
 * Calls `POST /api/v1/orders`. An order is never sent twice: without a usable response the call
 * fails, and whether the order exists is unknown; `createOrder` of a connection then looks it up.
 *
 * @param transport Transport that sends the request.
 * @param order The signed order.
 * @returns The order's UID.
 * @throws {InputError} If the order cannot be written; nothing is sent.
 * @throws {ServiceError} If the service rejects it, for example with `InsufficientBalance`.
 * @throws {DecodeError} If the response is not a UID.
 * @throws {MismatchError} If the response is a UID with another owner or expiry, or not the UID in
 *   the options; whether the order exists under its own UID is then unknown.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example A signature of another account
 * ```ts
 * import { ServiceError } from "orderlens";
 * import { postOrder } from "orderlens/endpoints";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const answer = '{"errorType":"InvalidSignature","description":"invalid signature"}';
 * const transport = {
 *   baseUrl: "http://localhost",
 *   send: () =>
 *     Promise.resolve({
 *       status: 400,
 *       contentType: "application/json",
 *       headers: new Headers(),
 *       body: answer,
 *     }),
 * };
 * const order = {
 *   sellToken: `0x${"11".repeat(20)}`,
 *   buyToken: `0x${"22".repeat(20)}`,
 *   sellAmount: 1000n,
 *   buyAmount: 900n,
 *   validTo: 1795273344,
 *   feeAmount: 0n,
 *   kind: "sell" as const,
 *   partiallyFillable: false,
 *   appData: "{}",
 *   signingScheme: "eip712",
 *   signature: `0x${"00".repeat(65)}`,
 * };
 *
 * const error = await assertRejects(() => postOrder(transport, order), ServiceError);
 * assertEquals(error.errorType, "InvalidSignature");
 * ```
 */
export async function postOrder(
  transport: Transport,
  order: OrderCreation,
  options: PostOrderOptions = {},
): Promise<string> {
  checkOptions(options, { ...CALL_OPTIONS, uid: String }, "Cannot create an order");
  const token = order.kind === "sell" ? order.sellToken : order.buyToken;
  const { json, source } = await requestJson(transport, {
    method: "POST",
    path: "/api/v1/orders",
    body: encodeOrderCreation(order),
    action: `create an order to ${order.kind} ${token}`,
  }, options);
  const uid = decodeOrderUid(json, { source });
  requireMatch(order, { uid, asked: options.uid, source });
  return uid;
}

/** Rejects the UID of another order. */
function requireMatch(
  { from, validTo }: OrderCreation,
  { uid, asked, source }: { uid: string; asked: string | undefined; source: string },
): void {
  if (asked !== undefined) requireSame(source, { field: "uid", asked, answered: uid });
  const parts = splitUid(uid);
  if (from != null) requireSame(source, { field: "owner", asked: from, answered: parts.owner });
  requireSame(source, { field: "validTo", asked: validTo, answered: parts.validTo });
}

/** Maximum number of orders in one cancellation. */
const MAX_UIDS = 128;

/**
 * Cancels orders off-chain, all of them or none.
 *
 * Calls `DELETE /api/v1/orders`. A pending settlement may still fill an order. The cancellation is
 * never sent twice: without a usable response the call fails and the outcome is unknown;
 * `cancelOrders` of a connection then looks it up.
 *
 * @param transport Transport that sends the request.
 * @param cancellations The UIDs with their owner's signature over exactly this list.
 * @throws {InputError} If there are more than 128 UIDs, or one is malformed; nothing is sent. One
 *   signature covers one list, so the list cannot be split automatically.
 * @throws {ServiceError} If the service rejects it, for example with `WrongOwner`, `OrderNotFound`
 * or `OrderExpired`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { deleteOrders } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 *
 * await deleteOrders(await replay("market_1"), {
 *   orderUids: [
 *     "0x099c7dcce3ab741aa6bd756db2f804bc01c4a20f7526f149ee3d3af09044156f" +
 *     "d217e8a0924a6806c7616a4ab0c39df86e0bf8896b01b296",
 *   ],
 *   signature: "0x1212e53466e8e222f98cb61158165225329deb238eaac04dbd7bedc458f81d0e" +
 *     "39240ba6a4cebaa1ea8d7b86cfb83306545e594239ab57afd2a287cca32cda1b1b",
 *   signingScheme: "eip712",
 * });
 * ```
 */
export async function deleteOrders(
  transport: Transport,
  cancellations: OrderCancellations,
  options: CallOptions = {},
): Promise<void> {
  checkOptions(options, CALL_OPTIONS, "Cannot cancel orders");
  const { orderUids } = cancellations;
  const body = encodeOrderCancellations(cancellations);
  if (orderUids.length > MAX_UIDS) {
    throw new InputError(`Cannot cancel ${orderUids.length} orders at once`, {
      remedy: `Sign and send lists of at most ${MAX_UIDS} UIDs: one signature covers one list`,
    });
  }
  const action = `cancel ${orderUids.length} orders: ${orderUids[0] ?? "none"}`;
  await send(transport, { method: "DELETE", path: "/api/v1/orders", body, action }, options);
}
