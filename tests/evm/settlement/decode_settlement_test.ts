import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  decodeEventLog,
  decodeFunctionData,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
} from "viem";
import { InputError } from "orderlens";
import { decodeSettlement, encodeSettlement } from "orderlens/evm";
import mainnet from "../../testdata/evm/settlements.json" with { type: "json" };
import { LogDecoder, SETTLEMENT_ABI, TOKEN_EVENTS } from "../../../lib/evm/abis.ts";
import { readPlainValues } from "../../../lib/evm/plain_values.ts";
import { recordedChain } from "../../stored_run.ts";

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

assertEquals(mainnet.length, 2);
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

Deno.test("decodeSettlement() finds the auction after arguments in an unusual layout", () => {
  const words = EMPTY.slice(10).match(/.{64}/g)!;
  const id = "00000000000000ff";
  const call = (...args: string[]) => `${EMPTY.slice(0, 10)}${args.join("")}`;
  // Two empty lists in one place, and the lists of interactions before the others.
  const shared = call(...words.with(1, word(0x80)));
  const turned = call(
    ...[0x140, 0x160, 0x180, 0x80].map(word),
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
  const [pre, intra, post] = [0x60, 0x80, 0xa0].map(word);
  const head = [word(0x20), hex(32, 0).slice(2), hex(32, 0).slice(2), word(0x60), word(8)];
  const unfilled = call(...words.slice(0, 7), pre!, intra!, post!, word(0), word(0), word(1));
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

const CHAINS = [await recordedChain("market_1"), await recordedChain("market_3")] as const;
const ALL = CHAINS.flatMap(({ settlements }) =>
  Object.values(settlements).map(({ input }) => input.toLowerCase())
);
/** One of each length: those of one have one layout. */
const CALLS = new Map(ALL.map((calldata) => [calldata.length, calldata]));

const [SETTLE] = SETTLEMENT_ABI.filter((item) => item.type === "function");

/** The arguments of `settle`; `null` in a layout that is left to viem. */
function settleArguments(calldata: string): unknown {
  return readPlainValues(SETTLE!.inputs, calldata.slice(10))?.values ?? null;
}

/** What viem reads, with addresses in lower case; `null` if it throws. */
function byViem(calldata: string): unknown {
  try {
    return lower(decodeFunctionData({ abi: SETTLEMENT_ABI, data: calldata as Hex }).args);
  } catch {
    return null;
  }
}

function lower(value: unknown): unknown {
  if (typeof value === "string") return value.toLowerCase();
  if (Array.isArray(value)) return value.map(lower);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, lower(one)]));
}

Deno.test("readPlainValues() reads the calldata of recorded settlements of every length as viem does", () => {
  assert(CALLS.size > 20);
  for (const calldata of CALLS.values()) {
    const plain = settleArguments(calldata);
    assert(plain !== null);
    assertEquals(plain, byViem(calldata));
  }
});

Deno.test("readPlainValues() leaves interactions that share one to viem", () => {
  const pointing = (count: number) => pointingToOne(count, 32 * 300);
  assertEquals(settleArguments(pointing(1)), byViem(pointing(1)));
  assertEquals(settleArguments(pointing(300)), null);
});

Deno.test("readPlainValues() leaves trades that share their words to viem", () => {
  const sharing = (count: number) => {
    const heads = [128, 160, 192, 192 + 32 + 32 * count + 32 * 12].map(word).join("");
    const trade = [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 32 * 11, 0].map(word).join("");
    const trades = word(count) + word(32 * count).repeat(count) + trade;
    const calls = [96, 128, 160, 0, 0, 0].map(word).join("");
    return `0x13d79a0b${heads}${word(0).repeat(2)}${trades}${calls}`;
  };
  assertEquals(settleArguments(sharing(1)), byViem(sharing(1)));
  assertEquals(settleArguments(sharing(2)), null);
  // Words behind the calldata do not make up for what is read twice.
  const long = sharing(700) + word(0).repeat(9_000);
  assertEquals([settleArguments(long), byViem(long)], [null, null]);
});

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

/** Calldata with interactions that all point to one. */
function pointingToOne(count: number, size: number): string {
  const list = word(count) + word(32 * count).repeat(count);
  const one = word(0) + word(0) + word(96) + word(size) + "ab".repeat(size);
  const lists = [96, 96 + 32, 96 + 64].map(word).join("") + word(0).repeat(2) + list + one;
  const heads = [128, 160, 192, 224].map(word).join("") + word(0).repeat(3);
  return `0x13d79a0b${heads}${lists}`;
}

Deno.test("readPlainValues() reads empty lists and empty bytes, and interactions where they are", () => {
  const interactions = {
    pre: [{ target: hex(20, 0xa1), value: 7n, callData: "0x" }],
    intra: [],
    post: [{ target: hex(20, 0xa1), value: 8n, callData: "0x" }],
  };
  const calldata = encodeSettlement({
    tokens: [],
    clearingPrices: [],
    trades: [],
    auctionId: null,
    interactions,
  });
  assertEquals(settleArguments(calldata), byViem(calldata));
  assertEquals<unknown>(decodeSettlement(calldata).interactions, interactions);
});

Deno.test("LogDecoder refuses half a byte, which viem reads as a sixteenth of each number", () => {
  const log = CHAINS[0].logs.find(({ topics }) => topics[0]!.startsWith("0xed99827e"))!;
  const [first, second] = log.topics as [Hex, Hex];
  const decoder = new LogDecoder(SETTLEMENT_ABI);
  assertEquals(decoder.decode(log)?.eventName, "Interaction");
  for (const cut of [{ data: log.data.slice(0, -1) }, { topics: [first, second.slice(0, -1)] }]) {
    const { topics, data } = { ...log, ...cut } as unknown as { topics: [Hex, Hex]; data: Hex };
    assertEquals(decodeEventLog({ abi: SETTLEMENT_ABI, topics, data }).eventName, "Interaction");
    assertThrows(() => decoder.decode({ ...log, ...cut }), InputError, "does not match its event");
  }
});

Deno.test("LogDecoder reads recorded logs, and altered ones, as viem does", () => {
  const decoder = new LogDecoder(SETTLEMENT_ABI);
  const kinds = new Map(CHAINS.flatMap(({ logs }) => logs.map((log) => [log.topics[0], log])));
  let [decoded, refused] = [0, 0];
  for (const log of kinds.values()) {
    const [first, ...rest] = log.topics;
    const digits = [...rest, log.data].map((text) => text.slice(2)).join("");
    const altered = Array.from({ length: digits.length / 8 }, (_, place) => 8 * place).flatMap(
      (at) => [digits.slice(0, at), `${digits.slice(0, at)}7${digits.slice(at + 1)}`],
    );
    for (const text of [digits, `${digits}00`, ...altered]) {
      const words = rest.map((_, place) => text.slice(64 * place, 64 * place + 64));
      const topics = [first, ...words.filter((word) => word !== "").map((word) => `0x${word}`)];
      const made = { topics: topics as [Hex], data: `0x${text.slice(64 * rest.length)}` as Hex };
      let args: unknown;
      try {
        args = lower(decodeEventLog({ abi: SETTLEMENT_ABI, ...made }).args);
      } catch {
        assertThrows(() => decoder.decode({ ...log, ...made }), InputError, "does not match");
        refused++;
        continue;
      }
      assertEquals<unknown>(decoder.decode({ ...log, ...made })?.args, args);
      decoded++;
    }
  }
  assert(kinds.size >= 3 && decoded > 100 && refused > 50, `${decoded} read, ${refused} refused`);
});

Deno.test("LogDecoder reads each topic by itself, as viem does", () => {
  const [topic] = encodeEventTopics({ abi: TOKEN_EVENTS, eventName: "Transfer" });
  const [from, to] = [hex(20, 0xa1), hex(20, 0xb2)].map((account) => account.slice(2));
  const padding = "0".repeat(24);
  const topics = [topic, `0x${padding}${from}00`, `0x${padding.slice(2)}${to}`] as unknown as [Hex];
  const log = { abi: TOKEN_EVENTS, topics, data: `0x${word(7)}` as Hex };
  assertThrows(() => decodeEventLog(log));
  const made = { ...CHAINS[0].logs[0]!, ...log };
  assertThrows(() => new LogDecoder(TOKEN_EVENTS).decode(made), InputError, "does not match");
});
