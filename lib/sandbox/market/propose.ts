import { isNotComputable, scaledLimit } from "../../metrics/mod.ts";
import { divideDown, mulDivDown } from "../../units/mod.ts";
import type {
  PlannedExecution,
  PlannedOutcome,
  PlannedSolution,
  PlannedSwap,
  UniformPair,
} from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { type Random, wrapNativeToken } from "./ledger.ts";
import {
  findBestSpotPrice,
  type Liquidity,
  type Route,
  routeOutput,
  type SpotPrice,
} from "./liquidity.ts";
import { addBpsDown, estimateGas, estimateNetworkFee, type SolverView } from "./market_quote.ts";
import {
  calculateFees,
  createExecution,
  planExecution,
  type PlannedFill,
  type PlanningTerms,
  SLIPPAGE_TOLERANCE_BPS,
} from "./plan_execution.ts";
import { MAX_SOLUTIONS, type Solver } from "./solvers.ts";

/** Maximum number of orders in one batch. */
const MAX_BATCH_SIZE = 3;

/** Maximum number of order pairs tried for a match. */
const MAX_PAIRS_TRIED = 2_000;

const BATCHES_IN_1000 = 450;

const ROBBERIES_IN_1000 = 250;

/** Returns the solutions that a solver submits for the orders of an auction, at most three. */
export function propose(
  solver: Solver,
  orders: readonly BookOrder[],
  { view, random }: { view: SolverView; random: Random },
): PlannedSolution[] {
  if (!random.chance(solver.participation)) return [];
  const marginBps = BigInt(random.between(...solver.marginBps));
  const terms: PlanningTerms = { ...view, hops: solver.hops, marginBps };
  const reachable = filterReachable(orders, terms);
  const planned = new Map<BookOrder, PlannedFill | null>();
  const getPlan: Planner = (order) => {
    let plan = planned.get(order);
    if (plan === undefined) planned.set(order, plan = planExecution(order, terms));
    return plan;
  };
  const solutions: PlannedSolution[] = [];
  const add = (parts: Pick<PlannedSolution, "executions" | "swaps">): void => {
    solutions.push({
      solver: solver.address,
      ...parts,
      plannedOutcome: pickOutcome(solver, random),
    });
  };
  if (solver.habit === "batches") {
    const match = findFirstMatch(orders, terms);
    if (match !== null) add(match);
    if (random.chance(BATCHES_IN_1000)) {
      const batch = pickDisjoint(reachable, getPlan);
      if (batch.length > 1) add(combine(batch));
    }
  }
  if (solver.habit === "robs" && random.chance(ROBBERIES_IN_1000)) {
    const robbed = rob(pickDisjoint(reachable, getPlan));
    if (robbed !== null) add(combine(robbed));
  }
  for (const order of reachable) {
    if (solutions.length === MAX_SOLUTIONS) break;
    const plan = getPlan(order);
    if (plan !== null) add(combine([plan]));
  }
  return solutions;
}

/** Plans the execution of a single order, or returns its cached plan. */
type Planner = (order: BookOrder) => PlannedFill | null;

/** Picks the first executions whose pairs share no token, so that their prices are independent. */
function pickDisjoint(orders: readonly BookOrder[], getPlan: Planner): PlannedFill[] {
  const usedTokens = new Set<string>();
  const batch: PlannedFill[] = [];
  for (const order of orders) {
    if (batch.length === MAX_BATCH_SIZE) break;
    const pair = [wrapNativeToken(order.data.sellToken), wrapNativeToken(order.data.buyToken)];
    if (pair.some((token) => usedTokens.has(token))) continue;
    const planned = getPlan(order);
    if (planned === null) continue;
    for (const token of pair) usedTokens.add(token);
    batch.push(planned);
  }
  return batch;
}

function combine(parts: readonly PlannedFill[]): Pick<PlannedSolution, "executions" | "swaps"> {
  return { executions: parts.map((part) => part.execution), swaps: parts.map((part) => part.swap) };
}

/** Finds the first matching pair of opposite orders, within the maximum number of attempts. */
function findFirstMatch(orders: readonly BookOrder[], terms: PlanningTerms): Match | null {
  return findCrossingPairs(orders).take(MAX_PAIRS_TRIED)
    .map(([forward, reverse]) => matchOrders(forward, reverse, terms))
    .find((match) => match !== null) ?? null;
}

/** Changes a batch so that its first order gets little more than its limit. */
function rob(batch: readonly PlannedFill[]): PlannedFill[] | null {
  const [victim, ...otherFills] = batch;
  if (victim === undefined || otherFills.length === 0) return null;
  const { execution } = victim;
  const { order, fill } = execution;
  if (order.data.kind !== "sell") return null;
  const minBuyAmount = scaledLimit(fill, order.data);
  if (isNotComputable(minBuyAmount)) return null;
  const robbed = {
    ...fill,
    buyAmount: minBuyAmount + divideDown(fill.buyAmount - minBuyAmount, 5n),
  };
  const fees = calculateFees(order, robbed, execution.price);
  if (fees === null) return null;
  return [{ ...victim, execution: { ...execution, fill: robbed, fees } }, ...otherFills];
}

function pickOutcome(solver: Solver, random: Random): PlannedOutcome {
  const [reverts, timeouts, late] = solver.failures;
  const draw = random.below(1000);
  if (draw < reverts) return "reverts";
  if (draw < reverts + timeouts) return "times out";
  if (draw < reverts + timeouts + late) return "late";
  return draw % 4 === 0 ? "slow" : "settles";
}

/**
 * Returns the orders whose limit price does not exceed the best spot price, in the same sequence.
 *
 * No trade gets a better price than the spot price before fees, so that other orders need not be
 * planned. An order within the spot price may still be unreachable at its size.
 *
 * @param orders Orders of an auction.
 * @param reach The pools, and the maximum number of pools per route.
 */
export function filterReachable(
  orders: readonly BookOrder[],
  { liquidity, hops }: { liquidity: Liquidity; hops: number },
): BookOrder[] {
  const prices = new Map<string, Map<string, SpotPrice | null>>();
  const findPrice = (from: string, to: string): SpotPrice | null => {
    let pricesFrom = prices.get(from);
    if (pricesFrom === undefined) prices.set(from, pricesFrom = new Map());
    let price = pricesFrom.get(to);
    if (price === undefined) {
      price = findBestSpotPrice(liquidity.findRoutes(from, to, hops));
      pricesFrom.set(to, price);
    }
    return price;
  };
  return orders.filter(({ data }) => {
    const price = findPrice(data.sellToken, data.buyToken);
    return price !== null && data.buyAmount * price.paid <= data.sellAmount * price.out;
  });
}

/** Two matched orders, with the trade of the remainder. */
interface Match {
  /** Both executions, at one price. */
  readonly executions: readonly [PlannedExecution, PlannedExecution];
  /** Trades of the remainder with pools. */
  readonly swaps: readonly PlannedSwap[];
}

/** Scale of the spot price, which is a quotient of atoms. */
const ONE = 10n ** 36n;

/**
 * Matches two sell orders in opposite directions at one price: the larger one trades its remainder
 * with pools. `null` if they do not match.
 */
function matchOrders(forward: BookOrder, reverse: BookOrder, terms: PlanningTerms): Match | null {
  const [first, second] = [deductNetworkFee(forward, terms), deductNetworkFee(reverse, terms)];
  if (first === null || second === null) return null;
  const [route] = terms.liquidity.findRoutes(forward.data.sellToken, reverse.data.sellToken, 1);
  const clearing = route === undefined ? null : clear(route, { first, second });
  if (clearing === null) return null;
  const { price: { sell, buy }, swaps } = clearing;
  const forth = executeAt(forward, first, { sell, buy });
  const back = executeAt(reverse, second, { sell: buy, buy: sell });
  return forth === null || back === null ? null : { executions: [forth, back], swaps };
}

/**
 * Calculates the price at which two amounts of a pair clear: the larger side trades its remainder with
 * pools and bears the cost. `null` without a remainder.
 */
function clear(
  route: Route,
  { first, second }: { first: bigint; second: bigint },
): { price: UniformPair; swaps: readonly PlannedSwap[] } | null {
  const { from, pools } = route;
  const pool = pools[0]!;
  const to = pool.getOtherToken(from);
  const spot = mulDivDown(pool.getReserve(to), ONE, pool.getReserve(from));
  const matched = mulDivDown(second, ONE, spot);
  const isFirstLarger = matched < first;
  const remainder = isFirstLarger
    ? { route, paid: first - matched }
    : { route: { from: to, pools }, paid: second - mulDivDown(first, spot, ONE) };
  if (remainder.paid <= 0n) return null;
  const out = routeOutput(remainder.route, remainder.paid);
  const bound = addBpsDown(out, -SLIPPAGE_TOLERANCE_BPS);
  return {
    price: isFirstLarger ? { sell: second + out, buy: first } : { sell: second, buy: first + out },
    swaps: out === 0n ? [] : [{ ...remainder, bound }],
  };
}

/** Executes a whole order at a price. */
function executeAt(order: BookOrder, paid: bigint, price: UniformPair): PlannedExecution | null {
  const buyAmount = mulDivDown(paid, price.sell, price.buy);
  return createExecution(order, { sellAmount: order.remaining, buyAmount }, price);
}

/** Deducts the network fee from the amount of an order; `null` if the owner cannot pay it. */
function deductNetworkFee(order: BookOrder, terms: PlanningTerms): bigint | null {
  const { sellToken } = order.data;
  const price = terms.priceOf(sellToken);
  if (price === null || terms.balanceOf(order.owner, sellToken) < order.remaining) return null;
  const gas = { gasAmount: estimateGas(1), gasPrice: terms.gasPrice, sellTokenPrice: price };
  const paid = order.remaining - estimateNetworkFee(gas);
  return paid > 0n ? paid : null;
}

/** An order with its index in the auction. */
interface IndexedOrder {
  readonly order: BookOrder;
  readonly index: number;
}

/**
 * Finds pairs of sell orders in opposite directions whose limit prices cross, sorted by the index of the
 * earlier order, then of the later one.
 *
 * Most orders do not cross even the cheapest opposite order, and are skipped.
 */
export function* findCrossingPairs(
  orders: readonly BookOrder[],
): Generator<readonly [one: BookOrder, other: BookOrder]> {
  const sales = orders.map((order, index) => ({ order, index }))
    .filter(({ order }) => order.data.kind === "sell");
  const sides = Map.groupBy(
    sales,
    ({ order: { data } }) => `${data.sellToken} ${wrapNativeToken(data.buyToken)}`,
  );
  const partners = new Map<IndexedOrder, readonly IndexedOrder[]>();
  for (const [pair, side] of sides) {
    const opposite = sides.get(pair.split(" ").reverse().join(" "));
    if (opposite === undefined) continue;
    const candidates = filterCrossing(opposite, side);
    for (const sale of filterCrossing(side, opposite)) partners.set(sale, candidates);
  }
  for (const [sale, counterparts] of [...partners].sort(([a], [b]) => a.index - b.index)) {
    for (const counterpart of counterparts) {
      if (counterpart.index > sale.index && doCross(sale, counterpart)) {
        yield [sale.order, counterpart.order];
      }
    }
  }
}

/** Returns the orders of a side that cross the cheapest opposite order. */
function filterCrossing(
  side: readonly IndexedOrder[],
  opposite: readonly IndexedOrder[],
): IndexedOrder[] {
  const cheapest = opposite.reduce((best, sale) => {
    const [a, b] = [sale.order.data, best.order.data];
    // By limit prices, in bought atoms per sold atom, exactly.
    return a.buyAmount * b.sellAmount < b.buyAmount * a.sellAmount ? sale : best;
  });
  return side.filter((sale) => doCross(sale, cheapest));
}

/** Whether a price satisfies both limits: their limit prices multiply to at most 1. */
function doCross(
  { order: { data: a } }: IndexedOrder,
  { order: { data: b } }: IndexedOrder,
): boolean {
  return a.buyAmount * b.buyAmount <= a.sellAmount * b.sellAmount;
}
