import { encodeFunctionData } from "viem/utils";
import { InputError } from "orderlens";
import { decodeSettlement } from "orderlens/evm";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { SETTLEMENT_ABI } from "../../../lib/evm/abis.ts";
import mainnet from "../../testdata/evm/settlements.json" with { type: "json" };

type Hex = `0x${string}`;

/** Calldata without interactions, whose trades are of the first of some tokens with a price of 1. */
function encode(
  tokens: readonly Hex[],
  prices: readonly bigint[],
  trades: Partial<typeof TRADE>[],
) {
  const all = trades.map((trade) => ({ ...TRADE, ...trade }));
  const functionName = "settle";
  return encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName,
    args: [tokens, prices, all, [[], [], []]],
  });
}

function hex(bytes: number, byte: number): Hex {
  return `0x${byte.toString(16).padStart(2, "0").repeat(bytes)}`;
}

/** A trade as it is encoded, of the first token for itself, of the largest amount. */
const TRADE = {
  sellTokenIndex: 0n,
  buyTokenIndex: 0n,
  receiver: hex(20, 0),
  sellAmount: 2n ** 256n - 1n,
  buyAmount: 2n,
  validTo: 3,
  appData: hex(32, 4),
  feeAmount: 5n,
  flags: 0n,
  executedAmount: 6n,
  signature: hex(65, 7),
};
const EMPTY = encode([], [], []);

for (const one of mainnet) {
  Deno.test(`decodeSettlement() decodes the real transaction ${one.transaction.slice(0, 10)}`, () => {
    const settlement = decodeSettlement(one.calldata);
    assertEquals(settlement.tokens, one.tokens);
    assertEquals(settlement.clearingPrices, one.clearingPrices.map(BigInt));
    const { pre, intra, post } = settlement.interactions;
    const counts = { pre: pre.length, intra: intra.length, post: post.length };
    assertEquals(counts, one.interactions);
    assertEquals(settlement.trades.length, one.trades.length);
    for (const [at, { uid: _, owner, receiver, ...expected }] of one.trades.entries()) {
      const trade = settlement.trades[at];
      assert(trade !== undefined);
      assertEquals(trade.receiver ?? owner, receiver);
      const { sellTokenIndex, buyTokenIndex, signature, receiver: __, ...signed } = trade;
      assertEquals(settlement.tokens[sellTokenIndex], expected.sellToken);
      assertEquals(settlement.tokens[buyTokenIndex], expected.buyToken);
      assert(signature.startsWith("0x"));
      const texts = Object.entries(signed)
        .map(([key, value]) => [key, typeof value === "bigint" ? `${value}` : value] as const);
      assertEquals(Object.fromEntries(texts), expected);
    }
  });
}

Deno.test("decodeSettlement() returns no auction for calldata without one", () => {
  assertEquals(decodeSettlement(EMPTY).auctionId, null);
  assertEquals(decodeSettlement(`${EMPTY}00000000000000ff`).auctionId, 255);
  assertEquals(decodeSettlement(`${EMPTY}000f000000000001`).auctionId, 0xf000000000001);
  assertEquals(decodeSettlement(`${EMPTY}00ff`).auctionId, null);
  assertEquals(decodeSettlement(`${EMPTY}ffffffffffffffff`).auctionId, null);
});

Deno.test("decodeSettlement() finds the auction behind arguments in an unusual layout", () => {
  const words = EMPTY.slice(10).match(/.{64}/g)!;
  const offset = (bytes: number) => bytes.toString(16).padStart(64, "0");
  const id = "00000000000000ff";
  const call = (...args: string[]) => `${EMPTY.slice(0, 10)}${args.join("")}`;
  // Two empty lists in one place, and the lists of interactions before the others.
  const shared = call(...words.with(1, offset(0x80)));
  const turned = call(
    ...[0x140, 0x160, 0x180, 0x80].map(offset),
    ...words.slice(-6),
    ...words.slice(4, 7),
  );
  for (const calldata of [shared, turned]) {
    const found = decodeSettlement(`${calldata}${id}`);
    assertEquals([found.auctionId, found.suffix], [255, `0x${id}`]);
    assertEquals({ ...found, auctionId: null, suffix: "0x" }, decodeSettlement(EMPTY));
    assertEquals(decodeSettlement(calldata).auctionId, null);
  }
  // Eight bytes of a call that is not filled up to a word are no auction.
  const [pre, intra, post] = [0x60, 0x80, 0xa0].map(offset);
  const head = [offset(0x20), hex(32, 0).slice(2), hex(32, 0).slice(2), offset(0x60), offset(8)];
  const unfilled = call(...words.slice(0, 7), pre!, intra!, post!, offset(0), offset(0), offset(1));
  const found = decodeSettlement(`${unfilled}${head.join("")}${id}`);
  assertEquals([found.auctionId, found.suffix], [null, "0x"]);
  assertEquals(found.interactions.post.map(({ callData }) => callData), [`0x${id}`]);
});

Deno.test("decodeSettlement() reads a zero receiver as the owner", () => {
  const { trades: [own, other] } = decodeSettlement(
    encode([hex(20, 0xab)], [1n], [{}, { receiver: hex(20, 0xcd) }]),
  );
  assertEquals([own?.receiver, other?.receiver], [null, hex(20, 0xcd)]);
  assertEquals(own?.sellAmount, 2n ** 256n - 1n);
});

Deno.test("decodeSettlement() names the fault of invalid calldata, tokens and flags", () => {
  const faults: [string, string][] = [
    ["", "it is not hex text with 0x and whole bytes"],
    ["0x1", "it is not hex text with 0x and whole bytes"],
    ["0xzz", "it is not hex text with 0x and whole bytes"],
    ["0x", "it does not call settle"],
    ["0xdeadbeef", "it does not call settle"],
    ["0x13d79a0b", "its arguments are truncated or malformed"],
    [EMPTY.slice(0, -64), "its arguments are truncated or malformed"],
    [encode([hex(20, 1)], [], []), "it has 1 tokens, 0 prices"],
  ];
  for (const [calldata, fault] of faults) {
    const said = `Cannot decode the calldata of a settlement: ${fault}`;
    assertThrows(() => decodeSettlement(calldata), InputError, said);
  }
  const absent = encode([hex(20, 1)], [1n], [{ sellTokenIndex: 1n }]);
  const says = "a trade refers to tokens 1 and 0 of 1";
  assertThrows(() => decodeSettlement(absent), InputError, says);
  const flagged = encode([hex(20, 1)], [1n], [{ flags: 128n }]);
  assertThrows(() => decodeSettlement(flagged), InputError, "Cannot read the flags 128 of a trade");
});

Deno.test("decodeSettlement() throws errors that name the fault and the remedy", async (t) => {
  const error = assertThrows(() => decodeSettlement(`0xdeadbeef${"00".repeat(64)}`), InputError);
  await t.assertSnapshot(error.message);
});
