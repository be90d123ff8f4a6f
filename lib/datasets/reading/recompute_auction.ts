import {
  isNotComputable,
  policiesByAuction,
  replayCompetition,
  type ReplayDifference,
  scoreSolution,
} from "../../metrics/mod.ts";
import type { Competition, DebugReport, Order, Solution, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import type { RecomputedKind, Tally } from "./recomputed.ts";

/** Records that explain an auction. */
export interface AuctionRecords {
  /** Orders by UID. */
  readonly orders: HexMap<Order>;
  /** Fills of any orders. */
  readonly trades: readonly Trade[];
  /** Debug reports by UID. */
  readonly reports: HexMap<DebugReport>;
}

/** Recomputes the filter, the winners, the scores and the reference scores of an auction. */
export function recomputeAuction(
  competition: Competition,
  records: AuctionRecords,
  tally: Tally,
  maxWinners?: number,
): void {
  const { auctionId, solutions } = competition;
  const policies = policiesOf(competition, records);
  const terms = { orders: records.orders, ...policies === undefined ? {} : { policies } };
  const { agrees, differences, possibleReasons, basis } = replayCompetition(competition, {
    ...terms,
    ...maxWinners === undefined ? {} : { maxWinners },
  });
  tally.auction(auctionId, agrees);
  const because = possibleReasons.length === 0 ? "" : `, perhaps ${possibleReasons.join(" or ")}`;
  const filtered = differences.filter(({ what }) => what === "filteredOut");
  for (const one of filtered) tally.differ("filter", `${textOf(auctionId, one)}${because}`);
  tally.skip("filter", "terms_unknown", basis.filterFlagsReported);
  tally.agree("filter", basis.filterFlagsReplayed - filtered.length);
  const others = Map.groupBy(
    differences.filter(({ what }) => what !== "filteredOut"),
    ({ what }): RecomputedKind => what === "referenceScore" ? "referenceScores" : "winners",
  );
  for (const kind of ["winners", "referenceScores"] as const) {
    const [first] = others.get(kind) ?? [];
    if (first === undefined) tally.agree(kind);
    else tally.differ(kind, `${textOf(auctionId, first)}${because}`);
  }
  for (const solution of solutions) recomputeScore(competition, solution, terms, tally);
}

function textOf(auctionId: number, { what, solver, reported, replayed }: ReplayDifference): string {
  return `auction ${auctionId}, solver ${solver}: ${what} is ${reported}, recomputed ${replayed}`;
}

function policiesOf({ auctionId, solutions, ...rest }: Competition, records: AuctionRecords) {
  const bids = new HexMap(
    solutions.flatMap(({ orders }) => orders.map(({ id }) => [id, true] as const)),
  );
  return policiesByAuction({
    trades: records.trades.filter(({ orderUid }) => bids.has(orderUid)),
    debugReports: [...bids.keys()].flatMap((uid) => records.reports.get(uid) ?? []),
    competitions: [{ auctionId, solutions, ...rest }],
  }).get(auctionId);
}

function recomputeScore(
  { auctionId, auction }: Competition,
  solution: Solution,
  terms: Parameters<typeof scoreSolution>[2],
  tally: Tally,
): void {
  const scored = scoreSolution(solution, auction, terms);
  if (isNotComputable(scored)) return tally.skip("scores", scored.reason);
  const { kind, score, unscored, agrees } = scored;
  if (agrees) return kind === "exact" ? tally.agree("scores") : tally.skip("scores", "bound");
  // The surplus of an order that a solver provided counts if its owner captures it, which no answer
  // of an export says.
  if (unscored.length > 0 && score < solution.score) return tally.skip("scores", "jit_orders");
  const where = `auction ${auctionId}, ranking ${solution.ranking}`;
  tally.differ("scores", `${where}: score is ${solution.score}, recomputed ${kind} ${score}`);
}
