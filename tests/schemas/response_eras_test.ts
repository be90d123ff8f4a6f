import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { quotedFeeAmount } from "orderlens/metrics";
import {
  decodeCompetitionV1,
  decodeKind,
  decodeOrder,
  decodeQuoteResponse,
  drift,
  encodeCompetitionV1,
  encodeOrder,
  encodeQuoteResponse,
  isRefunded,
  type WireKind,
} from "orderlens/schemas";
import { recordedObjects } from "./recorded_bodies.ts";

const SELL_TOKEN = `0x${"aa".repeat(20)}`;

/** Fields of an order in responses of every year. */
const ALWAYS = {
  creationDate: "2024-03-01T10:00:00.123456Z",
  owner: `0x${"02".repeat(20)}`,
  uid: `0x${"ab".repeat(56)}`,
  availableBalance: null,
  executedBuyAmount: "2000",
  executedSellAmount: "1000",
  executedSellAmountBeforeFees: "1000",
  executedFeeAmount: "0",
  invalidated: false,
  status: "fulfilled",
  class: "limit",
  settlementContract: `0x${"90".repeat(20)}`,
  isLiquidityOrder: false,
  fullAppData: "{}",
  sellToken: SELL_TOKEN,
  buyToken: `0x${"bb".repeat(20)}`,
  receiver: `0x${"02".repeat(20)}`,
  sellAmount: "1000",
  buyAmount: "1900",
  validTo: 1795275000,
  appData: `0x${"0a".repeat(32)}`,
  feeAmount: "0",
  kind: "sell",
  partiallyFillable: false,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
  signingScheme: "presign",
  signature: "0x",
  interactions: { pre: [], post: [] },
};

const QUOTE_OF_2025 = {
  gasAmount: "100000",
  gasPrice: "1000000001",
  sellTokenPrice: "3",
  sellAmount: "1000",
  buyAmount: "2000",
  solver: `0x${"50".repeat(20)}`,
  verified: true,
  metadata: { version: "1.0", interactions: [] },
};

/** One order as responses of four eras have it. */
const ERAS: Readonly<Record<string, Record<string, unknown>>> = {
  "2024": { ...ALWAYS, executedSurplusFee: "3", fullFeeAmount: "0", solverFee: "0" },
  "2025-02": { ...ALWAYS, executedFee: "3", executedFeeToken: SELL_TOKEN },
  "2025-05": {
    ...ALWAYS,
    executedFee: "3",
    executedFeeToken: SELL_TOKEN,
    quote: QUOTE_OF_2025,
  },
  "2026-03": {
    ...ALWAYS,
    executedFee: "3",
    executedFeeToken: SELL_TOKEN,
    quote: { ...QUOTE_OF_2025, feeAmount: "33333333366667" },
  },
};

Deno.test("decodeOrder() reads an order as responses of every era have it, and adds nothing to it", () => {
  for (const [era, body] of Object.entries(ERAS)) {
    assertEquals(encodeOrder(decodeOrder(body)), body, era);
    const month = era === "2024" ? "2024-10" : era;
    const sentAt = Temporal.Instant.from(`${month}-20T00:00:00Z`);
    const { unknownFields, missingFields } = drift([{ kind: "order", body }], { sentAt });
    assertEquals([unknownFields, missingFields], [[], []], era);
  }
});

Deno.test("quotedFeeAmount() is the same in the eras with and without feeAmount", () => {
  const fees = Object.values(ERAS).map((body) => {
    const { quote } = decodeOrder(body);
    return quote == null ? null : quotedFeeAmount(quote);
  });
  // ceil(100000 × 1000000001 / 3) = ceil(33333333366666.67)
  assertEquals(fees, [null, null, 33_333_333_366_667n, 33_333_333_366_667n]);
});

Deno.test("quotedFeeAmount() computes the service's feeAmount for every recorded order", async () => {
  let count = 0;
  for await (const { kind, body } of recordedObjects()) {
    const { quote } = Object(body);
    if (kind !== "order" || quote?.feeAmount === undefined) continue;
    const { feeAmount, ...older } = quote;
    const decoded = decodeOrder({ ...Object(body), quote: older }).quote!;
    assertEquals(quotedFeeAmount(decoded), BigInt(feeAmount));
    assertEquals("feeAmount" in decoded, false);
    count++;
  }
  assertEquals(count > 900, true);
});

Deno.test("quotedFeeAmount() is null for a quote of 2025 without a price of the sell token", () => {
  const body = { ...ERAS["2025-05"], quote: { ...QUOTE_OF_2025, sellTokenPrice: "0" } };
  assertEquals(quotedFeeAmount(decodeOrder(body).quote!), null);
});

Deno.test("decodeOrder() reads EthFlow data of 2022, which names no transaction of a refund", () => {
  const ethflowData = { userValidTo: 1_670_000_000, isRefunded: true };
  const body = { ...ERAS["2024"], ethflowData };
  const order = decodeOrder(body);
  assertEquals([encodeOrder(order), isRefunded(order)], [body, true]);
  const open = decodeOrder({ ...body, ethflowData: { ...ethflowData, isRefunded: false } });
  assertEquals(isRefunded(open), false);
});

Deno.test("decodeCompetitionV1() knows filteredOut, which responses have since 2025-06", () => {
  const body = {
    auctionId: 7,
    transactionHashes: [`0x${"11".repeat(32)}`],
    auctionStartBlock: 100,
    competitionSimulationBlock: 101,
    auction: { orders: [ALWAYS.uid], prices: { [SELL_TOKEN]: "1000000000000000000" } },
    solutions: [{
      solver: "a-solver",
      solverAddress: `0x${"50".repeat(20)}`,
      score: "115",
      ranking: 2,
      clearingPrices: { [SELL_TOKEN]: "217" },
      orders: [{ id: ALWAYS.uid, sellAmount: "1000", buyAmount: "2000" }],
      isWinner: false,
      filteredOut: true,
    }],
  };
  const competition = decodeCompetitionV1(body);
  assertEquals(competition.solutions[0]?.filteredOut, true);
  assertEquals(encodeCompetitionV1(competition), body);
  assertEquals(drift([{ kind: "competition_v1", body }]).unknownFields, []);
});

/** A quote as responses of 2022 have it. */
const QUOTED = {
  sellToken: SELL_TOKEN,
  buyToken: `0x${"bb".repeat(20)}`,
  receiver: null,
  sellAmount: "990",
  buyAmount: "2000",
  validTo: 1670000000,
  appData: `0x${"0a".repeat(32)}`,
  feeAmount: "10",
  kind: "sell",
  partiallyFillable: false,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
};
const QUOTE_OF_2022 = {
  quote: QUOTED,
  from: `0x${"02".repeat(20)}`,
  expiration: "2022-12-02T16:53:20.5Z",
};
const QUOTE_OF_2024 = {
  ...QUOTE_OF_2022,
  quote: { ...QUOTED, signingScheme: "eip712" },
  id: 7,
  verified: false,
};
const GAS = { gasAmount: "100000", gasPrice: "1000000001", sellTokenPrice: "3" };

Deno.test("decodeQuoteResponse() reads a quote as responses of every era have it, and adds nothing to it", () => {
  const eras: [string, object, string[]][] = [
    ["2022-12-02", QUOTE_OF_2022, []],
    ["2023-12-02", { ...QUOTE_OF_2024, verified: undefined }, []],
    ["2024-04-15", QUOTE_OF_2024, []],
    ["2024-11-08", { ...QUOTE_OF_2024, verified: undefined }, ["verified"]],
    ["2026-10-05", { ...QUOTE_OF_2024, quote: { ...QUOTE_OF_2024.quote, ...GAS } }, []],
    ["2026-10-05", QUOTE_OF_2024, ["quote.gasAmount", "quote.gasPrice", "quote.sellTokenPrice"]],
  ];
  for (const [date, sent, missing] of eras) {
    const body = JSON.parse(JSON.stringify(sent));
    assertEquals(encodeQuoteResponse(decodeQuoteResponse(body)), body, date);
    const sentAt = Temporal.Instant.from(`${date}T00:00:00Z`);
    const { unknownFields, missingFields } = drift([{ kind: "quote_response", body }], { sentAt });
    assertEquals([unknownFields, missingFields.map(({ path }) => path)], [[], missing], date);
  }
  assertEquals("verified" in decodeQuoteResponse(QUOTE_OF_2022), false);
});

Deno.test("drift() and decodeKind() reject an unknown kind of body by name", () => {
  for (const kind of ["competition_v3", "constructor"] as unknown[] as WireKind[]) {
    const text = `There is no kind of wire object "${kind}"`;
    assertThrows(() => decodeKind(kind, {}), InputError, text);
    assertThrows(() => drift([{ kind, body: {} }]), InputError, text);
  }
});
