import { scaledLimit } from "../../metrics/mod.ts";
import { divideDown } from "../../units/mod.ts";
import type { BookOrder } from "./book_order.ts";
import { executedFees } from "./executed_fees.ts";
import { matchOrders } from "./match_orders.ts";
import { planExecution, type PlannedFill, type PlanningTerms } from "./plan_execution.ts";
import type { Random } from "./random.ts";
import type { Fate, PlannedSolution } from "./solution.ts";
import type { SolverView } from "./solver_view.ts";
import { MAX_SOLUTIONS, type Solver } from "./solvers.ts";
import { tradedAs } from "./tokens.ts";

/** The most orders that are put into one batch. */
const LARGEST_BATCH = 3;
const BATCHES_IN_1000 = 450;
const ROBBERIES_IN_1000 = 250;

/** The solutions that a solver hands in for the orders of an auction, at most three. */
export function propose(
  solver: Solver,
  orders: readonly BookOrder[],
  { view, random }: { view: SolverView; random: Random },
): PlannedSolution[] {
  if (!random.chance(solver.presence)) return [];
  const marginBps = BigInt(random.between(...solver.marginBps));
  const terms: PlanningTerms = { ...view, hops: solver.hops, marginBps };
  const planned = orders.map((order) => planExecution(order, terms))
    .filter((each) => each !== null);
  const solutions: PlannedSolution[] = [];
  const add = (parts: Pick<PlannedSolution, "executions" | "swaps">): void => {
    if (solutions.length === MAX_SOLUTIONS) return;
    solutions.push({ solver: solver.address, ...parts, fate: fateOf(solver, random) });
  };
  if (solver.habit === "batches") {
    for (const match of matchesOf(orders, terms)) add(match);
    if (random.chance(BATCHES_IN_1000)) {
      const batch = forestOf(planned);
      if (batch.length > 1) add(joined(batch));
    }
  }
  if (solver.habit === "robs" && random.chance(ROBBERIES_IN_1000)) {
    const robbed = robbery(forestOf(planned));
    if (robbed !== null) add(joined(robbed));
  }
  for (const each of planned) add(joined([each]));
  return solutions;
}

function joined(parts: readonly PlannedFill[]): Pick<PlannedSolution, "executions" | "swaps"> {
  return { executions: parts.map((one) => one.execution), swaps: parts.map((one) => one.swap) };
}

/** The first pair of opposite orders that meet. */
function matchesOf(orders: readonly BookOrder[], terms: PlanningTerms) {
  for (const [at, one] of orders.entries()) {
    for (const other of orders.slice(at + 1)) {
      const match = matchOrders(one, other, terms);
      if (match !== null) return [match];
    }
  }
  return [];
}

/** The first few executions whose pairs share no token, so that their prices do not bind each other. */
function forestOf(planned: readonly PlannedFill[]): PlannedFill[] {
  const taken = new Set<string>();
  const batch: PlannedFill[] = [];
  for (const each of planned) {
    const { sellToken, buyToken } = each.execution.order.signed;
    const pair = [tradedAs(sellToken), tradedAs(buyToken)];
    if (batch.length === LARGEST_BATCH || pair.some((token) => taken.has(token))) continue;
    for (const token of pair) taken.add(token);
    batch.push(each);
  }
  return batch;
}

/** A batch in which the first order gets less than it could, down to near its limit. */
function robbery(batch: readonly PlannedFill[]): PlannedFill[] | null {
  const [victim, ...others] = batch;
  if (victim === undefined || others.length === 0) return null;
  const { execution } = victim;
  const { order, fill } = execution;
  if (order.signed.kind !== "sell") return null;
  const least = scaledLimit(fill, order.signed);
  const robbed = { ...fill, buyAmount: least + divideDown(fill.buyAmount - least, 5n) };
  const fees = executedFees(order, robbed, execution.price);
  if (fees === null) return null;
  return [{ ...victim, execution: { ...execution, fill: robbed, fees } }, ...others];
}

function fateOf(solver: Solver, random: Random): Fate {
  const [reverts, timeouts, late] = solver.failures;
  const draw = random.below(1000);
  if (draw < reverts) return "reverts";
  if (draw < reverts + timeouts) return "times out";
  if (draw < reverts + timeouts + late) return "late";
  return draw % 4 === 0 ? "slow" : "settles";
}
