import {
  isNotComputable,
  replayCompetition,
  scoreSolution,
  type ScoringTerms,
} from "../../../metrics/mod.ts";
import type { Competition, CompetitionAuction, Solution } from "../../../schemas/mod.ts";
import type { StoredAuction } from "../state/book.ts";
import type { BookOrder } from "../state/book_order.ts";
import type { Market } from "../state/market.ts";
import { propose } from "../solvers/propose.ts";
import type { Random } from "../state/random.ts";
import { beginSettlement } from "./settlements.ts";
import type { PlannedSolution } from "../state/solution.ts";
import { MAX_SOLUTIONS, SOLVERS } from "../solvers/solvers.ts";
import { WRAPPED_NATIVE } from "../state/tokens.ts";

/** Blocks that a winner has to settle in. */
export const DEADLINE_BLOCKS = 4;

const GAPS_IN_1000 = 12;
/** Orders above which requests are answered while solvers are at work. */
const MANY_ORDERS = 500;

/** Holds one auction over the orders that are ready, and sends its winners on their way. */
export async function holdAuction(
  market: Market,
  orders: readonly BookOrder[],
  random: Random,
): Promise<void> {
  // Ids have gaps: an auction that nothing came of is not stored.
  market.auctionId += random.chance(GAPS_IN_1000) ? 2 : 1;
  market.auction = { id: market.auctionId, block: market.block, orders };
  if (orders.length === 0) return;
  const prices = market.nativePrices();
  const view = market.solverView;
  const proposed: PlannedSolution[] = [];
  for (const solver of SOLVERS) {
    proposed.push(...propose(solver, orders, { view, random }));
    if (orders.length > MANY_ORDERS) await requestsAnswered();
  }
  const planned = proposed.filter(({ executions }) =>
    !executions.some(({ order }) => order.isCancelled)
  );
  const bidOn = new Set(planned.flatMap(({ executions }) => executions.map(({ order }) => order)));
  // Scores are of the orders that were bid on: the others are many and say nothing of them.
  const about = { orders: [...bidOn].map(({ uid }) => uid), prices };
  const terms = termsOf([...bidOn]);
  const scored: { plan: PlannedSolution; solution: Solution }[] = [];
  for (const plan of planned) {
    const solution = scoredSolution(plan, about, terms);
    if (solution !== null) scored.push({ plan, solution });
  }
  if (scored.length === 0) return;
  const { auction, ranked } = rank(market, scored, { about, terms, orders });
  market.book.addAuction(auction);
  tellOrders(market, ranked);
  for (const [place, { plan, isWinner }] of ranked.entries()) {
    if (isWinner) beginSettlement(market, { auction, place, plan, txHash: random.hex(32) });
  }
}

/** Lets those be answered who have asked meanwhile. */
function requestsAnswered(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** A solution and how it fared, in the order of the ranking. */
interface RankedPlan {
  readonly plan: PlannedSolution;
  readonly isWinner: boolean;
  readonly filteredOut: boolean;
}

function termsOf(orders: readonly BookOrder[]): ScoringTerms {
  return {
    orders: new Map(
      orders.map(({ uid, signed, origin }) => [uid, { ...signed, quote: origin.quote }]),
    ),
    policies: new Map(orders.map(({ uid, origin }) => [uid, origin.policies])),
  };
}

/** A solution as a competition has it; `null` for one that has no score or none above 0. */
function scoredSolution(
  plan: PlannedSolution,
  about: CompetitionAuction,
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
      buyToken: order.signed.buyToken,
      sellToken: order.signed.sellToken,
    })),
    isWinner: false,
    filteredOut: false,
    txHash: null,
    referenceScore: null,
  };
  const scored = scoreSolution(solution, about, terms);
  if (isNotComputable(scored) || scored.kind !== "exact" || scored.score <= 0n) return null;
  return { ...solution, score: scored.score };
}

/** Ranks the bids by the rules of the auction. */
function rank(
  market: Market,
  bids: readonly { plan: PlannedSolution; solution: Solution }[],
  { about, terms, orders }: {
    about: CompetitionAuction;
    terms: ScoringTerms;
    orders: readonly BookOrder[];
  },
): { auction: StoredAuction; ranked: RankedPlan[] } {
  const deadline = market.block + DEADLINE_BLOCKS;
  const draft: Competition = {
    auctionId: market.auctionId,
    auctionStartBlock: market.block,
    auctionDeadlineBlock: deadline,
    transactionHashes: [],
    referenceScores: {},
    auction: about,
    solutions: bids.map(({ solution }, at) => ({ ...solution, ranking: at + 1 })),
  };
  const { solutions: placed, referenceScores } = replayCompetition(draft, {
    ...terms,
    maxSolutionsPerSolver: MAX_SOLUTIONS,
    wrappedNativeToken: WRAPPED_NATIVE,
  });
  const solutions = placed.toReversed().map(({ index, ranking, isWinner, filteredOut }) => {
    const { solution } = bids[index]!;
    const referenceScore = referenceScores.get(solution.solverAddress) ?? null;
    return { ...solution, ranking, isWinner, filteredOut, referenceScore };
  });
  return {
    auction: {
      competition: {
        ...draft,
        referenceScores: Object.fromEntries(referenceScores),
        auction: { ...about, orders: orders.map(({ uid }) => uid) },
        solutions,
      },
      attempts: [],
      prices: about.prices,
      deadline,
    },
    ranked: placed.map(({ index, isWinner, filteredOut }) => ({
      plan: bids[index]!.plan,
      isWinner,
      filteredOut,
    })),
  };
}

/** Orders with losing bids get their event here; those of winners get it on submission. */
function tellOrders(market: Market, ranked: readonly RankedPlan[]): void {
  const won = new Set<BookOrder>();
  const bidOn = new Set<BookOrder>();
  for (const { plan, isWinner, filteredOut } of ranked) {
    for (const { order } of plan.executions) {
      if (isWinner) won.add(order);
      if (!filteredOut) bidOn.add(order);
    }
  }
  for (const order of bidOn) {
    if (!won.has(order)) order.note("considered", market.time.stamp());
  }
}
