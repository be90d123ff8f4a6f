import { assert, assertEquals, assertRejects } from "@std/assert";
import { HttpStatusError, MismatchError } from "orderlens";
import { type EventLog, orderDomain, type RpcCall } from "orderlens/evm";
import { findPlacement, readRefund } from "../../../lib/evm/node/ethflow_history.ts";

const hex = (byte: string, bytes: number) => `0x${byte.repeat(bytes)}`;
const CONTRACT = hex("e1", 20);
const TX = hex("7e", 32);
const UID = hex("12", 56);
const REFUNDER = hex("0d", 20);
const DOMAIN = orderDomain({ chainId: 1, settlementContract: hex("90", 20) });
const QUESTION = { domain: DOMAIN, contract: CONTRACT, uid: UID };
/** The hash of `OrderRefund(bytes,address)`. */
const REFUND = "0x195271068a288191e4b265c641a56b9832919f69e9e7d6c2f31ba40278aeb85a";

function refundLog(more: Partial<EventLog> & { uid?: string } = {}): EventLog {
  const { uid = UID, ...rest } = more;
  const words = `${"20".padStart(64, "0")}${"38".padStart(64, "0")}`;
  return {
    address: CONTRACT,
    topics: [REFUND, `0x${"00".repeat(12)}${REFUNDER.slice(2)}`],
    data: `0x${words}${uid.slice(2)}${"00".repeat(8)}`,
    blockNumber: "0x64",
    transactionHash: TX,
    logIndex: "0x0",
    ...rest,
  };
}

function nodeOf(results: Readonly<Record<string, unknown>>) {
  const header = { number: "0x64", timestamp: "0x6920a8f0", hash: hex("b1", 32) };
  const known: Record<string, unknown> = { eth_getBlockByNumber: header, ...results };
  const sent: RpcCall[] = [];
  const rpc = (calls: readonly RpcCall[]) => {
    sent.push(...calls);
    return Promise.resolve(calls.map(({ method }) => ({ result: known[method] ?? null })));
  };
  return { rpc, sent };
}

function refundIn(...logs: unknown[]) {
  return readRefund(nodeOf({ eth_getTransactionReceipt: { logs } }), QUESTION, { txHash: TX });
}

Deno.test("readRefund() takes the event of the order's own contract, and of no other", async () => {
  const other = refundLog({ uid: hex("13", 56) });
  const forged = refundLog({ address: hex("e2", 20), topics: [REFUND, hex("00", 32)] });
  const found = await refundIn(forged, other, refundLog({ logIndex: "0x2" }));
  assert("event" in found && found.event.event === "OrderRefund");
  assertEquals([found.event.refunder, found.event.logIndex], [REFUNDER, 2]);
  assertEquals(found.header.timestamp, 0x6920a8f0);
  for (const logs of [[], [other], [forged]]) {
    const none = await refundIn(...logs);
    assertEquals("reason" in none && none.reason, "contract_does_not_answer");
  }
  const gone = await readRefund(nodeOf({}), QUESTION, { txHash: TX });
  assertEquals("reason" in gone && gone.reason, "no_such_block");
});

Deno.test("readRefund() and findPlacement() reject answers about something else", async () => {
  const stray = refundLog({ transactionHash: hex("7f", 32) });
  await assertRejects(() => refundIn(stray), MismatchError);
  await assertRejects(() => refundIn({ address: CONTRACT }), HttpStatusError, "no logs");
  const away = nodeOf({ eth_getLogs: [refundLog({ blockNumber: "0x1" })] });
  const search = { sender: REFUNDER, near: 100 };
  await assertRejects(() => findPlacement(away, QUESTION, search), MismatchError);
  const none = nodeOf({ eth_getLogs: [] });
  assertEquals(await findPlacement(none, QUESTION, search), null);
  const [{ params: [filter] }] = none.sent as [RpcCall];
  assertEquals(filter, {
    address: CONTRACT,
    topics: [
      "0xcf5f9de2984132265203b5c335b25727702ca77262ff622e136baa7362bf1da9",
      `0x${"00".repeat(12)}${REFUNDER.slice(2)}`,
    ],
    fromBlock: "0x54",
    toBlock: "0x74",
  });
});
