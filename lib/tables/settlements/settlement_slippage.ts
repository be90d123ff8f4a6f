import {
  isNotComputable,
  type NotComputable,
  type OpenInterval,
  type SettlementAudit,
  type SettlementSlippage,
  settlementSlippage,
} from "../../metrics/mod.ts";
import type { KnownTime } from "../../metrics/orders/fills.ts";
import { findNativePrice } from "../../metrics/prices/price_interval.ts";
import { findKnownWeek, gaps, text, weekOfTimeColumns } from "../columns/columns.ts";
import { lookUp } from "../columns/records.ts";
import { defineTable, type Table } from "../columns/table.ts";
import { boundColumns } from "../rewards/reward_columns.ts";
import { type AuditRow, readAudits, settlementColumns } from "./settlements.ts";

/** The inputs of one row. */
interface SlippageRow extends AuditRow {
  readonly audit: SettlementAudit;
  /** The slippage, or the reason why it is unknown. */
  readonly slippage: SettlementSlippage | NotComputable<string>;
  /** Time of the block; `null` if unknown. */
  readonly settledAt: KnownTime | null;
}

type Bounds = { readonly [Name in "imbalance" | "fees" | "slippage"]: OpenInterval };

function readBounds(name: keyof Bounds) {
  return ({ slippage }: SlippageRow) => isNotComputable(slippage) ? null : slippage[name];
}

/**
 * The slippage of settlements, as the protocol's accounting defines it, at the native prices of their
 * auctions: one row per settlement, sorted by block. An unknown slippage has a row with the reason. The
 * view `solver_slippage` has its sums by solver and accounting week.
 *
 * @example No audits
 * ```ts
 * import { buildTable, SETTLEMENT_SLIPPAGE } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(SETTLEMENT_SLIPPAGE, { audits: [] }).height, 0);
 * ```
 */
export const SETTLEMENT_SLIPPAGE: Table<"audits"> = defineTable<SlippageRow, "audits">({
  name: "settlement_slippage",
  grain: "One audited settlement: what it left in or took from the buffers after its fees",
  kind: "derived",
  of: ["audits"],
  key: ["chain_id", "tx_hash"],
  needs: ["settlements", "orders", "trades", "times"],
  references: [{ columns: ["chain_id", "tx_hash"], to: "settlements" }],
  columns: [
    ...settlementColumns<SlippageRow>(),
    ...weekOfTimeColumns<SlippageRow>("the settlement's block", ({ settledAt }) => settledAt),
    ...boundColumns<SlippageRow>("imbalance_value", {
      source:
        "settlementSlippage: received less paid by the settlement contract, at native prices, " +
        "rounded down",
      interval: readBounds("imbalance"),
    }),
    ...boundColumns<SlippageRow>("fee_value", {
      source: "settlementSlippage: protocol, partner and network fees of its trades, at native " +
        "prices, rounded down",
      interval: readBounds("fees"),
    }),
    ...boundColumns<SlippageRow>("slippage", {
      source:
        "settlementSlippage: imbalance_value - fee_value before both are rounded; negative if " +
        "the buffers paid",
      interval: readBounds("slippage"),
    }),
    text("slippage_reason", {
      source: "why the slippage is unknown: reverted, logs_incomplete, imbalance_unknown, " +
        "calldata_unknown, fee_withdrawal, legacy_fee, fee_unknown, no_auction if the competition was " +
        "not passed, no_native_price of a token; null if bounds are known",
      cell: ({ slippage }) => isNotComputable(slippage) ? slippage.reason : null,
    }),
    text("slippage_detail", {
      source: "the token, order or contract of slippage_reason, in a sentence; null without one",
      cell: ({ slippage }) => isNotComputable(slippage) ? slippage.detail : null,
    }),
    gaps(
      "native_payments if a contract may have paid native atoms in, protocol_fees of a trade, " +
        "jit_owner if it is not known whether a trade paid fees, week if the time of the block is " +
        "unknown, or an interval over two weeks",
      ({ slippage, settledAt }) => [
        ...isNotComputable(slippage) ? [] : slippage.missing,
        findKnownWeek(settledAt) === null && "week",
      ],
    ),
  ],
  rows: (records) => {
    const { audits, times, nativePrices, wrappedNativeToken } = records;
    const competitions = new Map(
      (lookUp(records, "competitions") ?? []).map((auction) => [auction.auctionId, auction]),
    );
    return readAudits(audits).map((audit) => {
      const { auctionId, blockNumber } = audit;
      const competition = auctionId === null ? undefined : competitions.get(auctionId);
      const settledAt = times?.block(blockNumber) ?? null;
      if (competition === undefined) return { audit, slippage: NO_AUCTION, settledAt };
      const slippage = settlementSlippage(audit, {
        findPrice: (token) =>
          findNativePrice(competition.auction, token) ??
            nativePrices?.find(competition.auctionId, token),
        wrappedNativeToken,
      });
      return { audit, slippage, settledAt };
    });
  },
});

const NO_AUCTION = {
  reason: "no_auction",
  detail: "The auction of the settlement is unknown",
} as const;
