import {
  type KnownTime,
  type SettlementOptions,
  settlementOutcomes,
  settlementPenalties,
  type SettlementPenalty,
  type SolutionOutcome,
} from "../../metrics/mod.ts";
import { byUid } from "../../metrics/not_computable.ts";
import {
  findFastPathIds,
  firstCappedOf,
  haveOrderCaps,
} from "../../metrics/solvers/estimate_rewards.ts";
import { RULES } from "../../metrics/solvers/reward_facts.ts";
import { rulesByAuction } from "../../metrics/solvers/weekly_rewards.ts";
import type { RewardRules } from "../../networks/mod.ts";
import type { Competition, Order, SolutionOrder } from "../../schemas/mod.ts";
import { valueByHex } from "../../units/hex_map.ts";
import { groupByHex } from "../../units/mod.ts";
import {
  auctionTimeColumns,
  flag,
  gaps,
  integer,
  native,
  solver,
  text,
  type TimeOptions,
} from "../columns/columns.ts";
import type { Table } from "../columns/frame.ts";
import type { SolverOptions, TokenOptions } from "../columns/lookups.ts";
import { type BuildTable, COMPETITION_KIND, optionsOn, tableOf } from "../columns/table_input.ts";
import { bounds } from "./reward_columns.ts";
import {
  AUCTION_ID,
  auctionsById,
  BID_COLUMNS,
  DEADLINE_BLOCK,
  findNetwork,
  START_BLOCK,
} from "../auctions/auction_columns.ts";

/** What else is known: settlements, rules, names, times. */
export interface AttemptsOptions
  extends TokenOptions, SolverOptions, SettlementOptions, TimeOptions {
  /** Orders, whose limits bound penalty caps that no trade names. @default {[]} */
  readonly orders?: Iterable<Order>;
  /** Dated rules, whose lower cap limits penalties; one alone for every week. @default {those of `network`} */
  readonly rules?: readonly RewardRules[] | RewardRules;
}

/** What one row is computed from. */
export interface AttemptFacts {
  /** The auction. */
  readonly competition: Competition;
  /** When it began; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** What became of the winning solution. */
  readonly outcome: SolutionOutcome;
  /** Place of the order in the solution, from 1. */
  readonly position: number;
  /** The bid on the order. */
  readonly bid: SolutionOrder;
  /** The cap of penalties, in native atoms; `null` if no rules are known, or each order has its own. */
  readonly capAtoms: bigint | null;
  /** Whether the cap is known if the solution is not settled. */
  readonly isCapKnown: boolean;
  /** What not settling the solution costs, on its first order; `null` on others, or if unknown. */
  readonly penalty: SettlementPenalty | null;
}

/** One row per order in a winning solution; see {@linkcode attemptsTable}. */
export const ATTEMPTS: Table<AttemptFacts> = {
  name: "attempts",
  grain: "One order in one winning solution of one auction: whether the win was settled in time",
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
      atoms: ({ competition, outcome }) => valueByHex(competition.referenceScores, outcome.solver),
    }),
    ...native<AttemptFacts>("cap", {
      source:
        "rules.lowerCapAtoms of its week: the largest penalty in one auction; null where each " +
        "order has a cap of its own: by the rules, if trades of the auction name caps, or, where it has " +
        "no trades, those of an earlier one",
      atoms: ({ capAtoms }) => capAtoms,
    }),
    ...bounds<AttemptFacts>("penalty_if_absent", {
      source: "settlementPenalties: what the solver owes if the solution is not settled in time, " +
        "on its first order, null on others",
      of: ({ penalty }) => penalty?.ifAbsent ?? null,
    }),
    flag("is_capped", {
      source: "whether cap limits penalty_if_absent; null where that is, and if unknown",
      cell: ({ penalty }) => penalty?.isCapped ?? null,
    }),
    ...bounds<AttemptFacts>("penalty", {
      source:
        "settlementPenalties: what the solver owes for the auction, on the first order of its " +
        "best ranked solution that was not settled in time; null on other orders than first ones",
      of: ({ penalty }) => penalty?.owed ?? null,
    }),
    gaps(
      "settlement if the outcome is unknown or pending, rules if none are known of the network, or " +
        "each order has a cap of its own, which no answer names if it was not settled, " +
        "reference_score if the answer has none for the solver, auction_time if `times` does not say " +
        "when the auction began",
      ({ competition, outcome, isCapKnown, auctionAt }) => [
        (outcome.result === "unknown" || outcome.result === "pending") && "settlement",
        !isCapKnown && "rules",
        valueByHex(competition.referenceScores, outcome.solver) === undefined && "reference_score",
        auctionAt === null && "auction_time",
      ],
    ),
  ],
};

/**
 * One row per order in a winning solution: by whom and when it was won, whether it was settled in
 * time, late or not at all, and what that costs its solver. Auctions in the order given, solutions by
 * ranking, orders as in the solution.
 *
 * How often wins are not settled is a count of rows, or with `position` 1 of solutions. What failures
 * cost is the sum of `penalty`, which stands once for each solver and auction.
 *
 * @param competitions Decoded competitions; each auction counts once.
 * @param options Trades and debug reports, without which outcomes are `unknown`; the network or its
 * rules; times of auctions.
 * @returns A frame with the columns of {@linkcode ATTEMPTS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No competitions
 * ```ts
 * import { attemptsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(attemptsTable([]).height, 0);
 * ```
 */
export const attemptsTable: BuildTable<Competition, AttemptsOptions> = tableOf({
  table: ATTEMPTS,
  records: COMPETITION_KIND,
  options: { ...optionsOn("tokens", "solvers", "times", "settlements", "orders"), rules: RULES },
  rows: (competitions, options) => {
    const once = auctionsById(competitions);
    const { debugReports = [], latestBlock, hasFills, times, network } = options;
    const trades = [...options.trades ?? []];
    const orders = byUid([...options.orders ?? []]);
    const facts = findNetwork(network);
    const { deadlineBlocks = facts?.deadlines[0]?.blocks } = options;
    const evidence = { trades, debugReports, latestBlock, hasFills, deadlineBlocks };
    const { solutions } = settlementOutcomes(once.values(), evidence);
    const rulesOf = rulesByAuction(once.values(), {
      rules: options.rules ?? facts?.rewards ?? [],
      ...times === undefined ? {} : { times },
    });
    const sources = { trades: groupByHex(trades, ({ txHash }) => `${txHash}`) };
    const byAuction = Map.groupBy(solutions, ({ auctionId }) => auctionId);
    const fastIds = findFastPathIds([...once.values()], byUid([]));
    const firstCapped = firstCappedOf(byAuction, sources, fastIds);
    const isCapKnown = trades.length > 0;
    return [...byAuction].flatMap(([id, won]) => {
      const competition = once.get(id)!;
      const inForce = rulesOf.get(id);
      const rules = inForce === undefined ? null : mergePenaltyRules(inForce.candidates);
      const hasOrderCaps = fastIds.has(id) ||
        haveOrderCaps(won, { rules, sources, firstCapped, isCapKnown });
      const capAtoms = hasOrderCaps === true ? null : rules?.lowerCapAtoms ?? null;
      const own = won.flatMap(({ txHash }) =>
        txHash === null ? [] : sources.trades.get(txHash) ?? []
      );
      const penalties = rules === null && hasOrderCaps !== true
        ? []
        : settlementPenalties(competition, won, {
          lowerCapAtoms: capAtoms,
          mayHaveOrderCaps: hasOrderCaps === null,
          limitsReference: rules === null ? true : rules.limitsReference ?? null,
          graceBlocks: rules?.graceBlocks ?? 0,
          trades: own,
          orders,
        });
      const auctionAt = times?.auction(id) ?? null;
      return won.flatMap((outcome): AttemptFacts[] => {
        const { orders } = competition.solutions.find(({ ranking, isWinner }) =>
          isWinner && ranking === outcome.ranking
        )!;
        const penalty = penalties.find(({ ranking }) => ranking === outcome.ranking) ?? null;
        return orders.map((bid, place) => ({
          competition,
          auctionAt,
          outcome,
          position: place + 1,
          bid,
          capAtoms: hasOrderCaps === null ? null : capAtoms,
          isCapKnown: penalty !== null ? penalty.cap.high === penalty.cap.low : capAtoms !== null,
          penalty: place === 0 ? penalty : null,
        }));
      });
    });
  },
});

/** What decides penalties of the rules that may have been in force; `null` if their caps differ. */
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
