import { assert, assertEquals } from "@std/assert";
import { decodeEventLog, decodeFunctionData } from "viem";
import { encodeSettlement, type EventLog } from "orderlens/evm";
import { SETTLEMENT_ABI } from "../../../lib/evm/abis.ts";
import { LogDecoder, plainValues } from "../../../lib/evm/settlement/abi_values.ts";
import { unpack } from "../../metrics/recorded_run.ts";

async function calldataOf(name: string): Promise<string[]> {
  const { settlements }: { settlements: Record<string, { input: string }> } = JSON.parse(
    await unpack(`${name}.chain.json.gz`),
  );
  return Object.values(settlements).map(({ input }) => input.toLowerCase());
}

const CALLS = [...await calldataOf("market_1"), ...await calldataOf("market_3")];

const [SETTLE] = SETTLEMENT_ABI.filter((item) => item.type === "function");

/** The arguments of `settle`; `null` in a layout that is left to viem. */
function settleArguments(calldata: string): unknown {
  return plainValues(SETTLE!.inputs, calldata.slice(10))?.values ?? null;
}

/** What viem reads, with addresses in lower case; `null` if it throws. */
function byViem(calldata: string): unknown {
  try {
    const { args } = decodeFunctionData({
      abi: SETTLEMENT_ABI,
      data: calldata as `0x${string}`,
    });
    return lower(args);
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

Deno.test("plainValues() reads the calldata of every recorded settlement as viem does", () => {
  assert(CALLS.length > 700);
  for (const calldata of CALLS) {
    const plain = settleArguments(calldata);
    assert(plain !== null);
    assertEquals(plain, byViem(calldata));
  }
});

Deno.test("plainValues() of altered calldata is what viem reads, or nothing", () => {
  let state = 7;
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * most);
  };
  let [same, nothing] = [0, 0];
  for (let round = 0; round < 1_000; round++) {
    const calldata = CALLS[below(CALLS.length)]!;
    // Half of the changes are in the first words, where offsets and lengths are.
    const at = 10 +
      below(round % 2 === 0 ? Math.min(2_000, calldata.length - 12) : calldata.length - 12);
    const digits = below(256).toString(16).padStart(2, "0");
    const changed = calldata.slice(0, at) + digits + calldata.slice(at + 2);
    const altered = round % 5 === 0
      ? changed.slice(0, 10 + 2 * below(calldata.length / 2))
      : changed;
    const plain = settleArguments(altered);
    if (plain === null) nothing++;
    else {
      assertEquals(plain, byViem(altered), altered);
      same++;
    }
  }
  assert(same > 250 && nothing > 125, `${same} and ${nothing}`);
});

Deno.test("plainValues() leaves interactions that share one to viem", () => {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const pointing = (count: number) => pointingToOne(count, 32 * 300, word);
  assertEquals(settleArguments(pointing(1)), byViem(pointing(1)));
  assertEquals(settleArguments(pointing(300)), null);
});

Deno.test("plainValues() leaves trades that share their words to viem", () => {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const sharing = (count: number) => {
    const heads = [128, 160, 192, 192 + 32 + 32 * count + 32 * 12].map(word).join("");
    const trade = [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 32 * 11, 0].map(word).join("");
    const trades = word(count) + word(32 * count).repeat(count) + trade;
    return `0x13d79a0b${heads}${word(0).repeat(2)}${trades}${
      [96, 128, 160, 0, 0, 0].map(word).join("")
    }`;
  };
  assertEquals(settleArguments(sharing(1)), byViem(sharing(1)));
  assertEquals(settleArguments(sharing(2)), null);
  // Words behind the calldata do not make up for what is read twice.
  const long = sharing(700) + word(0).repeat(9_000);
  assertEquals([settleArguments(long), byViem(long)], [null, null]);
});

/** Calldata with interactions that all point to one. */
function pointingToOne(count: number, size: number, word: (value: number) => string): string {
  const list = word(count) + word(32 * count).repeat(count);
  const one = word(0) + word(0) + word(96) + word(size) + "ab".repeat(size);
  const lists = [96, 96 + 32, 96 + 64].map(word).join("") + word(0).repeat(2) + list + one;
  const heads = [128, 160, 192, 224].map(word).join("") + word(0).repeat(3);
  return `0x13d79a0b${heads}${lists}`;
}

Deno.test("plainValues() reads empty lists and empty bytes", () => {
  const interactions = { pre: [{ target: `0x${"a1".repeat(20)}`, value: 7n, callData: "0x" }] };
  const calldata = encodeSettlement(
    {
      tokens: [],
      clearingPrices: [],
      trades: [],
      interactions: { ...interactions, intra: [], post: [] },
      auctionId: null,
    } as unknown as Parameters<typeof encodeSettlement>[0],
  );
  assertEquals(settleArguments(calldata), byViem(calldata));
});

const LOGS: EventLog[] = JSON.parse(await unpack("market_1.chain.json.gz")).logs;
const DECODER = new LogDecoder(SETTLEMENT_ABI);

function eventByViem({ topics, data }: EventLog): unknown {
  try {
    const decoded = decodeEventLog({
      abi: SETTLEMENT_ABI,
      topics: topics as [`0x${string}`],
      data: data as `0x${string}`,
    });
    return lower(decoded);
  } catch {
    return null;
  }
}

function decoded(log: EventLog): unknown {
  try {
    const { eventName, args } = DECODER.decode(log)!;
    return lower({ args, eventName });
  } catch {
    return null;
  }
}

Deno.test("LogDecoder reads every recorded event of a settlement as viem does", () => {
  for (const log of LOGS) assertEquals(decoded(log), eventByViem(log));
});

Deno.test("LogDecoder reads any other layout as viem does, or refuses it as viem does", () => {
  const trade = LOGS.find(({ topics }) => topics[0]!.startsWith("0xa07a543a"))!;
  const words = trade.data.slice(2).match(/.{64}/g)!;
  const ALTERED: [string, Partial<EventLog>][] = [
    ["dirty bytes of an address", { data: `0x1${trade.data.slice(3)}` }],
    ["more data", { data: `${trade.data}00` }],
    ["less data", { data: trade.data.slice(0, -2) }],
    ["no data", { data: "0x" }],
    ["another offset", { data: `0x${words.with(5, "e0".padStart(64, "0")).join("")}` }],
    ["a longer UID", { data: `0x${words.with(6, "39".padStart(64, "0")).join("")}` }],
    ["no hex", { data: `${trade.data.slice(0, -1)}g` }],
    ["one topic", { topics: trade.topics.slice(0, 1) }],
    ["three topics", { topics: [...trade.topics, trade.topics[1]!] }],
    ["a dirty topic", { topics: [trade.topics[0]!, `0x1${trade.topics[1]!.slice(3)}`] }],
  ];
  for (const [what, altered] of ALTERED) {
    const log = { ...trade, ...altered };
    assertEquals(decoded(log), eventByViem(log), what);
  }
});

Deno.test("LogDecoder refuses half a byte, which viem reads as a sixteenth of each number", () => {
  const log = LOGS.find(({ topics }) => topics[0]!.startsWith("0xed99827e"))!;
  const [first, second] = log.topics as [string, string];
  for (const cut of [{ data: log.data.slice(0, -1) }, { topics: [first, second.slice(0, -1)] }]) {
    assert(decoded(log) !== null && eventByViem({ ...log, ...cut }) !== null);
    assertEquals(decoded({ ...log, ...cut }), null);
  }
});
