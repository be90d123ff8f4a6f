import type { ChartOptions, GroupOptions } from "../figure/chart_options.ts";
import type { RowKind } from "../rows/row_kind.ts";

/** What one policy took from one fill, as a rate: columns of `feesTable`. */
export interface FeeRateRow {
  /** UID of the order. */
  order_uid: string;
  /** `sell` or `buy`. */
  kind?: string | null;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Kind of the policy: `surplus`, `volume` or `priceImprovement`; `null` if none is named. */
  policy_kind: string | null;
  /** Whether the fee goes to a partner of the app data; `null` if unknown. */
  is_partner?: boolean | null;
  /** `in_market` or `out_of_market`: the order's limit against its quote; `null` if unknown. */
  market_position: string | null;
  /** The fee, in basis points of the surplus-token amount before this policy's fee. */
  fee_bps: number | null;
  /** The most the policy may take, in the same basis points; `null` for a policy without a cap. */
  cap_bps?: number | null;
  /** Whether the cap made the fee smaller. */
  is_capped?: boolean | null;
}

/** The table these rows come from, and its columns. */
export const FEE_RATE_ROWS: RowKind<FeeRateRow> = {
  table: "feesTable",
  columns: {
    order_uid: "text",
    kind: "text?",
    pair: "text?",
    policy_kind: "text",
    is_partner: "flag?",
    market_position: "text",
    fee_bps: "number",
    cap_bps: "number?",
    is_capped: "flag?",
  },
};

/** Options of {@linkcode feeRateByPolicy}. */
export interface FeeRateByPolicyOptions
  extends ChartOptions, GroupOptions<"market_position" | "kind" | "pair"> {
  /** Column by whose values the rows are split into panels. @default {"market_position"} */
  by?: "market_position" | "kind" | "pair";
}
