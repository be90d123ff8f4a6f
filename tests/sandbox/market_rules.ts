import { assert, assertEquals } from "@std/assert";
import { isNotComputable, scoreOrder, surplusOverLimit } from "../../lib/metrics/mod.ts";
import type { Solution } from "../../lib/schemas/mod.ts";
import { checkOutcome, isUnfair, type SolutionBid } from "../metrics/arbitrate.ts";
import type { Book, StoredAuction } from "../../lib/sandbox/market/book.ts";
import type { BookOrder } from "../../lib/sandbox/market/book_order.ts";
import { OUTSIDE, wrapNativeToken } from "../../lib/sandbox/market/ledger.ts";
import type { Market } from "../../lib/sandbox/market/market.ts";
import type { RecordedFill } from "../../lib/sandbox/market/liquidity.ts";
import { MAX_SOLUTIONS } from "../../lib/sandbox/market/solvers.ts";

/** Default maximum number of winners. */
const MAX_WINNERS = 20;

/** Allowed changes of an order's status. */
const STATUS_MOVES: Record<string, readonly string[]> = {
  presignaturePending: ["open", "expired", "cancelled", "fulfilled"],
  open: ["fulfilled", "cancelled", "expired"],
  // A pending settlement may still fill a cancelled order.
  cancelled: ["fulfilled"],
  expired: [],
  fulfilled: [],
};

/** Allowed sequences of events; a settlement may be late, so `traded` may follow most. */
const EVENT_MOVES: Record<string, readonly string[]> = {
  created: ["ready", "invalid", "filtered", "cancelled"],
  ready: ["considered", "executing", "invalid", "filtered", "cancelled", "traded"],
  considered: ["ready", "invalid", "filtered", "cancelled", "traded"],
  executing: ["traded", "ready", "invalid", "filtered", "cancelled"],
  filtered: ["traded", "ready", "invalid", "filtered", "cancelled"],
  invalid: ["traded", "ready", "invalid", "filtered", "cancelled"],
  traded: ["ready", "invalid", "filtered", "cancelled"],
  cancelled: ["traded"],
};

/** Checks the rules of a market step by step. */
export class MarketRules {
  readonly #market: Market;
  readonly #products = new Map<string, bigint>();
  readonly #statuses = new Map<BookOrder, string>();
  readonly #eventsSeen = new Map<BookOrder, number>();
  readonly #settled = new Set<BookOrder>();
  #ordersSeen = 0;
  #fillsSeen = 0;
  #auctionSeen: StoredAuction | undefined;

  /** Starts with a newly opened market. */
  constructor(market: Market) {
    this.#market = market;
  }

  /** Checks the changes since the previous auction. */
  check(): void {
    this.#checkTokens();
    this.#checkPools();
    const { book } = this.#market;
    for (const fill of book.fills.slice(this.#fillsSeen)) checkFill(this.#market, fill);
    this.#fillsSeen = book.fills.length;
    for (const order of book.orders.values().drop(this.#ordersSeen)) {
      this.#statuses.set(order, order.resolveStatus(this.#market.time.instant));
    }
    this.#ordersSeen = book.orders.size;
    for (const order of this.#statuses.keys()) {
      if (!this.#settled.has(order)) this.#checkOrder(order);
    }
    if (book.latestAuction !== undefined && book.latestAuction !== this.#auctionSeen) {
      this.#auctionSeen = book.latestAuction;
      checkAuction(this.#market, this.#auctionSeen);
    }
  }

  /** Tokens only move, and only `OUTSIDE` has negative balances. */
  #checkTokens(): void {
    const sums = new Map<string, bigint>();
    for (const { token, holder, atoms } of this.#market.ledger.entries()) {
      sums.set(token, (sums.get(token) ?? 0n) + atoms);
      assert(holder === OUTSIDE || atoms >= 0n, `${holder} has ${atoms} of ${token}`);
    }
    for (const [token, sum] of sums) assertEquals(sum, 0n, `sum of ${token}`);
  }

  /** Pools match the ledger, and never lose by a trade. */
  #checkPools(): void {
    for (const pool of this.#market.liquidity.pools) {
      const [x, y] = pool.tokens.map((token) => pool.getReserve(token)) as [bigint, bigint];
      for (const token of pool.tokens) {
        assertEquals(pool.getReserve(token), this.#market.ledger.balanceOf(pool.address, token));
      }
      assert(x * y >= (this.#products.get(pool.address) ?? 0n), `${pool.address} has lost`);
      this.#products.set(pool.address, x * y);
    }
  }

  #checkOrder(order: BookOrder): void {
    const { uid, data: signed, fills, events } = order;
    assert(
      order.remaining >= 0n && order.executedSellAmount <= signed.sellAmount,
      `${uid} is overfilled`,
    );
    const sold = fills.reduce((sum, { sellAmount }) => sum + sellAmount, 0n);
    const bought = fills.reduce((sum, { buyAmount }) => sum + buyAmount, 0n);
    assertEquals([sold, bought], [order.executedSellAmount, order.executedBuyAmount], uid);
    assert(
      signed.partiallyFillable || fills.length === 0 || order.remaining === 0n,
      `${uid} in parts`,
    );
    const before = this.#statuses.get(order)!;
    const status = order.resolveStatus(this.#market.time.instant);
    assert(
      before === status || STATUS_MOVES[before]!.includes(status),
      `${uid} went from ${before} to ${status}`,
    );
    this.#statuses.set(order, status);
    if (status === "fulfilled" || status === "expired") this.#settled.add(order);
    for (let at = Math.max(1, this.#eventsSeen.get(order) ?? 0); at < events.length; at++) {
      const [last, next] = [events[at - 1]!, events[at]!];
      const moves = EVENT_MOVES[last.label]!;
      assert(moves.includes(next.label), `${uid}: ${last.label}, then ${next.label}`);
      assert(Temporal.Instant.compare(last.timestamp, next.timestamp) < 0, `times of ${uid}`);
    }
    assertEquals(events[0]?.label, "created");
    this.#eventsSeen.set(order, events.length);
  }
}

/** A fill respects the limit and the expiry, and matches its solution. */
function checkFill({ book, time, block }: Market, fill: RecordedFill): void {
  const { data: signed } = book.orders.get(fill.uid)!;
  const surplus = surplusOverLimit(fill, signed);
  assert(!isNotComputable(surplus) && surplus >= 0n, `${fill.uid} is filled beyond its limit`);
  assert(fill.sellAmount > 0n && fill.buyAmount > 0n && fill.executedFee >= 0n, fill.uid);
  assert(signed.validTo >= time.seconds, `${fill.uid} is filled after its expiry`);
  assertEquals(fill.block, block);
  const auction = book.auctionsByTransaction.get(fill.txHash)!;
  assertEquals(auction.competition.auctionId, fill.auctionId);
  const solution = auction.competition.solutions.find(({ txHash }) => txHash === fill.txHash)!;
  const execution = solution.orders.find(({ id }) => id === fill.uid)!;
  assertEquals([execution.sellAmount, execution.buyAmount], [fill.sellAmount, fill.buyAmount]);
}

/** An auction follows the rules from its bids, and no bid exceeds the remaining amounts. */
function checkAuction({ book, ledger }: Market, { competition }: StoredAuction): void {
  const { auctionId, solutions } = competition;
  const orders = competition.auction.orders.map((uid) => book.orders.get(uid)!);
  checkOutcome(competition, {
    maxWinners: MAX_WINNERS,
    bidOf: (solution) => bidOf(book, competition.auction.prices, solution),
    isOut: isUnfair,
  });
  for (const own of Map.groupBy(solutions, ({ solverAddress }) => solverAddress).values()) {
    assert(own.length <= MAX_SOLUTIONS, `${own.length} solutions of one solver in ${auctionId}`);
  }
  const pairs = solutions.filter(({ isWinner }) => isWinner)
    .flatMap((solution) => [...new Set(claimsOf(solution))]);
  assertEquals(new Set(pairs).size, pairs.length, `pairs of auction ${auctionId}`);
  for (const { id, sellAmount, buyAmount } of solutions.flatMap((solution) => solution.orders)) {
    const order = book.orders.get(id)!;
    assert(orders.includes(order), `${id} is not in auction ${auctionId}`);
    assert((order.data.kind === "sell" ? sellAmount : buyAmount) <= order.remaining, id);
    assert(sellAmount <= ledger.balanceOf(order.owner, order.data.sellToken), id);
    const surplus = surplusOverLimit({ sellAmount, buyAmount }, order.data);
    assert(!isNotComputable(surplus) && surplus >= 0n, id);
  }
}

/** A solution with its pair scores, by the limits and policies of its orders. */
function bidOf(
  book: Book,
  prices: Readonly<Record<string, bigint>>,
  solution: Solution,
): SolutionBid {
  const pairs = new Map<string, bigint>();
  for (const execution of solution.orders) {
    const { data: signed, origin } = book.orders.get(execution.id)!;
    const scored = scoreOrder(execution, { ...signed, quote: origin.quote }, {
      nativePrice: prices[execution.buyToken!]!,
      policies: origin.policies,
    });
    assert(!isNotComputable(scored) && scored.kind === "exact", execution.id);
    const pair = `${execution.sellToken} ${execution.buyToken}`;
    pairs.set(pair, (pairs.get(pair) ?? 0n) + scored.score);
  }
  const score = pairs.values().reduce((sum, each) => sum + each, 0n);
  assertEquals(solution.score, score);
  return {
    solution,
    solver: solution.solverAddress,
    score,
    pairs: Array.from(pairs, ([pair, score]) => ({ pair, score })),
    claims: claimsOf(solution),
  };
}

/** Directed pairs of a solution, with the wrapped native token. */
function claimsOf({ orders }: Solution): string[] {
  return orders.map(({ sellToken, buyToken }) =>
    `${wrapNativeToken(sellToken!)} ${wrapNativeToken(buyToken!)}`
  );
}
