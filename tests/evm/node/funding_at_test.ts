import { assert, assertEquals, assertRejects } from "@std/assert";
import { HttpStatusError, InputError, MismatchError, ServiceError } from "orderlens";
import { fundingAt, type FundingOptions, type FundingQuestion, type RpcCall } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { readCall } from "../../../lib/evm/node/contract_calls.ts";
import { hex, nodeThat, word } from "../node_server.ts";

const [TOKEN, OWNER, SETTLEMENT] = [hex("a1", 20), hex("0d", 20), hex("90", 20)];
const [RELAYER, VAULT] = [hex("44", 20), hex("ba", 20)];
const QUESTION: FundingQuestion = {
  sellToken: TOKEN,
  owner: OWNER,
  settlementContract: SETTLEMENT,
};
const NUMBER = 0x64;
const SECONDS = 1_763_748_080;
const HEADER = {
  number: "0x64",
  timestamp: `0x${SECONDS.toString(16)}`,
  hash: hex("b1", 32),
};
const UNLIMITED = 2n ** 256n - 1n;

/** What contracts return for functions, by their selector. */
const CHAIN: Readonly<Record<string, string>> = {
  // vaultRelayer(), vault()
  "0x9b552cc2": word(BigInt(RELAYER)),
  "0xfbfa77cf": word(BigInt(VAULT)),
  // balanceOf, allowance, hasApprovedRelayer
  "0x70a08231": word(60),
  "0xdd62ed3e": word(255),
  "0xfec90d72": word(1),
  // getInternalBalance: a list of one number
  "0x0f5a6efa": word(32) + word(1).slice(2) + word(33).slice(2),
  // getBlockNumber(), getCurrentBlockTimestamp(), getEthBalance(address)
  "0x42cbb15c": word(NUMBER),
  "0x0f28c97d": word(SECONDS),
  "0x4d2301cc": word(5),
};

/** How a node differs from a good one. */
interface Odd {
  readonly chain?: Readonly<Record<string, string | undefined>>;
  readonly hasMulticall?: boolean;
  readonly headers?: readonly (object | null)[];
  /** The error of every call of a contract. */
  readonly error?: { code: number; message: string };
}

/** A node that answers from `CHAIN`, and the blocks that were named to it. */
function nodeOf({ chain = {}, hasMulticall = true, headers = [], error }: Odd = {}) {
  const known: Readonly<Record<string, string | undefined>> = { ...CHAIN, ...chain };
  const named: unknown[] = [];
  let requests = 0;
  let asked = 0;
  const returned = (data: string) => known[data.slice(0, 10)] ?? "0x";
  const resultOf = ({ method, params }: RpcCall) => {
    named.push(params.at(method === "eth_getBlockByNumber" ? 0 : 1));
    if (method === "eth_getBlockByNumber") {
      const header = headers[asked++];
      return { result: header === undefined ? HEADER : header };
    }
    if (method === "eth_getBalance") return { result: "0x5" };
    if (error !== undefined) return { error };
    const { data } = params[0] as { data: string };
    if (data.slice(0, 10) !== "0x82ad56cb") return { result: returned(data) };
    if (!hasMulticall) return { result: "0x" };
    const { args: [calls], returns } = readCall(data)!;
    const results = (calls as { callData: string }[]).map(({ callData }) => {
      const returnData = returned(callData);
      return { success: returnData !== "0x", returnData };
    });
    return { result: returns(results) };
  };
  const rpc = (calls: readonly RpcCall[]) => {
    requests++;
    return Promise.resolve(calls.map(resultOf));
  };
  return { rpc, named, requests: () => requests };
}

function ask(odd: Odd, more: Partial<FundingQuestion> = {}, options: FundingOptions = {}) {
  return fundingAt(nodeOf(odd), { ...QUESTION, ...more }, options);
}

for (const hasMulticall of [true, false]) {
  const how = hasMulticall ? "with" : "without";
  Deno.test(`fundingAt() names one block in all calls, ${how} Multicall3`, async () => {
    const node = nodeOf({ hasMulticall });
    const found = await fundingAt(node, QUESTION);
    assertEquals(found, {
      block: NUMBER,
      blockHash: HEADER.hash,
      at: Temporal.Instant.from("2025-11-21T18:01:20Z"),
      balanceAtoms: 60n,
      nativeAtoms: 0n,
      allowanceAtoms: 255n,
      isRelayerApproved: null,
      usableAtoms: 60n,
      relayer: RELAYER,
      spender: RELAYER,
    });
    assertEquals(node.requests(), hasMulticall ? 2 : 3);
    assertEquals(new Set(node.named), new Set(["latest", "0x64"]));
    assertEquals(node.named.filter((each) => each === "latest").length, 2);
    const pinned = nodeOf({ hasMulticall });
    await fundingAt(pinned, QUESTION, { block: NUMBER });
    assertEquals(new Set(pinned.named), new Set(["0x64"]));
  });

  Deno.test(`fundingAt() counts vault and native balances, ${how} Multicall3`, async () => {
    const amounts = async (odd: Odd, more: Partial<FundingQuestion>) => {
      const found = await ask({ hasMulticall, ...odd }, more);
      assert(!("reason" in found));
      const { balanceAtoms, nativeAtoms, allowanceAtoms, usableAtoms, spender } = found;
      return [balanceAtoms, nativeAtoms, allowanceAtoms, usableAtoms, spender];
    };
    const unapproved = { chain: { "0xfec90d72": word(0) } };
    const external = { sellTokenBalance: "external" } as const;
    const internal = { sellTokenBalance: "internal" } as const;
    assertEquals(await amounts({}, external), [60n, 0n, 255n, 60n, VAULT]);
    assertEquals(await amounts(unapproved, external), [60n, 0n, 0n, 0n, VAULT]);
    assertEquals(await amounts({}, internal), [33n, 0n, UNLIMITED, 33n, VAULT]);
    assertEquals(await amounts(unapproved, internal), [33n, 0n, 0n, 0n, VAULT]);
    assertEquals(await amounts({}, { wrapsNative: true }), [60n, 5n, 255n, 65n, RELAYER]);
  });
}

Deno.test("fundingAt() returns the reason, the block and the remedy if a node does not know", async () => {
  const said = async (message: string, code = -32000) => {
    const found = await ask({ error: { code, message } }, {}, { block: NUMBER });
    assert("reason" in found, message);
    assertEquals(found.block, NUMBER);
    assert(found.detail.includes(message.slice(0, 60)), found.detail);
    return `${found.reason}: ${found.remedy.split(",")[0]}`;
  };
  const pruned = "state_not_kept: Ask an archive node";
  for (
    const message of [
      "missing trie node 4f2b (path ) state 0x4f2b is not available, not found",
      "header not found",
      "historical state 8a1b is not available",
      "required historical state unavailable (reexec=128)",
      "state not available",
      "No state available for block 100",
      "World state unavailable",
      "state at block #100 is pruned",
      "distance to target block exceeds maximum proof window",
      "BlockOutOfRangeError: block height is 8 but requested was 2",
      "This request requires an archive node; upgrade your plan",
      "old data not available due to pruning",
    ]
  ) {
    assertEquals(await said(message), pruned, message);
  }
  assertEquals(await said("history of block 100 is gone", 4444), pruned);
  const unserved = "calls_not_served: Ask a node";
  assertEquals(await said("the method eth_call does not exist", -32601), unserved);
  // What a contract reverts with is not the node's own words.
  const silent = "contract_does_not_answer";
  const reverted = await ask({ error: { code: 3, message: "execution reverted: archived" } });
  assertEquals("reason" in reverted && reverted.reason, silent);
  const recorded = await fundingAt(await replay("market_1"), QUESTION);
  assertEquals("reason" in recorded && recorded.reason, "calls_not_served");
});

Deno.test("fundingAt() names the contract that does not answer, and never returns 0 for it", async () => {
  for (const selector of ["0x9b552cc2", "0x70a08231", "0xdd62ed3e"]) {
    for (const hasMulticall of [true, false]) {
      for (const data of [undefined, "0x3c", "0x"]) {
        const found = await ask({ hasMulticall, chain: { [selector]: data } });
        assert("reason" in found);
        assertEquals(found.reason, "contract_does_not_answer");
        assert(found.detail.includes(selector === "0x9b552cc2" ? SETTLEMENT : TOKEN));
      }
    }
  }
  const noVault = { chain: { "0xfbfa77cf": word(0) } };
  const found = await ask(noVault, { sellTokenBalance: "internal" });
  assertEquals("reason" in found && found.detail.includes("`vault`"), true);
  const gone = await ask({ headers: [null] }, {}, { block: 7 });
  assertEquals("reason" in gone && [gone.reason, gone.block], ["no_such_block", 7]);
});

Deno.test("fundingAt() throws if the responses are of another block", async () => {
  const other = { ...HEADER, hash: hex("b2", 32) };
  const rejected = async (odd: Odd, options: FundingOptions = {}) =>
    (await assertRejects(() => ask(odd, {}, options), MismatchError)).field;
  assertEquals(await rejected({ headers: [HEADER, other] }), "hash");
  assertEquals(await rejected({ hasMulticall: false, headers: [HEADER, HEADER, other] }), "hash");
  assertEquals(await rejected({ headers: [HEADER, null] }), "block");
  assertEquals(await rejected({}, { block: 99 }), "number");
  assertEquals(await rejected({ chain: { "0x42cbb15c": word(101) } }), "block.number");
  assertEquals(await rejected({ chain: { "0x0f28c97d": word(1) } }), "block.timestamp");
  // On Arbitrum, contracts see the number of a block of another chain.
  const layered = { ...HEADER, l1BlockNumber: "0x1" };
  const arbitrum = { chain: { "0x42cbb15c": word(1) }, headers: [layered, layered] };
  assertEquals("block" in await ask(arbitrum), true);
});

Deno.test("fundingAt() throws errors unrelated to the block, and rejects another chain", async () => {
  const limited = { error: { code: -32005, message: "limit exceeded: archive" } };
  await assertRejects(() => ask(limited, {}, { backoffBaseMs: 1 }), ServiceError);
  await assertRejects(() => ask({ error: { code: -32000, message: "busy" } }), ServiceError);
  await assertRejects(() => ask({ headers: [{ number: "0x64" }] }), HttpStatusError, "timestamp");
  const answers: Record<string, unknown> = { eth_chainId: "0x64", eth_getBlockByNumber: HEADER };
  const node = nodeThat(({ method }) => ({ result: answers[method] ?? "0x" }));
  const other = () => fundingAt(node, { ...QUESTION, chainId: 1 });
  const { message } = await assertRejects(other, InputError, "of another chain");
  assert(message.includes("chain of the node: 100"), message);
});

Deno.test("fundingAt() rejects invalid questions and options", async () => {
  const wrong = (more: object) => {
    const question = { ...QUESTION, ...more } as FundingQuestion;
    return assertRejects(() => fundingAt(nodeOf(), question), InputError);
  };
  await wrong({ owner: "0x12" });
  await wrong({ sellToken: 7 });
  await wrong({ sellTokenBalance: "vault" });
  await assertRejects(() => fundingAt(nodeOf(), null!), InputError);
  await assertRejects(() => ask({}, {}, { block: -1 }), InputError);
  await assertRejects(() => ask({}, {}, { blocks: 1 } as object), InputError);
});
