import type { OrderQuote } from "../../../schemas/mod.ts";
import { LARGEST_AMOUNT } from "../../../units/largest_amount.ts";
import { Decimal, mulDivDown, mulDivUp } from "../../../units/mod.ts";
import { exactDecimal, gasOf, type GasTerms, networkFeeAtoms } from "./gas.ts";
import { type Route, routeInput, routeOutput } from "./liquidity.ts";
import type { SolverView } from "./solver_view.ts";
import { tradedAs } from "./tokens.ts";

/** A quote gross of all fees, with the terms of its network fee. */
export interface GrossQuote extends GasTerms {
  /** Sell-token atoms. */
  readonly sellAmount: bigint;
  /** Buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee, in sell-token atoms. */
  readonly feeAmount: bigint;
  /** Address of the solver that quoted. */
  readonly solver: string;
}

/** The trade to quote. */
export interface QuoteFacts {
  /** Token to sell. */
  readonly sellToken: string;
  /** Token to buy. */
  readonly buyToken: string;
  /** Which amount is fixed. */
  readonly kind: "sell" | "buy";
  /** The fixed amount, in its token's atoms. */
  readonly atoms: bigint;
}

/** What a solver quotes from. */
export interface QuotingTerms extends SolverView {
  /** The solver, and its maximum number of pools per route. */
  readonly quoter: { readonly address: string; readonly hops: number };
}

/** The best quote of a solver, gross of all fees; `null` without a route. */
export function quoteGross(facts: QuoteFacts, terms: QuotingTerms): GrossQuote | null {
  const { kind, atoms } = facts;
  const from = tradedAs(facts.sellToken);
  const sellTokenPrice = terms.priceOf(facts.sellToken);
  if (sellTokenPrice === null) return null;
  let best: { route: Route; other: bigint } | null = null;
  for (const route of terms.liquidity.routes(from, tradedAs(facts.buyToken), terms.quoter.hops)) {
    const other = kind === "sell" ? routeOutput(route, atoms) : routeInput(route, atoms);
    if (other === null || other <= 0n) continue;
    if (best === null || (kind === "sell" ? other > best.other : other < best.other)) {
      best = { route, other };
    }
  }
  if (best === null) return null;
  const gasAmount = gasOf(best.route.pools.length);
  const gas = { gasAmount, gasPrice: terms.gasPrice, sellTokenPrice };
  return {
    ...gas,
    sellAmount: kind === "sell" ? atoms : best.other,
    buyAmount: kind === "sell" ? best.other : atoms,
    feeAmount: networkFeeAtoms(gas),
    solver: terms.quoter.address,
  };
}

/** A gross quote as stored with an order, scaled to the fixed amount of the order. */
export function storedQuote(
  quote: GrossQuote,
  order: { kind: "sell" | "buy"; sellAmount: bigint; buyAmount: bigint },
): OrderQuote {
  const isSell = order.kind === "sell";
  return {
    gasAmount: Decimal.fromNumber(quote.gasAmount),
    gasPrice: Decimal.fromNumber(quote.gasPrice),
    sellTokenPrice: exactDecimal(quote.sellTokenPrice),
    sellAmount: isSell
      ? order.sellAmount
      : atMostLargest(mulDivUp(quote.sellAmount, order.buyAmount, quote.buyAmount)),
    buyAmount: isSell
      ? atMostLargest(mulDivDown(quote.buyAmount, order.sellAmount, quote.sellAmount))
      : order.buyAmount,
    feeAmount: quote.feeAmount,
    solver: quote.solver,
    verified: true,
    metadata: null,
  };
}

/** Keeps a scaled amount within the range of amounts. */
function atMostLargest(atoms: bigint): bigint {
  return atoms < LARGEST_AMOUNT ? atoms : LARGEST_AMOUNT;
}
