import { boundColumns } from "./reward_columns.ts";
import {
  type KnownTime,
  settlementOutcomes,
  settlementPenalties,
  type SettlementPenalty,
  type SolutionOutcome,
} from "../../metrics/mod.ts";
import { indexByUid } from "../../metrics/not_computable.ts";
import {
  findFastPathIds,
  findFirstCappedDeadline,
  haveOrderCaps,
} from "../../metrics/solvers/estimate_rewards.ts";
import { indexRulesByAuction } from "../../metrics/solvers/weekly_rewards.ts";
import type { RewardRules } from "../../networks/mod.ts";
import type { Competition, Order, SolutionOrder } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { groupByHex } from "../../units/mod.ts";
import {
  auctionTimeColumns,
  flag,
  gaps,
  integer,
  native,
  solver,
  text,
} from "../columns/columns.ts";
import {
  AUCTION_ID,
  BID_COLUMNS,
  DEADLINE_BLOCK,
  findNetwork,
  indexAuctions,
  START_BLOCK,
} from "../auctions/auction_columns.ts";
import { defineTable, type Table, TO_AUCTION } from "../columns/table.ts";
import { lookUp } from "../columns/records.ts";

/** The inputs of one row. */
interface AttemptFacts {
  /** The auction. */
  readonly competition: Competition;
  /** Start of the auction; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** Outcome of the winning solution. */
  readonly outcome: SolutionOutcome;
  /** Position of the order in the solution, from 1. */
  readonly position: number;
  /** The bid on the order. */
  readonly bid: SolutionOrder;
  /** The cap of penalties, in native atoms; `null` if no rules are known, or each order has its own. */
  readonly capAtoms: bigint | null;
  /** Whether the largest penalty of the solution is known exactly. */
  readonly isCapKnown: boolean;
  /** Penalty for not settling the solution, on its first order; `null` on others, or if unknown. */
  readonly penalty: SettlementPenalty | null;
}

/**
 * One row per order in a winning solution: by whom and when it was won, whether it was settled in
 * time, late or not at all, and what that costs its solver. Auctions in the order given, solutions by
 * ranking, orders as in the solution.
 *
 * How often wins are not settled is a count of rows, or with `position` 1 of solutions. What failures
 * cost lies between the sums of `penalty_low_atoms` and `penalty_high_atoms`, which each solver and
 * auction has once. The option `times` adds the times of auctions.
 *
 * @example No competitions
 * ```ts
 * import { ATTEMPTS, buildTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(ATTEMPTS, { competitions: [] }).height, 0);
 * ```
 */
export const ATTEMPTS: Table<"competitions"> = defineTable<AttemptFacts, "competitions">({
  name: "attempts",
  grain: "One order in one winning solution of one auction: whether the win was settled in time",
  kind: "derived",
  of: ["competitions"],
  key: ["auction_id", "ranking", "position"],
  needs: ["orders", "trades", "reports", "times"],
  references: [TO_AUCTION, { columns: ["auction_id", "ranking"], to: "outcomes" }],
  columns: [
    AUCTION_ID,
    ...auctionTimeColumns<AttemptFacts>(({ auctionAt }) => auctionAt),
    START_BLOCK,
    DEADLINE_BLOCK,
    integer("ranking", {
      source: "solution.ranking: of the winning solution",
      cell: ({ outcome }) => outcome.ranking,
    }),
    ...solver<AttemptFacts>("solver", {
      source: "solution.solverAddress",
      solver: ({ outcome }) => outcome.solver,
    }),
    integer("position", {
      source: "place of the order in solution.orders, from 1",
      cell: ({ position }) => position,
    }),
    ...BID_COLUMNS,
    integer("order_count", {
      unit: "orders",
      source: "number of solution.orders",
      cell: ({ outcome }) => outcome.orders.length,
    }),
    text("tx_hash", {
      source: "solution.txHash; of an auction with one winner, its only transaction",
      cell: ({ outcome }) => outcome.txHash,
    }),
    integer("settled_block", {
      source: "block of the fills of tx_hash; null if none are known",
      cell: ({ outcome }) => outcome.block,
    }),
    integer("blocks_late", {
      unit: "blocks, 0 or less = in time",
      source: "settled_block - deadline_block",
      cell: ({ outcome: { block, deadlineBlock } }) =>
        block === null || deadlineBlock === null ? null : block - deadlineBlock,
    }),
    text("outcome", {
      source: "settlementOutcomes: in_time, late, absent, pending or unknown",
      cell: ({ outcome }) => outcome.result,
    }),
    text("outcome_basis", {
      source: "settlementOutcomes: what that is based on, such as trade_block or attempt",
      cell: ({ outcome }) => outcome.basis,
    }),
    ...native<AttemptFacts>("score", {
      source: "solution.score: of the whole solution, on each of its orders",
      atoms: ({ outcome }) => outcome.score,
    }),
    ...native<AttemptFacts>("reference_score", {
      source: "competition.referenceScores of the solver, on each of its orders",
      atoms: ({ competition, outcome }) => findByHex(competition.referenceScores, outcome.solver),
    }),
    ...native<AttemptFacts>("cap", {
      source:
        "rules.lowerCapAtoms of its week: the largest penalty in one auction; null where each " +
        "order has a cap of its own: by the rules, if trades of the auction name caps, or, where it has " +
        "no trades, those of an earlier one",
      atoms: ({ capAtoms }) => capAtoms,
    }),
    ...boundColumns<AttemptFacts>("penalty_if_absent", {
      source: "settlementPenalties: what the solver owes if the solution is not settled in time, " +
        "on its first order, null on others",
      interval: ({ penalty }) => penalty?.ifAbsent ?? null,
    }),
    flag("is_capped", {
      source: "whether cap limits penalty_if_absent; null where that is, and if unknown",
      cell: ({ penalty }) => penalty?.isCapped ?? null,
    }),
    ...boundColumns<AttemptFacts>("penalty", {
      source:
        "settlementPenalties: what the solver owes for the auction, on the first order of its " +
        "best ranked solution that was not settled in time; null on other orders than first ones",
      interval: ({ penalty }) => penalty?.owed ?? null,
    }),
    gaps(
      "settlement if the outcome is unknown or pending, rules if none are known of the network, or " +
        "each order has a cap of its own, which no response names if it was not settled, " +
        "reference_score if the response has none for the solver, auction_time if `times` does not say " +
        "when the auction began",
      ({ competition, outcome, isCapKnown, auctionAt }) => [
        (outcome.result === "unknown" || outcome.result === "pending") && "settlement",
        !isCapKnown && "rules",
        findByHex(competition.referenceScores, outcome.solver) === undefined && "reference_score",
        auctionAt === null && "auction_time",
      ],
    ),
  ],
  rows: (records) => {
    const auctions = indexAuctions(records.competitions);
    const { latestBlock, hasFills, times, network } = records;
    const trades = lookUp(records, "trades") ?? [];
    const debugReports = lookUp(records, "debugReports") ?? [];
    const orders = indexByUid<Order>(lookUp(records, "orders") ?? []);
    const { deadlineBlocks = findNetwork(network)?.deadlines[0]?.blocks } = records;
    const evidence = { trades, debugReports, latestBlock, hasFills, deadlineBlocks };
    const { solutions } = settlementOutcomes(auctions.values(), evidence);
    const ruleByAuction = indexRulesByAuction(auctions.values(), {
      rules: records.rules ?? findNetwork(records.rewardsOf ?? network)?.rewards ?? [],
      ...times === undefined ? {} : { times },
    });
    const sources = { trades: groupByHex(trades, ({ txHash }) => `${txHash}`) };
    const byAuction = Map.groupBy(solutions, ({ auctionId }) => auctionId);
    const fastIds = findFastPathIds([...auctions.values()], indexByUid([]));
    const firstCappedDeadline = findFirstCappedDeadline(byAuction, sources, fastIds);
    const areCapsStated = trades.length > 0;
    return [...byAuction].flatMap(([id, won]) => {
      const competition = auctions.get(id)!;
      const inForce = ruleByAuction.get(id);
      const rules = inForce === undefined ? null : mergePenaltyRules(inForce.candidates);
      const hasOrderCaps = fastIds.has(id) ||
        haveOrderCaps(won, { rules, sources, firstCappedDeadline, areCapsStated });
      const capAtoms = hasOrderCaps === true ? null : rules?.lowerCapAtoms ?? null;
      const settledTrades = won.flatMap(({ txHash }) =>
        txHash === null ? [] : sources.trades.get(txHash) ?? []
      );
      const penalties = rules === null && hasOrderCaps !== true
        ? []
        : settlementPenalties(competition, won, {
          lowerCapAtoms: capAtoms,
          mayHaveOrderCaps: hasOrderCaps === null,
          limitsReference: rules === null ? true : rules.limitsReference ?? null,
          graceBlocks: rules?.graceBlocks ?? 0,
          trades: settledTrades,
          orders,
        });
      const auctionAt = times?.auction(id) ?? null;
      return won.flatMap((outcome): AttemptFacts[] => {
        const { orders } = competition.solutions.find(({ ranking, isWinner }) =>
          isWinner && ranking === outcome.ranking
        )!;
        const penalty = penalties.find(({ ranking }) => ranking === outcome.ranking) ?? null;
        return orders.map((bid, index) => ({
          competition,
          auctionAt,
          outcome,
          position: index + 1,
          bid,
          capAtoms: hasOrderCaps === null ? null : capAtoms,
          isCapKnown: penalty !== null ? penalty.cap.high === penalty.cap.low : capAtoms !== null,
          penalty: index === 0 ? penalty : null,
        }));
      });
    });
  },
});

/** Merges the rules of penalties that may have been in force; `null` if their caps differ. */
function mergePenaltyRules(candidates: readonly RewardRules[]): RewardRules | null {
  const last = candidates.at(-1);
  if (last === undefined) return null;
  if (candidates.some(({ lowerCapAtoms }) => lowerCapAtoms !== last.lowerCapAtoms)) return null;
  const limits = new Set(candidates.map(({ limitsReference = true }) => limitsReference));
  const caps = new Set(candidates.map(({ hasOrderCaps = false }) => hasOrderCaps));
  const grace = Math.min(...candidates.map(({ graceBlocks = 0 }) => graceBlocks));
  return {
    ...last,
    limitsReference: limits.size === 1 ? [...limits][0]! : null,
    hasOrderCaps: caps.size === 1 ? [...caps][0]! : null,
    graceBlocks: grace,
  };
}
