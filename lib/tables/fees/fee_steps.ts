import {
  exchangedSellAmount,
  isNotComputable,
  type NetworkFee,
  networkFee,
  type NotComputable,
  surplusToken,
} from "../../metrics/mod.ts";
import type { DebugFeePolicy, DebugReport } from "../../schemas/mod.ts";
import { flag, integer, number, symbol, text, toNativeValue } from "../columns/columns.ts";
import {
  FILL_COLUMNS,
  FILL_GAPS,
  FILL_SOLVER_COLUMNS,
  findKnownFills,
  type KnownFill,
} from "../columns/order_records.ts";
import {
  marketPositionColumn,
  surplusAmount,
  surplusTokenColumn,
} from "../columns/order_columns.ts";
import { type FeeFacts, listFees } from "./fees.ts";
import { defineTable, type Table } from "../columns/table.ts";
import { computeOnce } from "../columns/records.ts";

/** The inputs of one row. */
interface FeeStepFacts extends KnownFill {
  /** Position of the step, from 1. */
  readonly step: number;
  /** Kind of the step. */
  readonly part: "clearing" | "network" | "protocol" | "partner" | "unknown" | "executed";
  /** Bounds of the amount, in atoms; `null` if unknown. */
  readonly interval: { readonly low: bigint; readonly high: bigint } | null;
  /** The fee of the step, if it is that of a policy. */
  readonly fee: FeeFacts | null;
}

function readExactAtoms({ interval }: FeeStepFacts): bigint | null {
  return interval !== null && interval.low === interval.high ? interval.low : null;
}

/**
 * The steps of each fill: its amount at the settlement's clearing prices, the network fee, every
 * policy in the order applied, and the executed amount.
 *
 * All amounts are of the surplus token, and fees are positive: a sell order receives `clearing`
 * minus all fees, a buy order pays `clearing` plus all fees. Clearing amount and network fee are
 * exact with the decoded settlement, intervals where the fee of the fill is known (from a debug
 * report, or from the order if it filled once), and `null` otherwise. An order that a solver
 * provided as liquidity pays no fees: its clearing amount is what was executed. Both are `null` if
 * the auction does not list the order and `surplusCapturingJitOrderOwners` was not passed.
 *
 * @example No fills
 * ```ts
 * import { buildTable, FEE_STEPS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(FEE_STEPS, { records: [] }).height, 0);
 * ```
 */
export const FEE_STEPS: Table<"records"> = defineTable<FeeStepFacts, "records">({
  name: "fee_steps",
  grain:
    "One step from the value of one fill at clearing prices to what its owner received or paid",
  kind: "derived",
  of: ["records"],
  key: ["chain_id", "block_number", "log_index", "step"],
  columns: [
    ...FILL_COLUMNS,
    ...FILL_SOLVER_COLUMNS,
    integer("step", { source: "position of the step, from 1", cell: ({ step }) => step }),
    text("part", {
      source: "clearing, network, protocol, partner, unknown (protocol or partner) or executed",
      cell: ({ part }) => part,
    }),
    text("policy_kind", {
      source: "kind of the policy; null for other steps",
      cell: ({ fee }) => fee?.audit.kind ?? null,
    }),
    ...surplusAmount<FeeStepFacts>("amount_low", {
      source: "lower bound: the whole fill for clearing and executed, the fee for fees",
      atoms: ({ interval }) => interval?.low,
    }),
    ...surplusAmount<FeeStepFacts>("amount_high", {
      source: "upper bound; equal to amount_low_atoms if exact",
      atoms: ({ interval }) => interval?.high,
    }),
    number("amount_tokens", {
      unit: "whole surplus tokens",
      source: "the amount if exact, for axes; null if only a range is known",
      cell: (row, amounts) => amounts.tokens(readExactAtoms(row), surplusToken(row.order)),
    }),
    surplusTokenColumn(({ order }) => order),
    symbol("token", { label: "surplus_token", token: ({ order }) => surplusToken(order) }),
    flag("is_partner", {
      source: "whether the app data requests the fee; null for other steps and if unknown",
      cell: ({ part }) => part === "protocol" || part === "partner" ? part === "partner" : null,
    }),
    number("fee_native", {
      unit: "native tokens",
      source:
        "the fee at the native price of the auction, the midpoint of a range; null for other steps",
      cell: ({ part, interval, order, prices }) => {
        if (part === "clearing" || part === "executed" || interval === null) return null;
        const twice = toNativeValue(interval.low + interval.high, surplusToken(order), prices);
        return twice === null ? null : twice / 2;
      },
    }),
    flag("is_capped", {
      source: "recomputeFees: whether the policy's cap reduced the fee",
      cell: ({ fee }) =>
        fee === null || fee.audit.verdict === "not_computable" ? null : fee.audit.isCapped,
    }),
    FILL_GAPS,
  ],
  rows: (records) => computeOnce(records, findKnownFills).flatMap(listSteps),
});

function listSteps(fill: KnownFill): FeeStepFacts[] {
  const { order, trade } = fill;
  const isSell = order.kind === "sell";
  const atoms = isSell ? trade.buyAmount : exchangedSellAmount(trade);
  const network = calculateNetworkFee(fill);
  const steps: Omit<FeeStepFacts, keyof KnownFill | "step">[] = [];
  if (isNotComputable(network)) {
    steps.push({ part: "clearing", interval: null, fee: null });
    steps.push({ part: "network", interval: null, fee: null });
  } else {
    const { low, high } = network.totalAtoms;
    const clearing = isSell
      ? { low: atoms + low, high: atoms + high }
      : { low: atoms - high, high: atoms - low };
    steps.push({ part: "clearing", interval: clearing, fee: null });
    steps.push({ part: "network", interval: network.networkAtoms, fee: null });
  }
  for (const fee of listFees(fill)) {
    const { amount } = fee.fee;
    steps.push({ part: fee.audit.origin, interval: { low: amount, high: amount }, fee });
  }
  steps.push({ part: "executed", interval: { low: atoms, high: atoms }, fee: null });
  return steps.map((step, index) => ({ ...fill, ...step, step: index + 1 }));
}

/** Calculates the network fee: the order's total fees are those of the fill if nothing else was executed. */
function calculateNetworkFee(fill: KnownFill): NetworkFee | NotComputable<string> {
  const { order, trade, settlement, role } = fill;
  const isOnly = order.executedSellAmount === trade.sellAmount &&
    order.executedBuyAmount === trade.buyAmount;
  const executedFee = fill.executedFee ?? (isOnly ? order.executedFee : undefined);
  return networkFee(trade, order, { settlement, executedFee, role });
}

/** The inputs of one row. */
interface FeePolicyFacts {
  /** The report. */
  readonly report: DebugReport;
  /** Id of the auction. */
  readonly auctionId: number;
  /** Position among the policies of the order in that auction, from 1. */
  readonly position: number;
  /** The policy. */
  readonly policy: DebugFeePolicy;
}

/**
 * One row per policy: reports in the order given, auctions by id, policies in the order they apply.
 *
 * The service stores policies only for orders of winning solutions, so an auction without rows does
 * not show which policies were in force.
 *
 * @example No reports
 * ```ts
 * import { buildTable, FEE_POLICIES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(FEE_POLICIES, { debugReports: [] }).height, 0);
 * ```
 */
export const FEE_POLICIES: Table<"debugReports"> = defineTable<FeePolicyFacts, "debugReports">({
  name: "fee_policies",
  grain: "One fee policy of one order in one auction, whether or not the order was settled",
  kind: "record",
  of: ["debugReports"],
  key: ["order_uid", "auction_id", "position"],
  columns: [
    integer("auction_id", {
      source: "report.auctions[].id",
      cell: ({ auctionId }) => auctionId,
    }),
    text("order_uid", { source: "report.orderUid", cell: ({ report }) => report.orderUid }),
    integer("position", {
      source: "position in report.auctions[].feePolicies, from 1: the order in which they apply",
      cell: ({ position }) => position,
    }),
    text("policy_kind", {
      source: "policy.kind: surplus, volume or priceImprovement",
      cell: ({ policy }) => policy.kind,
    }),
    number("factor", {
      unit: "0 to 1",
      source: "policy.surplusFactor, volumeFactor or priceImprovementFactor",
      cell: ({ policy }) =>
        policy.surplusFactor ?? policy.volumeFactor ?? policy.priceImprovementFactor ?? null,
    }),
    number("max_volume_factor", {
      unit: "0 to 1",
      source: "policy.surplusMaxVolumeFactor or priceImprovementMaxVolumeFactor: the cap",
      cell: ({ policy }) =>
        policy.surplusMaxVolumeFactor ?? policy.priceImprovementMaxVolumeFactor ?? null,
    }),
    text("kind", { source: "report.order.kind", cell: ({ report }) => report.order.kind }),
    marketPositionColumn(({ report }) => report.order),
  ],
  rows: ({ debugReports }) =>
    debugReports.flatMap((report) =>
      report.auctions.flatMap(({ id: auctionId, feePolicies }) =>
        feePolicies.map((policy, index) => ({ report, auctionId, position: index + 1, policy }))
      )
    ),
});
