import { assert, assertEquals, assertThrows } from "@std/assert";
import { decodeEventLog, decodeFunctionData, type Hex } from "viem";
import { InputError } from "orderlens";
import { encodeSettlement } from "orderlens/evm";
import { LogDecoder, plainValues, SETTLEMENT_ABI } from "../../../lib/evm/abis.ts";
import { recordedChain } from "../../stored_run.ts";

const CHAINS = [await recordedChain("market_1"), await recordedChain("market_3")] as const;
const ALL = CHAINS.flatMap(({ settlements }) =>
  Object.values(settlements).map(({ input }) => input.toLowerCase())
);
/** One of each length: those of one have one layout. */
const CALLS = new Map(ALL.map((calldata) => [calldata.length, calldata]));

const [SETTLE] = SETTLEMENT_ABI.filter((item) => item.type === "function");

/** The arguments of `settle`; `null` in a layout that is left to viem. */
function settleArguments(calldata: string): unknown {
  return plainValues(SETTLE!.inputs, calldata.slice(10))?.values ?? null;
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

Deno.test("plainValues() reads the calldata of recorded settlements of every length as viem does", () => {
  assert(CALLS.size > 20);
  for (const calldata of CALLS.values()) {
    const plain = settleArguments(calldata);
    assert(plain !== null);
    assertEquals(plain, byViem(calldata));
  }
});

Deno.test("plainValues() leaves interactions that share one to viem", () => {
  const pointing = (count: number) => pointingToOne(count, 32 * 300);
  assertEquals(settleArguments(pointing(1)), byViem(pointing(1)));
  assertEquals(settleArguments(pointing(300)), null);
});

Deno.test("plainValues() leaves trades that share their words to viem", () => {
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

Deno.test("plainValues() reads empty lists and empty bytes", () => {
  const pre = [{ target: `0x${"a1".repeat(20)}`, value: 7n, callData: "0x" }];
  const calldata = encodeSettlement({
    tokens: [],
    clearingPrices: [],
    trades: [],
    auctionId: null,
    interactions: { pre, intra: [], post: [] },
  });
  assertEquals(settleArguments(calldata), byViem(calldata));
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
