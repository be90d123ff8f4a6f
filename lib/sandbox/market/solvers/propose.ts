import { isNotComputable, scaledLimit } from "../../../metrics/mod.ts";
import { divideDown } from "../../../units/mod.ts";
import type { BookOrder } from "../state/book_order.ts";
import { crossingPairs } from "./crossing_pairs.ts";
import { executedFees } from "./executed_fees.ts";
import { type Match, matchOrders } from "./match_orders.ts";
import { planExecution, type PlannedFill, type PlanningTerms } from "./plan_execution.ts";
import type { Random } from "../state/random.ts";
import { reachableOrders } from "./reachable_orders.ts";
import type { PlannedOutcome, PlannedSolution } from "../state/solution.ts";
import type { SolverView } from "../state/solver_view.ts";
import { MAX_SOLUTIONS, type Solver } from "./solvers.ts";
import { tradedAs } from "../state/tokens.ts";

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
  const plans = new Plans(reachableOrders(orders, terms), terms);
  const solutions: PlannedSolution[] = [];
  const add = (parts: Pick<PlannedSolution, "executions" | "swaps">): void => {
    if (solutions.length === MAX_SOLUTIONS) return;
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
      const batch = plans.disjoint();
      if (batch.length > 1) add(combined(batch));
    }
  }
  if (solver.habit === "robs" && random.chance(ROBBERIES_IN_1000)) {
    const robbed = robbery(plans.disjoint());
    if (robbed !== null) add(combined(robbed));
  }
  for (const each of plans.all()) {
    add(combined([each]));
    if (solutions.length === MAX_SOLUTIONS) break;
  }
  return solutions;
}

/** The executions of single orders, planned on demand. */
class Plans {
  readonly #orders: readonly BookOrder[];
  readonly #terms: PlanningTerms;
  readonly #planned = new Map<BookOrder, PlannedFill | null>();

  constructor(orders: readonly BookOrder[], terms: PlanningTerms) {
    this.#orders = orders;
    this.#terms = terms;
  }

  /** All executions of single orders. */
  *all(): Generator<PlannedFill> {
    for (const order of this.#orders) {
      const planned = this.#of(order);
      if (planned !== null) yield planned;
    }
  }

  /**
   * The first few executions whose pairs share no token, so that their prices are independent.
   */
  disjoint(): PlannedFill[] {
    const taken = new Set<string>();
    const batch: PlannedFill[] = [];
    for (const order of this.#orders) {
      if (batch.length === MAX_BATCH_SIZE) break;
      const pair = [tradedAs(order.signed.sellToken), tradedAs(order.signed.buyToken)];
      if (pair.some((token) => taken.has(token))) continue;
      const planned = this.#of(order);
      if (planned === null) continue;
      for (const token of pair) taken.add(token);
      batch.push(planned);
    }
    return batch;
  }

  #of(order: BookOrder): PlannedFill | null {
    let planned = this.#planned.get(order);
    if (planned === undefined) {
      planned = planExecution(order, this.#terms);
      this.#planned.set(order, planned);
    }
    return planned;
  }
}

function combined(parts: readonly PlannedFill[]): Pick<PlannedSolution, "executions" | "swaps"> {
  return { executions: parts.map((one) => one.execution), swaps: parts.map((one) => one.swap) };
}

/** The first matching pair of opposite orders, within the maximum number of attempts. */
function firstMatch(orders: readonly BookOrder[], terms: PlanningTerms): Match | null {
  let tried = 0;
  for (const [one, other] of crossingPairs(orders)) {
    if (++tried > MAX_PAIRS_TRIED) return null;
    const match = matchOrders(one, other, terms);
    if (match !== null) return match;
  }
  return null;
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
