import { type ComparedFee, surplusToken, type UncomparedFee } from "../../metrics/mod.ts";
import { ratio, ratioToNumber } from "../../units/mod.ts";
import { amount, decimalText, flag, integer, number, text } from "../columns/columns.ts";
import { factor } from "../columns/factor_columns.ts";
import { fillsFrame } from "../columns/fills_frame.ts";
import type { Frame, Table } from "../columns/frame.ts";
import { nativeWorth } from "../columns/native_worth.ts";
import {
  FILL_COLUMNS,
  FILL_GAPS,
  FILL_SOLVER_COLUMNS,
  marketPositionColumn,
} from "../columns/order_columns.ts";
import type { FillOptions, OrderRecords } from "../columns/order_records.ts";
import { factorOf, type FeeFacts, feesOf, maxVolumeFactorOf } from "./fees.ts";

const BPS_IN_ONE = 10_000;

function isCompared(audit: ComparedFee | UncomparedFee): audit is ComparedFee {
  return audit.verdict !== "not_computable";
}

/** One row per charged policy of a fill; see {@linkcode protocolFeesTable}. */
export const PROTOCOL_FEES: Table<FeeFacts> = {
  name: "protocol_fees",
  grain: "One fee that one policy, of the protocol or a partner, charged on one fill",
  columns: [
    ...FILL_COLUMNS,
    ...FILL_SOLVER_COLUMNS,
    text("owner", {
      source: "order.owner: of an order for native currency, the contract that placed it",
      cell: ({ order }) => order.owner,
    }),
    integer("position", {
      source:
        "position in trade.executedProtocolFees, from 1: the order in which they were applied",
      cell: ({ position }) => position,
    }),
    marketPositionColumn(({ order }) => order),
    text("policy_kind", {
      source: "kind of fee.policy: surplus, volume or priceImprovement; null without a policy",
      cell: ({ audit }) => audit.kind,
    }),
    flag("is_partner", {
      source: "policyOrigins: whether the app data asks for the fee; null if unknown",
      cell: ({ audit }) => audit.origin === "unknown" ? null : audit.origin === "partner",
    }),
    text("recipient", {
      source: "recipient of a partner fee, from the app data, in lower case",
      cell: ({ audit }) => audit.recipient?.toLowerCase() ?? null,
    }),
    ...factor<FeeFacts>("factor", {
      source: "factor of the policy",
      of: ({ fee }) => factorOf(fee),
    }),
    ...factor<FeeFacts>("max_volume_factor", {
      source: "maxVolumeFactor of the policy: its cap; null for volume fees, which have no cap",
      of: ({ fee }) => maxVolumeFactorOf(fee),
    }),
    ...amount<FeeFacts>("fee_amount", {
      of: "fee token",
      source: "fee.amount",
      atoms: ({ fee }) => fee.amount,
      token: ({ fee }) => fee.token,
    }),
    text("fee_token", {
      source: "fee.token: the surplus token",
      cell: ({ fee }) => fee.token,
    }),
    text("fee_symbol", {
      source: "symbol of fee_token, or its shortened address",
      cell: ({ fee }, amounts) => amounts.label(fee.token),
    }),
    number("fee_native", {
      unit: "native tokens",
      source: "fee_amount at the native price of the auction; null if the token has no price",
      cell: ({ fee, prices }) => nativeWorth(fee.amount, fee.token, prices),
    }),
    ...amount<FeeFacts>("amount_before", {
      of: "surplus token",
      source: "bought (sell order) or sold (buy order) before this fee, after earlier fees",
      atoms: ({ amountBefore }) => amountBefore,
      token: ({ order }) => surplusToken(order),
    }),
    ...amount<FeeFacts>("amount_after", {
      of: "surplus token",
      source: "the same after this fee; for the last fee, the amount of the trade",
      atoms: ({ amountAfter }) => amountAfter,
      token: ({ order }) => surplusToken(order),
    }),
    number("fee_bps", {
      unit: "basis points of amount_before",
      source: "fee_amount / amount_before",
      cell: ({ fee, amountBefore }) =>
        amountBefore > 0n
          ? ratioToNumber(ratio(BigInt(BPS_IN_ONE) * fee.amount, amountBefore))
          : null,
    }),
    number("cap_bps", {
      unit: "basis points of amount_before",
      source: "max_volume_factor; null for a policy without a cap",
      cell: ({ fee }) => {
        const cap = maxVolumeFactorOf(fee);
        return cap === null ? null : cap * BPS_IN_ONE;
      },
    }),
    flag("is_capped", {
      source: "recomputeFees: whether the cap reduced the fee",
      cell: ({ audit }) => isCompared(audit) ? audit.isCapped : null,
    }),
    text("recomputed_amount", {
      unit: "fee token atoms",
      source: "recomputeFees: what follows from the policy",
      cell: ({ audit }) => isCompared(audit) ? decimalText(audit.recomputedAtoms) : null,
    }),
    text("difference", {
      unit: "fee token atoms",
      source: "fee_amount - recomputed_amount: positive if more was charged",
      cell: ({ audit }) => isCompared(audit) ? decimalText(audit.differenceAtoms) : null,
    }),
    text("verdict", {
      source: "auditFees: exact, differs or not_computable",
      cell: ({ audit }) => audit.verdict,
    }),
    text("reason", {
      source: "auditFees: why a fee is not computable; null if it is",
      cell: ({ audit }) => isCompared(audit) ? null : audit.reason,
    }),
    FILL_GAPS,
  ],
};

/**
 * One row per charged policy of a fill, with its rate, its cap and the audit of its amount.
 *
 * A fee is a share of the amount *before* it: with `T` this fee and all later ones, `b + T` of a
 * sell order and `s - T` of a buy order. So `fee_bps` of a volume fee is its factor, and no fee
 * exceeds its `cap_bps` by more than one atom of rounding. A fill without fees has no row.
 *
 * @param records Orders with their fills; see {@linkcode OrderRecords}.
 * @param options Competitions for native prices.
 * @returns A frame with the columns of {@linkcode PROTOCOL_FEES}; orders as given, fills by block,
 * fees in the order applied.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No fills, no fees
 * ```ts
 * import { protocolFeesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const frame = protocolFeesTable([]);
 * assertEquals([frame.height, frame.columns.includes("is_capped")], [0, true]);
 * ```
 */
export function protocolFeesTable(
  records: Iterable<OrderRecords>,
  options: FillOptions = {},
): Frame {
  return fillsFrame(PROTOCOL_FEES, { table: "protocolFeesTable", records, options }, feesOf);
}
