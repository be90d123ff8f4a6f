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
import { type Random, tradedAs } from "./ledger.ts";
import {
  bestSpotPrice,
  type Liquidity,
  type Route,
  routeOutput,
  type SpotPrice,
} from "./liquidity.ts";
import { gasOf, networkFeeAtoms, plusBpsDown, type SolverView } from "./market_quote.ts";
import {
  executedFees,
  executionOf,
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

/** The solutions that a solver submits for the orders of an auction, at most three. */
export function propose(
  solver: Solver,
  orders: readonly BookOrder[],
  { view, random }: { view: SolverView; random: Random },
): PlannedSolution[] {
  if (!random.chance(solver.participation)) return [];
  const marginBps = BigInt(random.between(...solver.marginBps));
  const terms: PlanningTerms = { ...view, hops: solver.hops, marginBps };
  const reachable = reachableOrders(orders, terms);
  const planned = new Map<BookOrder, PlannedFill | null>();
  const planOf: PlanOf = (order) => {
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
    const match = firstMatch(orders, terms);
    if (match !== null) add(match);
    if (random.chance(BATCHES_IN_1000)) {
      const batch = disjoint(reachable, planOf);
      if (batch.length > 1) add(combined(batch));
    }
  }
  if (solver.habit === "robs" && random.chance(ROBBERIES_IN_1000)) {
    const robbed = robbery(disjoint(reachable, planOf));
    if (robbed !== null) add(combined(robbed));
  }
  for (const order of reachable) {
    if (solutions.length === MAX_SOLUTIONS) break;
    const plan = planOf(order);
    if (plan !== null) add(combined([plan]));
  }
  return solutions;
}

/** The execution of a single order, planned on demand. */
type PlanOf = (order: BookOrder) => PlannedFill | null;

/** The first few executions whose pairs share no token, so that their prices are independent. */
function disjoint(orders: readonly BookOrder[], planOf: PlanOf): PlannedFill[] {
  const taken = new Set<string>();
  const batch: PlannedFill[] = [];
  for (const order of orders) {
    if (batch.length === MAX_BATCH_SIZE) break;
    const pair = [tradedAs(order.signed.sellToken), tradedAs(order.signed.buyToken)];
    if (pair.some((token) => taken.has(token))) continue;
    const planned = planOf(order);
    if (planned === null) continue;
    for (const token of pair) taken.add(token);
    batch.push(planned);
  }
  return batch;
}

function combined(parts: readonly PlannedFill[]): Pick<PlannedSolution, "executions" | "swaps"> {
  return { executions: parts.map((one) => one.execution), swaps: parts.map((one) => one.swap) };
}

/** The first matching pair of opposite orders, within the maximum number of attempts. */
function firstMatch(orders: readonly BookOrder[], terms: PlanningTerms): Match | null {
  return crossingPairs(orders).take(MAX_PAIRS_TRIED)
    .map(([one, other]) => matchOrders(one, other, terms))
    .find((match) => match !== null) ?? null;
}

/** A batch in which the first order gets little more than its limit. */
function robbery(batch: readonly PlannedFill[]): PlannedFill[] | null {
  const [victim, ...others] = batch;
  if (victim === undefined || others.length === 0) return null;
  const { execution } = victim;
  const { order, fill } = execution;
  if (order.signed.kind !== "sell") return null;
  const least = scaledLimit(fill, order.signed);
  if (isNotComputable(least)) return null;
  const robbed = { ...fill, buyAmount: least + divideDown(fill.buyAmount - least, 5n) };
  const fees = executedFees(order, robbed, execution.price);
  if (fees === null) return null;
  return [{ ...victim, execution: { ...execution, fill: robbed, fees } }, ...others];
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
 * The orders whose limit price does not exceed the best spot price, in the same sequence.
 *
 * No trade gets a better price than the spot price before fees, so that other orders need not be
 * planned. An order within the spot price may still be unreachable at its size.
 *
 * @param orders Orders of an auction.
 * @param reach The pools, and the maximum number of pools per route.
 */
export function reachableOrders(
  orders: readonly BookOrder[],
  { liquidity, hops }: { liquidity: Liquidity; hops: number },
): BookOrder[] {
  const prices = new Map<string, Map<string, SpotPrice | null>>();
  const priceOf = (from: string, to: string): SpotPrice | null => {
    let cached = prices.get(from);
    if (cached === undefined) prices.set(from, cached = new Map());
    let price = cached.get(to);
    if (price === undefined) {
      price = bestSpotPrice(liquidity.routes(tradedAs(from), tradedAs(to), hops));
      cached.set(to, price);
    }
    return price;
  };
  return orders.filter(({ signed }) => {
    const price = priceOf(signed.sellToken, signed.buyToken);
    return price !== null && signed.buyAmount * price.paid <= signed.sellAmount * price.out;
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
function matchOrders(one: BookOrder, other: BookOrder, terms: PlanningTerms): Match | null {
  const [first, second] = [amountAfterFee(one, terms), amountAfterFee(other, terms)];
  if (first === null || second === null) return null;
  const [route] = terms.liquidity.routes(one.signed.sellToken, other.signed.sellToken, 1);
  const clearing = route === undefined ? null : clear(route, { first, second });
  if (clearing === null) return null;
  const { price: { sell, buy }, swaps } = clearing;
  const forth = executionAt(one, first, { sell, buy });
  const back = executionAt(other, second, { sell: buy, buy: sell });
  return forth === null || back === null ? null : { executions: [forth, back], swaps };
}

/**
 * The price at which two amounts of a pair clear: the larger side trades its remainder with pools
 * and bears the cost. `null` without a remainder.
 */
function clear(
  route: Route,
  { first, second }: { first: bigint; second: bigint },
): { price: UniformPair; swaps: readonly PlannedSwap[] } | null {
  const { from, pools } = route;
  const pool = pools[0]!;
  const to = pool.otherToken(from);
  const spot = mulDivDown(pool.reserveOf(to), ONE, pool.reserveOf(from));
  const matched = mulDivDown(second, ONE, spot);
  const isFirstLarger = matched < first;
  const rest = isFirstLarger
    ? { route, paid: first - matched }
    : { route: { from: to, pools }, paid: second - mulDivDown(first, spot, ONE) };
  if (rest.paid <= 0n) return null;
  const out = routeOutput(rest.route, rest.paid);
  const bound = plusBpsDown(out, -SLIPPAGE_TOLERANCE_BPS);
  return {
    price: isFirstLarger ? { sell: second + out, buy: first } : { sell: second, buy: first + out },
    swaps: out === 0n ? [] : [{ ...rest, bound }],
  };
}

/** Execution of a whole order at a price. */
function executionAt(order: BookOrder, paid: bigint, price: UniformPair): PlannedExecution | null {
  const buyAmount = mulDivDown(paid, price.sell, price.buy);
  return executionOf(order, { sellAmount: order.remaining, buyAmount }, price);
}

/** The amount of an order after the network fee; `null` if the owner cannot pay it. */
function amountAfterFee(order: BookOrder, terms: PlanningTerms): bigint | null {
  const { sellToken } = order.signed;
  const price = terms.priceOf(sellToken);
  if (price === null || terms.balanceOf(order.owner, sellToken) < order.remaining) return null;
  const gas = { gasAmount: gasOf(1), gasPrice: terms.gasPrice, sellTokenPrice: price };
  const paid = order.remaining - networkFeeAtoms(gas);
  return paid > 0n ? paid : null;
}

/** An order with its index in the auction. */
interface IndexedOrder {
  readonly order: BookOrder;
  readonly index: number;
}

/**
 * Pairs of sell orders in opposite directions whose limit prices cross, sorted by the index of the
 * earlier order, then of the later one.
 *
 * Most orders do not cross even the cheapest opposite order, and are not looked at again.
 */
export function* crossingPairs(
  orders: readonly BookOrder[],
): Generator<readonly [one: BookOrder, other: BookOrder]> {
  const sales = orders.map((order, index) => ({ order, index }))
    .filter(({ order }) => order.signed.kind === "sell");
  const sides = Map.groupBy(
    sales,
    ({ order: { signed } }) => `${signed.sellToken} ${tradedAs(signed.buyToken)}`,
  );
  const partners = new Map<IndexedOrder, readonly IndexedOrder[]>();
  for (const [pair, side] of sides) {
    const opposite = sides.get(pair.split(" ").reverse().join(" "));
    if (opposite === undefined) continue;
    const candidates = crossingOrders(opposite, side);
    for (const one of crossingOrders(side, opposite)) partners.set(one, candidates);
  }
  for (const [one, others] of [...partners].sort(([a], [b]) => a.index - b.index)) {
    for (const other of others) {
      if (other.index > one.index && doCross(one, other)) yield [one.order, other.order];
    }
  }
}

/** The orders of a side that cross the cheapest opposite order. */
function crossingOrders(
  side: readonly IndexedOrder[],
  opposite: readonly IndexedOrder[],
): IndexedOrder[] {
  const cheapest = opposite.reduce((least, one) => isCheaper(one, least) ? one : least);
  return side.filter((one) => doCross(one, cheapest));
}

/** Whether a price satisfies both limits: their limit prices multiply to at most 1. */
function doCross(
  { order: { signed: one } }: IndexedOrder,
  { order: { signed: other } }: IndexedOrder,
): boolean {
  return one.buyAmount * other.buyAmount <= one.sellAmount * other.sellAmount;
}

/** Compares limit prices, in bought atoms per sold atom, exactly. */
function isCheaper(
  { order: { signed: one } }: IndexedOrder,
  { order: { signed: other } }: IndexedOrder,
): boolean {
  return one.buyAmount * other.sellAmount < other.buyAmount * one.sellAmount;
}
