import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../lib/sandbox/mod.ts";
import type { OrderDesk } from "./order_desk.ts";

/** The sandbox that the requests are about. */
export const SANDBOX = await openSandbox({ seed: 3, auctions: 30 });

const { deniedAccounts, now, orderUids, tokens, unsupportedTokens } = SANDBOX.description;
const [WETH = "", USDC, DAI] = tokens.map(({ address }) => address);
const [FIRST, SECOND] = DEVELOPMENT_ACCOUNTS.map(({ address }) => address);
/** A token that accounts hold but cannot trade. */
const REFUSED = unsupportedTokens[0]!.address;
const DENIED = deniedAccounts[0]!;
const NATIVE = `0x${"ee".repeat(20)}`;
/** A well-formed signature. */
const SIGNATURE = `0x${"11".repeat(64)}1b`;
/** A hash without a document, and a UID without an order. */
const [HASH, UID] = [`0x${"cd".repeat(32)}`, `0x${"ab".repeat(56)}`];

/** Beginnings of rejections. */
const NO_JSON = "Failed to parse the request body as JSON: ";
const NO_SHAPE = "Failed to deserialize the JSON body into the target type: ";
const NO_QUERY = "Failed to deserialize query string: ";
const NO_URL = "Invalid URL: ";
const TOO_LARGE = "Failed to buffer the request body: length limit";
const NO_TYPE = "Expected request with `Content-Type: application/json`";

/** A changed body, or a path to get, and the expected answer: the error type, or the beginning of the text. */
type Edge<Asked = Record<string, unknown>> = readonly [
  asked: Asked,
  status: number,
  expected: string,
];

/** A request by method and path, with its body, and the expected answer. */
type EdgeRequest = readonly [
  request: string,
  body: unknown,
  status: number,
  expected: string,
  contentType?: string,
];

const ORDER = {
  sellToken: WETH,
  buyToken: DAI,
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
const PRESIGN = { signingScheme: "presign", signature: "0x", from: FIRST };

/** Bodies of `POST orders`, each differing from a valid one in one or two fields. */
const ORDERS: readonly Edge[] = [
  [{ sellToken: 5 }, 422, `${NO_SHAPE}sellToken: invalid type: integer \`5\`, expected 20 bytes`],
  [{ sellToken: {} }, 422, `${NO_SHAPE}sellToken: invalid type: map`],
  [{ sellToken: `0x${"g".repeat(40)}` }, 422, `${NO_SHAPE}sellToken: invalid character 'g' at`],
  [{ receiver: 1.5 }, 422, `${NO_SHAPE}receiver: invalid type: floating point \`1.5\``],
  [{ receiver: [] }, 422, `${NO_SHAPE}receiver: invalid type: sequence`],
  [{ sellAmount: null }, 422, `${NO_SHAPE}sellAmount: invalid type: null, expected a 32 byte hex`],
  [{ sellAmount: 1.5 }, 422, `${NO_SHAPE}sellAmount: invalid type: floating point \`1.5\``],
  [{ sellAmount: -1 }, 422, `${NO_SHAPE}sellAmount: invalid type: integer \`-1\``],
  [{ sellAmount: " 1" }, 422, `${NO_SHAPE}sellAmount: invalid value: string " 1"`],
  [{ feeAmount: "-0" }, 422, `${NO_SHAPE}feeAmount: invalid value: string "-0"`],
  [{ validTo: 1.5 }, 422, `${NO_SHAPE}validTo: invalid type: floating point \`1.5\`, expected u32`],
  [{ validTo: 4294967296 }, 422, `${NO_SHAPE}validTo: invalid value: integer \`4294967296\``],
  [{ kind: 1 }, 400, `${NO_JSON}kind: expected value`],
  [{ partiallyFillable: 0 }, 422, `${NO_SHAPE}partiallyFillable: invalid type: integer \`0\``],
  [{ sellTokenBalance: "ERC20" }, 422, `${NO_SHAPE}sellTokenBalance: unknown variant \`ERC20\``],
  [{ sellTokenBalance: null }, 400, `${NO_JSON}sellTokenBalance: expected value`],
  [{ from: "0x" }, 422, `${NO_SHAPE}from: invalid string length`],
  [{ quoteId: 1.5 }, 422, `${NO_SHAPE}quoteId: invalid type: floating point \`1.5\`, expected i64`],
  [{ fullBalanceCheck: "yes" }, 422, `${NO_SHAPE}fullBalanceCheck: invalid type: string "yes"`],
  [{ signingScheme: 1 }, 422, `${NO_SHAPE}invalid type: integer \`1\``],
  [{ signingScheme: "EIP712" }, 422, `${NO_SHAPE}unknown variant \`EIP712\``],
  [{ signature: `0x${"1".repeat(129)}` }, 422, `${NO_SHAPE}odd number of digits`],
  [{ signature: `0x${"zz".repeat(65)}` }, 422, `${NO_SHAPE}invalid character 'z' at position 0`],
  [
    { signature: `0x${"11".repeat(64)}1d` },
    422,
    `${NO_SHAPE}invalid signature v value: 29, expected`,
  ],
  [
    { signingScheme: "ethsign", signature: `0x${"11".repeat(64)}02` },
    422,
    `${NO_SHAPE}invalid signature v value: 2, expected 0, 1, 27, or 28`,
  ],
  [{ appData: HASH }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"hooks":[1]}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"hooks":{"pre":{}}}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"partnerFee":7}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"signer":"0x1"}}' }, 400, "InvalidAppData"],
  [{ appData: '{"metadata":{"replacedOrder":{"uid":"0x1"}}}' }, 400, "InvalidAppData"],
  [{ ...PRESIGN, signature: SIGNATURE }, 422, `${NO_SHAPE}presign signature bytes should be empty`],
  [{ ...PRESIGN, signingScheme: "eip1271", from: undefined }, 400, "MissingFrom"],
  [{ ...PRESIGN, sellAmount: "0x" }, 400, "ZeroAmount"],
  [{ ...PRESIGN, buyAmount: 0 }, 400, "ZeroAmount"],
  // Amounts are checked before tokens, and tokens before funds.
  [{ ...PRESIGN, buyAmount: "", buyToken: WETH }, 400, "ZeroAmount"],
  [{ ...PRESIGN, validTo: now + 59 }, 400, "InsufficientValidTo"],
  [{ ...PRESIGN, validTo: 0, buyToken: WETH }, 400, "InsufficientValidTo"],
  [{ ...PRESIGN, sellTokenBalance: "external" }, 400, "UnsupportedSellTokenSource"],
  [{ ...PRESIGN, buyTokenBalance: "internal" }, 400, "UnsupportedBuyTokenDestination"],
  [{ ...PRESIGN, buyToken: WETH.toUpperCase().replace("X", "x") }, 400, "SameBuyAndSellToken"],
  [{ ...PRESIGN, buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ ...PRESIGN, sellToken: REFUSED }, 400, "UnsupportedToken"],
  [{ ...PRESIGN, buyToken: REFUSED }, 400, "UnsupportedToken"],
  [{ ...PRESIGN, receiver: DENIED }, 403, "Forbidden"],
  [{ ...PRESIGN, from: DENIED }, 403, "Forbidden"],
  [{ ...PRESIGN, signature: FIRST, sellAmount: "1005" }, 201, ""],
  [{ ...PRESIGN, validTo: now + 60 }, 201, ""],
  [{ ...PRESIGN, validTo: 4294967295 }, 201, ""],
  [{ ...PRESIGN, sellAmount: "0x3e9" }, 201, ""],
  [{ ...PRESIGN, sellAmount: "0b11" }, 201, ""],
  [{ ...PRESIGN, sellAmount: 1002 }, 201, ""],
  [{ ...PRESIGN, sellToken: WETH.slice(2), sellAmount: "1003" }, 201, ""],
  [{ ...PRESIGN, sellToken: `0x${"12".repeat(20)}` }, 201, ""],
  [{ ...PRESIGN, appData: `0x${"0".repeat(64)}` }, 201, ""],
  [{ ...PRESIGN, sellAmount: "1004", unknown: { deep: [[[]]] } }, 201, ""],
];

const QUOTE = {
  from: FIRST,
  sellToken: WETH,
  buyToken: DAI,
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
  [{ sellAmountBeforeFee: String(2n ** 256n) }, 422, NO_AMOUNT],
  [{ validFor: "600" }, 422, `${NO_SHAPE}invalid type: string "600", expected u32`],
  [{ validFor: 59 }, 400, "InsufficientValidTo"],
  [{ validFor: 4294967295 }, 400, "ExcessiveValidTo"],
  [{ validFor: 4294967295, signingScheme: "eip1271" }, 400, "ExcessiveValidTo"],
  [{ validFor: 4294967295, signingScheme: "presign" }, 200, ""],
  [{ priceQuality: null }, 400, `${NO_JSON}priceQuality: expected value`],
  [{ signingScheme: "bogus" }, 422, `${NO_SHAPE}unknown variant \`bogus\``],
  [{ signingScheme: "presign", onchainOrder: "yes" }, 422, `${NO_SHAPE}invalid type: string "yes"`],
  [{ timeout: -1 }, 422, `${NO_SHAPE}timeout: invalid value: integer \`-1\`, expected u32`],
  [{ buyToken: `0x${"34".repeat(20)}` }, 404, "NoLiquidity"],
  [{ sellAmountBeforeFee: "1000000" }, 400, "SellAmountDoesNotCoverFee"],
  [{ sellToken: NATIVE, buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ sellToken: NATIVE, buyToken: WETH }, 400, "InvalidNativeSellToken"],
  [{ sellTokenBalance: "external" }, 400, "UnsupportedSellTokenSource"],
  [{ buyTokenBalance: "internal" }, 400, "UnsupportedBuyTokenDestination"],
  [{ sellToken: REFUSED }, 400, "UnsupportedToken"],
  [{ from: DENIED }, 403, "Forbidden"],
  [{ receiver: DENIED }, 403, "Forbidden"],
  [{ appData: "nope" }, 400, "InvalidAppData"],
  [{ appData: "{}", appDataHash: HASH }, 400, "AppDataHashMismatch"],
  [{ appData: HASH }, 200, ""],
  [{ sellToken: USDC, buyToken: NATIVE, sellAmountBeforeFee: "4000000000" }, 200, ""],
  [{ timeout: null, receiver: null, validFor: null }, 422, `${NO_SHAPE}invalid type: null`],
];

/** Paths to get. */
const GETS: readonly Edge<string>[] = [
  ["/api/v1/orders/0X12", 400, `${NO_URL}Cannot parse \`uid\` with value \`0X12\``],
  ["/api/v1/orders/%20", 400, `${NO_URL}Cannot parse \`uid\``],
  ["/api/v1/orders/", 404, ""],
  ["/api/v1/orders", 405, ""],
  ["/api/v1/orders/by_uids", 405, ""],
  [`/api/v1/orders/${orderUids[0]?.slice(2)}`, 200, ""],
  [`/api/v1/orders/${orderUids[0]}/`, 404, ""],
  [`/api/v1/orders/${orderUids[0]}/status`, 200, ""],
  ["/api/v1/quote", 405, ""],
  ["/api/v1/account/x/orders", 400, `${NO_URL}Cannot parse \`owner\``],
  [`/api/v1/account/${FIRST}/orders?limit=`, 400, `${NO_QUERY}limit: cannot parse`],
  [`/api/v1/account/${FIRST}/orders?limit=+5`, 400, `${NO_QUERY}limit: invalid digit`],
  [`/api/v1/account/${FIRST}/orders?limit=%2B5`, 200, ""],
  [`/api/v1/account/${FIRST}/orders?limit=1&limit=2`, 400, `${NO_QUERY}duplicate`],
  [`/api/v1/account/${FIRST}/orders?offset=1.5`, 400, `${NO_QUERY}offset: invalid`],
  [
    `/api/v1/account/${FIRST}/orders?offset=99999999999999999999`,
    400,
    `${NO_QUERY}offset: number too large to fit in target type`,
  ],
  [`/api/v1/account/${FIRST}/orders?offset=18446744073709551615`, 200, ""],
  [`/api/v2/trades?owner=0x1`, 400, `${NO_QUERY}owner: odd number of digits`],
  [`/api/v2/trades?owner=`, 400, `${NO_QUERY}owner: invalid string length`],
  [`/api/v2/trades?owner=${SECOND}&limit=x`, 400, `${NO_QUERY}limit: invalid digit`],
  [`/api/v1/trades?owner=${SECOND}&limit=0`, 200, ""],
  ["/api/v1/token/x/metadata", 400, `${NO_URL}Cannot parse \`token\``],
  ["/api/v2/solver_competition/+1", 404, "NotFound"],
  ["/api/v2/solver_competition/1.0", 400, `${NO_URL}Cannot parse \`1.0\` to a \`u64\``],
  [`/restricted/api/v1/debug/order/${HASH}`, 400, `${NO_URL}Cannot parse \`uid\``],
  [`/restricted/api/v1/debug/simulation/${orderUids[0]}?block_number=-1`, 400, NO_QUERY],
  ["/accounts/0x12/notifications", 400, `${NO_URL}Cannot parse \`account\``],
  ["/api/v1/orders/tx/0x12", 400, NO_URL],
  ["/api/v1/trades?owner=0x12", 400, NO_QUERY],
  ["/api/v1/orders/0x12/status", 400, NO_URL],
  ["/api/v1/token/0x12/native_price", 400, NO_URL],
  ["/api/v1/transactions/0x12/orders", 400, NO_URL],
  [`/restricted/api/v1/debug/simulation/${UID}`, 404, "NotFound"],
  ["/api/v1/debug/order/0x12", 400, NO_URL],
  [`/api/v1/debug/order/${UID}`, 404, "NotFound"],
  ["/restricted/api/v2/solver_competition/1", 404, "NotFound"],
  ["/restricted/api/v2/solver_competition/one", 400, NO_URL],
  [`/restricted/api/v2/solver_competition/by_tx_hash/${HASH}`, 404, "NotFound"],
  ["/restricted/api/v2/solver_competition/by_tx_hash/0x12", 400, NO_URL],
];

/** Requests by method and path, with their body. */
const OTHERS: readonly EdgeRequest[] = [
  ...GETS.map(([path, ...answer]) => [`GET ${path}`, undefined, ...answer] as const),
  ["DELETE /api/v1/orders/by_uids", {}, 405, ""],
  [`POST /api/v1/orders/${orderUids[0]}`, {}, 405, ""],
  ["PUT /api/v1/quote", {}, 405, ""],
  ["POST /api/v1/orders/by_uids", null, 422, `${NO_SHAPE}invalid type: null, expected a sequence`],
  ["POST /api/v1/orders/by_uids", [null], 422, `${NO_SHAPE}[0]: invalid type: null`],
  ["POST /api/v1/orders/by_uids", "[1.5]", 422, `${NO_SHAPE}[0]: invalid type: floating point`],
  [
    "PUT /api/v1/app_data",
    { fullAppData: null },
    422,
    `${NO_SHAPE}fullAppData: invalid type: null`,
  ],
  ["PUT /api/v1/app_data", [], 422, `${NO_SHAPE}invalid type: sequence`],
  ["PUT /api/v1/app_data/0x12", { fullAppData: "{}" }, 400, `${NO_URL}failed to decode "0x12"`],
  ["DELETE /api/v1/orders", Uint8Array.of(0x7b, 0xff, 0x7d), 400, ""],
  [`DELETE /api/v1/orders/${orderUids[0]}`, {}, 400, ""],
  [
    "POST /api/v1/orders",
    '{"__proto__":{"sellToken":1}}',
    422,
    `${NO_SHAPE}missing field \`sellToken\``,
  ],
  [
    "POST /api/v1/orders",
    Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d),
    400,
    `${NO_JSON}invalid unicode code point`,
  ],
  ["POST /api/v1/orders/by_uids", [], 415, NO_TYPE, "application/jsonx"],
  ["POST /api/v1/orders/by_uids", [], 200, "", "application/json;charset=utf-8"],
  ["POST /api/v1/orders/by_uids", [], 200, "", "APPLICATION/JSON"],
  ["POST /api/v1/orders/by_uids", [], 200, "", "application/a+json"],
  ...[
    "POST /api/v1/orders",
    "POST /api/v1/orders/by_uids",
    "POST /api/v1/quote",
    "POST /api/v1/quote/stream",
    "PUT /api/v1/app_data",
    `PUT /api/v1/app_data/${HASH}`,
    "POST /restricted/api/v1/debug/simulation",
  ].flatMap((request): EdgeRequest[] => [
    [request, "{", 400, `${NO_JSON}invalid JSON`],
    [request, "7", 422, NO_SHAPE],
    [request, {}, 415, NO_TYPE, "text/plain"],
    [request, " ".repeat(20_000), 413, TOO_LARGE],
  ]),
  [`PUT /api/v1/app_data/${HASH}`, { fullAppData: "nope" }, 400, "AppDataInvalid"],
];

/** Requests unlike the recorded ones; the answers follow from the service's rules. */
const INVENTED: readonly EdgeRequest[] = [
  ...ORDERS.map(([patch, ...answer]): EdgeRequest => [
    "POST /api/v1/orders",
    { ...ORDER, ...patch },
    ...answer,
  ]),
  ...["quote", "quote/stream"].flatMap((path) =>
    QUOTES.map(([patch, ...answer]): EdgeRequest => [
      `POST /api/v1/${path}`,
      { ...QUOTE, ...patch },
      ...answer,
    ])
  ),
  ...OTHERS,
];

/** Sends the requests to `SANDBOX`; returns unexpected answers. */
export async function askInvented(desk: OrderDesk): Promise<string[]> {
  const found: string[] = [];
  for (const [request, body, status, expected, contentType] of INVENTED) {
    const answer = await desk.ask(request, body, contentType);
    const isText = /^(Failed|Invalid URL|Expected)/.test(expected);
    const isExpected = isText ? answer.text.startsWith(expected) : answer.errorType === expected;
    if (answer.status === status && isExpected) continue;
    const shown = JSON.stringify(body)?.slice(-120);
    found.push(`${request} ${shown}: ${status} ${expected} / ${answer.status} ${answer.text}`);
  }
  return found;
}
