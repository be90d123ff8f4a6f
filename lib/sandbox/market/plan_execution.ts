import {
  chargeFees,
  type Fill,
  isNotComputable,
  networkFee,
  recomputeFees,
  surplusOverLimit,
  surplusToken,
} from "../../metrics/mod.ts";
import type { ExecutedProtocolFee } from "../../schemas/mod.ts";
import { divideDown } from "../../units/mod.ts";
import type { ExecutedFees, PlannedExecution, PlannedSwap, UniformPair } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { type Route, routeInput, routeOutput } from "./liquidity.ts";
import {
  addBpsDown,
  addBpsUp,
  estimateGas,
  estimateNetworkFee,
  type SolverView,
} from "./market_quote.ts";

/** The view of a solver, and its way of trading. */
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
 * Plans the execution of an order alone: its whole remaining amount, or, if it is partially fillable,
 * the largest of a few parts that meets its limit; `null` if none does.
 */
export function planExecution(order: BookOrder, terms: PlanningTerms): PlannedFill | null {
  const { kind, sellToken, partiallyFillable } = order.data;
  const balance = terms.balanceOf(order.owner, sellToken);
  const maxAtoms = partiallyFillable && kind === "sell" && balance < order.remaining
    ? balance
    : order.remaining;
  for (const divisor of partiallyFillable ? PART_DIVISORS : WHOLE_ONLY) {
    const planned = planPart(order, divideDown(maxAtoms, divisor), terms);
    if (planned !== null && planned.execution.fill.sellAmount <= balance) return planned;
  }
  return null;
}

function planPart(order: BookOrder, atoms: bigint, terms: PlanningTerms): PlannedFill | null {
  if (atoms <= 0n) return null;
  const { data } = order;
  const price = terms.priceOf(data.sellToken);
  if (price === null) return null;
  let best: PlannedFill | null = null;
  for (const route of terms.liquidity.findRoutes(data.sellToken, data.buyToken, terms.hops)) {
    const gasAmount = estimateGas(route.pools.length);
    const fee = estimateNetworkFee({ gasAmount, gasPrice: terms.gasPrice, sellTokenPrice: price });
    const part = { atoms, fee, route, marginBps: terms.marginBps };
    const planned = data.kind === "sell" ? planSale(order, part) : planPurchase(order, part);
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
  const out = addBpsDown(routeOutput(route, paid), -marginBps);
  if (out <= 0n) return null;
  const execution = createExecution(
    order,
    { sellAmount: atoms, buyAmount: out },
    { sell: out, buy: paid },
  );
  const bound = addBpsDown(out, -SLIPPAGE_TOLERANCE_BPS);
  return execution === null ? null : { execution, swap: { route, paid, bound } };
}

function planPurchase(order: BookOrder, part: Part): PlannedFill | null {
  const { atoms, fee, route, marginBps } = part;
  const cost = routeInput(route, atoms);
  if (cost === null) return null;
  const charged = addBpsUp(cost, marginBps);
  const execution = createExecution(
    order,
    { sellAmount: charged + fee, buyAmount: atoms },
    { sell: atoms, buy: charged },
  );
  const bound = addBpsUp(charged, SLIPPAGE_TOLERANCE_BPS);
  return execution === null ? null : { execution, swap: { route, wanted: atoms, bound } };
}

function isBetter(candidate: PlannedFill, best: PlannedFill): boolean {
  const [a, b] = [candidate.execution.fill, best.execution.fill];
  return candidate.execution.order.data.kind === "sell"
    ? a.buyAmount > b.buyAmount
    : a.sellAmount < b.sellAmount;
}

/** Maximum surplus of which the service can compute a share in 256 bits, in atoms. */
const MAX_SURPLUS = 2n ** 256n / 10n ** 18n;

/**
 * Creates the execution of an order after protocol fees; `null` if it violates the limit price, or the
 * fees cannot be computed.
 *
 * @param order The order.
 * @param net Amounts after the network fee and before protocol fees, in atoms.
 * @param price The uniform clearing price.
 */
export function createExecution(
  order: BookOrder,
  net: Fill,
  price: UniformPair,
): PlannedExecution | null {
  const { data, origin } = order;
  if (net.buyAmount <= 0n) return null;
  const surplus = surplusOverLimit(net, data);
  if (isNotComputable(surplus) || surplus < 0n || surplus > MAX_SURPLUS) return null;
  const { policies, quote } = origin;
  const fill = chargeFees(net, data, { policies, quote });
  if (isNotComputable(fill) || fill.buyAmount <= 0n) return null;
  const surplusAfterFees = surplusOverLimit(fill, data);
  if (isNotComputable(surplusAfterFees) || surplusAfterFees < 0n) return null;
  if (order.executedSellAmount + fill.sellAmount > data.sellAmount) return null;
  const fees = calculateFees(order, fill, price);
  return fees === null ? null : { order, fill, price, fees };
}

/** Calculates the fees of an execution; `null` if they cannot be computed or are not covered. */
export function calculateFees(
  { data, origin }: BookOrder,
  fill: Fill,
  price: UniformPair,
): ExecutedFees | null {
  const { policies, quote } = origin;
  const token = surplusToken(data);
  const protocolFees: ExecutedProtocolFee[] = [];
  for (const [index, fee] of recomputeFees(fill, data, { policies, quote }).entries()) {
    if (isNotComputable(fee)) return null;
    protocolFees.push({ policy: policies[index]!, amount: fee.atoms, token });
  }
  const network = networkFee(fill, data, {
    protocolFees,
    settlement: {
      tokens: [data.sellToken, data.buyToken],
      clearingPrices: [price.sell, price.buy],
    },
  });
  if (isNotComputable(network) || network.networkAtoms.low < 0n) return null;
  return { protocolFees, executedFee: network.executedFee };
}
