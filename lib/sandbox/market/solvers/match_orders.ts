import { mulDivDown } from "../../../units/mod.ts";
import { plusBpsDown } from "../state/basis_points.ts";
import type { BookOrder } from "../state/book_order.ts";
import { executionOf } from "./execution_of.ts";
import { gasOf, networkFeeAtoms } from "../state/gas.ts";
import { outOfRoute, type Route } from "../state/liquidity.ts";
import { type PlanningTerms, TOLERATED_BPS } from "./plan_execution.ts";
import type { PlannedExecution, PlannedSwap, UniformPair } from "../state/solution.ts";
import { tradedAs } from "../state/tokens.ts";

/** Two traders matched, with the trade for what is left over. */
export interface Match {
  /** Both executions, at one price. */
  readonly executions: readonly [PlannedExecution, PlannedExecution];
  /** What is left over goes to the pools. */
  readonly swaps: readonly PlannedSwap[];
}

/** Scale of the spot price, which is a quotient of atoms. */
const ONE = 10n ** 36n;

/**
 * Matches two whole sell orders of opposite directions at one price: what the smaller one offers
 * needs no pool, and the rest of the larger one goes through them. `null` where they do not meet.
 */
export function matchOrders(one: BookOrder, other: BookOrder, terms: PlanningTerms): Match | null {
  if (!areOpposite(one, other)) return null;
  const [first, second] = [paidBy(one, terms), paidBy(other, terms)];
  if (first === null || second === null) return null;
  const [route] = terms.liquidity.routes(one.signed.sellToken, other.signed.sellToken, 1);
  const clearing = route === undefined ? null : clear(route, { first, second });
  if (clearing === null) return null;
  const { price: { sell, buy }, swaps } = clearing;
  const forth = executionAt(one, first, { sell, buy });
  const back = executionAt(other, second, { sell: buy, buy: sell });
  return forth === null || back === null ? null : { executions: [forth, back], swaps };
}

function areOpposite({ signed: one }: BookOrder, { signed: other }: BookOrder): boolean {
  return one.kind === "sell" && other.kind === "sell" &&
    tradedAs(one.buyToken) === other.sellToken && tradedAs(other.buyToken) === one.sellToken;
}

interface Clearing {
  /** Price of the pair, seen by whoever pays in what the route begins with. */
  readonly price: UniformPair;
  readonly swaps: readonly PlannedSwap[];
}

/**
 * The price at which two amounts of a pair clear: the larger side trades what the smaller one cannot
 * take, and its price bears what that costs. `null` where nothing is left over.
 */
function clear(
  route: Route,
  { first, second }: { first: bigint; second: bigint },
): Clearing | null {
  const { from, pools } = route;
  const pool = pools[0]!;
  const to = pool.otherThan(from);
  const spot = mulDivDown(pool.reserveOf(to), ONE, pool.reserveOf(from));
  const matched = mulDivDown(second, ONE, spot);
  const isFirstLarger = matched < first;
  const rest = isFirstLarger
    ? { route, paid: first - matched }
    : { route: { from: to, pools }, paid: second - mulDivDown(first, spot, ONE) };
  if (rest.paid <= 0n) return null;
  const out = outOfRoute(rest.route, rest.paid);
  const bound = plusBpsDown(out, -TOLERATED_BPS);
  return {
    price: isFirstLarger ? { sell: second + out, buy: first } : { sell: second, buy: first + out },
    swaps: out === 0n ? [] : [{ ...rest, bound }],
  };
}

/** Execution of a whole order at a price, of what it pays in. */
function executionAt(order: BookOrder, paid: bigint, price: UniformPair): PlannedExecution | null {
  const buyAmount = mulDivDown(paid, price.sell, price.buy);
  return executionOf(order, { sellAmount: order.left, buyAmount }, price);
}

/** What an order pays in after its share of the network fee; `null` if that is not there. */
function paidBy(order: BookOrder, terms: PlanningTerms): bigint | null {
  const { sellToken } = order.signed;
  const price = terms.priceOf(sellToken);
  if (price === null || terms.balanceOf(order.owner, sellToken) < order.left) return null;
  const gas = { gasAmount: gasOf(1), gasPrice: terms.gasPrice, sellTokenPrice: price };
  const paid = order.left - networkFeeAtoms(gas);
  return paid > 0n ? paid : null;
}
