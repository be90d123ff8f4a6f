import { assertEquals, assertRejects } from "@std/assert";
import { InputError, ServiceError, UnauthorizedError } from "orderlens";
import { type RpcAnswer, type RpcCall, tokenDecimals, tokenFacts } from "orderlens/evm";
import { decodeFunctionData, encodeFunctionResult, parseAbi, stringToHex } from "viem/utils";
import { readSymbol } from "../../../lib/evm/node/read_tokens.ts";
import { inFolder } from "../../sandbox/temp_folder.ts";
import { hex, nodeThat, range, serveNode, word } from "../node_server.ts";

const SYMBOL = parseAbi(["function symbol() view returns (string)"]);
const AGGREGATE = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
]);
const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
const MKR = "0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const [NAMELESS, NO_DECIMALS, NO_TOKEN] = [hex("11", 20), hex("22", 20), hex("33", 20)];
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const ASKED = [MKR.toUpperCase().replace("0X", "0x"), USDC, MKR, NAMELESS, NO_DECIMALS, NO_TOKEN];
const FACTS = new Map([
  [MKR, { decimals: 18, symbol: "MKR" }],
  [USDC, { decimals: 6, symbol: "USDC" }],
  [NAMELESS, { decimals: 0, symbol: null }],
  [NO_DECIMALS, { decimals: null, symbol: "NFT" }],
]);
const DECIMALS = new Map([[MKR, 18], [USDC, 6], [NAMELESS, 0]]);

function abiString(text: string): `0x${string}` {
  return encodeFunctionResult({ abi: SYMBOL, result: text });
}

type Contracts = ReadonlyMap<string, Record<string, `0x${string}`>>;

/** What each contract returns for `decimals()` and `symbol()`. */
const CONTRACTS: Contracts = new Map([
  [MKR, { "0x313ce567": word(18), "0x95d89b41": stringToHex("MKR", { size: 32 }) }],
  [USDC, { "0x313ce567": word(6), "0x95d89b41": abiString("USDC") }],
  [NAMELESS, { "0x313ce567": word(0) }],
  [NO_DECIMALS, { "0x95d89b41": abiString("NFT") }],
]);

/** A node in this process, the contracts that were called, and how many calls each request had. */
function nodeOf({ contracts = CONTRACTS, hasMulticall = false } = {}) {
  const got: string[] = [];
  const sizes: number[] = [];
  const call = (to: string, data: `0x${string}`): RpcAnswer => {
    got.push(to);
    if (to === MULTICALL3 && hasMulticall) {
      const { args: [calls] } = decodeFunctionData({ abi: AGGREGATE, data });
      const result = calls.map(({ target, callData }) => {
        const returnData = contracts.get(target.toLowerCase())?.[callData];
        return { success: returnData !== undefined, returnData: returnData ?? "0x" };
      });
      return { result: encodeFunctionResult({ abi: AGGREGATE, result }) };
    }
    const result = contracts.get(to)?.[data];
    return result === undefined ? { error: { code: 3, message: "reverted" } } : { result };
  };
  const rpc = (calls: readonly RpcCall[]) => {
    sizes.push(calls.length);
    return Promise.resolve(calls.map(({ method, params: [first] }) => {
      if (method === "eth_chainId") return { result: "0x64" };
      if (method !== "eth_call") return { result: { hash: `0x${"ab".repeat(32)}` } };
      const { to, data } = first as { to: string; data: `0x${string}` };
      return call(to, data);
    }));
  };
  return { rpc, got, sizes };
}

Deno.test("tokenFacts() reads symbols of 32 bytes and of any length, and omits missing facts", async () => {
  for (const hasMulticall of [true, false]) {
    const node = nodeOf({ hasMulticall });
    assertEquals(await tokenFacts(node, ASKED), FACTS);
    // The Multicall3, and two calls for each of five contracts.
    assertEquals(node.sizes, hasMulticall ? [1] : [1, 10]);
    assertEquals(await tokenDecimals(node, ASKED), DECIMALS);
  }
});

Deno.test("tokenDecimals() sends single calls to a node that takes no batches", async () => {
  const error = { code: -32600, message: "no" };
  await using node = serveNode(
    nodeOf().rpc,
    ([, second]) => second && Response.json({ jsonrpc: "2.0", id: null, error }),
  );
  assertEquals(await tokenDecimals(node.url, ASKED), DECIMALS);
  // The Multicall3, rejected batches of 5 and 2 calls, then each call.
  assertEquals(node.requests.map((calls) => calls.length), [1, 5, 2, 1, 1, 1, 1, 1]);
});

Deno.test("tokenFacts() and tokenDecimals() know the native token without a request", async () => {
  const node = nodeOf();
  const native = { decimals: 18, symbol: null };
  assertEquals(await tokenFacts(node, [NATIVE]), new Map([[NATIVE, native]]));
  assertEquals(await tokenDecimals(node, [NATIVE]), new Map([[NATIVE, 18]]));
  assertEquals(await tokenDecimals(node, []), new Map());
  assertEquals(node.sizes, []);
  assertEquals(await tokenDecimals(node, [USDC, NATIVE]), new Map([[NATIVE, 18], [USDC, 6]]));
});

Deno.test("tokenDecimals() requests 450 tokens in three calls", async () => {
  const many = new Map(
    range(0, 450).map((index) => [`0x${word(index).slice(26)}`, index % 19]),
  );
  const contracts: Contracts = new Map(
    many.entries().map(([token, decimals]) => [token, { "0x313ce567": word(decimals) }]),
  );
  const node = nodeOf({ contracts, hasMulticall: true });
  assertEquals(await tokenDecimals(node, contracts.keys()), many);
  assertEquals(node.sizes, [1, 1, 1]);
});

Deno.test("tokenDecimals() omits tokens without decimals, or with impossible ones", async () => {
  const cut = word(96).slice(0, -1);
  for (const result of ["0x", "0x12", cut, word(78), word(256), word(2n ** 255n)]) {
    const node = nodeThat(() => ({ result }));
    assertEquals(await tokenDecimals(node, [NO_TOKEN]), new Map(), result);
  }
});

inFolder.test("tokenFacts() with a cache requests only tokens again that lack something", async (cacheFolder) => {
  const node = nodeOf();
  const get = () => tokenFacts(node, [...FACTS.keys()], { cacheFolder });
  const first = await get();
  node.got.length = 0;
  assertEquals(new Map([...await get()].sort()), new Map([...first].sort()));
  assertEquals(new Set(node.got.slice(1)), new Set([NAMELESS, NO_DECIMALS]));
  node.got.length = 0;
  assertEquals(await tokenDecimals(node, [USDC], { cacheFolder }), new Map([[USDC, 6]]));
  assertEquals(node.got, []);
});

inFolder.test("tokenDecimals() requests and caches no symbols", async (cacheFolder) => {
  const node = nodeOf();
  for (let round = 0; round < 2; round++) {
    assertEquals(await tokenDecimals(node, [MKR], { cacheFolder }), new Map([[MKR, 18]]));
    assertEquals(node.got.length, 2);
  }
  for (let round = 0; round < 2; round++) {
    const facts = await tokenFacts(node, [MKR], { cacheFolder });
    assertEquals(facts.get(MKR), { decimals: 18, symbol: "MKR" });
    assertEquals(node.got.length, 2 + 3);
  }
});

Deno.test("tokenFacts() and tokenDecimals() reject an invalid address without a request", async () => {
  const node = nodeOf();
  for (const address of ["0x12", "", "USDC", `${USDC}00`]) {
    await assertRejects(() => tokenFacts(node, [address]), InputError, "not an address");
  }
  await assertRejects(() => tokenFacts(node, USDC as never), InputError, "an array of addresses");
  const asked = () => tokenDecimals(node, [NO_TOKEN, "0x12"]);
  await assertRejects(asked, InputError, "decimals of 0x12: not an address");
  await assertRejects(() => tokenDecimals("wss://node", [NO_TOKEN]), InputError, "not an http URL");
  assertEquals(node.got, []);
});

Deno.test("tokenDecimals() shows the node's error without its key", async (t) => {
  const key = "0123456789abcdef";
  const forbidden = () => Promise.resolve(new Response("no key", { status: 401 }));
  const refused = await assertRejects(
    () => tokenDecimals(`https://node.example/v3/${key}`, [NO_TOKEN], { fetch: forbidden }),
    UnauthorizedError,
  );
  assertEquals(Deno.inspect(refused).includes(key), false);
  await t.assertSnapshot(refused.message);

  // One that is asked too much is not taken for tokens without decimals.
  const error = { code: 429, message: "capacity exceeded" };
  const fetch = () => Promise.resolve(Response.json({ jsonrpc: "2.0", id: 0, error }));
  const ask = () => tokenDecimals("https://node.example", [NO_TOKEN], { fetch, backoffBaseMs: 1 });
  await assertRejects(ask, ServiceError, "Wait before retrying");
});

Deno.test("readSymbol() strips controls from hostile text, cuts it, and returns null for none", () => {
  for (
    const [text, symbol] of [
      ["<script>alert(1)</script>", "<script>alert(1)</script>"],
      ["a\u202eb\u0000c\nd\u2066", "a\ufffdb\ufffdc\ufffdd\ufffd"],
      // What nobody sees would make another token look like a known one.
      ["US\u200bD\u00adC\u2060", "US\ufffdD\ufffdC\ufffd"],
      ["\ufeffUSDC\u3164\u{e0041}", "\ufffdUSDC\ufffd\ufffd"],
      ["ÜBER-₮ 中 😀", "ÜBER-₮ 中 😀"],
      ["x".repeat(32), "x".repeat(32)],
      ["x".repeat(33), `${"x".repeat(31)}…`],
      ["😀".repeat(100_000), `${"😀".repeat(31)}…`],
      ["  ", null],
      ["", null],
    ] as const
  ) assertEquals(readSymbol(abiString(text)), symbol);
  // Bytes that are no UTF-8 are replaced.
  assertEquals(readSymbol(`0x${"ff41".padEnd(64, "0")}`), "\ufffdA");

  const bytes = (...words: string[]) => `0x${words.map((one) => one.padStart(64, "0")).join("")}`;
  const far = "f".repeat(64);
  // Lengths and offsets beyond the data, and what is none.
  const beyond = [["20"], ["20", "5"], ["20", far, "41"], [far, "1", "41"], ["400", "1", "41"]];
  for (
    const data of [
      undefined,
      "0x",
      "0x12",
      "no hex",
      word(0),
      ...beyond.map((one) => bytes(...one)),
    ]
  ) {
    assertEquals(readSymbol(data), null, data);
  }
});
