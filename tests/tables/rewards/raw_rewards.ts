import type { Competition, Decimal, Order, Trade } from "orderlens";
import type { ExecutedProtocolFee } from "orderlens/schemas";
import { unpack } from "../../metrics/recorded_run.ts";

/** The answers with status 200 of a shipped recording at some paths that have a body of JSON. */
export async function recordedLines(
  name: string,
  paths: string,
): Promise<{ path: string; body: unknown }[]> {
  const isAt = new RegExp(`^\\{"method":"\\w+","path":"(?:${paths})`);
  return (await unpack(`${name}.ndjson.gz`)).trim().split("\n").flatMap((line) => {
    if (!isAt.test(line)) return [];
    const { path, status, responseBody } = JSON.parse(line);
    return status === 200 && /^[[{]/.test(responseBody)
      ? [{ path, body: JSON.parse(responseBody) }]
      : [];
  });
}

const E18 = 10n ** 18n;
const SHARE_UNIT = 10n ** 36n;

/** A record as it is on the wire, where amounts and times are text. */
type Raw<Value> = Value extends bigint | Decimal | Temporal.Instant ? string
  : Value extends object ? { [Key in keyof Value]: Raw<Value[Key]> }
  : Value;

type RawFee = Raw<ExecutedProtocolFee>;
type RawTrade = Raw<Trade>;
type RawOrder = Raw<Order>;
type RawAuction = Raw<Competition>;

/** The answers of a market as they are on the wire. */
export interface RawMarket {
  auctions: RawAuction[];
  trades: Map<string, RawTrade>;
  orders: Map<string, RawOrder>;
}

const NOTHING_EARNED = {
  auctionsBid: 0,
  wins: 0,
  unsettled: 0,
  uncapped: 0n,
  performance: 0n,
  protocolFee: 0n,
  upperCapped: 0,
  lowerCapped: 0,
  consistency: 0n,
  quotesEarned: 0,
  quotesPossible: 0,
};

/** What one solver earned, by the documented formulas alone. */
export type RawReward = typeof NOTHING_EARNED;

const markets = new Map<string, Promise<RawMarket>>();

/** Auctions, trades and orders from the recorded bodies of a recording, which is read once. */
export function readRawMarket(name = "market_1"): Promise<RawMarket> {
  return markets.getOrInsertComputed(name, () => rawMarketOf(name));
}

async function rawMarketOf(name: string): Promise<RawMarket> {
  const auctions = new Map<number, RawAuction>();
  const trades = new Map<string, RawTrade>();
  const orders = new Map<string, RawOrder>();
  const paths = "(?:/restricted)?/api/v2/solver_competition/|/api/v2/trades|/api/v1/orders/0x";
  for (const { path, body } of await recordedLines(name, paths)) {
    if (path.includes("/solver_competition/")) {
      const auction = body as RawAuction;
      auctions.set(auction.auctionId, auction);
    } else if (path.startsWith("/api/v2/trades")) {
      for (const trade of body as RawTrade[]) {
        trades.set(`${trade.txHash} ${trade.orderUid}`, trade);
      }
    } else if (/^\/api\/v1\/orders\/0x[0-9a-f]{112}$/.test(path)) {
      const order = body as RawOrder;
      if (order.quote != null || !orders.has(order.uid)) orders.set(order.uid, order);
    }
  }
  return { auctions: [...auctions.values()], trades, orders };
}

/** The rules of a test: c_l, and beta as a fraction or a fixed c_u. */
export interface RawRules {
  lowerCap: bigint;
  share?: readonly [bigint, bigint];
  upperCap?: bigint;
  /** Blocks after the deadline that count as in time. */
  grace?: number;
  /** What the consistency budget is shared by, if at all. */
  metric?: "none" | "executed_orders" | "order_share";
  /** Whether a quote has to be verified and its solver to have bid as well. */
  needsBid?: boolean;
}

/** Rewards by solver of some auctions, with every formula written out. */
export function rawRewards(
  { auctions, trades, orders }: RawMarket,
  {
    lowerCap,
    share = [1n, 1n],
    upperCap,
    grace = 0,
    metric: by = "order_share",
    needsBid = true,
  }: RawRules,
): Map<string, RawReward> {
  const rewards = new Map<string, RawReward>();
  const pairs = new Map<string, { won: bigint; inTime: bigint; shares: bigint }>();
  let budget = 0n;
  const of = (solver: string) => {
    const known = rewards.get(solver) ?? { ...NOTHING_EARNED };
    rewards.set(solver, known);
    const pair = pairs.get(solver) ?? { won: 0n, inTime: 0n, shares: 0n };
    pairs.set(solver, pair);
    return { reward: known, pair };
  };
  for (const auction of auctions) {
    const winners = auction.solutions.filter((bid) => bid.isWinner);
    const total = winners.reduce((sum, bid) => sum + BigInt(bid.score), 0n);
    for (const solver of new Set(auction.solutions.map((bid) => bid.solverAddress))) {
      const { reward, pair } = of(solver);
      reward.auctionsBid++;
      const own = winners.filter((bid) => bid.solverAddress === solver);
      if (own.length === 0) continue;
      let missing = 0n;
      let fees = 0n;
      for (const bid of own) {
        reward.wins++;
        pair.won += BigInt(bid.orders.length);
        const settled = bid.orders.flatMap(({ id }) => trades.get(`${bid.txHash} ${id}`) ?? []);
        const isInTime = settled.length > 0 &&
          settled.every(({ blockNumber }) => blockNumber <= auction.auctionDeadlineBlock! + grace);
        if (isInTime) pair.inTime += BigInt(bid.orders.length);
        else {
          reward.unsettled++;
          missing += BigInt(bid.score);
        }
        for (const trade of settled) {
          for (const fee of protocolFees(trade, orders.get(trade.orderUid)!)) {
            fees += BigInt(fee.amount) * BigInt(auction.auction.prices[fee.token]!) / E18;
          }
        }
      }
      const reference = BigInt(auction.referenceScores[solver]!);
      const uncapped = total - (reference < total ? reference : total) - missing;
      const cap = upperCap ?? fees * share[0] / share[1];
      let capped = uncapped;
      if (capped > cap) capped = cap;
      if (capped < -lowerCap) capped = -lowerCap;
      reward.uncapped += uncapped;
      reward.protocolFee += fees;
      reward.performance += capped;
      if (uncapped > cap) reward.upperCapped++;
      if (uncapped < -lowerCap) reward.lowerCapped++;
      budget += cap - capped;
    }
    for (const winner of winners.filter((bid) => bid.txHash !== null)) {
      for (const { id } of winner.orders) {
        if (by === "order_share") shareOut(auction, orders.get(id), of);
        else if (auction.auction.orders.includes(id)) {
          const bidders = auction.solutions.filter((bid) =>
            !bid.filteredOut && bid.orders.some((each) => each.id === id)
          );
          for (const solver of new Set(bidders.map((bid) => bid.solverAddress))) {
            of(solver).pair.shares += 1n;
          }
        }
      }
    }
  }
  const metrics = [...pairs].map(([solver, { won, inTime, shares }]) => ({
    solver,
    metric: by === "executed_orders" ? shares : won === 0n ? 0n : shares * inTime / won,
  }));
  const sum = metrics.reduce((all, { metric }) => all + metric, 0n);
  for (const { solver, metric } of metrics) {
    if (sum > 0n && by !== "none") of(solver).reward.consistency = budget * metric / sum;
  }
  countQuotes({ auctions, trades, orders }, needsBid, of);
  return rewards;
}

/** Fees without those of partners, which the service lists last, one per fee of the app data. */
function protocolFees(trade: RawTrade, order: RawOrder): RawFee[] {
  const asked = JSON.parse(order.fullAppData ?? "{}").metadata?.partnerFee ?? [];
  const partners = [asked].flat().length;
  const fees = trade.executedProtocolFees!;
  return fees.slice(0, fees.length - partners);
}

function surplusOf(order: RawOrder, sold: bigint, bought: bigint): bigint {
  const [sell, buy] = [BigInt(order.sellAmount), BigInt(order.buyAmount)];
  return order.kind === "sell"
    ? bought - (sold * buy + sell - 1n) / sell
    : sell * bought / buy - sold;
}

type Of = (solver: string) => { reward: RawReward; pair: { shares: bigint } };

function shareOut({ solutions, auction }: RawAuction, order: RawOrder | undefined, of: Of): void {
  if (order === undefined || !auction.orders.includes(order.uid)) return;
  const best = new Map<string, bigint>();
  for (const { solverAddress, filteredOut, orders } of solutions) {
    if (filteredOut) continue;
    for (const { id, sellAmount, buyAmount } of orders) {
      if (id !== order.uid) continue;
      const surplus = surplusOf(order, BigInt(sellAmount), BigInt(buyAmount));
      if (surplus > (best.get(solverAddress) ?? 0n)) best.set(solverAddress, surplus);
    }
  }
  const all = [...best.values()].reduce((sum, each) => sum + each, 0n);
  for (const [solver, surplus] of best) of(solver).pair.shares += surplus * SHARE_UNIT / all;
}

/** A decimal as a fraction. */
function fraction(text: string): [bigint, bigint] {
  const [whole, digits = ""] = text.split(".");
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)];
}

function countQuotes({ auctions, trades, orders }: RawMarket, needsBid: boolean, of: Of): void {
  for (const auction of auctions) {
    for (const bid of auction.solutions) {
      if (!bid.isWinner || bid.txHash === null) continue;
      for (const { id } of bid.orders) {
        const order = orders.get(id);
        if (order?.quote == null || order.partiallyFillable) continue;
        if (needsBid && !order.quote.verified) continue;
        if (!auction.auction.orders.includes(id) || !isInMarket(order)) continue;
        if (!needsBid) {
          of(order.quote.solver).reward.quotesEarned++;
          continue;
        }
        const trade = trades.get(`${bid.txHash} ${id}`);
        const bids = auctions.flatMap(({ solutions }) => solutions).filter((each) =>
          each.solverAddress === order.quote!.solver && !each.filteredOut
        ).flatMap((each) => each.orders).filter((each) => each.id === id);
        const { reward } = of(order.quote.solver);
        if (bids.some((each) => reachesQuote(order, each, []))) reward.quotesEarned++;
        else if (bids.some((each) => reachesQuote(order, each, trade!.executedProtocolFees!))) {
          reward.quotesPossible++;
        }
      }
    }
  }
}

function networkFee({ gasAmount, gasPrice, sellTokenPrice }: NonNullable<RawOrder["quote"]>) {
  const [gas, gasUnit] = fraction(gasAmount);
  const [price, priceUnit] = fraction(gasPrice);
  const [token, tokenUnit] = fraction(sellTokenPrice);
  return gas * price * tokenUnit / (gasUnit * priceUnit * token);
}

/** Whether an order's limit could be met at its quote. */
export function isInMarket(order: RawOrder): boolean {
  const quote = order.quote!;
  const [sell, buy] = [BigInt(quote.sellAmount), BigInt(quote.buyAmount)];
  const [limitSell, limitBuy] = [BigInt(order.sellAmount), BigInt(order.buyAmount)];
  const fee = networkFee(quote);
  return order.kind === "sell"
    ? limitSell * (buy - fee * buy / sell) >= sell * limitBuy
    : limitSell * buy >= (sell + fee) * limitBuy;
}

/** Whether a bid reaches the gross quote (no fees), or the one less network and volume fees. */
function reachesQuote(
  order: RawOrder,
  bid: { sellAmount: string; buyAmount: string },
  fees: readonly RawFee[],
): boolean {
  const quote = order.quote!;
  const [sell, buy] = [BigInt(quote.sellAmount), BigInt(quote.buyAmount)];
  const [sold, bought] = [BigInt(bid.sellAmount), BigInt(bid.buyAmount)];
  const isShown = fees.length > 0;
  const fee = isShown ? networkFee(quote) : 0n;
  let [part, whole] = [1n, 1n];
  for (const { policy } of fees) {
    if (policy?.volume === undefined) continue;
    const [factor, unit] = fraction(String(policy.volume.factor));
    part *= order.kind === "sell" ? unit - factor : unit + factor;
    whole *= unit;
  }
  return order.kind === "sell"
    ? bought * sell * whole >= (buy - fee * buy / sell) * sold * part
    : sold * buy * whole <= (sell + fee) * bought * part;
}
