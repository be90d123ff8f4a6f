import {
  auditRange,
  auditSettlement,
  type AuditSettlementOptions,
  type Competition,
  connect,
  InputError,
} from "orderlens";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type RpcCall, settlement } from "orderlens/evm";
import {
  compareSettlement,
  isNotComputable,
  type SettlementDifferenceKind,
} from "orderlens/metrics";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { recordedRun } from "../metrics/recorded_run.ts";
import { storedRun } from "../stored_run.ts";

for (const [name, count] of [["market_1", 637], ["market_3", 131]] as const) {
  Deno.test(`auditRange() gives what the service stored of ${name}, to the atom`, async () => {
    const stored = await storedRun(name);
    const { competitions, trades, orders, chain } = await recordedRun(name);
    const reports = { trades: [...trades.values()], orders: [...orders.values()] };
    // The latest auction may have settled after the chain was recorded.
    const known = competitions.values()
      .filter(({ transactionHashes }) =>
        transactionHashes.every((hash) => hash in chain.settlements)
      );
    const audits = await Array.fromAsync(auditRange(await replay(name), [...known], reports));
    const settled = new Map(stored.settlements.map((one) => [one.tx_hash, one]));
    const executed = new Map(
      stored.order_execution.map((one) => [`${one.auction_id} ${one.order_uid}`, one]),
    );
    const events = new Map(
      stored.trades.map((one) => [`${one.block_number} ${one.log_index}`, one]),
    );
    assertEquals<number>(audits.length, count);
    for (const { txHash, audit, error } of audits) {
      assert(audit !== null, error?.message);
      const one = settled.get(txHash)!;
      const { auction_id, block_number, solver, gas_used, effective_gas_price } = one;
      assertEquals(
        audit.differences.map(({ what }) => what),
        stored.isLate(one) ? ["late"] : [],
      );
      const place = [audit.auctionId, audit.blockNumber, audit.solver];
      assertEquals<unknown>(place, [auction_id, block_number, solver]);
      assertEquals(audit.gasCost, BigInt(gas_used) * BigInt(effective_gas_price));
      for (const trade of audit.trades) {
        const event = events.get(`${block_number} ${trade.logIndex}`)!;
        assertEquals([trade.sellAmount, trade.buyAmount], [
          BigInt(event.sell_amount),
          BigInt(event.buy_amount),
        ]);
        const fees = executed.get(`${auction_id} ${trade.uid}`)!;
        assertEquals(trade.executedFee, BigInt(fees.executed_fee));
        const protocol = fees.protocol_fee_amounts.reduce((sum, one) => sum + BigInt(one), 0n);
        assertEquals(trade.networkFeeAtoms, trade.priceDifferenceAtoms - protocol);
        assertEquals(trade.allFeesAtoms, trade.priceDifferenceAtoms);
      }
    }
  });
}

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
];

function solutions(of: Competition, altered: object): Competition {
  return { ...of, solutions: of.solutions.map((one) => ({ ...one, ...altered })) };
}

Deno.test("auditSettlement() names what differs from the report", async () => {
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
  const absent = await auditSettlement(recording, TX, {
    competition: { ...competition, solutions: [] },
  });
  assertEquals(absent.differences.map(({ what }) => what), ["no_solution"]);
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

Deno.test("auditRange() requests 50 settlements at a time", async () => {
  const competitions = [...(await recordedRun("market_1")).competitions.values()];
  const recording = await replay("market_1");
  const batches: number[] = [];
  const node = {
    rpc: (calls: readonly RpcCall[]) => {
      batches.push(calls.length);
      return recording.rpc(calls);
    },
  };
  const audits = await Array.fromAsync(auditRange(node, competitions));
  assertEquals(audits.length, 637);
  assertEquals(batches, [1, ...Array(12).fill(100), 74]);
});

Deno.test("auditRange() says which settlements it cannot audit, and goes on", async () => {
  const recording = await replay("market_1");
  const competition = await connect(recording).competition(TX);
  const unknown = `0x${"01".repeat(32)}`;
  const reported = { ...competition, transactionHashes: [unknown, TX] };
  const [failed, audited] = await Array.fromAsync(auditRange(recording, [reported]));
  assertEquals([failed?.txHash, failed?.audit, failed?.error?.code], [unknown, null, "service"]);
  assertEquals([audited?.txHash, audited?.error], [TX, null]);
});

Deno.test("a sandbox's settlements agree with its reports, and their flows with their trades", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12 });
  const book = connect(sandbox);
  const found = await Array.fromAsync(book.competitions({ last: 12 }));
  const competitions = found.flatMap(({ competition }) => competition ?? []);
  let count = 0;
  for await (const { audit } of auditRange(sandbox, competitions)) {
    assert(audit !== null && !isNotComputable(audit.imbalances));
    assertEquals(audit.differences.filter(({ what }) => what !== "late"), []);
    assertEquals(audit.imbalances.unknown, []);
    count += audit.trades.length;
  }
  assert(count > 10);
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
