import { mulDivDown } from "../../../units/mod.ts";
import { plusBpsDown } from "../state/basis_points.ts";
import type { BookOrder } from "../state/book_order.ts";
import { executionOf } from "./execution_of.ts";
import { gasOf, networkFeeAtoms } from "../state/gas.ts";
import { type Route, routeOutput } from "../state/liquidity.ts";
import { type PlanningTerms, SLIPPAGE_TOLERANCE_BPS } from "./plan_execution.ts";
import type { PlannedExecution, PlannedSwap, UniformPair } from "../state/solution.ts";
import { tradedAs } from "../state/tokens.ts";

/** Two matched orders, with the trade of the remainder. */
export interface Match {
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
export function matchOrders(one: BookOrder, other: BookOrder, terms: PlanningTerms): Match | null {
  if (!areOpposite(one, other)) return null;
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

function areOpposite({ signed: one }: BookOrder, { signed: other }: BookOrder): boolean {
  return one.kind === "sell" && other.kind === "sell" &&
    tradedAs(one.buyToken) === other.sellToken && tradedAs(other.buyToken) === one.sellToken;
}

interface Clearing {
  /** Price of the pair, from the side that sells the first token of the route. */
  readonly price: UniformPair;
  readonly swaps: readonly PlannedSwap[];
}

/**
 * The price at which two amounts of a pair clear: the larger side trades its remainder with pools
 * and bears the cost. `null` without a remainder.
 */
function clear(
  route: Route,
  { first, second }: { first: bigint; second: bigint },
): Clearing | null {
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
