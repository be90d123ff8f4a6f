import { amended, bodyOf, rejectedWith, type Schema, type Specification } from "./schema.ts";
import { DIFFERENCES, UNRECORDED } from "./differences.ts";

/** The service's specification, as it is published. */
export const PUBLISHED: Specification = JSON.parse(
  await Deno.readTextFile(new URL("../testdata/openapi/order_book.json", import.meta.url)),
);

/** The specification with every difference made good: what the service does. */
export const AMENDED: Specification = amended(PUBLISHED, DIFFERENCES);

const TEXT: Schema = { type: "string" };
const WHOLE: Schema = { type: "integer" };
const ADDRESS: Schema = { $ref: "#/components/schemas/Address" };

/** Types of notifications. */
export const NOTIFICATION_TYPES = [
  ...["order_filled", "order_partially_filled", "order_expired", "order_cancelled"],
  ...["insufficient_balance", "price_improvement"],
] as const;

function listOf(items: Schema): Schema {
  return { type: "array", items };
}

/** An object with exactly these properties. */
function objectOf(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: "object", properties, required: Object.keys(properties) };
}

const NOTIFICATION = objectOf({
  id: TEXT,
  account: ADDRESS,
  type: { type: "string", enum: [...NOTIFICATION_TYPES] },
  message: TEXT,
  timestamp: { type: "string", format: "date-time" },
  metadata: { type: "object" },
});

const TOKEN = objectOf({ address: ADDRESS, symbol: TEXT, decimals: WHOLE });

const DESCRIPTION = objectOf({
  chainId: WHOLE,
  seed: WHOLE,
  auctionId: WHOLE,
  block: WHOLE,
  now: WHOLE,
  settlementContract: ADDRESS,
  wrappedNativeToken: ADDRESS,
  accounts: listOf(ADDRESS),
  deniedAccounts: listOf(ADDRESS),
  tokens: listOf(TOKEN),
  unsupportedTokens: listOf(TOKEN),
  orderUids: listOf({ $ref: "#/components/schemas/UID" }),
});

const RECORDED_OR_NOT = amended(AMENDED, UNRECORDED);
const { paths } = RECORDED_OR_NOT;

/**
 * What a sandbox serves: what the service does; debug reports, orders of a transaction and
 * competitions at other paths too; notifications, which are another service's; and its own
 * description.
 */
export const SERVED: Specification = {
  ...RECORDED_OR_NOT,
  paths: {
    ...paths,
    "/api/v1/debug/order/{uid}": paths["/restricted/api/v1/debug/order/{uid}"]!,
    "/api/v1/orders/tx/{txHash}": paths["/api/v1/transactions/{txHash}/orders"]!,
    "/restricted/api/v2/solver_competition/latest": paths["/api/v2/solver_competition/latest"]!,
    "/restricted/api/v2/solver_competition/by_tx_hash/{tx_hash}":
      paths["/api/v2/solver_competition/by_tx_hash/{tx_hash}"]!,
    "/accounts/{account}/notifications": {
      get: {
        responses: {
          "200": bodyOf(listOf(NOTIFICATION)),
          "400": {},
          "404": {},
          "500": bodyOf(rejectedWith("InternalServerError")),
        },
      },
    },
    "/sandbox": { get: { responses: { "200": bodyOf(DESCRIPTION) } } },
  },
};
