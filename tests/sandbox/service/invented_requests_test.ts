import { assertEquals } from "@std/assert";
import {
  DESK,
  differences,
  type EdgeRequest,
  FIRST,
  HASH,
  NO_JSON,
  NO_QUERY,
  NO_SHAPE,
  NO_URL,
  REFUSED,
  SANDBOX,
  SECOND,
  SIGNATURE,
} from "./invented_edges.ts";

const { orderUids } = SANDBOX.description;

/** Requests by method and path, with their body. */
const OTHERS: readonly EdgeRequest[] = [
  ["GET /api/v1/orders/0X12", undefined, 400, `${NO_URL}Cannot parse \`uid\` with value \`0X12\``],
  ["GET /api/v1/orders/%20", undefined, 400, `${NO_URL}Cannot parse \`uid\``],
  ["GET /api/v1/orders/", undefined, 404, ""],
  ["GET /api/v1/orders", undefined, 405, ""],
  ["GET /api/v1/orders/by_uids", undefined, 405, ""],
  ["DELETE /api/v1/orders/by_uids", {}, 405, ""],
  [`GET /api/v1/orders/${orderUids[0]?.slice(2)}`, undefined, 200, ""],
  [`GET /api/v1/orders/${orderUids[0]}/`, undefined, 404, ""],
  [`GET /api/v1/orders/${orderUids[0]}/status`, undefined, 200, ""],
  [`POST /api/v1/orders/${orderUids[0]}`, {}, 405, ""],
  ["GET /api/v1/quote", undefined, 405, ""],
  ["PUT /api/v1/quote", {}, 405, ""],
  ["GET /api/v1/account/x/orders", undefined, 400, `${NO_URL}Cannot parse \`owner\``],
  [`GET /api/v1/account/${FIRST}/orders?limit=`, undefined, 400, `${NO_QUERY}limit: cannot parse`],
  [
    `GET /api/v1/account/${FIRST}/orders?limit=+5`,
    undefined,
    400,
    `${NO_QUERY}limit: invalid digit`,
  ],
  [`GET /api/v1/account/${FIRST}/orders?limit=%2B5`, undefined, 200, ""],
  [`GET /api/v1/account/${FIRST}/orders?limit=1&limit=2`, undefined, 400, `${NO_QUERY}duplicate`],
  [`GET /api/v1/account/${FIRST}/orders?offset=1.5`, undefined, 400, `${NO_QUERY}offset: invalid`],
  [
    `GET /api/v1/account/${FIRST}/orders?offset=99999999999999999999`,
    undefined,
    400,
    `${NO_QUERY}offset: number too large to fit in target type`,
  ],
  [`GET /api/v1/account/${FIRST}/orders?offset=18446744073709551615`, undefined, 200, ""],
  [`GET /api/v2/trades?owner=0x1`, undefined, 400, `${NO_QUERY}owner: odd number of digits`],
  [`GET /api/v2/trades?owner=`, undefined, 400, `${NO_QUERY}owner: invalid string length`],
  [`GET /api/v2/trades?owner=${SECOND}&limit=x`, undefined, 400, `${NO_QUERY}limit: invalid digit`],
  ["GET /api/v2/trades?limit=0", undefined, 400, "InvalidTradeFilter"],
  [`GET /api/v1/trades?owner=${SECOND}&limit=0`, undefined, 200, ""],
  ["GET /api/v1/transactions/0x/orders", undefined, 400, `${NO_URL}Cannot parse \`hash\``],
  [`GET /api/v1/transactions/${HASH}/orders`, undefined, 200, ""],
  ["GET /api/v1/token/x/metadata", undefined, 400, `${NO_URL}Cannot parse \`token\``],
  [`GET /api/v1/token/${REFUSED}/native_price`, undefined, 404, "NoLiquidity"],
  ["GET /api/v2/solver_competition/+1", undefined, 404, "NotFound"],
  [
    "GET /api/v2/solver_competition/1.0",
    undefined,
    400,
    `${NO_URL}Cannot parse \`1.0\` to a \`u64\``,
  ],
  [`GET /api/v2/solver_competition/by_tx_hash/${HASH}`, undefined, 404, "NotFound"],
  [`GET /restricted/api/v1/debug/order/${HASH}`, undefined, 400, `${NO_URL}Cannot parse \`uid\``],
  [
    `GET /restricted/api/v1/debug/simulation/${orderUids[0]}?block_number=-1`,
    undefined,
    400,
    NO_QUERY,
  ],
  ["GET /accounts/0x12/notifications", undefined, 400, `${NO_URL}Cannot parse \`account\``],
  ["POST /api/v1/orders/by_uids", null, 422, `${NO_SHAPE}invalid type: null, expected a sequence`],
  ["POST /api/v1/orders/by_uids", [null], 422, `${NO_SHAPE}[0]: invalid type: null`],
  ["POST /api/v1/orders/by_uids", ["0x12"], 422, `${NO_SHAPE}[0]: failed to decode "0x12"`],
  ["POST /api/v1/orders/by_uids", '["0x12",', 400, `${NO_JSON}invalid JSON`],
  ["POST /api/v1/orders/by_uids", "[1.5]", 422, `${NO_SHAPE}[0]: invalid type: floating point`],
  [
    "PUT /api/v1/app_data",
    { fullAppData: null },
    422,
    `${NO_SHAPE}fullAppData: invalid type: null`,
  ],
  ["PUT /api/v1/app_data", [], 422, `${NO_SHAPE}invalid type: sequence`],
  ["PUT /api/v1/app_data", { fullAppData: "7" }, 400, "AppDataInvalid"],
  ["PUT /api/v1/app_data/0x12", { fullAppData: "{}" }, 400, `${NO_URL}failed to decode "0x12"`],
  ["DELETE /api/v1/orders", [], 400, ""],
  ["DELETE /api/v1/orders", { orderUids: "all" }, 400, ""],
  [
    "DELETE /api/v1/orders",
    { orderUids: [1], signature: SIGNATURE, signingScheme: "eip712" },
    400,
    "",
  ],
  [`DELETE /api/v1/orders/${orderUids[0]}`, {}, 400, ""],
  ...[
    "\ufeff{}",
    "[".repeat(10_000),
    `{"a":${"[".repeat(10_000)}`,
    '{"sellAmount":1e400}',
    '{"sellToken":"\\ud800"}',
    '{"sellToken":"0x12","sellToken"',
  ].map((body): EdgeRequest => ["POST /api/v1/orders", body, 400, `${NO_JSON}invalid JSON`]),
  [
    "POST /api/v1/orders",
    '{"__proto__":{"sellToken":1}}',
    422,
    `${NO_SHAPE}missing field \`sellToken\``,
  ],
  [
    "POST /api/v1/orders",
    "x".repeat(20_000),
    413,
    "Failed to buffer the request body: length limit",
  ],
  [
    "POST /api/v1/orders",
    Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d),
    400,
    `${NO_JSON}invalid unicode code point`,
  ],
];

Deno.test(`openSandbox() answers ${OTHERS.length} other requests as expected`, async () => {
  assertEquals(await differences(OTHERS), []);
});

Deno.test("openSandbox() accepts every JSON content type", async () => {
  for (const type of ["application/json;charset=utf-8", "APPLICATION/JSON", "application/a+json"]) {
    assertEquals((await DESK.ask("POST /api/v1/orders/by_uids", [], type)).status, 200, type);
  }
  for (const type of ["text/plain", "application/jsonx", "application/x-www-form-urlencoded"]) {
    assertEquals((await DESK.ask("POST /api/v1/orders/by_uids", [], type)).status, 415, type);
  }
});
