import fc from "fast-check";
import { encodeFunctionData } from "viem/utils";
import { InputError } from "orderlens";
import { decodeSettlement } from "orderlens/evm";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { SETTLEMENT_ABI } from "../../../lib/evm/abis.ts";
import mainnet from "../../testdata/evm/settlements.json" with { type: "json" };
import { recordedChain, storedRun } from "../../stored_run.ts";

const EMPTY = encode([], [], [], { pre: 0, intra: 0, post: 0 });

type Hex = `0x${string}`;

type Encoded = Readonly<
  & Record<"sellTokenIndex" | "buyTokenIndex" | "sellAmount" | "buyAmount" | "feeAmount", bigint>
  & Record<"flags" | "executedAmount", bigint>
  & Record<"receiver" | "appData" | "signature", Hex>
  & { validTo: number }
>;

function encode(
  tokens: Hex[],
  prices: bigint[],
  trades: Encoded[],
  counts: { pre: number; intra: number; post: number },
): Hex {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      target: hex(20, at + 1),
      value: BigInt(at),
      callData: hex(5 * at, 7),
    }));
  return encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName: "settle",
    args: [tokens, prices, trades, [calls(counts.pre), calls(counts.intra), calls(counts.post)]],
  });
}

function hex(bytes: number, byte: number): Hex {
  return `0x${byte.toString(16).padStart(2, "0").repeat(bytes)}`;
}

for (const one of mainnet) {
  Deno.test(`decodeSettlement() decodes the real transaction ${one.transaction.slice(0, 10)}`, () => {
    const settlement = decodeSettlement(one.calldata);
    assertEquals(settlement.tokens, one.tokens);
    assertEquals(settlement.clearingPrices, one.clearingPrices.map(BigInt));
    const { pre, intra, post } = settlement.interactions;
    assertEquals(
      { pre: pre.length, intra: intra.length, post: post.length },
      one.interactions,
    );
    assertEquals(settlement.trades.length, one.trades.length);
    for (const [at, { uid: _, owner, receiver, ...expected }] of one.trades.entries()) {
      const trade = settlement.trades[at];
      assert(trade !== undefined);
      assertEquals(trade.receiver ?? owner, receiver);
      const { sellTokenIndex, buyTokenIndex, signature, receiver: __, ...signed } = trade;
      assertEquals(settlement.tokens[sellTokenIndex], expected.sellToken);
      assertEquals(settlement.tokens[buyTokenIndex], expected.buyToken);
      assert(signature.startsWith("0x"));
      assertEquals(
        Object.fromEntries(
          Object.entries(signed).map(([key, value]) =>
            [key, typeof value === "bigint" ? `${value}` : value] as const
          ),
        ),
        expected,
      );
    }
  });
}

Deno.test("decodeSettlement() finds the auction of every settlement of a recorded market", async () => {
  const chain = await recordedChain("market_1");
  const truth = await storedRun("market_1");
  for (const { tx_hash, auction_id } of truth.settlements) {
    assertEquals(decodeSettlement(chain.settlements[tx_hash]?.input ?? "").auctionId, auction_id);
  }
  assertEquals(truth.settlements.length, 637);
});

Deno.test("decodeSettlement() returns no auction for calldata without one", () => {
  assertEquals(decodeSettlement(EMPTY).auctionId, null);
  assertEquals(decodeSettlement(`${EMPTY}00000000000000ff`).auctionId, 255);
  assertEquals(decodeSettlement(`${EMPTY}00ff`).auctionId, null);
  assertEquals(decodeSettlement(`${EMPTY}ffffffffffffffff`).auctionId, null);
});

/** A trade as it is encoded, of the first token for itself. */
const TRADE = {
  sellTokenIndex: 0n,
  buyTokenIndex: 0n,
  receiver: hex(20, 0),
  sellAmount: 1n,
  buyAmount: 2n,
  validTo: 3,
  appData: hex(32, 4),
  feeAmount: 5n,
  flags: 0n,
  executedAmount: 6n,
  signature: hex(65, 7),
};
const COUNTS = { pre: 0, intra: 0, post: 0 };

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
  const token = hex(20, 0xab);
  const [decoded] = decodeSettlement(encode([token], [1n], [TRADE], COUNTS)).trades;
  assertEquals(decoded?.receiver, null);
  const to = encode([token], [1n], [{ ...TRADE, receiver: hex(20, 0xcd) }], COUNTS);
  assertEquals(decodeSettlement(to).trades[0]?.receiver, hex(20, 0xcd));
});

Deno.test("decodeSettlement() inverts the encoding", () => {
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((all): Hex => `0x${all.toHex()}`);
  const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  const small = fc.integer({ min: 0, max: 3 });
  fc.assert(fc.property(
    fc.array(fc.tuple(bytes(20), amount), { minLength: 1, maxLength: 4 }),
    fc.array(
      fc.record({
        sell: fc.nat(),
        buy: fc.nat(),
        receiver: bytes(20),
        sellAmount: amount,
        buyAmount: amount,
        validTo: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        appData: bytes(32),
        feeAmount: amount,
        flags: fc.bigInt({ min: 0n, max: 127n }),
        executedAmount: amount,
        signature: fc.oneof(bytes(65), bytes(20), bytes(0), bytes(64)),
      }),
      { maxLength: 3 },
    ),
    fc.record({ pre: small, intra: small, post: small }),
    fc.integer({ min: 0, max: 2 ** 32 }),
    (priced, trades, counts, auctionId) => {
      const tokens = priced.map(([token]) => token);
      const prices = priced.map(([, price]) => price);
      const encoded = trades.map(({ sell, buy, ...rest }) => ({
        ...rest,
        sellTokenIndex: BigInt(sell % tokens.length),
        buyTokenIndex: BigInt(buy % tokens.length),
      }));
      const calldata = encode(tokens, prices, encoded, counts) +
        auctionId.toString(16).padStart(16, "0");
      const { interactions, ...decoded } = decodeSettlement(calldata);
      const found = [decoded.tokens, decoded.clearingPrices, decoded.auctionId];
      assertEquals<unknown>(found, [tokens, prices, auctionId]);
      const { pre, intra, post } = interactions;
      assertEquals({ pre: pre.length, intra: intra.length, post: post.length }, { ...counts });
      for (const [at, trade] of encoded.entries()) {
        const { sellAmount, executedAmount, signature, appData, validTo } = trade;
        const sellToken = tokens[Number(trade.sellTokenIndex)];
        const same = { sellAmount, executedAmount, signature, appData, validTo, sellToken };
        assertEquals<unknown>({ ...decoded.trades[at], ...same }, decoded.trades[at]);
      }
    },
  ));
});

Deno.test("decodeSettlement() names the fault of invalid calldata", () => {
  const faults: [string, string][] = [
    ["", "it is not hex text with 0x and whole bytes"],
    ["0x1", "it is not hex text with 0x and whole bytes"],
    ["0xzz", "it is not hex text with 0x and whole bytes"],
    ["0x", "it does not call settle"],
    ["0xdeadbeef", "it does not call settle"],
    ["0x13d79a0b", "its arguments are truncated or malformed"],
    [EMPTY.slice(0, -64), "its arguments are truncated or malformed"],
    [encode([hex(20, 1)], [], [], COUNTS), "it has 1 tokens, 0 prices"],
  ];
  for (const [calldata, fault] of faults) {
    const said = `Cannot decode the calldata of a settlement: ${fault}`;
    assertThrows(() => decodeSettlement(calldata), InputError, said);
  }
});

Deno.test("decodeSettlement() rejects tokens and flags that do not exist", () => {
  for (
    const [altered, message] of [
      [{ sellTokenIndex: 1n }, "a trade refers to tokens 1 and 0 of 1"],
      [{ flags: 128n }, "Cannot read the flags 128 of a trade"],
    ] as const
  ) {
    const calldata = encode([hex(20, 1)], [1n], [{ ...TRADE, ...altered }], COUNTS);
    assertThrows(() => decodeSettlement(calldata), InputError, message);
  }
});

Deno.test("decodeSettlement() throws errors that name the fault and the remedy", async (t) => {
  const error = assertThrows(() => decodeSettlement(`0xdeadbeef${"00".repeat(64)}`), InputError);
  await t.assertSnapshot(error.message);
});
