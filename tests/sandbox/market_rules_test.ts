import { assert, assertEquals } from "@std/assert";
import { NATIVE_TOKEN_ADDRESS } from "../../lib/networks/mod.ts";
import { Engine } from "../../lib/sandbox/market/engine.ts";
import type { Market } from "../../lib/sandbox/market/market.ts";
import { Random, TOKENS, WALLET_CONTRACT } from "../../lib/sandbox/market/ledger.ts";
import { Sandbox } from "../../lib/sandbox/sandbox.ts";
import { type OrderChanges, OrderDesk } from "./order_desk.ts";
import { ETHER } from "./book_orders.ts";
import { MarketRules } from "./market_rules.ts";
import {
  auditFees,
  checkUniformPrices,
  isNotComputable,
  priceImprovementAtoms,
  settlementOutcomes,
} from "../../lib/metrics/mod.ts";
import { type Competition, connect } from "../../lib/mod.ts";

const SEEDS = [1, 7];
/** Auctions with arbitrary orders in them, before others. */
const ARBITRARY = 80;
/** All auctions: enough for every rule to matter. */
const AUCTIONS = 500;
const RECIPIENT = `0x${"9a".repeat(20)}`;
const MOST = 2n ** 256n - 1n;

/** An arbitrary order: any kind, size, limit and tokens. */
function anyOrder(market: Market, random: Random): OrderChanges {
  const sellToken = random.pick(TOKENS).address;
  const buyToken = random.pick([...TOKENS, { address: NATIVE_TOKEN_ADDRESS }]).address;
  const kind = random.pick(["sell", "buy"] as const);
  return {
    ...anyAmounts(market, random, { sellToken, buyToken, kind }),
    sellToken,
    buyToken,
    receiver: random.chance(200) ? RECIPIENT : null,
    validTo: market.time.seconds + random.pick([60, 64, 100, 1_000]),
    kind,
    partiallyFillable: random.chance(500),
    document: anyDocument(random),
    signingScheme: random.pick(["eip712", "ethsign", "presign"]),
  };
}

/** Amounts from a fifth below the price to 3% above it, and sometimes arbitrary ones. */
function anyAmounts(
  market: Market,
  random: Random,
  { sellToken, buyToken, kind }: { sellToken: string; buyToken: string; kind: "sell" | "buy" },
): { sellAmount: bigint; buyAmount: bigint } {
  const worth = random.pick([10n ** 9n, 10n ** 15n, ETHER, 300n * ETHER]) *
    BigInt(random.between(1, 100)) / 100n;
  const offset = BigInt(random.pick([-2_000, -100, -20, 0, 5, 300]));
  const atoms = (token: string, bps: bigint) =>
    worth * (10_000n + bps) / 10_000n * ETHER / market.nativePrice(token)! + 1n;
  const amounts = {
    sellAmount: atoms(sellToken, kind === "buy" ? -offset : 0n),
    buyAmount: atoms(buyToken, kind === "sell" ? offset : 0n),
  };
  if (random.chance(100)) amounts.sellAmount = random.pick([1n, 10n ** 40n, MOST]);
  if (random.chance(100)) amounts.buyAmount = random.pick([1n, 2n, MOST]);
  return amounts;
}

/** A document with up to five partner fees. */
function anyDocument(random: Random): string {
  const partnerFee = Array.from({ length: random.between(0, 5) }, () => ({
    ...random.pick([
      { volumeBps: random.between(0, 100) },
      { surplusBps: random.between(0, 10_000), maxVolumeBps: random.between(0, 100) },
      { priceImprovementBps: 5_000, maxVolumeBps: random.between(0, 100) },
    ]),
    recipient: RECIPIENT,
  }));
  return JSON.stringify({ appCode: "Stranger", metadata: { partnerFee }, version: "1.4.0" });
}

/** Holds auctions of a market with arbitrary orders in it, which keeps its rules at each. */
async function held(seed: number) {
  const engine = new Engine(seed);
  const { market } = engine;
  const sandbox = new Sandbox(engine, { clock: "virtual" });
  const desk = new OrderDesk(sandbox);
  const random = new Random(seed, "strangers");
  const rules = new MarketRules(market);
  const placed: string[] = [];
  for (let at = 0; at < AUCTIONS; at++) {
    for (let count = at < ARBITRARY ? random.between(0, 3) : 0; count > 0; count--) {
      const { status, text } = await desk.place(anyOrder(market, random));
      assert(status === 201 || status === 400, text);
      if (status === 201) placed.push(JSON.parse(text));
    }
    for (const uid of placed) {
      const order = market.book.orders.get(uid)!;
      if (order.isPresignaturePending && random.chance(300)) sandbox.preSign(uid);
      if (order.attempts > 0 && random.chance(200)) await desk.cancel([uid]);
    }
    await sandbox.advance();
    rules.check();
  }
  return { seed, market, sandbox, placed };
}

const markets = SEEDS.map((seed) => {
  let market: ReturnType<typeof held> | undefined;
  return () => market ??= held(seed);
});

for (const [place, seed] of SEEDS.entries()) {
  Deno.test(`a market of seed ${seed} keeps its rules, and has every kind of order and auction`, async () => {
    const { market: { book, time }, placed } = await markets[place]!();
    const statuses = Object.groupBy(
      placed.map((uid) => book.orders.get(uid)!),
      (order) => order.resolveStatus(time.instant),
    );
    assert(statuses.fulfilled!.length > ARBITRARY / 4);
    assert(statuses.expired!.length > ARBITRARY / 4);
    assert(statuses.fulfilled!.some(({ isCancelled }) => isCancelled), "settled all the same");
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
        order: book.orders.get(fill.uid)!.data,
        fill,
        executedFee: fill.executedFee,
      })));
      assertEquals([violations, unchecked], [[], []], txHash);
    }
  });
}

/** The first of them, as its accounts see it, and the wallet contract that signs for some. */
async function readFirst() {
  const { sandbox } = await markets[0]!();
  const book = connect(sandbox);
  const owners = [...sandbox.description.accounts, WALLET_CONTRACT];
  const accounts = await Promise.all(owners.map(async (owner) => ({
    owner,
    trades: await Array.fromAsync(book.trades({ owner })),
    orders: await Array.fromAsync(book.accountOrders(owner)),
  })));
  const trades = accounts.flatMap((account) => account.trades);
  const orders = new Map(
    accounts.flatMap((account) => account.orders).map((one) => [one.uid, one]),
  );
  const reports = new Map(
    await Promise.all(
      orders.keys().map(async (uid) => [uid, await book.debugReport(uid)] as const),
    ),
  );
  return { sandbox, book, accounts, trades, orders, reports };
}

let read: ReturnType<typeof readFirst> | undefined;
const first = () => read ??= readFirst();

Deno.test("the audit confirms a market's fees, in trades and in reports", async () => {
  const { trades, orders, reports } = await first();
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
  const expected = "protocol surplus, protocol priceImprovement, protocol volume, " +
    "partner volume, partner surplus";
  for (const kind of expected.split(", ")) {
    assert(kinds.has(kind), `${kind} of ${[...kinds].join(", ")}`);
  }
});

Deno.test("a market's debug reports agree with its trades, competitions and outcomes", async () => {
  const { sandbox, book, trades, reports } = await first();
  const competitions = new Map<number, Competition>();
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
  const { solutions } = settlementOutcomes(competitions.values(), {
    trades,
    debugReports: [...reports.values()],
    latestBlock: sandbox.description.block,
  });
  const outcomes = solutions.map(({ result, attempts: [attempt] }) =>
    `${result}: ${attempt?.outcome?.split(":")[0]}`
  );
  assertEquals([...new Set(outcomes)].sort(), [
    "absent: driver failed",
    "absent: timeout",
    "in_time: success",
    "late: timeout",
    "pending: undefined",
  ]);
});

Deno.test("a market's notifications report each event once, and nothing else", async () => {
  const { book, accounts, reports } = await first();
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
          const token = order.kind === "sell" ? order.buyToken : order.sellToken;
          expected.push(`price_improvement ${order.uid} ${better} ${token}`);
        }
      }
      if (order.status === "expired" && trades.length === 0) {
        expected.push(`order_expired ${order.uid} ${order.validTo}`);
      }
      for (const { label, reason } of events) {
        if (label === "cancelled") expected.push(`order_cancelled ${order.uid}`);
        if (reason !== "insufficient_balance") continue;
        expected.push(`${reason} ${order.uid} ${order.sellToken} ${order.sellAmount}`);
      }
    }
    const sent = (await book.notifications(owner)).map((notification) => {
      assert("type" in notification);
      assertEquals(notification.account, owner);
      types.add(notification.type);
      const { orderUid, txHash: _, blockNumber: __, ...more } = Object(notification.metadata);
      return [notification.type, orderUid, ...Object.values(more)].join(" ");
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
