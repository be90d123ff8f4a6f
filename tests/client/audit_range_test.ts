import {
  auditRange,
  auditSettlement,
  type AuditSettlementOptions,
  type Competition,
  connect,
  InputError,
  NotFoundError,
  settledCompetitions,
} from "orderlens";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type RpcCall, settlement } from "orderlens/evm";
import {
  compareSettlement,
  isNotComputable,
  type SettlementDifferenceKind,
} from "orderlens/metrics";
import { replay } from "orderlens/recordings";
import { FakeTransport, NOT_FOUND } from "../endpoints/fake_transport.ts";
import { recordedChain, storedRun } from "../stored_run.ts";

for (const [name, count] of [["market_1", 637], ["market_3", 131]] as const) {
  Deno.test(`auditRange() gives what the service stored of ${name}, to the atom`, async () => {
    const stored = await storedRun(name);
    const chain = await recordedChain(name);
    const recording = await replay(name);
    const { auctionIds, orderUids } = recording.recorded;
    const book = connect(recording);
    const competitions = await Array.fromAsync(auctionIds, (id) => book.competition(id));
    const { orders } = await book.orders(orderUids);
    const trades = await Array.fromAsync(
      orderUids,
      (orderUid) => Array.fromAsync(book.trades({ orderUid })),
    );
    // The latest auction may have settled after the chain was recorded.
    const known = competitions.filter(({ transactionHashes }) =>
      transactionHashes.every((hash) => hash in chain.settlements)
    );
    const batches: number[] = [];
    const node = {
      deployment: recording.deployment,
      rpc: (calls: readonly RpcCall[]) => {
        batches.push(calls.length);
        return recording.rpc(calls);
      },
    };
    const audits = await Array.fromAsync(
      auditRange(node, known, { orders, trades: trades.flat() }),
    );
    const settled = new Map(stored.settlements.map((one) => [one.tx_hash, one]));
    const executed = new Map(
      stored.order_execution.map((one) => [`${one.auction_id} ${one.order_uid}`, one]),
    );
    const events = new Map(
      stored.trades.map((one) => [`${one.block_number} ${one.log_index}`, one]),
    );
    assertEquals<number>(audits.length, count);
    // The chain's id, then transactions and receipts of 50 settlements at a time.
    const full = Array(Math.floor(count / 50)).fill(100);
    assertEquals(batches, [1, ...full, 2 * (count % 50)]);
    for (const { txHash, audit, error } of audits) {
      assert(audit !== null, error?.message);
      const one = settled.get(txHash)!;
      assertEquals(
        [audit.auctionId, audit.blockNumber, audit.solver, audit.gasCost],
        [
          one.auction_id,
          one.block_number,
          one.solver,
          BigInt(one.gas_used) * BigInt(one.effective_gas_price),
        ],
      );
      assertEquals(
        audit.differences.map(({ what }) => what),
        stored.isLate(one) ? ["late"] : [],
      );
      for (const trade of audit.trades) {
        const event = events.get(`${one.block_number} ${trade.logIndex}`)!;
        const fees = executed.get(`${one.auction_id} ${trade.uid}`)!;
        const protocol = fees.protocol_fee_amounts.reduce((sum, one) => sum + BigInt(one), 0n);
        const { sellAmount, buyAmount, executedFee, networkFeeAtoms, allFeesAtoms } = trade;
        assertEquals(
          [sellAmount, buyAmount, executedFee],
          [event.sell_amount, event.buy_amount, fees.executed_fee].map(BigInt),
        );
        assertEquals(allFeesAtoms, trade.priceDifferenceAtoms);
        assertEquals(networkFeeAtoms, trade.priceDifferenceAtoms - protocol);
      }
    }
  });

  Deno.test(`settledCompetitions() of ${name} asks for each auction that settled, once`, async () => {
    const recording = await replay(name);
    const { settlements } = await storedRun(name);
    const recorded = new Set(recording.recorded.auctionIds);
    const blocks = settlements.map(({ block_number }) => block_number);
    const transport = new FakeTransport((request) =>
      recording.send(request).catch(() => NOT_FOUND)
    );
    const range = { from: Math.min(...blocks), to: Math.max(...blocks) };
    const found = await Array.fromAsync(
      settledCompetitions(connect(transport), recording, range, { firstWindow: 500 }),
    );
    const auctionOf = new Map(settlements.map((one) => [one.tx_hash, one.auction_id]));
    const asked = found.map(({ settlement }) => auctionOf.get(settlement.txHash)!);
    assertEquals(
      found.map(({ competition }) => competition?.auctionId),
      asked.map((id) => recorded.has(id) ? id : undefined),
    );
    // Settlements of unknown auctions may be of any; of each known one, one is enough.
    const ids = settlements.map(({ auction_id }) => auction_id);
    const known = new Set(ids.filter((id) => recorded.has(id)));
    assertEquals(asked.length, known.size + ids.filter((id) => !recorded.has(id)).length);
    assertEquals(new Set(asked), new Set(ids));
    const { length } = transport.requests;
    assert(length <= 1.15 * found.length, `${length} and ${found.length}`);
    const places = found.map(({ settlement }) => settlement.blockNumber);
    assertEquals(places, places.toSorted((a, b) => a - b));
  });
}

Deno.test("settledCompetitions rejects invalid books, nodes, blocks and options", async () => {
  const recording = await replay("market_3");
  const book = connect(recording);
  const ask = (...words: unknown[]) => () =>
    Array.fromAsync(settledCompetitions(...words as Parameters<typeof settledCompetitions>));
  await assertRejects(ask(recording, recording, { from: 0, to: 1 }), InputError, "book");
  await assertRejects(ask(book, null, { from: 0, to: 1 }), InputError, "not a node");
  await assertRejects(ask(book, recording, null), InputError, "without a range of blocks");
  await assertRejects(ask(book, recording, { from: 2, to: 1 }), InputError, "not a range");
  await assertRejects(ask(book, recording, { from: 0, to: 1 }, { concurrency: 0 }), InputError);
  const failing = connect(new FakeTransport(() => Promise.reject(new TypeError("broken"))));
  const error = await ask(failing, recording, { from: 380, to: 400 })().catch((reason) => reason);
  assert(error instanceof TypeError && !(error instanceof NotFoundError));
});

/** Reports with one thing altered, and the difference that names it. */
const FORGED: [what: string, uidIsNamed: boolean, alter: (of: Competition) => Competition][] = [
  ["other_auction", false, (of) => ({ ...of, auctionId: of.auctionId + 1 })],
  ["transaction_not_reported", false, (of) => ({ ...of, transactionHashes: [] })],
  ["late", false, (of) => ({ ...of, auctionDeadlineBlock: 1 })],
  ["not_a_winner", false, (of) => solutions(of, { isWinner: false })],
  ["other_solver", false, (of) => solutions(of, { solverAddress: `0x${"5a".repeat(20)}` })],
  ["trade_not_reported", true, (of) => solutions(of, { orders: [] })],
  ["other_amounts", true, (of) => ({
    ...of,
    solutions: of.solutions.map((one) => ({
      ...one,
      orders: one.orders.map((order) => ({ ...order, buyAmount: order.buyAmount + 1n })),
    })),
  })],
  ["no_solution", false, (of) => ({ ...of, solutions: [] })],
];

function solutions(of: Competition, altered: object): Competition {
  return { ...of, solutions: of.solutions.map((one) => ({ ...one, ...altered })) };
}

Deno.test("auditSettlement lists differences from the report", async () => {
  const recording = await replay("market_1");
  const competition = await connect(recording).competition(TX);
  const found = await auditSettlement(recording, TX, { competition });
  assertEquals(found.differences, []);
  const uid = found.trades[0]!.uid;
  for (const [what, uidIsNamed, alter] of FORGED) {
    const { differences } = await auditSettlement(recording, TX, {
      competition: alter(competition),
    });
    assertEquals(differences.map((one) => one.what), [what]);
    assertEquals(differences[0]!.uid, uidIsNamed ? uid : null);
  }
});

Deno.test("auditSettlement() compares fills, fees and hooks that a book reports", async () => {
  const recording = await replay("market_1");
  const book = connect(recording);
  const [orders, competition] = await Promise.all([
    book.transactionOrders(TX),
    book.competition(TX),
  ]);
  const uid = orders[0]!.uid;
  const trades = await Array.fromAsync(book.trades({ orderUid: uid }));
  const [trade, order] = [trades[0]!, orders[0]!];
  const hooks = { pre: [{ target: `0x${"11".repeat(20)}`, callData: "0x", gasLimit: "1" }] };
  const cases: [AuditSettlementOptions, SettlementDifferenceKind[]][] = [
    [{ orders, trades }, []],
    [{ trades: [] }, ["fill_not_reported"]],
    [{ trades: [{ ...trade, sellAmount: 1n }] }, ["other_fill"]],
    [{ trades: [{ ...trade, logIndex: 9 }] }, ["other_fill"]],
    [{ trades: [trade, { ...trade, logIndex: 99 }] }, ["fill_not_settled"]],
    [{ orders: [{ ...order, executedFee: 1n }] }, ["other_executed_fee"]],
    [{ orders: [{ ...order, executedBuyAmount: 1n, executedFee: 1n }] }, [
      "other_executed_amounts",
      "other_executed_fee",
    ]],
    [{
      orders: [{ ...order, fullAppData: JSON.stringify({ metadata: { hooks } }) }],
    }, ["hook_missing"]],
    [{
      trades: [{
        ...trade,
        executedProtocolFees: [{ amount: 10n ** 30n, token: order.buyToken }],
      }],
    }, ["fees_exceed_total"]],
  ];
  for (const [reports, expected] of cases) {
    const { differences } = await auditSettlement(recording, TX, { competition, ...reports });
    assertEquals(differences.map(({ what }) => what), expected);
  }
  const fetched = await auditSettlement(recording, TX, { book });
  assertEquals(fetched.differences, []);
  assert(!isNotComputable(fetched.trades[0]!.networkFeeAtoms));
});

const TX = "0x5853a31f5b641bc26a399a786c404f7d716a23b7f1f51b23361a838088773575";

Deno.test("compareSettlement() adds up an order that one settlement fills twice", async () => {
  const recording = await replay("market_1");
  const [chain, competition] = await Promise.all([
    settlement(recording, TX),
    connect(recording).competition(TX),
  ]);
  const [event] = chain.events.filter((one) => one.event === "Trade");
  const [trade] = chain.trades;
  const twice = {
    ...chain,
    trades: [trade!, trade!],
    events: [...chain.events, { ...event!, logIndex: 99 }],
  };
  const doubled = solutions(competition, {
    orders: [{
      ...competition.solutions[0]!.orders[0]!,
      sellAmount: 2n * event!.sellAmount,
      buyAmount: 2n * event!.buyAmount,
    }],
  });
  const fill = { ...event!, txHash: TX, executedProtocolFees: [] };
  const { differences } = compareSettlement(twice, {
    competition: doubled,
    trades: [{ ...fill, logIndex: 99 }, fill],
  });
  assertEquals(differences, []);
  const once = compareSettlement(twice, { competition, trades: [fill] });
  assertEquals(once.differences.map(({ what }) => what), ["other_amounts", "fill_not_reported"]);
});

Deno.test("auditRange yields an error for settlements that it cannot audit, and continues", async () => {
  const recording = await replay("market_1");
  const competition = await connect(recording).competition(TX);
  const unknown = `0x${"01".repeat(32)}`;
  const reported = { ...competition, transactionHashes: [unknown, TX] };
  const [failed, audited] = await Array.fromAsync(auditRange(recording, [reported]));
  assertEquals([failed?.txHash, failed?.audit, failed?.error?.code], [unknown, null, "service"]);
  assertEquals([audited?.txHash, audited?.error], [TX, null]);
});

Deno.test("auditSettlement() and auditRange() refuse unknown options, sources and hashes", async () => {
  const recording = await replay("market_1");
  for (
    const [call, fault] of [
      [() => auditSettlement(recording, "0x12"), "not a transaction hash"],
      [
        () => auditSettlement(recording, TX, { book: recording } as never),
        "an order book from `connect`",
      ],
      [() => auditSettlement({} as never, TX), "the source is not a node"],
      [() => auditSettlement(recording, TX, { chain: 1 } as never), "unknown option"],
      [() => auditRange(recording, [], { competition: null } as never).next(), "unknown option"],
    ] as const
  ) {
    await assertRejects(call, InputError, fault);
  }
});
