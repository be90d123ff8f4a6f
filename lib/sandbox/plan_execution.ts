import { chargeFees, type Fill, recomputeFees, surplusOverLimit } from "../metrics/mod.ts";
import { divideDown, mulDivDown, mulDivUp } from "../units/mod.ts";
import type { BookOrder } from "./book_order.ts";
import { gasOf, networkFeeAtoms } from "./gas.ts";
import { intoRoute, type Liquidity, outOfRoute, type Route } from "./liquidity.ts";
import type { PlannedExecution, PlannedSwap, UniformPair } from "./solution.ts";
import { tradedAs } from "./tokens.ts";

/** What a solver plans with. */
export interface PlanningTerms {
  /** The pools. */
  readonly liquidity: Liquidity;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** How many pools the solver goes through at most. */
  readonly hops: number;
  /** What the solver keeps, in basis points of what comes out. */
  readonly marginBps: bigint;
  /** Worth of one atom of a token, in native atoms. */
  readonly priceOf: (token: string) => number | undefined;
  /** What an owner has of a token, in atoms. */
  readonly balanceOf: (owner: string, token: string) => bigint;
}

/** An execution with the trade that pays for it. */
export interface PlannedFill {
  /** The execution. */
  readonly execution: PlannedExecution;
  /** The trade with pools. */
  readonly swap: PlannedSwap;
}

const BPS = 10_000n;
/** What the pools may have moved against a solver before its transaction reverts, in bps. */
const TOLERATED_BPS = 300n;
/** The most surplus of which a share can be computed in the service's 256 bits, in atoms. */
const MOST_SURPLUS = 2n ** 256n / 10n ** 18n;

/**
 * How a solver would execute an order alone: all that is left of it, or of one that may be filled in
 * parts the largest of a few parts that meets its limit; `null` if nothing does.
 */
export function planExecution(order: BookOrder, terms: PlanningTerms): PlannedFill | null {
  const parts = order.signed.partiallyFillable ? [1n, 2n, 4n, 8n, 16n] : [1n];
  const { kind, sellToken, partiallyFillable } = order.signed;
  const held = terms.balanceOf(order.owner, sellToken);
  const whole = partiallyFillable && kind === "sell" && held < order.left ? held : order.left;
  for (const part of parts) {
    const planned = planPart(order, divideDown(whole, part), terms);
    if (planned !== null && planned.execution.fill.sellAmount <= held) return planned;
  }
  return null;
}

function planPart(order: BookOrder, atoms: bigint, terms: PlanningTerms): PlannedFill | null {
  if (atoms <= 0n) return null;
  const { signed } = order;
  const price = terms.priceOf(signed.sellToken);
  if (price === undefined) return null;
  const from = tradedAs(signed.sellToken);
  let best: PlannedFill | null = null;
  for (const route of terms.liquidity.routes(from, tradedAs(signed.buyToken), terms.hops)) {
    const gasAmount = gasOf(route.pools.length);
    const fee = networkFeeAtoms({ gasAmount, gasPrice: terms.gasPrice, sellTokenPrice: price });
    const planned = signed.kind === "sell"
      ? planSale(order, { atoms, fee, route, marginBps: terms.marginBps })
      : planPurchase(order, { atoms, fee, route, marginBps: terms.marginBps });
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
  const out = mulDivDown(outOfRoute(route, paid), BPS - marginBps, BPS);
  if (out <= 0n) return null;
  const execution = executionOf(
    order,
    { sellAmount: atoms, buyAmount: out },
    { sell: out, buy: paid },
  );
  const bound = mulDivDown(out, BPS - TOLERATED_BPS, BPS);
  return execution === null ? null : { execution, swap: { route, paid, bound } };
}

function planPurchase(order: BookOrder, part: Part): PlannedFill | null {
  const { atoms, fee, route, marginBps } = part;
  const cost = intoRoute(route, atoms);
  if (cost === null) return null;
  const asked = mulDivUp(cost, BPS + marginBps, BPS);
  const execution = executionOf(
    order,
    { sellAmount: asked + fee, buyAmount: atoms },
    { sell: atoms, buy: asked },
  );
  const bound = mulDivUp(asked, BPS + TOLERATED_BPS, BPS);
  return execution === null ? null : { execution, swap: { route, wanted: atoms, bound } };
}

/**
 * An order's execution with its policies charged; `null` where its limit forbids it, or its fees
 * cannot be computed.
 *
 * @param order The order.
 * @param net What it would exchange with the network fee taken and no other, in atoms.
 * @param price The uniform price that the amounts are reported beside.
 */
export function executionOf(
  order: BookOrder,
  net: Fill,
  price: UniformPair,
): PlannedExecution | null {
  const { signed, origin } = order;
  if (net.buyAmount <= 0n) return null;
  const surplus = surplusOverLimit(net, signed);
  if (surplus < 0n || surplus > MOST_SURPLUS) return null;
  const options = { policies: origin.policies, quote: origin.quote };
  const fill = chargeFees(net, signed, options);
  if (fill.buyAmount <= 0n || surplusOverLimit(fill, signed) < 0n) return null;
  if (order.executedSellAmount + fill.sellAmount > signed.sellAmount) return null;
  const fees = recomputeFees(fill, signed, options);
  return fees.some((each) => "reason" in each) ? null : { order, fill, price };
}

function isBetter(one: PlannedFill, other: PlannedFill): boolean {
  const [a, b] = [one.execution.fill, other.execution.fill];
  return one.execution.order.signed.kind === "sell"
    ? a.buyAmount > b.buyAmount
    : a.sellAmount < b.sellAmount;
}
