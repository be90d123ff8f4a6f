import { assert, assertEquals } from "@std/assert";
import { auditFees, replayCompetition, scaledLimit } from "../../lib/metrics/mod.ts";
import { connect } from "../../lib/mod.ts";
import { parseOrderUid, recoverOrderSigner } from "../../lib/evm/mod.ts";
import { Engine } from "../../lib/sandbox/engine.ts";
import { OUTSIDE } from "../../lib/sandbox/ledger.ts";
import { TOKENS } from "../../lib/sandbox/tokens.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";

const SEEDS = [1, 2, 3];
const AUCTIONS = 100;

/** Moves on along which the status of an order may change. */
const EDGES: Record<string, readonly string[]> = {
  presignaturePending: ["open", "expired", "cancelled", "fulfilled"],
  open: ["fulfilled", "cancelled", "expired"],
  // What is on its way to the chain may still fill an order that was cancelled.
  cancelled: ["fulfilled"],
  expired: [],
  fulfilled: [],
};

for (const seed of SEEDS) {
  Deno.test(`a market of seed ${seed} keeps its rules at every step`, async () => {
    const engine = new Engine(seed);
    const { market } = engine;
    const statuses = new Map<string, string>();
    for (let at = 0; at < AUCTIONS; at++) {
      await engine.advance(1);
      const sums = new Map<string, bigint>();
      for (const { token, holder, atoms } of market.ledger.entries()) {
        sums.set(token, (sums.get(token) ?? 0n) + atoms);
        assert(holder === OUTSIDE || atoms >= 0n, `${holder} has ${atoms} of ${token}`);
      }
      for (const [token, sum] of sums) assertEquals(sum, 0n, `sum of ${token}`);
      for (const pool of market.liquidity.pools) {
        for (const token of pool.tokens) {
          assertEquals(pool.reserveOf(token), market.ledger.balanceOf(pool.name, token));
        }
      }
      for (const order of market.book.orders.values()) {
        const { signed } = order;
        assert(order.left >= 0n, `${order.uid} is filled beyond its amount`);
        assert(order.executedSellAmount <= signed.sellAmount);
        const status = order.statusAt(market.time.instant);
        const before = statuses.get(order.uid);
        if (before !== undefined && before !== status) {
          assert(EDGES[before]!.includes(status), `${order.uid} went from ${before} to ${status}`);
        }
        statuses.set(order.uid, status);
      }
    }
    assert(market.book.fills.length > AUCTIONS / 2);
    for (const fill of market.book.fills) {
      const { signed } = market.book.orders.get(fill.uid)!;
      const limit = scaledLimit(fill, signed);
      const isKept = signed.kind === "sell" ? fill.buyAmount >= limit : fill.sellAmount <= limit;
      assert(isKept, `${fill.uid} is filled beyond its limit`);
    }
  });

  Deno.test(`a market of seed ${seed} is found right by the replay`, async () => {
    const { market } = await moved(seed);
    const [{ address: wrappedNativeToken }] = TOKENS as [typeof TOKENS[number]];
    let filtered = 0;
    for (const { competition } of market.book.auctions.values()) {
      assertEquals(replayCompetition(competition).differences, []);
      assertEquals(replayCompetition(competition, { wrappedNativeToken }).differences, []);
      const pairs = competition.solutions.filter(({ isWinner }) => isWinner)
        .flatMap((
          { orders },
        ) => [...new Set(orders.map((one) => `${one.sellToken} ${one.buyToken}`))]);
      assertEquals(new Set(pairs).size, pairs.length, `pairs of ${competition.auctionId}`);
      filtered += competition.solutions.filter(({ filteredOut }) => filteredOut).length;
    }
    assert(filtered > 0, "some batch is unfair");
  });
}

async function moved(seed: number): Promise<Engine> {
  const engine = new Engine(seed);
  await engine.advance(AUCTIONS);
  return engine;
}

Deno.test("a market's fees are found exact by the audit, in trades and in reports", async () => {
  const sandbox = await openSandbox({ seed: 11, auctions: 120 });
  const book = connect(sandbox);
  const kinds = new Set<string>();
  let fills = 0;
  for (const owner of sandbox.description.accounts) {
    for await (const trade of book.trades({ owner })) {
      const order = await book.order(trade.orderUid);
      const audit = auditFees(trade, order);
      assertEquals(audit.verdict, "exact", trade.orderUid);
      for (const fee of audit.fees) kinds.add(`${fee.origin} ${fee.kind}`);
      fills++;
      const report = await book.debugReport(trade.orderUid);
      for (const each of auditFees(report)) assertEquals(each.verdict, "exact", trade.orderUid);
    }
  }
  assert(fills > 100);
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

Deno.test("a market's orders are signed by their owners, and their UIDs are digests", async () => {
  const sandbox = await openSandbox({ seed: 5, auctions: 60 });
  const book = connect(sandbox);
  const schemes = new Map<string, number>();
  for (const owner of sandbox.description.accounts) {
    for await (const order of book.accountOrders(owner)) {
      schemes.set(order.signingScheme, (schemes.get(order.signingScheme) ?? 0) + 1);
      assertEquals(parseOrderUid(order.uid).owner, order.owner);
      const signer = await recoverOrderSigner(book.domain, order);
      if (signer !== null) assertEquals(signer, order.owner);
    }
  }
  assert(["eip712", "ethsign", "presign"].every((scheme) => schemes.has(scheme)));
});

Deno.test("a market's debug reports agree with its trades and competitions", async () => {
  const sandbox = await openSandbox({ seed: 8, auctions: 60 });
  const book = connect(sandbox);
  const outcomes = new Set<string>();
  for (const uid of sandbox.description.orderUids) {
    const report = await book.debugReport(uid);
    const trades = [];
    for await (const trade of book.trades({ orderUid: uid })) trades.push(trade);
    assertEquals(
      report.trades.map(({ txHash }) => txHash).sort(),
      trades.map(({ txHash }) => txHash).sort(),
    );
    for (const auction of report.auctions) {
      const competition = await book.competition(auction.id);
      assert(competition.auction.orders.includes(uid));
      for (const { ranking, score, isWinner } of auction.proposedSolutions) {
        const solution = competition.solutions.find((one) => one.ranking === ranking)!;
        assertEquals([solution.score, solution.isWinner], [score, isWinner]);
      }
      for (const { outcome } of auction.settlementAttempts) outcomes.add(String(outcome));
    }
  }
  assert(outcomes.has("success"));
});

Deno.test("a market sends all six types of notifications", async () => {
  const sandbox = await openSandbox({ seed: 4, auctions: 250 });
  const book = connect(sandbox);
  const types = new Set<string>();
  for (const account of sandbox.description.accounts) {
    for (const notification of await book.notifications(account)) {
      if ("type" in notification) types.add(notification.type);
    }
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
