import { type Amendment, bodyOf, rejectedWith, type Schema } from "./schema.ts";
import { NOTHING } from "./exchange_check.ts";

/** A difference between the published document and the service. */
export interface Difference extends Amendment {
  /** What the document says. */
  readonly document: string;
  /** What the service does. */
  readonly service: string;
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

/** Plain text that the document does not mention. */
function text(
  routes: readonly string[],
  { status, proof }: { status: number; proof: string },
): Difference {
  return {
    at: answers(routes, { status, type: "text/plain" }),
    document: "no text",
    service: "plain text, from the layer that reads requests before the handlers",
    becomes: () => ({ type: "string" }),
    proof,
  };
}

/** An object with an error type, where the document has no body. */
function rejection(
  routes: readonly string[],
  { status, types, proof }: { status: number; types: readonly string[]; proof: string },
): Difference {
  return {
    at: answers(routes, { status }),
    document: "no body",
    service: `an object of type ${types.join(" or ")}`,
    becomes: () => rejectedWith(...types),
    proof,
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

const SCHEMAS = "components.schemas";
const AMOUNT: Schema = { $ref: "#/components/schemas/TokenAmount" };
const ADDRESS: Schema = { $ref: "#/components/schemas/Address" };

/** Bodies that are other ones. */
const BODIES: readonly Difference[] = [
  {
    at: answers([BY_UIDS], { status: 200 }),
    document: "an order or a failure",
    service: "a list of them",
    becomes: (said) => ({ type: "array", items: said }),
    proof: "trades_v2__trades_v2_endpoints:30",
  },
  {
    at: [`${SCHEMAS}.Signature`],
    document: "exactly one of two texts, which cannot be told from each other",
    service: "either: 65 bytes, none, or as many as a contract wants",
    becomes: eitherOf,
    proof: "trades_v2__trades_v2_endpoints:10",
  },
  {
    at: [`${SCHEMAS}.OrderParameters.properties.appData`],
    document: "exactly one of two texts, which cannot be told from each other",
    service: "either: a document or its hash",
    becomes: eitherOf,
    proof: "order_cancellation__order_cancellation:1",
  },
  {
    at: [`${SCHEMAS}.OrderQuoteRequest.allOf.2.properties.appData`],
    document: "exactly one of two texts, which cannot be told from each other",
    service: "takes either: a document or its hash",
    becomes: eitherOf,
    proof: "edges:145",
    half: "request",
  },
  {
    at: [`${SCHEMAS}.OrderQuoteValidity`],
    document: "exactly one of two objects, neither of which has to hold anything",
    service: "takes either, or neither",
    becomes: eitherOf,
    proof: "edges:145",
    half: "request",
  },
  {
    at: [`${SCHEMAS}.OrderQuoteResponse.properties.id`],
    document: "a number",
    service: "null in fast quotes, which cannot be ordered by their id",
    becomes: orNull,
    proof: "edges:101",
  },
  {
    at: [`${SCHEMAS}.StoredOrderQuote.properties.metadata`],
    document: "an object, or absent",
    service: "null while the order can be filled",
    becomes: orNull,
    proof: "debug_order__debug_order_filter_reason:2",
  },
  {
    at: [`${SCHEMAS}.OnchainOrderData.properties.placementError`],
    document: "a word, or absent",
    service: "null where there was no error",
    becomes: orNull,
    proof: "ethflow__eth_flow_indexing_after_refund:4",
  },
  {
    at: [`${SCHEMAS}.EthflowData.properties.isRefunded`],
    document: "no such property",
    service: "whether the order was refunded",
    becomes: () => ({ type: "boolean" }),
    proof: "ethflow__eth_flow_indexing_after_refund:4",
  },
  {
    at: [`${SCHEMAS}.CompetitionOrderStatus.properties.value.items.properties.executedAmounts`],
    document: "amounts, or absent",
    service: "null for a solution without the order",
    becomes: orNull,
    proof: "market_1:1916",
  },
  {
    at: [`${SCHEMAS}.AppDataObject`],
    document: "appData is required, which is no property of it",
    service: "fullAppData",
    becomes: (said) => ({ ...said, required: ["fullAppData"] }),
    proof: "trades_v2__trades_v2_endpoints:53",
  },
  {
    at: [`${SCHEMAS}.AuctionOrder.properties.created`],
    document: "text",
    service: "a number",
    becomes: () => ({ type: "integer" }),
    proof: "app_data__app_data:42",
  },
  {
    at: [`${SCHEMAS}.AuctionOrder.properties.signingScheme`],
    document: "no such property",
    service: "beside the signature",
    becomes: () => ({ $ref: "#/components/schemas/SigningScheme" }),
    proof: "app_data__app_data:42",
  },
  {
    at: [`${SCHEMAS}.Quote.properties.solver`],
    document: "no such property",
    service: "who quoted, in orders of auctions and in their price improvement fees",
    becomes: () => ADDRESS,
    proof: "edges:199",
  },
  {
    at: ["sellToken", "buyToken"].map((token) =>
      `${SCHEMAS}.SolverSettlement.properties.orders.items.properties.${token}`
    ),
    document: "no such property",
    service: "tokens of each order of a solution",
    becomes: () => ADDRESS,
    proof: "trades_v2__trades_v2_endpoints:37",
  },
  {
    at: [`${SCHEMAS}.OrderSimulation`],
    document: "tenderly_request",
    service: "tenderlyRequest",
    becomes: ({ properties: { tenderly_request, ...rest } = {}, ...said }) => ({
      ...said,
      properties: { ...rest, tenderlyRequest: tenderly_request },
      required: ["tenderlyRequest"],
    }),
    proof: "exchanges:6",
  },
  {
    at: [`${SCHEMAS}.OrderPostError.properties.errorType`],
    document: "thirty words",
    service: "NonZeroFee beside them",
    becomes: (said) => ({ ...said, enum: [...said.enum!, "NonZeroFee"] }),
    proof: "edges:14",
  },
];

/** Operations that the document has not. */
const OPERATIONS: readonly Difference[] = [
  {
    at: ["paths./api/v1/token/{token}/metadata.get"],
    document: "no such operation",
    service: "the block of a token's first trade, and its price",
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
    document: "no such operation",
    service: "competitions before their deadline too",
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
  text([CREATE], { status: 400, proof: "edges:53" }),
  text([QUOTE, STREAM], { status: 400, proof: "edges:143" }),
  text([ACCOUNT_ORDERS], { status: 400, proof: "edges:164" }),
  text(TRADES, { status: 400, proof: "edges:174" }),
  text(REGISTER, { status: 400, proof: "edges:221" }),
  text([SIMULATE], { status: 400, proof: "exchanges:4" }),
  text(TAKING_BODIES, { status: 413, proof: "edges:71" }),
  text(TAKING_BODIES, { status: 415, proof: "edges:86" }),
  {
    at: answers(CANCELS, { status: 400, type: NOTHING }),
    document: "an object",
    service: "nothing, where the body is no cancellation",
    becomes: () => ({}),
    proof: "edges:228",
  },
  {
    at: answers(CANCELS, { status: 200 }),
    document: "nothing of a body",
    service: "the word Cancelled",
    becomes: () => ({ type: "string", enum: ["Cancelled"] }),
    proof: "order_cancellation__order_cancellation:8",
  },
  rejection([CREATE], { status: 401, types: ["WrongOwner"], proof: "exchanges:2" }),
  rejection(CANCELS, { status: 401, types: ["WrongOwner"], proof: "edges:226" }),
  rejection(CANCELS, { status: 404, types: ["OrderNotFound"], proof: "edges:231" }),
  rejection(FAILING, { status: 500, types: ["InternalServerError"], proof: "edges:238" }),
  rejection(["GET /api/v1/orders/{UID}"], { status: 404, types: ["NotFound"], proof: "edges:152" }),
  rejection(["GET /api/v1/orders/{UID}/status"], {
    status: 404,
    types: ["NotFound"],
    proof: "edges:153",
  }),
  rejection([DEBUG], { status: 404, types: ["NotFound"], proof: "edges:154" }),
  rejection([SIMULATE_ONE], { status: 404, types: ["NotFound"], proof: "exchanges:3" }),
  rejection([SIMULATE], { status: 400, types: ["BadRequest"], proof: "exchanges:5" }),
  rejection([ACCOUNT_ORDERS], { status: 400, types: ["LIMIT_OUT_OF_BOUNDS"], proof: "edges:161" }),
  rejection(["GET /api/v1/trades"], {
    status: 400,
    types: ["InvalidTradeFilter"],
    proof: "edges:167",
  }),
  rejection(["GET /api/v2/trades"], {
    status: 400,
    types: ["InvalidTradeFilter", "InvalidLimit"],
    proof: "edges:168",
  }),
  rejection(COMPETITIONS, { status: 404, types: ["NotFound"], proof: "edges:177" }),
  rejection(["GET /api/v1/auction"], { status: 404, types: ["NotFound"], proof: "exchanges:1" }),
  rejection([NATIVE_PRICE], { status: 404, types: ["NoLiquidity"], proof: "edges:188" }),
  rejection([STREAM], { status: 404, types: ["NoLiquidity"], proof: "edges:146" }),
  rejection([REGISTER[0]!], { status: 400, types: ["AppDataInvalid"], proof: "edges:216" }),
  rejection([REGISTER[1]!], {
    status: 400,
    types: ["AppDataInvalid", "AppDataHashMismatch"],
    proof: "app_data__app_data:11",
  }),
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
