import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";
import {
  computeOrderUid,
  decodeSettlement,
  decodeSettlementEvents,
  encodeSettlement,
  type EventLog,
  orderAt,
  orderDigest,
  orderDomain,
  recoverOrderSigner,
  settlement,
  type SettlementTrade,
  tradeOrderUid,
} from "../../../lib/evm/mod.ts";
import { computeDomainSeparator } from "../../../lib/evm/orders/order_digest.ts";
import { toHex } from "../../../lib/evm/hex.ts";
import { isNotComputable, settledFill, surplusAtoms } from "../../../lib/metrics/mod.ts";
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

/** What the contract itself is asked, all on one chain: starting one takes longest. */
const scene = scenesOnChain("the settlement contract agrees");

scene("the domain separator is the contract's", async (protocol) => {
  const found = await protocol.read("settlement", "domainSeparator");
  assertEquals(toHex(computeDomainSeparator(protocol.domain)), found);
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
  const interactions = found.events.filter(({ event }) => event === "Interaction");
  assertEquals(interactions.length, 1 + 4 + 1);
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

/** What owners have of the tokens that they sell, and receivers of those that they buy. */
function balancesOf(protocol: Protocol, orders: readonly SignedOrder[]) {
  return Promise.all(orders.map(async ({ from, receiver, sellToken, buyToken }) => ({
    sold: await protocol.balanceOf(sellToken, from),
    bought: await protocol.balanceOf(buyToken, receiver ?? from),
  })));
}

/** How the contract words each refusal. */
const WORDS = {
  expired: /order expired/,
  filled: /order filled/,
  cancelled: /order filled|addition overflow/,
  invalid_signature: /./,
} as const;

/** Whether the order in the calldata is the one that its owner signed. */
async function isSigned(
  { domain }: Protocol,
  order: SignedOrder,
  altered: Partial<SignedOrder>,
): Promise<boolean> {
  const { trades: [trade] } = decodeSettlement(settlementOf({ ...order, ...altered }));
  const uid = await tradeOrderUid(domain, trade!).catch((error) => {
    assert(error instanceof InputError, error.stack);
    return null;
  });
  return uid === order.uid;
}

/** The settlement contract's events in the latest block, without their places. */
async function eventsOfLatest({ node, at }: Protocol): Promise<unknown[]> {
  const [logs] = await node.ask([{
    method: "eth_getLogs",
    params: [{ fromBlock: "latest", toBlock: "latest", address: at.settlement }],
  }]);
  return decodeSettlementEvents(logs as EventLog[]).map(
    ({ blockNumber: _, logIndex: __, transactionHash: ___, address: ____, ...event }) => event,
  );
}

async function ownVerdict({ node, domain }: Protocol, order: SignedOrder, block?: number) {
  const at = block === undefined ? {} : { block };
  const found = await orderAt(node.url, domain, { ...order, owner: order.from }, at);
  assert(!("reason" in found), "detail" in found ? found.detail : "");
  return found;
}

/** A scene in which both are asked about orders. */
function verdict(what: string, play: (protocol: Protocol) => Promise<void>): void {
  scene(`orderAt() has its verdict of ${what}`, play);
}

/** Asks both about an order; returns what they agree on. */
async function agreed(
  protocol: Protocol,
  order: SignedOrder,
  executed: bigint = 1_000n,
): Promise<string | null> {
  const [contract, { refusal, uid, filledAtoms }] = await Promise.all([
    protocol.refusal(settlementOf(order, { executed })),
    ownVerdict(protocol, order),
  ]);
  assertEquals(contract === null, refusal === null, `${contract} is not ${refusal}`);
  if (refusal !== null) assert(WORDS[refusal].test(contract!), `${contract} is not ${refusal}`);
  const filled = await protocol.read<bigint>("settlement", "filledAmount", uid);
  assertEquals(filledAtoms, filled === 2n ** 256n - 1n ? null : filled);
  return refusal;
}

for (const signingScheme of ["eip712", "ethsign"] as const) {
  verdict(`altered ${signingScheme} orders`, async (protocol) => {
    const [trader] = protocol.traders;
    const order = await signed(protocol, trader!, goldForSilver(protocol), { signingScheme });
    const taken: string[] = [];
    for (const [what, altered] of alterations(order)) {
      const refusal = await agreed(protocol, { ...order, ...altered }, UNIT);
      assertEquals(await isSigned(protocol, order, altered), refusal === null, what);
      if (refusal === null) taken.push(what);
    }
    assertEquals(taken, ["nothing", "the other of the two signatures"]);
  });
}

verdict(
  "orders signed for another chain, contract or owner",
  async (protocol) => {
    const { domain, traders: [one, other] } = protocol;
    const order = await signed(protocol, one!, goldForSilver(protocol));
    const { chainId, verifyingContract } = domain;
    for (
      const elsewhere of [
        orderDomain({ chainId: 1, settlementContract: verifyingContract }),
        orderDomain({ chainId, settlementContract: protocol.at.pool }),
      ]
    ) {
      const other = await signed({ domain: elsewhere }, one!, goldForSilver(protocol));
      const { signature } = other;
      assertEquals(await agreed(protocol, { ...order, signature }), "invalid_signature");
      assertEquals(await isSigned(protocol, order, { signature }), false);
      assertEquals(await recoverOrderSigner(elsewhere, other), order.from);
    }
    // The contract takes the signer for the owner: the order is then another one.
    const { signature } = await signed(protocol, other!, goldForSilver(protocol));
    const stolen = { ...order, signature };
    assertEquals((await ownVerdict(protocol, stolen)).refusal, "invalid_signature");
    const hash = await protocol.settle(settlementOf(stolen));
    const { events } = await settlement(protocol.node.url, hash);
    const trade = events.find(({ event }) => event === "Trade");
    assert(trade?.event === "Trade");
    assertEquals(trade.owner, other!.address.toLowerCase());
    assertEquals(trade.orderUid, computeOrderUid(domain, order, other!.address));
    assertEquals(await agreed(protocol, order), null);
  },
);

verdict("answers of wallets", async (protocol) => {
  const { at, traders } = protocol;
  const verdicts: (string | null)[] = [];
  const sign = (address: string, signature: string) =>
    signed(protocol, { address }, goldForSilver(protocol), { signingScheme: "eip1271", signature });
  for (let mode = 0; mode <= 12; mode++) {
    const order = await sign(at.oddWallet, `0x${mode.toString(16).padStart(2, "0")}`);
    verdicts.push(await agreed(protocol, order));
  }
  // Right, with more in the word and behind it, and right only for the settlement contract.
  const valid = verdicts.flatMap((refusal, mode) => refusal === null ? [mode] : []);
  assertEquals(valid, [0, 3, 8, 11]);
  const nobody = await sign(traders[0]!.address, "0x00");
  assertEquals(await agreed(protocol, nobody), "invalid_signature");
  const { domain, walletOwner } = protocol;
  const unsigned = await sign(at.wallet, "0x");
  assertEquals(await agreed(protocol, unsigned), "invalid_signature");
  const digest = computeOrderUid(domain, unsigned, at.wallet).slice(0, 66) as `0x${string}`;
  const signature = await walletOwner.sign({ hash: digest });
  assertEquals(await agreed(protocol, { ...unsigned, signature }), null);
  const other = { ...unsigned, signature, sellAmount: UNIT + 1n };
  assertEquals(await agreed(protocol, other), "invalid_signature");
});

verdict("pre-signatures, at every block", async (protocol) => {
  const { node, traders } = protocol;
  const order = await signed(protocol, { address: traders[3]!.address }, goldForSilver(protocol), {
    signingScheme: "presign",
  });
  const verdicts = [await agreed(protocol, order)];
  for (const signed of [true, false, true]) {
    await protocol.preSign(order, signed);
    const event = { event: "PreSignature", owner: order.from, orderUid: order.uid, signed };
    assertEquals(await eventsOfLatest(protocol), [event]);
    verdicts.push(await agreed(protocol, order));
  }
  const expected = ["invalid_signature", null, "invalid_signature", null];
  assertEquals(verdicts, expected);
  const { number: latest } = await node.block();
  const earlier = await Promise.all(expected.map(async (_, place) => {
    const block = latest - expected.length + 1 + place;
    return (await ownVerdict(protocol, order, block)).refusal;
  }));
  assertEquals(earlier, expected);
  const other = { ...order, from: traders[2]!.address.toLowerCase() };
  assertEquals(await agreed(protocol, other), "invalid_signature");
});

verdict("the last second of an order", async (protocol) => {
  const { node, traders } = protocol;
  const validTo = (await node.block()).seconds + 100;
  const order = await signed(protocol, traders[0]!, goldForSilver(protocol, { validTo }));
  const verdicts = [];
  for (const timestamp of [validTo - 1, validTo, validTo + 1]) {
    await node.mine(timestamp);
    verdicts.push(await agreed(protocol, order));
  }
  assertEquals(verdicts, [null, null, "expired"]);
});

verdict("fills, to the last atom and beyond", async (protocol) => {
  const { traders } = protocol;
  for (const kind of ["sell", "buy"] as const) {
    const amounts = kind === "sell" ? {} : { sellAmount: UNIT, buyAmount: UNIT };
    const validTo = 2 ** 32 - 7;
    const terms = goldForSilver(protocol, { kind, ...amounts, validTo });
    const whole = await signed(protocol, traders[1]!, terms);
    assertEquals(await agreed(protocol, whole), null);
    await protocol.settle(settlementOf(whole));
    assertEquals(await agreed(protocol, whole), "filled");

    const parts = goldForSilver(protocol, { kind, ...amounts, partiallyFillable: true });
    const order = await signed(protocol, traders[2]!, parts);
    await protocol.settle(settlementOf(order, { executed: UNIT - 1n }));
    assertEquals(await agreed(protocol, order, 1n), null);
    const refusal = await protocol.refusal(settlementOf(order, { executed: 2n }));
    assertStringIncludes(refusal ?? "", "order filled");
    await protocol.settle(settlementOf(order, { executed: 1n }));
    assertEquals(await agreed(protocol, order, 1n), "filled");
  }
});

verdict("cancellations on the chain, before and after a fill", async (protocol) => {
  for (const executed of [0n, 5n]) {
    const terms = { partiallyFillable: true, sellAmount: UNIT + executed };
    const order = await signed(protocol, protocol.traders[1]!, goldForSilver(protocol, terms));
    if (executed > 0n) await protocol.settle(settlementOf(order, { executed }));
    assertEquals((await ownVerdict(protocol, order)).filledAtoms, executed);
    await protocol.invalidate(order);
    const event = { event: "OrderInvalidated", owner: order.from, orderUid: order.uid };
    assertEquals(await eventsOfLatest(protocol), [event]);
    assertEquals(await agreed(protocol, order), "cancelled");
  }
});

verdict(
  "a limit that is missed by one atom of a price",
  async (protocol) => {
    const { traders: [trader] } = protocol;
    const [sellAmount, buyAmount] = [1_000_003n, 333_337n];
    for (const kind of ["sell", "buy"] as const) {
      for (const partiallyFillable of [false, true]) {
        const terms = goldForSilver(protocol, { kind, sellAmount, buyAmount, partiallyFillable });
        const order = await signed(protocol, trader!, terms);
        for (const executed of partiallyFillable ? [1n, 7n, 333_336n] : [0n]) {
          for (const more of [-1n, 0n, 1n]) {
            // At these prices the limit is reached exactly where nothing is added.
            const price: [bigint, bigint] = [buyAmount + more, sellAmount];
            const calldata = settlementOf(order, { executed, price });
            const refusal = await protocol.refusal(calldata);
            const found = decodeSettlement(calldata);
            const fill = settledFill(found.trades[0]!, found);
            assert(!isNotComputable(fill));
            const surplus = surplusAtoms(fill, { ...order, kind });
            assert(!isNotComputable(surplus));
            if (more < 0n) assertStringIncludes(refusal ?? "", "limit price not respected");
            else assertEquals([refusal, surplus >= 0n], [null, true]);
            // The contract compares prices; rounding hides what a small fill lacks.
            const isSeen = !partiallyFillable || kind === "buy" && executed === 333_336n;
            if (more < 0n) assertEquals(surplus < 0n, isSeen);
          }
        }
      }
    }
  },
);

verdict("calldata that it does not read", async (protocol) => {
  const order = await signed(protocol, protocol.traders[0]!, goldForSilver(protocol));
  const calldata = settlementOf(order);
  const flagsAt = calldata.indexOf(`${"ab".repeat(32)}`) + 64 + 64;
  const flags = (value: number) =>
    calldata.slice(0, flagsAt) + value.toString(16).padStart(64, "0") +
    calldata.slice(flagsAt + 64);
  assertEquals(flags(0), calldata);
  for (let value = 0; value < 256; value++) {
    const own = () => decodeSettlement(flags(value));
    if (value >= 128) {
      assertThrows(own, InputError);
      assert(await protocol.refusal(flags(value)) !== null, `${value}`);
      continue;
    }
    // A bit that means nothing where the sell token is no balance of the vault.
    const meant = (value & 8) === 0 ? value & ~4 : value;
    assertEquals(encodeSettlement(own()), flags(meant));
  }
});
