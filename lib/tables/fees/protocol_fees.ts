import { surplusToken } from "../../metrics/mod.ts";
import { amount, decimalText, number, text } from "../columns/columns.ts";
import { factor } from "../columns/factor_columns.ts";
import { fillsFrame } from "../columns/fills_frame.ts";
import type { Frame, Table } from "../columns/frame.ts";
import { nativeWorth } from "../columns/native_worth.ts";
import type { FillOptions, OrderRecords } from "../columns/order_records.ts";
import {
  comparedIn,
  factorOf,
  FEE_TOKEN_COLUMNS,
  type FeeFacts,
  feesOf,
  maxVolumeFactorOf,
  POLICY_COLUMNS,
  SHARE_COLUMNS,
  VERDICT_COLUMNS,
} from "./fees.ts";

/** One row per charged policy of a fill; see {@linkcode protocolFeesTable}. */
export const PROTOCOL_FEES: Table<FeeFacts> = {
  name: "protocol_fees",
  grain: "One fee that one policy, of the protocol or a partner, charged on one fill",
  columns: [
    ...POLICY_COLUMNS,
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
    ...FEE_TOKEN_COLUMNS,
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
    ...SHARE_COLUMNS,
    text("recomputed_amount", {
      unit: "fee token atoms",
      source: "recomputeFees: what follows from the policy",
      cell: (row) => decimalText(comparedIn(row)?.recomputedAtoms),
    }),
    text("difference", {
      unit: "fee token atoms",
      source: "fee_amount - recomputed_amount: positive if more was charged",
      cell: (row) => decimalText(comparedIn(row)?.differenceAtoms),
    }),
    ...VERDICT_COLUMNS,
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
