import { divideDown } from "../../../units/mod.ts";
import { plusBpsDown, plusBpsUp } from "../state/basis_points.ts";
import type { BookOrder } from "../state/book_order.ts";
import { executionOf } from "./execution_of.ts";
import { gasOf, networkFeeAtoms } from "../state/gas.ts";
import { type Route, routeInput, routeOutput } from "../state/liquidity.ts";
import type { PlannedExecution, PlannedSwap } from "../state/solution.ts";
import type { SolverView } from "../state/solver_view.ts";
import { tradedAs } from "../state/tokens.ts";

/** What a solver knows, and how it trades. */
export interface PlanningTerms extends SolverView {
  /** Maximum number of pools per route. */
  readonly hops: number;
  /** Margin of the solver, in basis points of the output. */
  readonly marginBps: bigint;
}

/** An execution with the trade that pays for it. */
export interface PlannedFill {
  /** The execution. */
  readonly execution: PlannedExecution;
  /** The trade with pools. */
  readonly swap: PlannedSwap;
}

/** Slippage tolerance of a solver: beyond it, its transaction reverts. */
export const SLIPPAGE_TOLERANCE_BPS = 300n;

const WHOLE_ONLY = [1n];
/** Divisors to try for partially fillable orders. */
const PART_DIVISORS = [1n, 2n, 4n, 8n, 16n];

/**
 * How a solver would execute an order alone: its whole remaining amount, or, if it is partially
 * fillable, the largest of a few parts that meets its limit; `null` if none does.
 */
export function planExecution(order: BookOrder, terms: PlanningTerms): PlannedFill | null {
  const { kind, sellToken, partiallyFillable } = order.signed;
  const held = terms.balanceOf(order.owner, sellToken);
  const whole = partiallyFillable && kind === "sell" && held < order.remaining
    ? held
    : order.remaining;
  for (const divisor of partiallyFillable ? PART_DIVISORS : WHOLE_ONLY) {
    const planned = planPart(order, divideDown(whole, divisor), terms);
    if (planned !== null && planned.execution.fill.sellAmount <= held) return planned;
  }
  return null;
}

function planPart(order: BookOrder, atoms: bigint, terms: PlanningTerms): PlannedFill | null {
  if (atoms <= 0n) return null;
  const { signed } = order;
  const price = terms.priceOf(signed.sellToken);
  if (price === null) return null;
  const from = tradedAs(signed.sellToken);
  let best: PlannedFill | null = null;
  for (const route of terms.liquidity.routes(from, tradedAs(signed.buyToken), terms.hops)) {
    const gasAmount = gasOf(route.pools.length);
    const fee = networkFeeAtoms({ gasAmount, gasPrice: terms.gasPrice, sellTokenPrice: price });
    const part = { atoms, fee, route, marginBps: terms.marginBps };
    const planned = signed.kind === "sell" ? planSale(order, part) : planPurchase(order, part);
    if (planned !== null && (best === null || isBetter(planned, best))) best = planned;
  }
  return best;
}

interface Part {
  readonly atoms: bigint;
  readonly fee: bigint;
  readonly route: Route;
  readonly marginBps: bigint;
}

function planSale(order: BookOrder, { atoms, fee, route, marginBps }: Part): PlannedFill | null {
  const paid = atoms - fee;
  if (paid <= 0n) return null;
  const out = plusBpsDown(routeOutput(route, paid), -marginBps);
  if (out <= 0n) return null;
  const execution = executionOf(
    order,
    { sellAmount: atoms, buyAmount: out },
    { sell: out, buy: paid },
  );
  const bound = plusBpsDown(out, -SLIPPAGE_TOLERANCE_BPS);
  return execution === null ? null : { execution, swap: { route, paid, bound } };
}

function planPurchase(order: BookOrder, part: Part): PlannedFill | null {
  const { atoms, fee, route, marginBps } = part;
  const cost = routeInput(route, atoms);
  if (cost === null) return null;
  const charged = plusBpsUp(cost, marginBps);
  const execution = executionOf(
    order,
    { sellAmount: charged + fee, buyAmount: atoms },
    { sell: atoms, buy: charged },
  );
  const bound = plusBpsUp(charged, SLIPPAGE_TOLERANCE_BPS);
  return execution === null ? null : { execution, swap: { route, wanted: atoms, bound } };
}

function isBetter(one: PlannedFill, other: PlannedFill): boolean {
  const [a, b] = [one.execution.fill, other.execution.fill];
  return one.execution.order.signed.kind === "sell"
    ? a.buyAmount > b.buyAmount
    : a.sellAmount < b.sellAmount;
}
