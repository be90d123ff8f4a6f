import type { Market } from "../state/market.ts";
import { type GrossQuote, type QuoteFacts, quoteGross } from "../state/market_quote.ts";
import { SOLVERS } from "./solvers.ts";
import { UNSUPPORTED_TOKEN } from "../state/tokens.ts";

/** The quotes of all solvers, each better than the previous one; empty without a route. */
export function quotesFor(market: Market, facts: QuoteFacts): GrossQuote[] {
  if ([facts.sellToken, facts.buyToken].includes(UNSUPPORTED_TOKEN.address)) return [];
  const view = market.solverView;
  const quotes: GrossQuote[] = [];
  for (const quoter of [...SOLVERS].sort((a, b) => a.hops - b.hops)) {
    const quote = quoteGross(facts, { ...view, quoter });
    const best = quotes.at(-1);
    if (quote !== null && (best === undefined || isBetter(quote, best, facts.kind))) {
      quotes.push(quote);
    }
  }
  return quotes;
}

/** The best quote of all solvers; `null` without a route. */
export function bestQuote(market: Market, facts: QuoteFacts): GrossQuote | null {
  return quotesFor(market, facts).at(-1) ?? null;
}

/** Whether a quote is better, net of gas costs. */
function isBetter(one: GrossQuote, other: GrossQuote, kind: "sell" | "buy"): boolean {
  if (kind === "buy") return one.sellAmount + one.feeAmount < other.sellAmount + other.feeAmount;
  const [a, b] = [one.sellAmount - one.feeAmount, other.sellAmount - other.feeAmount];
  return one.buyAmount * a > other.buyAmount * b;
}
