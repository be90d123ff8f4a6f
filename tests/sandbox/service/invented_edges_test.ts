import { assertEquals } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../../lib/sandbox/mod.ts";
import { OrderDesk } from "./order_desk.ts";

/**
 * Requests of the sort that `edges` has, which were not recorded. What is expected follows from the
 * service's rules: the type of error, or how its text begins after "Failed to … : ".
 */
const sandbox = await openSandbox({ seed: 3, auctions: 30 });
const desk = new OrderDesk(sandbox);
const { tokens, unsupportedTokens, deniedAccounts, now, orderUids } = sandbox.description;
const [weth, usdc, dai] = tokens.map(({ address }) => address) as [string, string, string];
const [first, second] = DEVELOPMENT_ACCOUNTS.map(({ address }) => address) as [string, string];
const REFUSED = unsupportedTokens[0]!.address;
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const SIGNATURE = `0x${"11".repeat(64)}1b`;
const HASH = `0x${"cd".repeat(32)}`;

const NO_JSON = "Failed to parse the request body as JSON: ";
const NO_SHAPE = "Failed to deserialize the JSON body into the target type: ";
const NO_QUERY = "Failed to deserialize query string: ";
const NO_URL = "Invalid URL: ";

type Patch = Record<string, unknown>;
type Edge = readonly [patch: Patch, status: number, expected: string];

const ORDER: Patch = {
  sellToken: weth,
  buyToken: dai,
  sellAmount: "1000",
  buyAmount: "1",
  validTo: now + 600,
  feeAmount: "0",
  kind: "sell",
  partiallyFillable: false,
  appData: "{}",
  signingScheme: "eip712",
  signature: SIGNATURE,
};
const PRESIGN: Patch = { signingScheme: "presign", signature: "0x", from: first };

/** Bodies of `POST orders`, each different from a good one in a field or two. */
const ORDERS: readonly Edge[] = [
  [{ sellToken: 5 }, 422, `${NO_SHAPE}sellToken: invalid type: integer \`5\`, expected 20 bytes`],
  [{ sellToken: true }, 422, `${NO_SHAPE}sellToken: invalid type: boolean \`true\``],
  [{ sellToken: {} }, 422, `${NO_SHAPE}sellToken: invalid type: map`],
  [{ sellToken: "" }, 422, `${NO_SHAPE}sellToken: invalid string length`],
  [{ sellToken: `0x${"g".repeat(40)}` }, 422, `${NO_SHAPE}sellToken: invalid character 'g' at`],
  [{ sellToken: `${weth}00` }, 422, `${NO_SHAPE}sellToken: invalid string length`],
  [{ buyToken: "0x1" }, 422, `${NO_SHAPE}buyToken: odd number of digits`],
  [{ buyToken: null }, 422, `${NO_SHAPE}buyToken: invalid type: null`],
  [{ receiver: 1.5 }, 422, `${NO_SHAPE}receiver: invalid type: floating point \`1.5\``],
  [{ receiver: [] }, 422, `${NO_SHAPE}receiver: invalid type: sequence`],
  [{ sellAmount: null }, 422, `${NO_SHAPE}sellAmount: invalid type: null, expected a 32 byte hex`],
  [{ sellAmount: 1.5 }, 422, `${NO_SHAPE}sellAmount: invalid type: floating point \`1.5\``],
  [{ sellAmount: -1 }, 422, `${NO_SHAPE}sellAmount: invalid type: integer \`-1\``],
  [{ sellAmount: "1e18" }, 422, `${NO_SHAPE}sellAmount: invalid value: string "1e18"`],
  [{ sellAmount: " 1" }, 422, `${NO_SHAPE}sellAmount: invalid value: string " 1"`],
  [{ sellAmount: "0xg" }, 422, `${NO_SHAPE}sellAmount: invalid value: string "0xg"`],
  [{ sellAmount: [1] }, 422, `${NO_SHAPE}sellAmount: invalid type: sequence`],
  [{ sellAmount: `0x1${"0".repeat(64)}` }, 422, `${NO_SHAPE}sellAmount: invalid value`],
  [{ buyAmount: {} }, 422, `${NO_SHAPE}buyAmount: invalid type: map`],
  [{ buyAmount: false }, 422, `${NO_SHAPE}buyAmount: invalid type: boolean \`false\``],
  [{ feeAmount: "-0" }, 422, `${NO_SHAPE}feeAmount: invalid value: string "-0"`],
  [{ feeAmount: null }, 422, `${NO_SHAPE}feeAmount: invalid type: null`],
  [{ validTo: null }, 422, `${NO_SHAPE}validTo: invalid type: null, expected u32`],
  [{ validTo: 1.5 }, 422, `${NO_SHAPE}validTo: invalid type: floating point \`1.5\`, expected u32`],
  [{ validTo: 4294967296 }, 422, `${NO_SHAPE}validTo: invalid value: integer \`4294967296\``],
  [{ validTo: true }, 422, `${NO_SHAPE}validTo: invalid type: boolean \`true\`, expected u32`],
  [{ validTo: [] }, 422, `${NO_SHAPE}validTo: invalid type: sequence, expected u32`],
  [
    { kind: "SELL" },
    422,
    `${NO_SHAPE}kind: unknown variant \`SELL\`, expected \`buy\` or \`sell\``,
  ],
  [{ kind: "" }, 422, `${NO_SHAPE}kind: unknown variant \`\`, expected \`buy\` or \`sell\``],
  [{ kind: 1 }, 400, `${NO_JSON}kind: expected value`],
  [{ kind: true }, 400, `${NO_JSON}kind: expected value`],
  [{ partiallyFillable: null }, 422, `${NO_SHAPE}partiallyFillable: invalid type: null`],
  [{ partiallyFillable: 0 }, 422, `${NO_SHAPE}partiallyFillable: invalid type: integer \`0\``],
  [{ sellTokenBalance: "ERC20" }, 422, `${NO_SHAPE}sellTokenBalance: unknown variant \`ERC20\``],
  [{ sellTokenBalance: null }, 400, `${NO_JSON}sellTokenBalance: expected value`],
  [{ buyTokenBalance: 7 }, 400, `${NO_JSON}buyTokenBalance: expected value`],
  [{ from: "0x" }, 422, `${NO_SHAPE}from: invalid string length`],
  [{ from: 0 }, 422, `${NO_SHAPE}from: invalid type: integer \`0\``],
  [{ quoteId: 1.5 }, 422, `${NO_SHAPE}quoteId: invalid type: floating point \`1.5\`, expected i64`],
  [{ quoteId: "1" }, 422, `${NO_SHAPE}quoteId: invalid type: string "1", expected i64`],
  [{ fullBalanceCheck: null }, 422, `${NO_SHAPE}fullBalanceCheck: invalid type: null`],
  [{ fullBalanceCheck: "yes" }, 422, `${NO_SHAPE}fullBalanceCheck: invalid type: string "yes"`],
  [{ signingScheme: 1 }, 422, `${NO_SHAPE}invalid type: integer \`1\``],
  [{ signingScheme: "EIP712" }, 422, `${NO_SHAPE}unknown variant \`EIP712\``],
  [{ signature: null }, 422, `${NO_SHAPE}invalid type: null`],
  [{ signature: `0x${"1".repeat(129)}` }, 422, `${NO_SHAPE}odd number of digits`],
  [{ signature: `0x${"zz".repeat(65)}` }, 422, `${NO_SHAPE}invalid character 'z' at position 0`],
  [{ signature: `${SIGNATURE}00` }, 422, `${NO_SHAPE}ECDSA signature must be 65 bytes long`],
  [{ signature: `0x${"11".repeat(64)}1d` }, 400, "InvalidSignature"],
  [{ signature: `0x${"ff".repeat(64)}1b` }, 400, "InvalidSignature"],
  [{ appData: 5 }, 422, `${NO_SHAPE}data did not match any variant of untagged enum`],
  [{ appData: null }, 422, `${NO_SHAPE}data did not match any variant of untagged enum`],
  [{ appData: {} }, 422, `${NO_SHAPE}data did not match any variant of untagged enum`],
  [{ appData: HASH }, 400, "InvalidAppData"],
  [{ appData: "" }, 400, "InvalidAppData"],
  [{ appData: "null" }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{}}x' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"hooks":[1]}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"hooks":{"pre":{}}}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"partnerFee":7}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"signer":"0x1"}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"enableFastPath":true}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"replacedOrder":{"uid":"0x1"}}}' }, 400, "InvalidAppData"],
  [{ appData: "{}", appDataHash: HASH }, 400, "AppDataHashMismatch"],
  [{ ...PRESIGN, signature: "0x12" }, 422, `${NO_SHAPE}presign signature bytes should be empty`],
  [{ ...PRESIGN, signature: SIGNATURE }, 422, `${NO_SHAPE}presign signature bytes should be empty`],
  [{ ...PRESIGN, from: null }, 400, "MissingFrom"],
  [{ ...PRESIGN, signingScheme: "eip1271", from: undefined }, 400, "MissingFrom"],
  [{ ...PRESIGN, signingScheme: "eip1271" }, 400, "InvalidEip1271Signature"],
  [
    { ...PRESIGN, appData: `{"metadata":{"signer":"${second}"}}` },
    400,
    "AppdataFromMismatch",
  ],
  [{ ...PRESIGN, feeAmount: 1 }, 400, "NonZeroFee"],
  [{ ...PRESIGN, sellAmount: "0x" }, 400, "ZeroAmount"],
  [{ ...PRESIGN, buyAmount: 0 }, 400, "ZeroAmount"],
  // Amounts are looked at before tokens, and tokens before funds.
  [{ ...PRESIGN, buyAmount: "", buyToken: weth }, 400, "ZeroAmount"],
  [{ ...PRESIGN, validTo: now - 1 }, 400, "InsufficientValidTo"],
  [{ ...PRESIGN, validTo: now + 59 }, 400, "InsufficientValidTo"],
  [{ ...PRESIGN, validTo: 0, buyToken: weth }, 400, "InsufficientValidTo"],
  [{ ...PRESIGN, sellTokenBalance: "internal" }, 400, "UnsupportedSellTokenSource"],
  [{ ...PRESIGN, sellTokenBalance: "external" }, 400, "UnsupportedSellTokenSource"],
  [{ ...PRESIGN, buyTokenBalance: "internal" }, 400, "UnsupportedBuyTokenDestination"],
  [{ ...PRESIGN, buyToken: weth.toUpperCase().replace("X", "x") }, 400, "SameBuyAndSellToken"],
  [{ ...PRESIGN, buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ ...PRESIGN, sellToken: NATIVE }, 400, "InvalidNativeSellToken"],
  [{ ...PRESIGN, sellToken: REFUSED }, 400, "UnsupportedToken"],
  [{ ...PRESIGN, buyToken: REFUSED }, 400, "UnsupportedToken"],
  [{ ...PRESIGN, receiver: deniedAccounts[0] }, 403, "Forbidden"],
  [{ ...PRESIGN, from: deniedAccounts[0] }, 403, "Forbidden"],
  [PRESIGN, 201, ""],
  [{ ...PRESIGN, signature: first, sellAmount: "1005" }, 201, ""],
  [{ ...PRESIGN, validTo: now + 60 }, 201, ""],
  [{ ...PRESIGN, validTo: 4294967295 }, 201, ""],
  [{ ...PRESIGN, sellAmount: "0x3e9" }, 201, ""],
  [{ ...PRESIGN, sellAmount: "0b11" }, 201, ""],
  [{ ...PRESIGN, sellAmount: 1002 }, 201, ""],
  [{ ...PRESIGN, sellToken: weth.slice(2), sellAmount: "1003" }, 201, ""],
  [{ ...PRESIGN, from: `0x${"7e".repeat(20)}` }, 201, ""],
  [{ ...PRESIGN, sellToken: `0x${"12".repeat(20)}` }, 201, ""],
  [{ ...PRESIGN, appData: `0x${"0".repeat(64)}` }, 201, ""],
  [{ ...PRESIGN, sellAmount: "1004", unknown: { deep: [[[]]] } }, 201, ""],
];

const QUOTE: Patch = {
  from: first,
  sellToken: weth,
  buyToken: dai,
  kind: "sell",
  sellAmountBeforeFee: "1000000000000000000",
};
const NO_AMOUNT = `${NO_SHAPE}data did not match any variant of untagged enum SellAmount`;

/** Bodies of `POST quote`. */
const QUOTES: readonly Edge[] = [
  [{ from: null }, 422, `${NO_SHAPE}from: invalid type: null, expected 20 bytes`],
  [{ kind: null }, 422, `${NO_SHAPE}invalid type: null`],
  [{ kind: "limit" }, 422, `${NO_SHAPE}unknown variant \`limit\`, expected \`sell\` or \`buy\``],
  [{ kind: undefined }, 422, `${NO_SHAPE}missing field \`kind\``],
  [{ kind: "buy", buyAmountAfterFee: "0" }, 422, `${NO_SHAPE}Value cannot be zero!`],
  [{ kind: "buy", buyAmountAfterFee: "x" }, 422, `${NO_SHAPE}invalid value: string "x"`],
  [{ sellAmountBeforeFee: "0", sellAmountAfterFee: "0x0" }, 422, NO_AMOUNT],
  [{ sellAmountBeforeFee: null }, 422, NO_AMOUNT],
  [{ sellAmountBeforeFee: String(2n ** 256n) }, 422, NO_AMOUNT],
  [{ validFor: "600" }, 422, `${NO_SHAPE}invalid type: string "600", expected u32`],
  [{ validFor: 600, validTo: now + 600 }, 422, `${NO_SHAPE}must specify at most one of`],
  [{ validTo: now }, 400, "InsufficientValidTo"],
  [{ validFor: 59 }, 400, "InsufficientValidTo"],
  [{ validFor: 4294967295 }, 400, "ExcessiveValidTo"],
  [{ validFor: 4294967295, signingScheme: "eip1271" }, 400, "ExcessiveValidTo"],
  [{ validFor: 4294967295, signingScheme: "presign" }, 200, ""],
  [{ priceQuality: null }, 400, `${NO_JSON}priceQuality: expected value`],
  [{ priceQuality: "" }, 422, `${NO_SHAPE}priceQuality: unknown variant`],
  [{ signingScheme: "bogus" }, 422, `${NO_SHAPE}unknown variant \`bogus\``],
  [{ signingScheme: "presign", onchainOrder: "yes" }, 422, `${NO_SHAPE}invalid type: string "yes"`],
  [{ timeout: -1 }, 422, `${NO_SHAPE}timeout: invalid value: integer \`-1\`, expected u32`],
  [{ timeout: 1 }, 404, "NoLiquidity"],
  [{ buyToken: `0x${"34".repeat(20)}` }, 404, "NoLiquidity"],
  [{ sellToken: dai, buyToken: weth, sellAmountBeforeFee: "1" }, 404, "NoLiquidity"],
  [{ sellAmountBeforeFee: "1000000" }, 400, "SellAmountDoesNotCoverFee"],
  [{ buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ sellToken: NATIVE, buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ sellToken: NATIVE, buyToken: weth }, 400, "InvalidNativeSellToken"],
  [{ sellToken: REFUSED }, 400, "UnsupportedToken"],
  [{ from: deniedAccounts[0] }, 403, "Forbidden"],
  [{ receiver: deniedAccounts[0] }, 403, "Forbidden"],
  [{ appData: 5 }, 422, `${NO_SHAPE}invalid app data`],
  [{ appDataHash: HASH }, 422, `${NO_SHAPE}invalid app data`],
  [{ appData: "nope" }, 400, "InvalidAppData"],
  [{ appData: HASH }, 200, ""],
  [{ sellToken: usdc, buyToken: NATIVE, sellAmountBeforeFee: "4000000000" }, 200, ""],
  [{ from: `0x${"7e".repeat(20)}` }, 200, ""],
  [{ timeout: null, receiver: null, validFor: null }, 422, `${NO_SHAPE}invalid type: null`],
];

/** Requests by method and path, with a body where there is one. */
const OTHERS: readonly (readonly [string, unknown, number, string])[] = [
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
  [`GET /api/v1/account/${first}/orders?limit=`, undefined, 400, `${NO_QUERY}limit: cannot parse`],
  [
    `GET /api/v1/account/${first}/orders?limit=+5`,
    undefined,
    400,
    `${NO_QUERY}limit: invalid digit`,
  ],
  [`GET /api/v1/account/${first}/orders?limit=%2B5`, undefined, 200, ""],
  [`GET /api/v1/account/${first}/orders?limit=1&limit=2`, undefined, 400, `${NO_QUERY}duplicate`],
  [`GET /api/v1/account/${first}/orders?offset=1.5`, undefined, 400, `${NO_QUERY}offset: invalid`],
  [
    `GET /api/v1/account/${first}/orders?offset=99999999999999999999`,
    undefined,
    400,
    `${NO_QUERY}offset: number too large to fit in target type`,
  ],
  [`GET /api/v1/account/${first}/orders?offset=18446744073709551615`, undefined, 200, ""],
  [`GET /api/v2/trades?owner=0x1`, undefined, 400, `${NO_QUERY}owner: odd number of digits`],
  [`GET /api/v2/trades?owner=`, undefined, 400, `${NO_QUERY}owner: invalid string length`],
  [`GET /api/v2/trades?owner=${second}&limit=x`, undefined, 400, `${NO_QUERY}limit: invalid digit`],
  ["GET /api/v2/trades?limit=0", undefined, 400, "InvalidTradeFilter"],
  [`GET /api/v1/trades?owner=${second}&limit=0`, undefined, 200, ""],
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
  ["POST /api/v1/orders/by_uids", '["0x12",', 422, `${NO_SHAPE}[0]: failed to decode "0x12"`],
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
  ["POST /api/v1/orders", "\ufeff{}", 400, `${NO_JSON}expected value at line 1 column 1`],
  ["POST /api/v1/orders", "[".repeat(10_000), 422, `${NO_SHAPE}invalid type: sequence`],
  ["POST /api/v1/orders", `{"a":${"[".repeat(10_000)}`, 400, `${NO_JSON}a[0][0]`],
  ["POST /api/v1/orders", '{"sellAmount":1e400}', 400, `${NO_JSON}sellAmount: number out of range`],
  [
    "POST /api/v1/orders",
    '{"sellToken":"\\ud800"}',
    400,
    `${NO_JSON}sellToken: unexpected end of hex`,
  ],
  [
    "POST /api/v1/orders",
    '{"__proto__":{"sellToken":1}}',
    422,
    `${NO_SHAPE}missing field \`sellToken\``,
  ],
  ["POST /api/v1/orders", '{"sellToken":"0x12","sellToken"', 422, `${NO_SHAPE}sellToken: invalid`],
  [
    "POST /api/v1/orders",
    `{"kind":"sell","kind":"buy"}`,
    422,
    `${NO_SHAPE}duplicate field \`kind\``,
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

function isExpected(
  { text, errorType }: { text: string; errorType: string | null },
  expected: string,
) {
  return expected.startsWith("Failed") || expected.startsWith("Invalid URL")
    ? text.startsWith(expected)
    : (errorType ?? "") === expected;
}

async function differences(
  requests: Iterable<readonly [request: string, body: unknown, status: number, expected: string]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [request, body, status, expected] of requests) {
    const answer = await desk.ask(request, body);
    if (answer.status === status && isExpected(answer, expected)) continue;
    const shown = JSON.stringify(body)?.slice(-120);
    found.push(`${request} ${shown}: ${status} ${expected} / ${answer.status} ${answer.text}`);
  }
  return found;
}

Deno.test(`openSandbox() refuses ${ORDERS.length} orders as the service's rules say`, async () => {
  const requests = ORDERS.map(([patch, status, expected]) =>
    ["POST /api/v1/orders", { ...ORDER, ...patch }, status, expected] as const
  );
  assertEquals(await differences(requests), []);
});

Deno.test(`openSandbox() answers ${QUOTES.length} requests for quotes as they say`, async () => {
  const requests = ["quote", "quote/stream"].flatMap((path) =>
    QUOTES.map(([patch, status, expected]) =>
      [`POST /api/v1/${path}`, { ...QUOTE, ...patch }, status, expected] as const
    )
  );
  assertEquals(await differences(requests), []);
});

Deno.test(`openSandbox() answers ${OTHERS.length} other requests as they say`, async () => {
  assertEquals(await differences(OTHERS), []);
});

Deno.test("openSandbox() takes JSON under every content type that says so", async () => {
  for (const type of ["application/json;charset=utf-8", "APPLICATION/JSON", "application/a+json"]) {
    assertEquals((await desk.ask("POST /api/v1/orders/by_uids", [], type)).status, 200, type);
  }
  for (const type of ["text/plain", "application/jsonx", "application/x-www-form-urlencoded"]) {
    assertEquals((await desk.ask("POST /api/v1/orders/by_uids", [], type)).status, 415, type);
  }
});
