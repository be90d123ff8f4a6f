import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  decodeEthFlowCall,
  decodeEthFlowEvents,
  type EthFlowEvent,
  type EventLog,
  fundingAt,
  orderAt,
  type OrderPlacementEvent,
  settlement,
} from "../../../lib/evm/mod.ts";
import { findPlacement, readRefund } from "../../../lib/evm/node/ethflow.ts";
import { ethFlowRefund } from "../../../lib/metrics/mod.ts";
import { inspectOrder, orderText } from "../../../lib/reports/mod.ts";
import { settlementOf, type SignedOrder } from "./batch.ts";
import { bookOf } from "./book_of.ts";
import { NATIVE, type Protocol, testOnChain } from "./protocol.ts";

const ETHER = 10n ** 18n;
const timeOf = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(1_000 * seconds);

/** Sends a call of the EthFlow contract; returns its transaction, calldata and events. */
async function send(
  protocol: Protocol,
  name: string,
  args: readonly unknown[],
  options: Parameters<Protocol["act"]>[3],
) {
  const { node, at, domain } = protocol;
  const receipt = await protocol.act("ethFlow", name, args, options);
  const txHash = receipt.transactionHash;
  const [transaction] = await node.ask([{ method: "eth_getTransactionByHash", params: [txHash] }]);
  const { logs } = receipt as unknown as { logs: EventLog[] };
  const own = logs.filter(({ address }) => address === at.ethFlow);
  const { input } = transaction as { input: string };
  return {
    txHash,
    block: Number(receipt.blockNumber),
    input,
    events: decodeEthFlowEvents(own, domain),
  };
}

function placed(events: readonly EthFlowEvent[]): OrderPlacementEvent {
  const [event, other] = events;
  assert(event?.event === "OrderPlacement" && other === undefined);
  return event;
}

testOnChain("EthFlow orders are placed, settled and refunded as decoded", async (protocol) => {
  const { at, node, traders, domain } = protocol;
  const trader = traders[0]!.address.toLowerCase();
  const soon = (await node.block()).seconds + 1_000;
  const value = 3n * ETHER + 8n;
  const data = {
    buyToken: at.silver,
    receiver: trader,
    sellAmount: 3n * ETHER + 1n,
    buyAmount: ETHER,
    appData: `0x${"ab".repeat(32)}`,
    validTo: soon,
    partiallyFillable: true,
    feeAmount: 7n,
    quoteId: -5n,
  };
  const payment = { from: trader, value };
  const { txHash, block, input, events } = await send(protocol, "createOrder", [data], payment);
  assertEquals(decodeEthFlowCall(input), { action: "create", orders: [data] });
  const event = placed(events);
  const said = [event.sender, event.owner, event.quoteId, event.userValidTo];
  assertEquals(said, [trader, at.ethFlow, -5n, soon]);
  assertEquals([event.order.sellToken, event.order.validTo], [at.wrapped, 2 ** 32 - 1]);
  const question = { domain, contract: at.ethFlow, uid: event.orderUid };
  const found = await findPlacement(node.url, question, { sender: trader, near: block });
  assertEquals(found?.event, event);
  assertEquals(found?.event.transactionHash, txHash);
  const elsewhere = { ...question, uid: `0x${"12".repeat(56)}` };
  assertEquals(await findPlacement(node.url, elsewhere, { sender: trader, near: block }), null);

  // The settlement contract takes the order, which the EthFlow contract signs, under this UID.
  const { order, signature, signingScheme, owner } = event;
  const owned = { ...order, owner, signature, signingScheme };
  const signed = { ...order, uid: event.orderUid, from: owner, signature, signingScheme };
  const settlementContract = at.settlement;
  const funding = { sellToken: at.wrapped, owner, settlementContract, wrapsNative: true };
  const before = await fundingAt(node.url, funding, { block });
  assert(!("reason" in before));
  assertEquals([before.balanceAtoms, before.nativeAtoms], [0n, value]);
  const state = await orderAt(node.url, domain, owned);
  assert(!("reason" in state));
  assertEquals([state.uid, state.refusal], [event.orderUid, null]);
  await protocol.act("ethFlow", "wrapAll", [], { from: trader });
  const executed = ETHER + 5n;
  const settled = await settlement(
    node.url,
    await protocol.settle(settlementOf(signed as unknown as SignedOrder, { executed })),
  );
  const trade = settled.events.find((one) => one.event === "Trade");
  assert(trade?.event === "Trade");
  assertEquals([trade.orderUid, trade.owner], [event.orderUid, at.ethFlow]);

  // After its expiry anybody may have it refunded; the trader gets what the formula says.
  await node.mine(soon + 1);
  const refunder = traders[1]!.address.toLowerCase();
  const held = await protocol.balanceOf(NATIVE, trader);
  const both = "invalidateOrdersIgnoringNotAllowed";
  const refund = await send(protocol, both, [[data, data]], { from: refunder });
  const returned = await protocol.balanceOf(NATIVE, trader) - held;
  assertEquals(decodeEthFlowCall(refund.input), { action: "invalidate", orders: [data, data] });
  assertEquals(refund.events.map((each) => each.event), ["OrderRefund"]);
  assertEquals(returned, ethFlowRefund(data, executed));
  const told = await readRefund(node.url, question, { txHash: refund.txHash });
  assert("event" in told && told.event.event === "OrderRefund");
  assertEquals([told.event.refunder, told.event.orderUid], [refunder, event.orderUid]);
  assertEquals(told.header.number, refund.block);
  const other = await readRefund(node.url, elsewhere, { txHash: refund.txHash });
  assertEquals("reason" in other && other.reason, "contract_does_not_answer");
  const createdAt = timeOf((await node.block(block)).seconds);
  const book = bookOf(protocol, signed as unknown as SignedOrder, {
    events: [],
    status: "expired",
    creationDate: createdAt.toString(),
    executedSellAmount: `${executed}`,
    executedSellAmountBeforeFees: `${executed}`,
    executedBuyAmount: `${trade.buyAmount}`,
    onchainUser: trader,
    onchainOrderData: { sender: trader },
    ethflowData: { userValidTo: soon, refundTxHash: refund.txHash },
  });
  const now = timeOf(soon + 100);
  const report = await inspectOrder(book, event.orderUid, { node: node.url, now });
  assertEquals([report.cause, report.identity?.isUidRight], ["refunded", true]);
  assertEquals(report.placement, {
    txHash,
    block,
    sender: trader,
    nativeAtoms: value,
    quoteId: -5n,
    userValidTo: soon,
    at: createdAt,
  });
  const { at: refundedAt, ...refunded } = report.refund!;
  assertEquals(Temporal.Instant.compare(refundedAt, timeOf(soon)), 1);
  assertEquals(refunded, {
    txHash: refund.txHash,
    block: refund.block,
    event: "OrderRefund",
    refunder,
    isByTrader: false,
    nativeAtoms: returned,
  });
  const moments = report.timeline.filter(({ kind }) => kind === "placed" || kind === "refunded");
  assertEquals(moments.map(({ text }) => text), [
    `Placed on the chain by ${trader}, who paid ${value} native atoms`,
    `Refunded on the chain by ${refunder}: ${returned} native atoms returned`,
  ]);
  assertStringIncludes(orderText(report), "Refunded by");
  const after = await orderAt(node.url, domain, owned);
  assert(!("reason" in after));
  assertEquals(after.refusal, "invalid_signature");
});

testOnChain("an EthFlow order that its trader cancels is returned as decoded", async (protocol) => {
  const { at, traders } = protocol;
  const from = traders[0]!.address.toLowerCase();
  const data = {
    buyToken: at.gold,
    receiver: from,
    sellAmount: 10n,
    buyAmount: 1n,
    feeAmount: 0n,
    appData: `0x${"00".repeat(32)}`,
    validTo: 2 ** 32 - 2,
    partiallyFillable: false,
    quoteId: 2n ** 63n - 1n,
  };
  const event = placed((await send(protocol, "createOrder", [data], { from, value: 10n })).events);
  assertEquals(event.quoteId, 2n ** 63n - 1n);
  const { events } = await send(protocol, "invalidateOrder", [data], { from });
  const [cancelled] = events;
  assert(cancelled?.event === "OrderInvalidation");
  assertEquals(cancelled.orderUid, event.orderUid);
  assertEquals(await protocol.balanceOf(NATIVE, at.ethFlow), 10n - ethFlowRefund(data, 0n));
});
