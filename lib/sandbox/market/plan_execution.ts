import {
  chargeFees,
  type Fill,
  isNotComputable,
  type NetworkFee,
  networkFee,
  recomputeFees,
  surplusOverLimit,
  surplusToken,
} from "../../metrics/mod.ts";
import type { ExecutedProtocolFee } from "../../schemas/mod.ts";
import { divideDown } from "../../units/mod.ts";
import type { ExecutedFees, PlannedExecution, PlannedSwap, UniformPair } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { tradedAs } from "./ledger.ts";
import { type Route, routeInput, routeOutput } from "./liquidity.ts";
import { gasOf, networkFeeAtoms, plusBpsDown, plusBpsUp, type SolverView } from "./market_quote.ts";

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

/** Maximum surplus of which the service can compute a share in 256 bits, in atoms. */
const MAX_SURPLUS = 2n ** 256n / 10n ** 18n;

/**
 * The execution of an order after protocol fees; `null` if it violates the limit price, or the fees
 * cannot be computed.
 *
 * @param order The order.
 * @param net Amounts after the network fee and before protocol fees, in atoms.
 * @param price The uniform clearing price.
 */
export function executionOf(
  order: BookOrder,
  net: Fill,
  price: UniformPair,
): PlannedExecution | null {
  const { signed, origin } = order;
  if (net.buyAmount <= 0n) return null;
  const surplus = surplusOverLimit(net, signed);
  if (isNotComputable(surplus) || surplus < 0n || surplus > MAX_SURPLUS) return null;
  const { policies, quote } = origin;
  const fill = chargeFees(net, signed, { policies, quote });
  if (isNotComputable(fill) || fill.buyAmount <= 0n) return null;
  const kept = surplusOverLimit(fill, signed);
  if (isNotComputable(kept) || kept < 0n) return null;
  if (order.executedSellAmount + fill.sellAmount > signed.sellAmount) return null;
  const fees = executedFees(order, fill, price);
  return fees === null ? null : { order, fill, price, fees };
}

/** Fees of an execution; `null` if they cannot be computed or are not covered. */
export function executedFees(
  { signed, origin }: BookOrder,
  fill: Fill,
  price: UniformPair,
): ExecutedFees | null {
  const { policies, quote } = origin;
  const token = surplusToken(signed);
  const protocolFees: ExecutedProtocolFee[] = [];
  for (const [at, fee] of recomputeFees(fill, signed, { policies, quote }).entries()) {
    if (isNotComputable(fee)) return null;
    protocolFees.push({ policy: policies[at]!, amount: fee.atoms, token });
  }
  const network = networkFee(fill, signed, {
    protocolFees,
    settlement: {
      tokens: [signed.sellToken, signed.buyToken],
      clearingPrices: [price.sell, price.buy],
    },
  });
  return isCovered(network) ? { protocolFees, executedFee: network.executedFee } : null;
}

function isCovered(fee: ReturnType<typeof networkFee>): fee is NetworkFee {
  return !isNotComputable(fee) && fee.networkAtoms.low >= 0n;
}
