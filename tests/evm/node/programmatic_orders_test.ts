import { assertEquals, assertRejects } from "@std/assert";
import { InputError, MismatchError } from "orderlens";
import { programmaticOrders, type RpcAnswer } from "orderlens/evm";
import { NETWORKS, TWAP_HANDLER } from "orderlens/networks";
import { nodeThat } from "../node_server.ts";

const ADDRESS = NETWORKS.mainnet.contracts.composableCow;
const OWNER = `0x${"c3".repeat(20)}`;
const { logs, twapHandler } = JSON.parse(
  await Deno.readTextFile(new URL("../../testdata/evm/composable_cow.json", import.meta.url)),
);
/** The log of a TWAP that the protocol's own contract created. */
const LOG = {
  ...logs[0],
  address: ADDRESS,
  blockNumber: "0x8",
  data: logs[0].data.replace(twapHandler.slice(2), TWAP_HANDLER.slice(2)),
};
const [, owner] = LOG.topics;

/** A node whose latest block is 16, and that serves no calls. */
function nodeWith(found: RpcAnswer) {
  return nodeThat(({ method, params: [block] }) => {
    if (method === "eth_chainId") return { result: "0x1" };
    if (method === "eth_getBlockByNumber") {
      const number = block === "latest" ? "0x10" : block;
      return { result: { number, timestamp: "0x65000000", hash: `0x${"ab".repeat(32)}` } };
    }
    return method === "eth_getLogs" ? found : { error: { code: -32601, message: "not found" } };
  });
}

Deno.test("programmaticOrders() asks once for all events of an account, and says what a node does not tell", async () => {
  const node = nodeWith({ result: [LOG] });
  const account = `0x${owner.slice(-40)}`;
  const { orders, block } = await programmaticOrders(node, { account, chainId: 1 });
  const [order] = orders;
  assertEquals([order!.owner, order!.terms?.n, order!.terms?.t0], [account, 5n, 0n]);
  assertEquals([order!.isAllowed, order!.trader, block], [null, null, 16]);
  assertEquals(order!.startUnknown, "It began when it was created, which the node does not tell");
  const asked = node.sent.filter(({ method }) => method === "eth_getLogs");
  assertEquals(asked.map(({ params: [filter] }) => filter), [{
    address: ADDRESS,
    topics: [[LOG.topics[0], logs[2].topics[0], logs[3].topics[0]], [owner]],
    fromBlock: "earliest",
    toBlock: "0x10",
  }]);
  assertEquals((await programmaticOrders(node, { account: OWNER })).orders, []);
});

Deno.test("programmaticOrders() takes no log that it did not ask for", async () => {
  const strays = [
    { ...LOG, address: OWNER },
    { ...LOG, topics: [`0x${"00".repeat(32)}`, owner] },
    { ...LOG, blockNumber: "0x11" },
  ];
  for (const stray of strays) {
    await assertRejects(() => programmaticOrders(nodeWith({ result: [stray] })), MismatchError);
  }
});

Deno.test("programmaticOrders() says how to ask a node that limits blocks, and refuses others", async () => {
  const limited = nodeWith({ error: { code: -32602, message: "block range exceeds 10000" } });
  await assertRejects(() => programmaticOrders(limited), InputError, "`fromBlock` and `toBlock`");
  const other = nodeWith({ result: [] });
  const ofAnother = () => programmaticOrders(other, { chainId: 100 });
  await assertRejects(ofAnother, InputError, "another chain");
  const range = { fromBlock: 9, toBlock: 8 };
  await assertRejects(() => programmaticOrders(other, range), InputError, "not a range");
});
