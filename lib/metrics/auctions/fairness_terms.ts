import type { Competition } from "../../schemas/mod.ts";
import { byUid } from "../by_uid.ts";
import type { FairnessTerms } from "./judge_fairness.ts";
import { scoreExecution, type ScoringTerms } from "./score_solution.ts";
import { scoredOrders } from "./scored_orders.ts";

/** What the fairness filter needs to know about an auction's orders, as far as known. */
export function fairnessTerms(
  competition: Competition,
  options: Partial<ScoringTerms>,
): FairnessTerms {
  const { orders, policies, surplusCapturingJitOrderOwners } = options;
  const isScored = scoredOrders(competition.auction, surplusCapturingJitOrderOwners);
  if (orders === undefined) return { isScored, scoreOf: undefined };
  const isListed = scoredOrders(competition.auction);
  const { auction, solutions } = competition;
  const known = {
    orders: byUid(orders),
    policies: policies === undefined ? undefined : byUid(policies),
  };
  return {
    isScored,
    scoreOf: (solution, order) => {
      const execution = solutions[solution]!.orders[order]!;
      const isIn = isListed(execution.id);
      const scored = scoreExecution(execution, auction, { ...known, isListed: isIn });
      return "score" in scored ? scored : undefined;
    },
  };
}
