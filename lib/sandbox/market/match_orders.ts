import { mulDivDown } from "../../units/mod.ts";
import type { BookOrder } from "./book_order.ts";
import { executionOf } from "./execution_of.ts";
import { gasOf, networkFeeAtoms } from "./gas.ts";
import { outOfRoute } from "./liquidity.ts";
import type { PlanningTerms } from "./plan_execution.ts";
import type { PlannedExecution, PlannedSwap } from "./solution.ts";
import { tradedAs } from "./tokens.ts";

/** Two traders matched, with the trade for what is left over. */
export interface Match {
  /** Both executions, at one price. */
  readonly executions: readonly [PlannedExecution, PlannedExecution];
  /** What is left over goes to the pools. */
  readonly swaps: readonly PlannedSwap[];
}

const ONE = 10n ** 36n;
const TOLERATED = 97n;

/**
 * Matches two whole sell orders of opposite directions at one price: what the smaller one offers
 * needs no pool, and the rest of the larger one goes through them. `null` where they do not meet.
 */
export function matchOrders(one: BookOrder, other: BookOrder, terms: PlanningTerms): Match | null {
  const [x, y] = [one.signed.sellToken, other.signed.sellToken];
  if (tradedAs(one.signed.buyToken) !== y || tradedAs(other.signed.buyToken) !== x) return null;
  if (one.signed.kind !== "sell" || other.signed.kind !== "sell") return null;
  const [first, second] = [paidBy(one, terms), paidBy(other, terms)];
  if (first === null || second === null) return null;
  const [forth] = terms.liquidity.routes(x, y, 1);
  const [back] = terms.liquidity.routes(y, x, 1);
  const pool = forth?.pools[0];
  if (forth === undefined || back === undefined || pool === undefined) return null;
  const spot = (pool.reserveOf(y) * ONE) / pool.reserveOf(x);
  const matched = (second * ONE) / spot;
  // The larger side trades what the smaller one cannot take, and its price bears what that costs.
  const larger = matched < first
    ? { route: forth, paid: first - matched }
    : { route: back, paid: second - mulDivDown(first, spot, ONE) };
  if (larger.paid <= 0n) return null;
  const out = outOfRoute(larger.route, larger.paid);
  const price = matched < first
    ? { sell: second + out, buy: first }
    : { sell: second, buy: first + out };
  if (price.sell <= 0n || price.buy <= 0n) return null;
  const executions = [
    executionOf(one, {
      sellAmount: one.left,
      buyAmount: mulDivDown(first, price.sell, price.buy),
    }, price),
    executionOf(other, {
      sellAmount: other.left,
      buyAmount: mulDivDown(second, price.buy, price.sell),
    }, { sell: price.buy, buy: price.sell }),
  ] as const;
  if (executions[0] === null || executions[1] === null) return null;
  const bound = mulDivDown(out, TOLERATED, 100n);
  return {
    executions: [executions[0], executions[1]],
    swaps: out === 0n ? [] : [{ ...larger, bound }],
  };
}

/** What an order pays in after its share of the network fee; `null` if that is not there. */
function paidBy(order: BookOrder, terms: PlanningTerms): bigint | null {
  const { sellToken } = order.signed;
  const price = terms.priceOf(sellToken);
  if (price === undefined || terms.balanceOf(order.owner, sellToken) < order.left) return null;
  const gas = { gasAmount: gasOf(1), gasPrice: terms.gasPrice, sellTokenPrice: price };
  const paid = order.left - networkFeeAtoms(gas);
  return paid > 0n ? paid : null;
}
