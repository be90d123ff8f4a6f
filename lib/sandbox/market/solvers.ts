import { UNSUPPORTED_TOKEN } from "./ledger.ts";
import type { Market } from "./market.ts";
import { type GrossQuote, type QuoteFacts, quoteGross } from "./market_quote.ts";

/** A solver: its way of bidding, and its reliability. */
export interface Solver {
  /** Address that it submits from. */
  readonly address: string;
  /** Name. */
  readonly name: string;
  /** Maximum number of pools per route. */
  readonly hops: number;
  /** Range of its margin, in basis points. */
  readonly marginBps: readonly [number, number];
  /** Participation, in auctions per thousand. */
  readonly participation: number;
  /** Failures per thousand settlements: driver failures, timeouts, late settlements. */
  readonly failures: readonly [reverts: number, timeouts: number, late: number];
  /** Bids beyond single orders: fair batches, or batches that underpay one order. */
  readonly habit?: "batches" | "robs";
}

const HABITS: readonly Omit<Solver, "address">[] = [
  { name: "direct", hops: 1, marginBps: [0, 4], participation: 970, failures: [6, 4, 2] },
  { name: "router", hops: 3, marginBps: [2, 9], participation: 950, failures: [8, 6, 4] },
  {
    name: "batcher",
    hops: 2,
    marginBps: [1, 7],
    participation: 900,
    failures: [12, 8, 6],
    habit: "batches",
  },
  { name: "unsteady", hops: 2, marginBps: [0, 5], participation: 850, failures: [90, 90, 70] },
  {
    name: "robber",
    hops: 2,
    marginBps: [1, 12],
    participation: 800,
    failures: [10, 5, 5],
    habit: "robs",
  },
];

/**
 * The solvers of the market: one trades direct pairs only, one routes, one batches and matches orders
 * with each other, one often fails to settle, and one sometimes underpays an order of a batch.
 */
export const SOLVERS: readonly Solver[] = Object.freeze(HABITS.map((habits, index) => ({
  address: `0x501e${String(index + 1).padStart(36, "0")}`,
  ...habits,
})));

/** Maximum number of solutions per solver. */
export const MAX_SOLUTIONS = 3;

/** Collects the quotes of all solvers, each better than the previous one; empty without a route. */
export function collectQuotes(market: Market, facts: QuoteFacts): GrossQuote[] {
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

/** Finds the best quote of all solvers; `null` without a route. */
export function findBestQuote(market: Market, facts: QuoteFacts): GrossQuote | null {
  return collectQuotes(market, facts).at(-1) ?? null;
}

/** Whether a quote is better, net of gas costs. */
function isBetter(quote: GrossQuote, best: GrossQuote, kind: "sell" | "buy"): boolean {
  if (kind === "buy") return quote.sellAmount + quote.feeAmount < best.sellAmount + best.feeAmount;
  const [a, b] = [quote.sellAmount - quote.feeAmount, best.sellAmount - best.feeAmount];
  return quote.buyAmount * a > best.buyAmount * b;
}
