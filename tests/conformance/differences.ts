import { type Amendment, bodyOf, rejectedWith, type Schema } from "./schema.ts";
import { NOTHING } from "./exchange_check.ts";

/** A difference between the published document and the service. */
export interface Difference extends Amendment {
  /**
   * The recorded exchange that proves it: name of the recording, line. One operation proves a
   * difference of several, since the same code answers for all.
   */
  readonly proof: string;
  /** The half of the exchange that it concerns. @default {"answer"} */
  readonly half?: "request";
}

/** Locations of the bodies of answers with a status. */
function answers(
  routes: readonly string[],
  { status, type = "application/json" }: { status: number; type?: string },
): string[] {
  return routes.map((route) => {
    const [method, path] = route.split(" ");
    return `paths.${path}.${method!.toLowerCase()}.responses.${status}.content.${type}.schema`;
  });
}

/** Allows any of the alternatives, not exactly one. */
function eitherOf({ oneOf, ...rest }: Schema): Schema {
  return { ...rest, anyOf: oneOf ?? [] };
}

/** Allows `null` too. */
function orNull(said: Schema): Schema {
  return { ...said, nullable: true };
}

/** Plain text that the document does not mention, from the layer that reads requests first. */
function text(status: number, routes: readonly string[], proof: string): Difference {
  return {
    at: answers(routes, { status, type: "text/plain" }),
    becomes: () => ({ type: "string" }),
    proof,
  };
}

/** An object of one of these error types, where the document has no body. */
function rejection(
  status: number,
  routes: readonly string[],
  proof: string,
  ...types: string[]
): Difference {
  return { at: answers(routes, { status }), becomes: () => rejectedWith(...types), proof };
}

/** Another schema. */
function inSchema(
  place: string,
  becomes: Amendment["becomes"],
  proof: string,
  half?: "request",
): Difference {
  return {
    at: [`components.schemas.${place}`],
    becomes,
    proof,
    ...half === undefined ? {} : { half },
  };
}

const CREATE = "POST /api/v1/orders";
const CANCELS = ["DELETE /api/v1/orders", "DELETE /api/v1/orders/{UID}"];
const BY_UIDS = "POST /api/v1/orders/by_uids";
const ACCOUNT_ORDERS = "GET /api/v1/account/{owner}/orders";
const TRADES = ["GET /api/v1/trades", "GET /api/v2/trades"];
const QUOTE = "POST /api/v1/quote";
const STREAM = "POST /api/v1/quote/stream";
const REGISTER = ["PUT /api/v1/app_data", "PUT /api/v1/app_data/{app_data_hash}"];
const NATIVE_PRICE = "GET /api/v1/token/{token}/native_price";
const COMPETITIONS = [
  "GET /api/v2/solver_competition/{auction_id}",
  "GET /api/v2/solver_competition/by_tx_hash/{tx_hash}",
  "GET /api/v2/solver_competition/latest",
];
const DEBUG = "GET /restricted/api/v1/debug/order/{uid}";
const SIMULATE = "POST /restricted/api/v1/debug/simulation";
const SIMULATE_ONE = "GET /restricted/api/v1/debug/simulation/{uid}";
const TAKING_BODIES = [CREATE, BY_UIDS, QUOTE, STREAM, ...REGISTER, SIMULATE];
const FAILING = [
  CREATE,
  CANCELS[0]!,
  NATIVE_PRICE,
  STREAM,
  ...REGISTER,
  DEBUG,
  SIMULATE,
  SIMULATE_ONE,
];

const AMOUNT: Schema = { $ref: "#/components/schemas/TokenAmount" };
const ADDRESS: Schema = { $ref: "#/components/schemas/Address" };
const address = () => ADDRESS;
const SIGNING_SCHEME: Schema = { $ref: "#/components/schemas/SigningScheme" };
const TRADES_V2 = "trades_v2__trades_v2_endpoints";
const REFUND = "ethflow__eth_flow_indexing_after_refund";

/** Bodies that are other ones. */
const BODIES: readonly Difference[] = [
  // A list of orders or failures, not one.
  {
    at: answers([BY_UIDS], { status: 200 }),
    becomes: (said) => ({ type: "array", items: said }),
    proof: `${TRADES_V2}:30`,
  },
  // One of two that cannot be told from each other is not exactly one: signatures of any length, a
  // document or its hash, and a validity that may be left out.
  inSchema("Signature", eitherOf, `${TRADES_V2}:10`),
  inSchema(
    "OrderParameters.properties.appData",
    eitherOf,
    "order_cancellation__order_cancellation:1",
  ),
  inSchema("OrderQuoteRequest.allOf.2.properties.appData", eitherOf, "edges:145", "request"),
  inSchema("OrderQuoteValidity", eitherOf, "edges:145", "request"),
  // Null in fast quotes, while an order can be filled, without an error, and for a solution without
  // the order.
  inSchema("OrderQuoteResponse.properties.id", orNull, "edges:101"),
  inSchema(
    "StoredOrderQuote.properties.metadata",
    orNull,
    "debug_order__debug_order_filter_reason:2",
  ),
  inSchema("OnchainOrderData.properties.placementError", orNull, `${REFUND}:4`),
  inSchema(
    "CompetitionOrderStatus.properties.value.items.properties.executedAmounts",
    orNull,
    "market_1:1916",
  ),
  inSchema("EthflowData.properties.isRefunded", () => ({ type: "boolean" }), `${REFUND}:4`),
  // The document requires appData, which is no property of it.
  inSchema(
    "AppDataObject",
    (said) => ({ ...said, required: ["fullAppData"] }),
    `${TRADES_V2}:53`,
  ),
  // A number, not text; and the scheme beside the signature.
  inSchema("AuctionOrder.properties.created", () => ({ type: "integer" }), "app_data__app_data:42"),
  inSchema("AuctionOrder.properties.signingScheme", () => SIGNING_SCHEME, "app_data__app_data:42"),
  // Who quoted, in orders of auctions and in their price improvement fees.
  inSchema("Quote.properties.solver", address, "edges:199"),
  ...["sellToken", "buyToken"].map((token) =>
    inSchema(
      `SolverSettlement.properties.orders.items.properties.${token}`,
      address,
      `${TRADES_V2}:37`,
    )
  ),
  inSchema(
    "OrderSimulation",
    ({ properties: { tenderly_request, ...rest } = {}, ...said }) => ({
      ...said,
      properties: { ...rest, tenderlyRequest: tenderly_request },
      required: ["tenderlyRequest"],
    }),
    "exchanges:6",
  ),
  inSchema(
    "OrderPostError.properties.errorType",
    (said) => ({ ...said, enum: [...said.enum!, "NonZeroFee"] }),
    "edges:14",
  ),
];

/** Operations that the document has not. */
const OPERATIONS: readonly Difference[] = [
  {
    at: ["paths./api/v1/token/{token}/metadata.get"],
    becomes: () => ({
      responses: {
        "200": bodyOf({
          type: "object",
          properties: {
            firstTradeBlock: { type: "integer", nullable: true },
            nativePrice: { ...AMOUNT, nullable: true },
          },
          required: ["firstTradeBlock", "nativePrice"],
        }),
        "400": {},
      },
    }),
    proof: "trades_v2__trades_v2_endpoints:55",
  },
  {
    at: ["paths./restricted/api/v2/solver_competition/{auction_id}.get"],
    becomes: () => ({
      responses: {
        "200": bodyOf({ $ref: "#/components/schemas/SolverCompetitionResponse" }),
        "400": {},
        "404": bodyOf(rejectedWith("NotFound")),
      },
    }),
    proof: "trades_v2__trades_v2_endpoints:38",
  },
];

/** Answers of which the document says in words alone what they mean, or nothing at all. */
const ANSWERS: readonly Difference[] = [
  text(400, [CREATE], "edges:53"),
  text(400, [QUOTE, STREAM], "edges:143"),
  text(400, [ACCOUNT_ORDERS], "edges:164"),
  text(400, TRADES, "edges:174"),
  text(400, REGISTER, "edges:221"),
  text(400, [SIMULATE], "exchanges:4"),
  text(413, TAKING_BODIES, "edges:71"),
  text(415, TAKING_BODIES, "edges:86"),
  // Nothing, where the body is no cancellation; else a word, where the document has no body.
  { at: answers(CANCELS, { status: 400, type: NOTHING }), becomes: () => ({}), proof: "edges:228" },
  {
    at: answers(CANCELS, { status: 200 }),
    becomes: () => ({ type: "string", enum: ["Cancelled"] }),
    proof: "order_cancellation__order_cancellation:8",
  },
  rejection(401, [CREATE], "exchanges:2", "WrongOwner"),
  rejection(401, CANCELS, "edges:226", "WrongOwner"),
  rejection(404, CANCELS, "edges:231", "OrderNotFound"),
  rejection(500, FAILING, "edges:238", "InternalServerError"),
  rejection(404, ["GET /api/v1/orders/{UID}"], "edges:152", "NotFound"),
  rejection(404, ["GET /api/v1/orders/{UID}/status"], "edges:153", "NotFound"),
  rejection(404, [DEBUG], "edges:154", "NotFound"),
  rejection(404, [SIMULATE_ONE], "exchanges:3", "NotFound"),
  rejection(400, [SIMULATE], "exchanges:5", "BadRequest"),
  rejection(400, [ACCOUNT_ORDERS], "edges:161", "LIMIT_OUT_OF_BOUNDS"),
  rejection(400, ["GET /api/v1/trades"], "edges:167", "InvalidTradeFilter"),
  rejection(400, ["GET /api/v2/trades"], "edges:168", "InvalidTradeFilter", "InvalidLimit"),
  rejection(404, COMPETITIONS, "edges:177", "NotFound"),
  rejection(404, ["GET /api/v1/auction"], "exchanges:1", "NotFound"),
  rejection(404, [NATIVE_PRICE], "edges:188", "NoLiquidity"),
  rejection(404, [STREAM], "edges:146", "NoLiquidity"),
  rejection(400, [REGISTER[0]!], "edges:216", "AppDataInvalid"),
  rejection(
    400,
    [REGISTER[1]!],
    "app_data__app_data:11",
    "AppDataInvalid",
    "AppDataHashMismatch",
  ),
];

/** All that the document says otherwise than the service does. */
export const DIFFERENCES: readonly Difference[] = [...BODIES, ...OPERATIONS, ...ANSWERS];

/**
 * What a sandbox answers without a recording that shows it: what the document itself has elsewhere.
 * Quotes for an account that is denied are rejected like this, and cancellations of an order that is done;
 * here it is an order of such an account, and one that is to replace such an order.
 */
export const UNRECORDED: readonly Amendment[] = [
  {
    at: answers([CREATE, STREAM], { status: 403 }),
    becomes: () => rejectedWith("Forbidden"),
  },
  {
    at: answers([CREATE], { status: 404 }),
    becomes: () => rejectedWith("OrderNotFound"),
  },
  {
    at: answers([CREATE], { status: 400 }),
    becomes: (said) => ({
      anyOf: [said, { $ref: "#/components/schemas/OrderCancellationError" }],
    }),
  },
];
