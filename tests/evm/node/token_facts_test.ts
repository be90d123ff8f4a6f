import { assertEquals, assertRejects } from "@std/assert";
import { InputError } from "orderlens";
import { tokenDecimals, tokenFacts } from "orderlens/evm";
import { encodeFunctionResult, parseAbi, stringToHex } from "viem/utils";
import { readSymbol } from "../../../lib/evm/node/read_tokens.ts";

const SYMBOL = parseAbi(["function symbol() view returns (string)"]);
const MKR = "0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const NAMELESS = `0x${"11".repeat(20)}`;
const NO_DECIMALS = `0x${"22".repeat(20)}`;
const NO_TOKEN = `0x${"33".repeat(20)}`;
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

function abiString(text: string): string {
  return encodeFunctionResult({ abi: SYMBOL, result: text });
}

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** What each contract returns for `decimals()` and `symbol()`. */
const CONTRACTS = new Map<string, Record<string, string>>([
  [MKR, { "0x313ce567": word(18), "0x95d89b41": stringToHex("MKR", { size: 32 }) }],
  [USDC, { "0x313ce567": word(6), "0x95d89b41": abiString("USDC") }],
  [NAMELESS, { "0x313ce567": word(0) }],
  [NO_DECIMALS, { "0x95d89b41": abiString("NFT") }],
]);

/** A node without Multicall3 in this process, and how many calls it got. */
function startNode() {
  const got: string[] = [];
  const rpc = (calls: readonly { method: string; params: readonly unknown[] }[]) =>
    Promise.resolve(calls.map(({ method, params: [call] }) => {
      if (method === "eth_chainId") return { result: "0x64" };
      if (method !== "eth_call") return { result: { hash: `0x${"ab".repeat(32)}` } };
      const { to, data } = call as { to: string; data: string };
      got.push(to);
      const result = CONTRACTS.get(to)?.[data];
      return result === undefined ? { error: { code: 3, message: "reverted" } } : { result };
    }));
  return { rpc, got };
}

const FACTS = [
  [MKR, { decimals: 18, symbol: "MKR" }],
  [USDC, { decimals: 6, symbol: "USDC" }],
  [NAMELESS, { decimals: 0, symbol: null }],
  [NO_DECIMALS, { decimals: null, symbol: "NFT" }],
] as const;

Deno.test("tokenFacts() reads symbols of 32 bytes and of any length, and what is missing", async () => {
  const node = startNode();
  const asked = [MKR.toUpperCase().replace("0X", "0x"), USDC, MKR, NAMELESS, NO_DECIMALS, NO_TOKEN];
  assertEquals([...await tokenFacts(node, asked)], FACTS.map(([token, facts]) => [token, facts]));
  // The Multicall3, and two calls for each of five contracts.
  assertEquals(node.got.length, 1 + 10);
  assertEquals(await tokenDecimals(node, asked), new Map([[MKR, 18], [USDC, 6], [NAMELESS, 0]]));
});

Deno.test("tokenFacts() returns the native token without a request", async () => {
  const node = startNode();
  const facts = await tokenFacts(node, [NATIVE]);
  assertEquals(facts, new Map([[NATIVE, { decimals: 18, symbol: null }]]));
  assertEquals(node.got, []);
});

Deno.test("tokenFacts() with a cache requests only tokens again that lack something", async () => {
  const cacheFolder = await Deno.makeTempDir();
  try {
    const node = startNode();
    const get = () => tokenFacts(node, [MKR, USDC, NAMELESS, NO_DECIMALS], { cacheFolder });
    const first = await get();
    node.got.length = 0;
    assertEquals(new Map([...await get()].sort()), new Map([...first].sort()));
    assertEquals(new Set(node.got.slice(1)), new Set([NAMELESS, NO_DECIMALS]));
    node.got.length = 0;
    assertEquals(await tokenDecimals(node, [USDC], { cacheFolder }), new Map([[USDC, 6]]));
    assertEquals(node.got, []);
  } finally {
    await Deno.remove(cacheFolder, { recursive: true });
  }
});

Deno.test("tokenDecimals() requests and caches no symbols", async () => {
  const cacheFolder = await Deno.makeTempDir();
  try {
    const node = startNode();
    const options = { cacheFolder };
    assertEquals(await tokenDecimals(node, [MKR], options), new Map([[MKR, 18]]));
    assertEquals(node.got.length, 2);
    assertEquals(await tokenDecimals(node, [MKR], options), new Map([[MKR, 18]]));
    assertEquals(node.got.length, 2);
    for (let round = 0; round < 2; round++) {
      const facts = await tokenFacts(node, [MKR], options);
      assertEquals(facts.get(MKR), { decimals: 18, symbol: "MKR" });
    }
    assertEquals(node.got.length, 2 + 3);
  } finally {
    await Deno.remove(cacheFolder, { recursive: true });
  }
});

Deno.test("tokenFacts() rejects an invalid address without a request", async () => {
  const node = startNode();
  for (const address of ["0x12", "", "USDC", `${USDC}00`]) {
    await assertRejects(() => tokenFacts(node, [address]), InputError, "not an address");
  }
  await assertRejects(() => tokenFacts(node, USDC as never), InputError, "an array of addresses");
  assertEquals(node.got, []);
});

Deno.test("readSymbol() keeps hostile text as text, without controls, and cuts it", () => {
  assertEquals(readSymbol(abiString("<script>alert(1)</script>")), "<script>alert(1)</script>");
  assertEquals(readSymbol(abiString("a\u202eb\u0000c\nd\u2066")), "a\ufffdb\ufffdc\ufffdd\ufffd");
  // What nobody sees would make another token look like a known one.
  assertEquals(readSymbol(abiString("US\u200bD\u00adC\u2060")), "US\ufffdD\ufffdC\ufffd");
  assertEquals(
    readSymbol(abiString("\ufeffUSDC\u3164\u{e0041}")),
    "\ufffdUSDC\ufffd\ufffd",
  );
  assertEquals(readSymbol(abiString("ÜBER-₮ 中 😀")), "ÜBER-₮ 中 😀");
  assertEquals(readSymbol(abiString("x".repeat(32))), "x".repeat(32));
  assertEquals(readSymbol(abiString("x".repeat(33))), `${"x".repeat(31)}…`);
  assertEquals(readSymbol(abiString("😀".repeat(100_000))), `${"😀".repeat(31)}…`);
  assertEquals(readSymbol(abiString("  ")), null);
  assertEquals(readSymbol(abiString("")), null);
});

Deno.test("readSymbol() returns null if there is no text", () => {
  const bytes = (...words: string[]) => `0x${words.map((one) => one.padStart(64, "0")).join("")}`;
  for (
    const data of [
      undefined,
      "0x",
      "0x12",
      "no hex",
      word(0),
      bytes("20"),
      // Lengths and offsets beyond the data.
      bytes("20", "5"),
      bytes("20", "f".repeat(64), "41"),
      bytes("f".repeat(64), "1", "41"),
      bytes("400", "1", "41"),
    ]
  ) {
    assertEquals(readSymbol(data), null, data);
  }
  // Bytes that are no UTF-8 are replaced.
  assertEquals(readSymbol(`0x${"ff41".padEnd(64, "0")}`), "\ufffdA");
});
