import { hashUtf8 } from "../../evm/hex.ts";
import {
  isNotComputable,
  replayCompetition,
  scoreSolution,
  type ScoringTerms,
} from "../../metrics/mod.ts";
import type { Competition, CompetitionAuction, Solution } from "../../schemas/mod.ts";
import type { PlannedSolution, StoredAuction } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { type Random, WRAPPED_NATIVE } from "./ledger.ts";
import type { IssuedQuote, Market } from "./market.ts";
import { BLOCK_MS } from "./market_quote.ts";
import { planExecution } from "./plan_execution.ts";
import { propose } from "./propose.ts";
import { beginSettlement } from "./settlements.ts";
import { MAX_SOLUTIONS, SOLVERS } from "./solvers.ts";

/** Number of blocks that a winner has to settle. */
const DEADLINE_BLOCKS = 4;

const GAPS_IN_1000 = 12;
/** Number of orders above which requests get a turn between solvers. */
const MANY_ORDERS = 500;

/** Holds one auction of the ready orders and submits its winners. */
export async function holdAuction(
  market: Market,
  orders: readonly BookOrder[],
  random: Random,
): Promise<void> {
  // Ids have gaps: auctions without solutions are not stored.
  market.auctionId += random.chance(GAPS_IN_1000) ? 2 : 1;
  market.auction = { id: market.auctionId, block: market.block, orders };
  if (orders.length === 0) return;
  const prices = market.nativePrices();
  const view = market.solverView;
  const proposed: PlannedSolution[] = [];
  for (const solver of SOLVERS) {
    for (const solution of propose(solver, orders, { view, random })) proposed.push(solution);
    if (orders.length > MANY_ORDERS) await yieldToRequests();
  }
  const planned = proposed.filter(({ executions }) =>
    !executions.some(({ order }) => order.isCancelled)
  );
  const bidOn = new Set(planned.flatMap(({ executions }) => executions.map(({ order }) => order)));
  // Only orders with bids affect scores; the others are many.
  const scoredAuction = { orders: [...bidOn].map(({ uid }) => uid), prices };
  const terms = createScoringTerms([...bidOn]);
  const scored: ScoredPlan[] = [];
  for (const plan of planned) {
    const solution = scorePlan(plan, scoredAuction, terms);
    if (solution !== null) scored.push({ plan, solution });
  }
  if (scored.length === 0) return;
  const { auctionId } = market;
  const { auction, ranked } = rank(market, scored, { auctionId, scoredAuction, terms, orders });
  market.book.addAuction(auction);
  noteLosingBids(market, ranked);
  for (const [solutionUid, { plan, solution }] of ranked.entries()) {
    if (!solution.isWinner) continue;
    beginSettlement(market, { auction, solutionUid, plan, txHash: random.hex(32) });
  }
}

/**
 * Begins the auction of an order that takes the fast path: the solver of its quote alone settles it,
 * under the auction id that the quote took. Until the deadline, no other auction has the order.
 */
export function takeFastPath(
  market: Market,
  order: BookOrder,
  { auctionId, gross }: Pick<IssuedQuote, "gross"> & { readonly auctionId: number },
): void {
  const { hops } = SOLVERS.find(({ address }) => address === gross.solver)!;
  const planned = planExecution(order, { ...market.solverView, hops, marginBps: 0n });
  const scoredAuction = { orders: [order.uid], prices: market.nativePrices() };
  const terms = createScoringTerms([order]);
  const plan: PlannedSolution | null = planned && {
    solver: gross.solver,
    executions: [planned.execution],
    swaps: [planned.swap],
    plannedOutcome: "settles",
  };
  const solution = plan && scorePlan(plan, scoredAuction, terms);
  order.validFrom = market.time.seconds;
  if (plan === null || solution === null) return;
  order.validFrom += Math.ceil(DEADLINE_BLOCKS * BLOCK_MS / 1_000);
  const bids = [{ plan, solution }];
  const { auction } = rank(market, bids, { auctionId, scoredAuction, terms, orders: [order] });
  market.book.addAuction(auction);
  const txHash = hashUtf8(`fast path ${order.uid} ${auctionId}`);
  beginSettlement(market, { auction, solutionUid: 0, plan, txHash }, true);
}

/** Lets pending requests run. */
export function yieldToRequests(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** A plan with the record of its solution. */
interface ScoredPlan {
  readonly plan: PlannedSolution;
  readonly solution: Solution;
}

function createScoringTerms(orders: readonly BookOrder[]): ScoringTerms {
  return {
    orders: new Map(orders.map(({ uid, data, origin }) => [uid, { ...data, quote: origin.quote }])),
    policies: new Map(orders.map(({ uid, origin }) => [uid, origin.policies])),
  };
}

/** Scores a plan as a solution of the competition; `null` without an exact score. */
function scorePlan(
  plan: PlannedSolution,
  scoredAuction: CompetitionAuction,
  terms: ScoringTerms,
): Solution | null {
  const solution: Solution = {
    solverAddress: plan.solver,
    score: 0n,
    ranking: 0,
    clearingPrices: {},
    orders: plan.executions.map(({ order, fill }) => ({
      id: order.uid,
      sellAmount: fill.sellAmount,
      buyAmount: fill.buyAmount,
      buyToken: order.data.buyToken,
      sellToken: order.data.sellToken,
    })),
    isWinner: false,
    filteredOut: false,
    txHash: null,
    referenceScore: null,
  };
  const scored = scoreSolution(solution, scoredAuction, terms);
  if (isNotComputable(scored) || scored.kind !== "exact") return null;
  return { ...solution, score: scored.score };
}

/** Ranks solutions by the rules of the auction, the best one first. */
function rank(
  market: Market,
  bids: readonly ScoredPlan[],
  { auctionId, scoredAuction, terms, orders }: {
    auctionId: number;
    scoredAuction: CompetitionAuction;
    terms: ScoringTerms;
    orders: readonly BookOrder[];
  },
): { auction: StoredAuction; ranked: ScoredPlan[] } {
  const deadline = market.block + DEADLINE_BLOCKS;
  const draft: Competition = {
    auctionId,
    auctionStartBlock: market.block,
    auctionDeadlineBlock: deadline,
    transactionHashes: [],
    referenceScores: {},
    auction: scoredAuction,
    solutions: bids.map(({ solution }, index) => ({ ...solution, ranking: index + 1 })),
  };
  const { solutions, referenceScores } = replayCompetition(draft, {
    ...terms,
    maxSolutionsPerSolver: MAX_SOLUTIONS,
    wrappedNativeToken: WRAPPED_NATIVE,
  });
  const ranked = solutions.map(({ index, ranking, isWinner, filteredOut }) => {
    const { plan, solution } = bids[index]!;
    const referenceScore = referenceScores.get(solution.solverAddress) ?? null;
    return { plan, solution: { ...solution, ranking, isWinner, filteredOut, referenceScore } };
  });
  const competition = {
    ...draft,
    referenceScores: Object.fromEntries(referenceScores),
    auction: { ...scoredAuction, orders: orders.map(({ uid }) => uid) },
    solutions: ranked.map(({ solution }) => solution).reverse(),
  };
  return { auction: { competition, attempts: [], prices: scoredAuction.prices, deadline }, ranked };
}

/** Adds the event of orders with losing bids; orders of winners get theirs on submission. */
function noteLosingBids(market: Market, ranked: readonly ScoredPlan[]): void {
  const won = new Set<BookOrder>();
  const bidOn = new Set<BookOrder>();
  for (const { plan, solution } of ranked) {
    for (const { order } of plan.executions) {
      if (solution.isWinner) won.add(order);
      if (!solution.filteredOut) bidOn.add(order);
    }
  }
  for (const order of bidOn) {
    if (!won.has(order)) order.addEvent("considered", market.time.stamp());
  }
}
