import {
  auditFees,
  type ComparedFee,
  exchangedSellAmount,
  partnerNetFee,
  partnerServiceShare,
  type UncomparedFee,
} from "../../metrics/mod.ts";
import type { ExecutedProtocolFee } from "../../schemas/mod.ts";
import type { KnownTime } from "../../metrics/orders/fills.ts";
import { bpsRatio, nativeValue } from "../../units/mod.ts";
import { appCodeColumn, marketPositionColumn, surplusAmount } from "../columns/order_columns.ts";
import {
  amount,
  attachPrice,
  findKnownWeek,
  flag,
  integer,
  native,
  number,
  symbol,
  text,
  value,
  weekOfTimeColumns,
} from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import {
  FILL_COLUMNS,
  FILL_GAPS,
  FILL_PRICE_SIDES,
  FILL_SOLVER_COLUMNS,
  findKnownFills,
  type KnownFill,
} from "../columns/order_records.ts";
import { defineTable, type Table, TO_ORDER } from "../columns/table.ts";
import { computeOnce } from "../columns/records.ts";

const BPS_IN_ONE = 10_000;

/** The inputs of one row. */
export interface FeeFacts extends KnownFill {
  /** Position among the fees of the fill, from 1, in the order applied. */
  readonly position: number;
  /** The fee, with its policy if it has one. */
  readonly fee: ExecutedProtocolFee;
  /** The fee compared with what follows from its policy. */
  readonly audit: ComparedFee | UncomparedFee;
  /** The amount of the surplus token before this fee, in atoms. */
  readonly amountBefore: bigint;
  /** The amount of the surplus token after it, in atoms. */
  readonly amountAfter: bigint;
}

function attachFeePrice({ fee, prices }: FeeFacts) {
  return attachPrice(fee.amount, fee.token, prices);
}

/** Whether a fee is a partner's, and its week is known. */
function isDatedPartnerFee(row: FeeFacts): row is FeeFacts & { readonly filledAt: KnownTime } {
  return row.audit.origin === "partner" && findKnownWeek(row.filledAt) !== null;
}

/** Reads the cap of the policy of a fee; `null` without one. */
function readMaxVolumeFactor({ policy }: ExecutedProtocolFee): number | null {
  return (policy?.surplus ?? policy?.priceImprovement)?.maxVolumeFactor ?? null;
}

/** Returns the audit of a fee that can be recomputed; `null` for others. */
function toComparedFee({ audit }: FeeFacts): ComparedFee | null {
  return audit.verdict === "not_computable" ? null : audit;
}

function recomputedColumns(
  name: string,
  { source, atoms }: { readonly source: string; readonly atoms: (audit: ComparedFee) => bigint },
): Column<FeeFacts>[] {
  return amount<FeeFacts>(name, {
    role: "fee token",
    source,
    atoms: (row) => {
      const audit = toComparedFee(row);
      return audit === null ? null : atoms(audit);
    },
    token: ({ fee }) => fee.token,
  });
}

/** A fee as the service reports it. */
const REPORTED_COLUMNS: readonly Column<FeeFacts>[] = [
  ...FILL_COLUMNS,
  ...FILL_SOLVER_COLUMNS,
  text("owner", {
    source: "order.owner: of an order for native currency, the contract that placed it",
    cell: ({ order }) => order.owner,
  }),
  integer("position", {
    source: "position in trade.executedProtocolFees, from 1: the order in which they were applied",
    cell: ({ position }) => position,
  }),
  marketPositionColumn(({ order }) => order),
  text("policy_kind", {
    source: "kind of fee.policy: surplus, volume or priceImprovement; null without a policy",
    cell: ({ audit }) => audit.kind,
  }),
  flag("is_partner", {
    source: "policyOrigins: whether the app data requests the fee; null if unknown",
    cell: ({ audit }) => audit.origin === "unknown" ? null : audit.origin === "partner",
  }),
  text("recipient", {
    source: "recipient of a partner fee, from the app data, in lower case",
    cell: ({ audit }) => audit.recipient?.toLowerCase() ?? null,
  }),
  number("factor", {
    unit: "0 to 1",
    source: "factor of the policy",
    cell: ({ fee: { policy } }) =>
      (policy?.volume ?? policy?.surplus ?? policy?.priceImprovement)?.factor ?? null,
  }),
  number("max_volume_factor", {
    unit: "0 to 1",
    source: "maxVolumeFactor of the policy: its cap; null for volume fees, which have no cap",
    cell: ({ fee }) => readMaxVolumeFactor(fee),
  }),
  text("fee_token", {
    source: "fee.token: the surplus token",
    cell: ({ fee }) => fee.token,
  }),
  symbol("fee_symbol", { label: "fee_token", token: ({ fee }) => fee.token }),
  ...amount<FeeFacts>("fee", {
    role: "fee token",
    source: "fee.amount",
    atoms: ({ fee }) => fee.amount,
    token: ({ fee }) => fee.token,
  }),
];

/**
 * One row per charged policy of a fill, as the service reports it. A fill without fees has no row;
 * rates, caps and the audit of amounts are in `fees`.
 *
 * @example No fills, no fees
 * ```ts
 * import { buildTable, PROTOCOL_FEES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const frame = buildTable(PROTOCOL_FEES, { records: [] });
 * assertEquals([frame.height, frame.columns.includes("fee_atoms")], [0, true]);
 * ```
 */
export const PROTOCOL_FEES: Table<"records"> = defineTable<FeeFacts, "records">({
  name: "protocol_fees",
  grain: "One fee that one policy, of the protocol or a partner, charged on one fill",
  kind: "record",
  of: ["records"],
  key: ["chain_id", "block_number", "log_index", "position"],
  needs: ["orders", "trades", "reports", "times"],
  references: [TO_ORDER, {
    columns: ["chain_id", "block_number", "log_index", "order_uid"],
    to: "trades",
  }],
  columns: [...REPORTED_COLUMNS, FILL_GAPS],
  rows: (records) => computeOnce(records, findKnownFills).flatMap(listFees),
});

/**
 * One row per charged policy of a fill, with its rate, its cap and the audit of its amount.
 *
 * A fee is a share of the amount *before* it: with `T` this fee and all later ones, `b + T` of a
 * sell order and `s - T` of a buy order. So `fee_bps` of a volume fee is its factor, and no fee
 * exceeds its `cap_bps` by more than one atom of rounding. A fill without fees has no row.
 *
 * @example No fills, no fees
 * ```ts
 * import { buildTable, FEES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const frame = buildTable(FEES, { records: [] });
 * assertEquals([frame.height, frame.columns.includes("is_capped")], [0, true]);
 * ```
 */
export const FEES: Table<"records"> = defineTable<FeeFacts, "records">({
  name: "fees",
  grain: "One fee that one policy, of the protocol or a partner, charged on one fill, audited",
  kind: "derived",
  of: ["records"],
  key: ["chain_id", "block_number", "log_index", "position"],
  needs: ["orders", "trades", "reports", "times"],
  references: [TO_ORDER, {
    columns: ["chain_id", "block_number", "log_index", "order_uid"],
    to: "fills",
  }],
  columns: [
    ...REPORTED_COLUMNS,
    ...value<FeeFacts>("fee_native", {
      source: "fee at the native price of the auction; null if the token has no price",
      amount: attachFeePrice,
    }),
    FILL_PRICE_SIDES,
    appCodeColumn<FeeFacts>(({ order }) => order),
    ...weekOfTimeColumns<FeeFacts>("the fill", ({ filledAt }) => filledAt),
    number("service_share", {
      unit: "0 to 1",
      source: "partnerServiceShare: the default share of a partner fee that the service keeps; " +
        "null for a fee of the protocol, and where the share is not known",
      cell: (row) => isDatedPartnerFee(row) ? partnerServiceShare(row.filledAt.at) : null,
    }),
    ...native<FeeFacts>("partner_net", {
      source: "partnerNetFee of fee_native_atoms: what is left to the partner, rounded down",
      atoms: (row) => {
        const priced = attachFeePrice(row);
        return priced === null || !isDatedPartnerFee(row)
          ? null
          : partnerNetFee(nativeValue(priced.atoms, priced.price), row.filledAt.at);
      },
    }),
    ...surplusAmount<FeeFacts>("amount_before", {
      source: "bought (sell order) or sold (buy order) before this fee, after earlier fees",
      atoms: ({ amountBefore }) => amountBefore,
    }),
    ...surplusAmount<FeeFacts>("amount_after", {
      source: "the same after this fee; for the last fee, the amount of the trade",
      atoms: ({ amountAfter }) => amountAfter,
    }),
    number("fee_bps", {
      unit: "basis points of amount_before",
      source: "fee / amount_before",
      cell: ({ fee, amountBefore }) =>
        amountBefore > 0n ? bpsRatio(fee.amount, amountBefore) : null,
    }),
    number("cap_bps", {
      unit: "basis points of amount_before",
      source: "max_volume_factor; null for a policy without a cap",
      cell: ({ fee }) => {
        const cap = readMaxVolumeFactor(fee);
        return cap === null ? null : cap * BPS_IN_ONE;
      },
    }),
    flag("is_capped", {
      source: "recomputeFees: whether the cap reduced the fee",
      cell: (row) => toComparedFee(row)?.isCapped ?? null,
    }),
    ...recomputedColumns("recomputed", {
      source: "recomputeFees: what follows from the policy; null if it cannot be recomputed",
      atoms: ({ recomputedAtoms }) => recomputedAtoms,
    }),
    ...recomputedColumns("uncapped", {
      source: "recomputeFees: the same without the cap",
      atoms: ({ uncappedAtoms }) => uncappedAtoms,
    }),
    ...recomputedColumns("difference", {
      source: "fee - recomputed: positive if more was charged",
      atoms: ({ differenceAtoms }) => differenceAtoms,
    }),
    text("verdict", {
      source: "auditFees: exact, differs or not_computable",
      cell: ({ audit }) => audit.verdict,
    }),
    text("reason", {
      source: "auditFees: why a fee is not computable; null if it is",
      cell: ({ audit }) => audit.verdict === "not_computable" ? audit.reason : null,
    }),
    FILL_GAPS,
  ],
  rows: (records) => computeOnce(records, findKnownFills).flatMap(listFees),
});

/** Lists the fees of a fill, each with the amounts before and after it. */
export function listFees(fill: KnownFill): FeeFacts[] {
  const { order, trade } = fill;
  const fees = trade.executedProtocolFees ?? [];
  const audits = auditFees(trade, order).fees;
  const sign = order.kind === "sell" ? 1n : -1n;
  let amountAfter = order.kind === "sell" ? trade.buyAmount : exchangedSellAmount(trade);
  const rows: FeeFacts[] = [];
  for (let index = fees.length - 1; index >= 0; index--) {
    const fee = fees[index]!;
    const amountBefore = amountAfter + sign * fee.amount;
    rows.push({
      ...fill,
      position: index + 1,
      fee,
      audit: audits[index]!,
      amountBefore: amountBefore,
      amountAfter: amountAfter,
    });
    amountAfter = amountBefore;
  }
  return rows.reverse();
}
