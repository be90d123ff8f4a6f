import mainnet from "../../testdata/evm/settlements.json" with { type: "json" };
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import * as evm from "orderlens/evm";
import {
  decodeSettlement,
  encodeSettlement,
  type SettlementCall,
  type SettlementTrade,
} from "orderlens/evm";
import { decodeFunctionData, type Hex, parseAbi } from "viem";
import {
  computeMappingSlot,
  encodeEvent,
  encodeHooks,
  encodeRouterSwap,
  encodeSetPreSignature,
  encodeWithdraw,
} from "../../../lib/evm/settlement/encode_settlement.ts";
import { packTradeFlags, readTradeFlags } from "../../../lib/evm/settlement/decode_settlement.ts";
import { readSelector } from "../../../lib/evm/settlement/decode_settlement_events.ts";
import { recordedChain } from "../../stored_run.ts";

const ABI = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function withdraw(uint256 wad)",
  "function setPreSignature(bytes orderUid, bool signed)",
]);

const CHAIN = await recordedChain("market_1");

function readTestdata(path: string): Promise<string> {
  return Deno.readTextFile(new URL(`../../testdata/${path}`, import.meta.url));
}

Deno.test("encodeRouterSwap() encodes the calldata that solvers sent in a recorded market", () => {
  const swaps = Object.values(CHAIN.settlements)
    .flatMap(({ input }) => evm.decodeSettlement(input).interactions.intra)
    .map(({ callData }) => callData.toLowerCase())
    .filter((callData) => callData.startsWith("0x8803dbee"));
  assert(swaps.length > 500, `${swaps.length}`);
  for (const callData of swaps) {
    const { functionName, args } = decodeFunctionData({ abi: ABI, data: callData as Hex });
    assert(functionName === "swapTokensForExactTokens", functionName);
    const [amount, bound, path, to, deadline] = args;
    assertEquals(deadline, 2n ** 256n - 1n);
    assertEquals(encodeRouterSwap({ fixed: "bought", amount, bound, path, to }), callData);
  }
});

Deno.test("encodeRouterSwap(), encodeWithdraw() and encodeSetPreSignature() encode calls that viem decodes", () => {
  const [one, other, to] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(20)}`) as Hex[];
  const swap = { fixed: "paid", amount: 5n, bound: 4n, path: [one!, other!], to: to! } as const;
  const uid = `0x${"44".repeat(56)}` as const;
  const calls = [encodeRouterSwap(swap), encodeWithdraw(7n), encodeSetPreSignature(uid)];
  assertEquals<unknown>(calls.map((data) => decodeFunctionData({ abi: ABI, data: data as Hex })), [
    {
      functionName: "swapExactTokensForTokens",
      args: [5n, 4n, [one!, other!], to!, 2n ** 256n - 1n],
    },
    { functionName: "withdraw", args: [7n] },
    { functionName: "setPreSignature", args: [uid, true] },
  ]);
});

Deno.test("encodeHooks() returns the service's calls of an order", async () => {
  const order = JSON.parse(await readTestdata("sandbox/order_with_hooks.json"));
  const { hooks } = JSON.parse(order.fullAppData).metadata;
  for (const when of ["pre", "post"]) {
    const { target, callData, gasLimit } = hooks[when][0];
    const encoded = encodeHooks([{ target, callData, gasLimit: BigInt(gasLimit) }]);
    assertEquals(encoded, order.interactions[when][0].callData);
  }
});

const word = (digits: string): string => `0x${digits.padStart(64, "0")}`;

Deno.test("encodeEvent() encodes events as the settlement contract emitted them in a recorded market", () => {
  const logs = CHAIN.logs.slice(0, 1_000);
  const events = evm.decodeSettlementEvents(logs);
  assertEquals(new Set(events.map(({ event }) => event)).size, 4);
  for (const [at, { topics, data }] of logs.entries()) {
    const event = events[at]!;
    assert(event.event !== "other" && event.event !== "OrderInvalidated");
    assertEquals(encodeEvent(event.event, { ...event }), { topics, data });
  }
});

Deno.test("encodeEvent() encodes an interaction without a selector with selector 0", () => {
  const call = { target: `0x${"12".repeat(20)}`, value: 5n, selector: readSelector("0x0102") };
  assertEquals(encodeEvent("Interaction", call).data, `${word("5")}${"0".repeat(64)}`);
});

const PLAIN = {
  kind: "sell",
  partiallyFillable: false,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
  signingScheme: "eip712",
} as const;

// Layout of GPv2Trade.extractFlags in the settlement contract.
Deno.test("readTradeFlags() reads every bit independently", () => {
  assertEquals(readTradeFlags(0n), PLAIN);
  assertEquals(readTradeFlags(0b000_0001n), { ...PLAIN, kind: "buy" });
  assertEquals(readTradeFlags(0b000_0010n), { ...PLAIN, partiallyFillable: true });
  assertEquals(readTradeFlags(0b000_0100n), PLAIN);
  assertEquals(readTradeFlags(0b000_1000n), { ...PLAIN, sellTokenBalance: "external" });
  assertEquals(readTradeFlags(0b000_1100n), { ...PLAIN, sellTokenBalance: "internal" });
  assertEquals(readTradeFlags(0b001_0000n), { ...PLAIN, buyTokenBalance: "internal" });
  assertEquals(readTradeFlags(0b010_0000n), { ...PLAIN, signingScheme: "ethsign" });
  assertEquals(readTradeFlags(0b100_0000n), { ...PLAIN, signingScheme: "eip1271" });
  assertEquals(readTradeFlags(0b110_0000n), { ...PLAIN, signingScheme: "presign" });
});

Deno.test("packTradeFlags() packs what readTradeFlags() reads", () => {
  // Bit 2 means nothing without bit 3.
  for (let flags = 0n; flags < 128n; flags++) {
    const expected = (flags & 8n) === 0n ? flags & ~4n : flags;
    assertEquals(packTradeFlags(readTradeFlags(flags)), expected);
  }
});

const MAINNET = evm.orderDomain({
  chainId: 1,
  settlementContract: "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
});

Deno.test("tradeOrderUid() returns the UIDs of real mainnet settlements", async () => {
  assertEquals(mainnet.length, 2);
  for (const { calldata, trades } of mainnet) {
    const settlement = evm.decodeSettlement(calldata);
    const uids = await Promise.all(settlement.trades.map((one) => evm.tradeOrderUid(MAINNET, one)));
    assertEquals(uids, trades.map((trade) => trade.uid));
  }
});

Deno.test("tradeOrderUid() rejects a signature that names no owner", async () => {
  const trade = evm.decodeSettlement(mainnet[0]?.calldata ?? "").trades[0];
  assert(trade !== undefined);
  const nameless: evm.SettlementTrade = { ...trade, signingScheme: "presign", signature: "0x1234" };
  const ask = () => evm.tradeOrderUid(MAINNET, nameless);
  await assertRejects(ask, InputError, "Cannot read the owner from a signature of scheme presign");
});

/** The requests for simulations that the service recorded. */
const SIMULATED: { to: string; from: string; input: string; state_objects: object }[] =
  (await readTestdata("sandbox/simulations.ndjson")).trim().split("\n")
    .map((line) => JSON.parse(JSON.parse(line).responseBody).tenderlyRequest);

Deno.test("encodeSettlement() returns the calldata of public settlements, with the auction", () => {
  assertEquals(mainnet.length, 2);
  for (const { calldata } of mainnet) {
    const settlement = decodeSettlement(calldata);
    const encoded = encodeSettlement(settlement);
    // What is longer than the id of an auction is not decoded.
    assertEquals(encoded, calldata.slice(0, encoded.length));
    assert(calldata.length - encoded.length !== 2 * 8);
  }
});

Deno.test("encodeSettlement() rejects settlements that the contract would read differently", () => {
  const { auctionId: _, suffix: __, ...call } = decodeSettlement(SIMULATED[0]!.input);
  const [trade, ...others] = call.trades;
  const { sellToken, sellTokenIndex, buyTokenIndex } = trade!;
  const altered = (changes: Partial<SettlementTrade>): SettlementCall => ({
    ...call,
    trades: [{ ...trade!, ...changes }, ...others],
  });
  const { length } = call.tokens;
  assert(length > 1 && sellTokenIndex !== buyTokenIndex);
  const cases: [SettlementCall, string][] = [
    [{ ...call, clearingPrices: [1n] }, `it has ${length} tokens and 1 prices`],
    [
      altered({ sellTokenIndex: buyTokenIndex }),
      `trade 0 is for ${sellToken}, but token ${buyTokenIndex}`,
    ],
    [altered({ buyTokenIndex: length }), `token ${length} is absent`],
    [altered({ sellAmount: -1n }), "a value does not fit its type"],
    [
      { ...call, trades: [], tokens: ["0x12", ...call.tokens.slice(1)] },
      "a value does not fit its type",
    ],
    [{ ...call, auctionId: -1 }, "-1 is not the id of an auction"],
    [{ ...call, auctionId: 2 ** 53 }, "is not the id of an auction"],
  ];
  for (const [wrong, fault] of cases) {
    assertThrows(() => encodeSettlement(wrong), InputError, fault);
  }
});

Deno.test("computeMappingSlot() returns the slot in which the service overrides balances and solvers", () => {
  const { state_objects, to, from } = SIMULATED[0]!;
  const slots = Object.values<{ storage?: object }>(Object(state_objects))
    .flatMap(({ storage }) => Object.keys(storage ?? {}));
  assertEquals(slots, [
    // The wrapped native token keeps balances in its fourth variable.
    computeMappingSlot(to, 3n),
    // The authenticator keeps solvers in its second.
    computeMappingSlot(from, 1n),
  ]);
});
