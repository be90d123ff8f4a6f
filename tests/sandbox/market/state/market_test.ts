import { assert, assertEquals } from "@std/assert";
import {
  auditFees,
  checkUniformPrices,
  isNotComputable,
  priceImprovementAtoms,
  settlementOutcomes,
} from "../../../../lib/metrics/mod.ts";
import { connect } from "../../../../lib/mod.ts";
import { Engine } from "../../../../lib/sandbox/market/engine.ts";
import { openSandbox } from "../../../../lib/sandbox/mod.ts";
import { MarketRules } from "../market_rules.ts";

const SEEDS = [1, 2];
/** Enough for every rule to matter; `ORDERLENS_ALL=1` holds more. */
const AUCTIONS = Deno.env.has("ORDERLENS_ALL") ? 500 : 150;

for (const seed of SEEDS) {
  Deno.test(`a market of seed ${seed} keeps its rules at each of ${AUCTIONS} auctions`, async () => {
    const engine = new Engine(seed);
    const { book } = engine.market;
    const rules = new MarketRules(engine.market);
    for (let at = 0; at < AUCTIONS; at++) {
      await engine.advance(1);
      rules.check();
    }
    assert(book.fills.length > AUCTIONS);
    const auctions = [...book.auctions.values()].map(({ competition }) => competition);
    const bids = auctions.flatMap(({ solutions }) => solutions);
    assert(bids.some(({ filteredOut }) => filteredOut), "some batch is unfair");
    assert(bids.some(({ isWinner, orders }) => isWinner && orders.length > 1), "some batch wins");
    assert(
      auctions.some(({ solutions }) => solutions.filter(({ isWinner }) => isWinner).length > 1),
    );
    for (const [txHash, fills] of book.fillsByTransaction) {
      const { violations, unchecked } = checkUniformPrices(fills.map((fill) => ({
        uid: fill.uid,
        order: book.orders.get(fill.uid)!.signed,
        fill,
        executedFee: fill.executedFee,
      })));
      assertEquals([violations, unchecked], [[], []], txHash);
    }
  });
}

/** A market that ran for a while, as its accounts see it. */
const sandbox = await openSandbox({ seed: 8, auctions: 150 });
const book = connect(sandbox);
const accounts = await Promise.all(sandbox.description.accounts.map(async (owner) => ({
  owner,
  trades: await Array.fromAsync(book.trades({ owner })),
  orders: await Array.fromAsync(book.accountOrders(owner)),
})));
const trades = accounts.flatMap((account) => account.trades);
const orders = new Map(accounts.flatMap((account) => account.orders).map((one) => [one.uid, one]));
const reports = new Map(
  await Promise.all(
    orders.keys().map(async (uid) => [uid, await book.debugReport(uid)] as const),
  ),
);

Deno.test("the audit confirms a market's fees, in trades and in reports", () => {
  const kinds = new Set<string>();
  for (const trade of trades) {
    const audit = auditFees(trade, orders.get(trade.orderUid)!);
    assertEquals(audit.verdict, "exact", trade.orderUid);
    for (const fee of audit.fees) kinds.add(`${fee.origin} ${fee.kind}`);
    for (const each of auditFees(reports.get(trade.orderUid)!)) {
      assertEquals(each.verdict, "exact", trade.orderUid);
    }
  }
  assert(trades.length > 100);
  for (
    const kind of [
      "protocol surplus",
      "protocol priceImprovement",
      "protocol volume",
      "partner volume",
      "partner surplus",
    ]
  ) {
    assert(kinds.has(kind), `${kind} of ${[...kinds].join(", ")}`);
  }
});

Deno.test("a market's debug reports agree with its trades, competitions and outcomes", async () => {
  const competitions = new Map<number, Awaited<ReturnType<typeof book.competition>>>();
  for (const { orderUid, auctions, ...report } of reports.values()) {
    assertEquals(
      report.trades.map(({ txHash }) => txHash),
      trades.filter((trade) => trade.orderUid === orderUid).map(({ txHash }) => txHash).reverse(),
    );
    let won = 0;
    for (const auction of auctions) {
      const competition = competitions.get(auction.id) ?? await book.competition(auction.id);
      competitions.set(auction.id, competition);
      assert(competition.auction.orders.includes(orderUid));
      for (const { ranking, score, isWinner } of auction.proposedSolutions) {
        const solution = competition.solutions.find((one) => one.ranking === ranking)!;
        assertEquals([solution.score, solution.isWinner], [score, isWinner]);
        if (isWinner) won++;
      }
      const hasWon = auction.proposedSolutions.some(({ isWinner }) => isWinner);
      assertEquals(auction.feePolicies.length > 0, hasWon, "policies are stored for winners alone");
      assertEquals(
        auction.executions.map(({ blockNumber }) => blockNumber),
        report.trades.filter(({ auctionId }) => auctionId === auction.id)
          .map(({ blockNumber }) => blockNumber),
      );
    }
    assertEquals(report.events.filter(({ label }) => label === "executing").length, won);
  }
  const outcomes = new Set<string>();
  const { solutions } = settlementOutcomes(competitions.values(), {
    trades,
    debugReports: [...reports.values()],
    latestBlock: sandbox.description.block,
  });
  for (const { result, attempts: [attempt] } of solutions) {
    outcomes.add(`${result}: ${attempt?.outcome?.split(":")[0]}`);
  }
  assertEquals([...outcomes].sort(), [
    "absent: driver failed",
    "absent: timeout",
    "in_time: success",
    "late: timeout",
    "pending: undefined",
  ]);
});

Deno.test("a market's notifications report each event once, and nothing else", async () => {
  const types = new Set<string>();
  for (const { owner, orders } of accounts) {
    const expected: string[] = [];
    for (const order of orders) {
      const { events, trades } = reports.get(order.uid)!;
      const left = { sell: order.sellAmount, buy: order.buyAmount };
      for (const trade of trades) {
        left.sell -= trade.sellAmount;
        left.buy -= trade.buyAmount;
        const isWhole = left[order.kind as "sell" | "buy"] === 0n;
        expected.push(`${isWhole ? "order_filled" : "order_partially_filled"} ${order.uid}`);
        const better = priceImprovementAtoms(trade, order, order.quote!);
        if (!isNotComputable(better) && better > 0n) {
          expected.push(`price_improvement ${order.uid}`);
        }
      }
      if (order.status === "expired" && trades.length === 0) {
        expected.push(`order_expired ${order.uid}`);
      }
      for (const { label, reason } of events) {
        if (label === "cancelled") expected.push(`order_cancelled ${order.uid}`);
        if (reason === "insufficient_balance") expected.push(`${reason} ${order.uid}`);
      }
    }
    const sent = (await book.notifications(owner)).map((notification) => {
      assert("type" in notification);
      assertEquals(notification.account, owner);
      types.add(notification.type);
      const { orderUid } = notification.metadata as { orderUid: string };
      return `${notification.type} ${orderUid}`;
    });
    assertEquals(sent.sort(), expected.sort());
  }
  assertEquals([...types].sort(), [
    "insufficient_balance",
    "order_cancelled",
    "order_expired",
    "order_filled",
    "order_partially_filled",
    "price_improvement",
  ]);
});
