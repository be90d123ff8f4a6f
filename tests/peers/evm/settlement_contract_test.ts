import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";
import {
  decodeSettlement,
  decodeSettlementEvents,
  encodeSettlement,
  type EventLog,
  orderDigest,
  orderDomain,
  recoverOrderSigner,
  settlement,
  type SettlementTrade,
  tradeOrderUid,
} from "../../../lib/evm/mod.ts";
import { domainSeparator } from "../../../lib/evm/orders/order_digest.ts";
import { hexOf } from "../../../lib/evm/hex.ts";
import { isNotComputable, settledFill } from "../../../lib/metrics/mod.ts";
import { alterations } from "./alterations.ts";
import { auditsBatch } from "./audits_batch.ts";
import {
  fourInOne,
  fourOrders,
  goldForSilver,
  settlementOf,
  signed,
  type SignedOrder,
  UNIT,
} from "./batch.ts";
import { type Protocol, scenesOnChain } from "./protocol.ts";

const CANCELLED = 2n ** 256n - 1n;

/** What the contract itself is asked, all on one chain: starting one takes longest. */
const scene = scenesOnChain("the settlement contract agrees");

scene("the domain separator is the contract's", async (protocol) => {
  const found = await protocol.read("settlement", "domainSeparator");
  assertEquals(hexOf(domainSeparator(protocol.domain)), found);
});

scene("four schemes settle in one batch, as decoded", async (protocol) => {
  const orders = await fourOrders(protocol);
  await protocol.preSign(orders[3]!);
  const call = fourInOne(protocol, orders);
  const calldata = encodeSettlement(call);
  const { suffix, ...decoded } = decodeSettlement(calldata);
  assertEquals([decoded, suffix], [call, "0x000000000000004d"]);
  const before = await balancesOf(protocol, orders);
  const found = await settlement(protocol.node.url, await protocol.settle(calldata));
  const after = await balancesOf(protocol, orders);

  assertEquals([found.from, found.to], [protocol.solver, protocol.at.settlement]);
  const trades = found.events.filter((one) => one.event === "Trade");
  assertEquals(trades.map(({ orderUid }) => orderUid), orders.map(({ uid }) => uid));
  assertEquals(
    found.events.filter(({ event }) => event === "Interaction").length,
    1 + 4 + 1,
  );
  for (const [place, order] of orders.entries()) {
    const trade = found.trades[place]!;
    assertEquals(await tradeOrderUid(protocol.domain, trade), order.uid);
    assertEquals(orderDigest(protocol.domain, order), order.uid.slice(0, 66));
    const fill = settledFill(trade, found);
    assert(!isNotComputable(fill));
    const { sellAmount, buyAmount, owner } = trades[place]!;
    assertEquals([sellAmount, buyAmount], [fill.sellAmount, fill.buyAmount]);
    assertEquals(owner, order.from);
    assertEquals(before[place]!.sold - after[place]!.sold, sellAmount);
    assertEquals(after[place]!.bought - before[place]!.bought, buyAmount);
    assertEquals(
      await protocol.read("settlement", "filledAmount", order.uid),
      order.kind === "sell" ? sellAmount : buyAmount,
    );
  }
});

scene("an audit gives what the contract did to every balance", auditsBatch);

scene("an order filled in parts adds up until it is full", async (protocol) => {
  const terms = { sellAmount: 3n * UNIT + 1n, buyAmount: UNIT, partiallyFillable: true };
  const order = await signed(protocol, protocol.traders[0]!, goldForSilver(protocol, terms));
  let filled = 0n;
  for (const executed of [UNIT, 2n * UNIT]) {
    const hash = await protocol.settle(settlementOf(order, { executed }));
    const { events } = await settlement(protocol.node.url, hash);
    for (const one of events) if (one.event === "Trade") filled += one.sellAmount;
    assertEquals(await protocol.read("settlement", "filledAmount", order.uid), filled);
  }
  assertEquals(await protocol.refusal(settlementOf(order, { executed: 1n })), null);
  assertRefused(await protocol.refusal(settlementOf(order, { executed: 2n })), "order filled");
});

scene("an order that its owner cancels is not settled", async (protocol) => {
  const { at, traders } = protocol;
  const order = await signed(protocol, traders[1]!, goldForSilver(protocol));
  const other = await protocol.node.call({
    from: traders[2]!.address,
    to: at.settlement,
    data: protocol.encode("settlement", "invalidateOrder", [order.uid]),
  });
  assert("reverted" in other);
  assertRefused(other.reverted, "caller does not own order");
  assertEquals(await protocol.refusal(settlementOf(order)), null);

  await protocol.invalidate(order);
  const [event] = await eventsOfLatest(protocol);
  assertEquals(event, { event: "OrderInvalidated", owner: order.from, orderUid: order.uid });
  assertEquals(await protocol.read("settlement", "filledAmount", order.uid), CANCELLED);
  assertRefused(await protocol.refusal(settlementOf(order)), "addition overflow");
});

scene("a pre-signature counts until it is revoked", async (protocol) => {
  const { traders } = protocol;
  const order = await signed(protocol, { address: traders[3]!.address }, goldForSilver(protocol), {
    signingScheme: "presign",
  });
  assertRefused(await protocol.refusal(settlementOf(order)), "order not presigned");
  for (const isSigned of [true, false]) {
    await protocol.preSign(order, isSigned);
    const [event] = await eventsOfLatest(protocol);
    const { uid: orderUid, from: owner } = order;
    assertEquals(event, { event: "PreSignature", owner, orderUid, signed: isSigned });
    const refusal = await protocol.refusal(settlementOf(order));
    if (isSigned) assertEquals(refusal, null);
    else assertRefused(refusal, "order not presigned");
  }
});

scene("what an expired order had filled is freed", async (protocol) => {
  const { at, node, traders } = protocol;
  const validTo = (await node.block()).seconds + 1_000;
  const order = await signed(protocol, traders[2]!, goldForSilver(protocol, { validTo }));
  await protocol.settle(settlementOf(order));
  assertEquals(await protocol.read("settlement", "filledAmount", order.uid), order.sellAmount);
  const callData = protocol.encode("settlement", "freeFilledAmountStorage", [[order.uid]]);
  const post = [{ target: at.settlement, value: 0n, callData }];
  const nothing = { tokens: [], clearingPrices: [], trades: [] };
  const free = encodeSettlement({ ...nothing, interactions: { pre: [], intra: [], post } });
  assertRefused(await protocol.refusal(free), "order still valid");
  await node.mine(validTo + 1);
  assertRefused(await protocol.refusal(settlementOf(order)), "order expired");
  const { events } = await settlement(node.url, await protocol.settle(free));
  assertEquals(events.map(({ event }) => event), ["Interaction", "Settlement"]);
  assertEquals(await protocol.read("settlement", "filledAmount", order.uid), 0n);
});

for (const signingScheme of ["eip712", "ethsign"] as const) {
  scene(`altered ${signingScheme} orders are refused by both, and no others`, async (protocol) => {
    const order = await signed(protocol, protocol.traders[0]!, goldForSilver(protocol), {
      signingScheme,
    });
    const verdicts = await Promise.all(
      alterations(order).map(async ([what, altered]) => {
        const [contract, own] = await Promise.all([
          protocol.refusal(settlementOf({ ...order, ...altered }, { executed: UNIT })),
          ownVerdict(protocol, order, altered),
        ]);
        return { what, contract: contract === null, own };
      }),
    );
    assertEquals(verdicts.filter(({ contract, own }) => contract !== own), []);
    assertEquals(verdicts.filter(({ own }) => own).map(({ what }) => what), [
      "nothing",
      "the other of the two signatures",
    ]);
  });
}

scene("orders signed for another chain or contract are refused by both", async (protocol) => {
  const { chainId, verifyingContract } = protocol.domain;
  for (
    const domain of [
      orderDomain({ chainId: 1, settlementContract: verifyingContract }),
      orderDomain({ chainId, settlementContract: protocol.at.pool }),
    ]
  ) {
    const [trader] = protocol.traders;
    const terms = goldForSilver(protocol);
    const own = await signed(protocol, trader!, terms);
    const elsewhere = await signed({ domain }, trader!, terms);
    const order = { ...own, signature: elsewhere.signature };
    assert(await protocol.refusal(settlementOf(order)) !== null);
    assertEquals(await ownVerdict(protocol, own, order), false);
    assertEquals(await recoverOrderSigner(domain, elsewhere), own.from);
  }
});

scene("owners that a signature does not name are refused by both", async (protocol) => {
  const orders = await fourOrders(protocol);
  for (const [order, length] of [[orders[2]!, 19], [orders[3]!, 19], [orders[3]!, 21]] as const) {
    const call = decodeSettlement(settlementOf(order));
    const end = 2 + 2 * length;
    const signature = call.trades[0]!.signature.padEnd(end, "0").slice(0, end);
    const trade: SettlementTrade = { ...call.trades[0]!, signature };
    const calldata = encodeSettlement({ ...call, trades: [trade] });
    assert(await protocol.refusal(calldata) !== null);
    await assertRejects(() => tradeOrderUid(protocol.domain, trade), InputError, "the owner");
  }
});

function assertRefused(refusal: string | null, words: string): void {
  assertStringIncludes(refusal ?? "settled", words);
}

/** Whether the order in the calldata is the one that its owner signed. */
async function ownVerdict(
  { domain }: Protocol,
  order: SignedOrder,
  altered: Partial<SignedOrder>,
): Promise<boolean> {
  try {
    const { trades: [trade] } = decodeSettlement(settlementOf({ ...order, ...altered }));
    return await tradeOrderUid(domain, trade!) === order.uid;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

async function eventsOfLatest({ node, at }: Protocol): Promise<unknown[]> {
  const [logs] = await node.ask([{
    method: "eth_getLogs",
    params: [{ fromBlock: "latest", toBlock: "latest", address: at.settlement }],
  }]);
  return decodeSettlementEvents(logs as EventLog[]).map(
    ({ blockNumber: _, logIndex: __, transactionHash: ___, address: ____, ...event }) => event,
  );
}

interface Balances {
  readonly sold: bigint;
  readonly bought: bigint;
}

async function balancesOf(
  protocol: Protocol,
  orders: readonly SignedOrder[],
): Promise<Balances[]> {
  return await Promise.all(orders.map(async ({ from, receiver, sellToken, buyToken }) => ({
    sold: await protocol.balanceOf(sellToken, from),
    bought: await protocol.balanceOf(buyToken, receiver ?? from),
  })));
}
