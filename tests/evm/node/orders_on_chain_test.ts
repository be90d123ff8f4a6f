import vectors from "../../testdata/evm/composable_cow.json" with { type: "json" };
import { assert, assertEquals, assertRejects } from "@std/assert";
import { InputError, MismatchError } from "orderlens";
import * as evm from "orderlens/evm";
import { NETWORKS, TWAP_HANDLER } from "orderlens/networks";
import { privateKeyToAccount } from "viem/accounts";
import { hex, nodeThat, word } from "../node_server.ts";

const SETTLEMENT = hex("90", 20);
const DOMAIN = evm.orderDomain({ chainId: 1, settlementContract: SETTLEMENT });
const TRADER = privateKeyToAccount(`0x${"42".repeat(32)}`);
const TERMS = {
  sellToken: hex("a1", 20),
  buyToken: hex("b2", 20),
  receiver: null,
  sellAmount: 100n,
  buyAmount: 200n,
  validTo: 1_763_748_080,
  appData: hex("00", 32),
  feeAmount: 0n,
  kind: "sell",
  partiallyFillable: false,
};
const OWNER = TRADER.address.toLowerCase();
const PRE_SIGNED = "0xf59c009283ff87aa78203fc4d9c2df025ee851130fb69cc3e068941f6b5e2d6f";

async function owned(more: Partial<evm.OwnedOrder> = {}): Promise<evm.OwnedOrder> {
  const { signature, signingScheme } = await evm.signOrder(TRADER, DOMAIN, TERMS);
  return { ...TERMS, owner: OWNER, signature, signingScheme, ...more };
}

/** A node whose contracts return what is said, at one block. */
function nodeOf(
  returned: Readonly<Record<string, evm.RpcAnswer>>,
  { seconds = TERMS.validTo, chain = `0x${DOMAIN.chainId.toString(16)}` } = {},
) {
  return nodeThat(({ method, params: [call] }) => {
    if (method === "eth_getBlockByNumber") {
      const timestamp = `0x${seconds.toString(16)}`;
      return { result: { number: "0x64", hash: hex("b1", 32), timestamp } };
    }
    if (method === "eth_chainId") return { result: chain };
    return returned[String(Object(call).data).slice(0, 10)] ?? { result: "0x" };
  });
}

const FILLED = "0x2479fb6e";
const PRESIGNED = "0xd08d33d1";
const VALID = "0x1626ba7e";

async function verdict(
  order: evm.OwnedOrder,
  returned: Readonly<Record<string, evm.RpcAnswer>>,
  options: { seconds?: number } = {},
) {
  const filled = { [FILLED]: { result: word(0n) } };
  const found = await evm.orderAt(nodeOf({ ...filled, ...returned }, options), DOMAIN, order);
  assert(!("reason" in found));
  return [found.refusal, found.filledAtoms];
}

Deno.test("orderAt() returns the filled amount, and the first check that refuses", async () => {
  const order = await owned();
  const parts = { ...TERMS, partiallyFillable: true };
  const signed = await evm.signOrder(TRADER, DOMAIN, parts);
  const partly = { ...parts, owner: OWNER, ...signed };
  const filled = (atoms: bigint) => ({ [FILLED]: { result: word(atoms) } });
  assertEquals(await verdict(order, {}), [null, 0n]);
  assertEquals(await verdict(order, {}, { seconds: TERMS.validTo + 1 }), ["expired", 0n]);
  assertEquals(await verdict(order, filled(1n)), ["filled", 1n]);
  assertEquals(await verdict(partly, filled(99n)), [null, 99n]);
  assertEquals(await verdict(partly, filled(100n)), ["filled", 100n]);
  assertEquals(await verdict(order, filled(2n ** 256n - 1n)), ["cancelled", null]);
  const forged = { ...order, signature: partly.signature };
  const late = { seconds: TERMS.validTo + 1 };
  assertEquals(await verdict(forged, filled(1n), late), ["invalid_signature", 1n]);
});

Deno.test("orderAt() checks on-chain signatures as the contract does", async () => {
  const presigned = await owned({ signingScheme: "presign", signature: "0x" });
  const silent = nodeOf({ [FILLED]: { result: word(0n) } });
  const unknown = await evm.orderAt(silent, DOMAIN, presigned);
  assertEquals("reason" in unknown && unknown.detail.includes("`preSignature`"), true);
  const refused: Awaited<ReturnType<typeof verdict>> = ["invalid_signature", 0n];
  for (const value of [0n, 1n]) {
    assertEquals(await verdict(presigned, { [PRESIGNED]: { result: word(value) } }), refused);
  }
  assertEquals(await verdict(presigned, { [PRESIGNED]: { result: PRE_SIGNED } }), [null, 0n]);

  const approved = await owned({ signingScheme: "eip1271", signature: "0x1234" });
  const returned = (result: string) => ({ [VALID]: { result } });
  assertEquals(await verdict(approved, returned(VALID.padEnd(66, "0"))), [null, 0n]);
  assertEquals(await verdict(approved, returned(VALID)), refused);
  const reverted = { [VALID]: { error: { code: 3, message: "no" } } };
  assertEquals(await verdict(approved, reverted), refused);
  const node = nodeOf({ [FILLED]: { result: word(0n) } });
  await evm.orderAt(node, DOMAIN, approved);
  const uid = evm.computeOrderUid(DOMAIN, TERMS, OWNER);
  const asked = node.sent.find(({ params: [call] }) => Object(call).data?.startsWith(VALID));
  const [{ from, to, data }, block] = asked!.params as [Record<string, string>, string];
  assertEquals([from, to, block], [SETTLEMENT, OWNER, "0x64"]);
  assertEquals(data!.slice(10, 74), uid.slice(2, 66));
});

Deno.test("orderAt() returns why a node does not know, and rejects one of another chain", async () => {
  const order = await owned();
  const message = "missing trie node";
  for (
    const [returned, reason] of [
      [{ [FILLED]: { error: { code: -32000, message } } }, "state_not_kept"],
      [{ [FILLED]: { error: { code: -32601, message } } }, "calls_not_served"],
      [{}, "contract_does_not_answer"],
    ] as const
  ) {
    const found = await evm.orderAt(nodeOf(returned), DOMAIN, order, { block: 100 });
    assert("reason" in found);
    assertEquals([found.reason, found.block], [reason, 100]);
  }
  const other = () => evm.orderAt(nodeOf({}, { chain: "0x64" }), DOMAIN, order);
  await assertRejects(other, InputError, "of another chain");
  const wrong = { ...order, kind: "swap" };
  await assertRejects(() => evm.orderAt(nodeOf({}), DOMAIN, wrong), InputError);
});

const ADDRESS = NETWORKS.mainnet.contracts.composableCow;
/** The log of a TWAP that the protocol's own contract created. */
const LOG = {
  ...vectors.logs[0]!,
  address: ADDRESS,
  blockNumber: "0x8",
  data: vectors.logs[0]!.data.replace(vectors.twapHandler.slice(2), TWAP_HANDLER.slice(2)),
};
const [, owner = ""] = LOG.topics;

/** A node whose latest block is 16, and that serves no calls. */
function nodeWith(found: evm.RpcAnswer) {
  return nodeThat(({ method, params: [block] }) => {
    if (method === "eth_chainId") return { result: "0x1" };
    if (method === "eth_getBlockByNumber") {
      const number = block === "latest" ? "0x10" : block;
      return { result: { number, timestamp: "0x65000000", hash: `0x${"ab".repeat(32)}` } };
    }
    return method === "eth_getLogs" ? found : { error: { code: -32601, message: "not found" } };
  });
}

Deno.test("programmaticOrders() requests all events of an account once, and reports what a node does not return", async () => {
  const node = nodeWith({ result: [LOG] });
  const account = `0x${owner.slice(-40)}`;
  const { orders, block } = await evm.programmaticOrders(node, { account, chainId: 1 });
  const [order] = orders;
  assertEquals([order!.owner, order!.terms?.n, order!.terms?.t0], [account, 5n, 0n]);
  assertEquals([order!.isAllowed, order!.trader, block], [null, null, 16]);
  assertEquals(
    order!.startUnknown,
    "It began when it was created, a time that the node does not have",
  );
  const asked = node.sent.filter(({ method }) => method === "eth_getLogs");
  assertEquals(asked.map(({ params: [filter] }) => filter), [{
    address: ADDRESS,
    topics: [[LOG.topics[0], vectors.logs[2]!.topics[0], vectors.logs[3]!.topics[0]], [owner]],
    fromBlock: "earliest",
    toBlock: "0x10",
  }]);
  assertEquals((await evm.programmaticOrders(node, { account: OWNER })).orders, []);
});

Deno.test("programmaticOrders() explains the limits of a node, and rejects logs that it did not request", async () => {
  const limited = nodeWith({ error: { code: -32602, message: "block range exceeds 10000" } });
  const call = () => evm.programmaticOrders(limited);
  await assertRejects(call, InputError, "`fromBlock` and `toBlock`");
  const other = nodeWith({ result: [] });
  const ofAnother = () => evm.programmaticOrders(other, { chainId: 100 });
  await assertRejects(ofAnother, InputError, "another chain");
  const strays = [
    { ...LOG, address: OWNER },
    { ...LOG, topics: [`0x${"00".repeat(32)}`, owner] },
    { ...LOG, blockNumber: "0x11" },
  ];
  for (const stray of strays) {
    await assertRejects(() => evm.programmaticOrders(nodeWith({ result: [stray] })), MismatchError);
  }
  const range = { fromBlock: 9, toBlock: 8 };
  await assertRejects(() => evm.programmaticOrders(other, range), InputError, "not a range");
});
