import fc from "fast-check";
import { DEVELOPMENT_ACCOUNTS, type Sandbox } from "../../lib/sandbox/mod.ts";

const ANY_HEX = fc.constantFrom(
  `0x${"ab".repeat(20)}`,
  `0x${"AB".repeat(32)}`,
  `0x${"00".repeat(56)}`,
  `0x${"12".repeat(65)}`,
  "0x",
  "0xzz",
  DEVELOPMENT_ACCOUNTS[0]!.address,
  "0x57e7000000000000000000000000000000000001",
  "0x57e7000000000000000000000000000000000002",
  "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
);
const ANY_AMOUNT = fc.oneof(
  fc.bigInt(-1n, 2n ** 256n).map(String),
  fc.constantFrom("0x10", "", "1e18", "1.5", " 1", "0"),
);
const ANY_VALUE = fc.oneof(
  ANY_HEX,
  ANY_AMOUNT,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("sell", "buy", "eip712", "presign", "eip1271", "{}", '{"metadata":{"hooks":[]}}'),
);
const FIELDS = (
  "sellToken buyToken receiver sellAmount buyAmount validTo validFor feeAmount kind " +
  "partiallyFillable sellTokenBalance buyTokenBalance appData appDataHash from quoteId " +
  "signingScheme signature sellAmountBeforeFee buyAmountAfterFee priceQuality timeout " +
  "fullAppData orderUids owner blockNumber fullBalanceCheck onchainOrder " +
  "verificationGasLimit __proto__"
).split(" ");
const BODIES: readonly [string, string][] = [
  ["POST", "/api/v1/orders"],
  ["POST", "/api/v1/quote"],
  ["POST", "/api/v1/quote/stream"],
  ["POST", "/api/v1/orders/by_uids"],
  ["PUT", "/api/v1/app_data"],
  ["DELETE", "/api/v1/orders"],
  ["POST", "/restricted/api/v1/debug/simulation"],
];
/** Any text as a part of an address. `fc.webSegment` would first encode all of Unicode, for two seconds. */
const ANY_TEXT = fc.array(fc.nat({ max: 0xd7ff }), { maxLength: 10 })
  .map((points) => encodeURIComponent(String.fromCodePoint(...points)));
const ANY_SEGMENTS = fc.array(
  fc.oneof(
    fc.constantFrom("api", "v1", "v2", "orders", "account", "trades", "status", "token"),
    fc.constantFrom("solver_competition", "latest", "by_tx_hash", "native_price", "restricted"),
    ANY_HEX,
    ANY_TEXT,
  ),
  { maxLength: 7 },
);

/** An arbitrary request. */
export interface AnyRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Body; absent if there is none. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const ANY_QUERY = fc
  .array(fc.oneof(ANY_TEXT, fc.constantFrom("&", "=", "limit", "offset", "owner", "orderUid")))
  .map((parts) => parts.join(""));

/** GET requests of arbitrary paths. */
export const ANY_GET: fc.Arbitrary<AnyRequest> = fc
  .tuple(ANY_SEGMENTS, ANY_QUERY)
  .map(([segments, query]) => ({ method: "GET", path: `/${segments.join("/")}?${query}` }));

/** Requests whose bodies are valid for `sandbox` except for up to four fields. */
export function anyBody(sandbox: Sandbox): fc.Arbitrary<AnyRequest> {
  const { tokens, accounts, now } = sandbox.description;
  const good = {
    sellToken: tokens[0]!.address,
    buyToken: tokens[1]!.address,
    from: accounts[0],
    owner: accounts[0],
    kind: "sell",
    sellAmount: "1000000000000000000",
    buyAmount: "1",
    sellAmountBeforeFee: "1000000000000000000",
    feeAmount: "0",
    validTo: now + 600,
    partiallyFillable: false,
    appData: "{}",
    signingScheme: "presign",
    signature: "0x",
    fullAppData: "{}",
    orderUids: [],
  };
  const changes = fc.dictionary(fc.constantFrom(...FIELDS), ANY_VALUE, { maxKeys: 4 });
  return fc.tuple(fc.constantFrom(...BODIES), changes).map(([[method, path], changed]) => ({
    method,
    path,
    body: JSON.stringify({ ...good, ...changed }),
  }));
}

const DAMAGE = [
  "",
  "{",
  "]",
  ",",
  '"',
  "\\",
  "\u0000",
  "\ufeff",
  "1e400",
  "\\ud800",
  "[".repeat(500),
]
  .map((text) => new TextEncoder().encode(text))
  .concat(Uint8Array.of(0xff), Uint8Array.of(0xed, 0xa0, 0x80));

/** The same requests with truncated text, or with inserted characters. */
export function damagedBody(sandbox: Sandbox): fc.Arbitrary<AnyRequest> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  return fc.tuple(anyBody(sandbox), share, fc.constantFrom(...DAMAGE), fc.boolean()).map(
    ([request, at, damage, isCut]) => {
      const body = new TextEncoder().encode(String(request.body));
      const place = Math.floor(at * body.length);
      const rest = isCut ? [] : body.slice(place);
      return { ...request, body: Uint8Array.of(...body.slice(0, place), ...damage, ...rest) };
    },
  );
}
