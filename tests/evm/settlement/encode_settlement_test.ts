import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { decodeSettlement, encodeSettlement, type SettlementCall } from "orderlens/evm";

const RECORDED = new URL("../../testdata/sandbox/simulations.ndjson", import.meta.url);
const PUBLIC = new URL("../../testdata/evm/settlements.json", import.meta.url);

async function recordedCalldata(): Promise<string[]> {
  const simulations = (await Deno.readTextFile(RECORDED)).trim().split("\n")
    .map((line) => JSON.parse(JSON.parse(line).responseBody).tenderlyRequest.input);
  return simulations;
}

Deno.test("encodeSettlement() returns the calldata that the service simulates", async () => {
  const recorded = await recordedCalldata();
  assertEquals(recorded.length, 3);
  for (const calldata of recorded) {
    assertEquals(encodeSettlement(decodeSettlement(calldata)), calldata);
  }
});

Deno.test("encodeSettlement() returns the calldata of public settlements, with the auction", async () => {
  const settlements: { calldata: string }[] = JSON.parse(await Deno.readTextFile(PUBLIC));
  for (const { calldata } of settlements) {
    const settlement = decodeSettlement(calldata);
    const encoded = encodeSettlement(settlement);
    // What is longer than the id of an auction is not decoded.
    assertEquals(encoded, calldata.slice(0, encoded.length));
    assertNotEquals(calldata.length - encoded.length, 2 * 8);
  }
});

Deno.test("encodeSettlement() rejects what the contract would read as something else", () => {
  const gold = `0x${"a1".repeat(20)}`;
  const silver = `0x${"b2".repeat(20)}`;
  const call: SettlementCall = {
    tokens: [gold, silver],
    clearingPrices: [2n, 1n],
    trades: [],
    interactions: { pre: [], intra: [], post: [] },
  };
  const trade = {
    sellTokenIndex: 0,
    buyTokenIndex: 1,
    sellToken: gold,
    buyToken: silver,
    receiver: null,
    sellAmount: 1n,
    buyAmount: 1n,
    validTo: 1,
    appData: `0x${"00".repeat(32)}`,
    feeAmount: 0n,
    kind: "sell",
    partiallyFillable: false,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
    signingScheme: "eip712",
    executedAmount: 0n,
    signature: `0x${"11".repeat(65)}`,
  } as const;
  assertEquals(decodeSettlement(encodeSettlement({ ...call, trades: [trade] })).trades, [trade]);
  const cases: [SettlementCall, string][] = [
    [{ ...call, clearingPrices: [1n] }, "it has 2 tokens and 1 prices"],
    [{ ...call, trades: [{ ...trade, sellTokenIndex: 1 }] }, `trade 0 is for ${gold}, but token 1`],
    [{ ...call, trades: [{ ...trade, buyTokenIndex: 2 }] }, "token 2 is absent"],
    [{ ...call, trades: [{ ...trade, sellAmount: -1n }] }, "a value does not fit its type"],
    [{ ...call, tokens: ["0x12", silver] }, "a value does not fit its type"],
    [{ ...call, auctionId: -1 }, "-1 is not the id of an auction"],
    [{ ...call, auctionId: 2 ** 53 }, "is not the id of an auction"],
  ];
  for (const [wrong, fault] of cases) {
    assertThrows(() => encodeSettlement(wrong), InputError, fault);
  }
});
