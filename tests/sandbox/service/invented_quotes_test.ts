import { assertEquals } from "@std/assert";
import {
  DAI,
  DENIED,
  differences,
  type Edge,
  FIRST,
  HASH,
  NATIVE,
  NO_JSON,
  NO_SHAPE,
  type Patch,
  REFUSED,
  SANDBOX,
  USDC,
  WETH,
} from "./invented_edges.ts";

const { now } = SANDBOX.description;

const QUOTE: Patch = {
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
  [{ sellToken: DAI, buyToken: WETH, sellAmountBeforeFee: "1" }, 404, "NoLiquidity"],
  [{ sellAmountBeforeFee: "1000000" }, 400, "SellAmountDoesNotCoverFee"],
  [{ buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ sellToken: NATIVE, buyToken: NATIVE }, 400, "SameBuyAndSellToken"],
  [{ sellToken: NATIVE, buyToken: WETH }, 400, "InvalidNativeSellToken"],
  [{ sellToken: REFUSED }, 400, "UnsupportedToken"],
  [{ from: DENIED }, 403, "Forbidden"],
  [{ receiver: DENIED }, 403, "Forbidden"],
  [{ appData: 5 }, 422, `${NO_SHAPE}invalid app data`],
  [{ appDataHash: HASH }, 422, `${NO_SHAPE}invalid app data`],
  [{ appData: "nope" }, 400, "InvalidAppData"],
  [{ appData: HASH }, 200, ""],
  [{ sellToken: USDC, buyToken: NATIVE, sellAmountBeforeFee: "4000000000" }, 200, ""],
  [{ from: `0x${"7e".repeat(20)}` }, 200, ""],
  [{ timeout: null, receiver: null, validFor: null }, 422, `${NO_SHAPE}invalid type: null`],
];

Deno.test(`openSandbox() answers ${QUOTES.length} quote requests as expected`, async () => {
  const requests = ["quote", "quote/stream"].flatMap((path) =>
    QUOTES.map(([patch, ...answer]) =>
      [`POST /api/v1/${path}`, { ...QUOTE, ...patch }, ...answer] as const
    )
  );
  assertEquals(await differences(requests), []);
});
