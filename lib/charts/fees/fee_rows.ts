import type { ChartOptions, GroupOptions } from "../figure/chart_options.ts";
import { each, type RowKind } from "../rows.ts";

/**
 * One step between what a fill was worth at clearing prices and what its owner got or paid: columns
 * of `feeStepsTable`.
 */
export interface FeeWaterfallRow {
  /** UID of the order; all rows are of one fill of it. */
  order_uid: string;
  /** Block of the settlement, to tell fills of an order apart. */
  block_number?: number | null;
  /** Index of the trade's event in the block, to tell fills of an order apart. */
  log_index?: number | null;
  /** `sell` or `buy`. */
  kind: string;
  /** Place of the step, in the order applied. */
  step: number;
  /**
   * What the step is: the amount at `clearing` prices, the `network` fee, a fee that goes to the
   * `protocol` or to a `partner` (`unknown` which), or what was `executed`.
   */
  part: string;
  /** Kind of the policy: `surplus`, `volume` or `priceImprovement`; `null` for other steps. */
  policy_kind?: string | null;
  /**
   * Amount of the surplus token, in tokens: of the whole fill for `clearing` and `executed`, of the
   * fee for fees, where positive is paid by the owner; `null` where only a range is known.
   */
  amount_tokens: number | null;
  /** The least the amount can be; where it is known, as `amount_tokens`. */
  amount_low_tokens?: number | null;
  /** The most the amount can be. */
  amount_high_tokens?: number | null;
  /** Symbol of the surplus token: the one bought by a sell order, the one sold by a buy order. */
  token: string;
  /** Whether the policy's cap made the fee smaller. */
  is_capped?: boolean | null;
}

/** The table these rows come from, and its columns. */
export const FEE_WATERFALL_ROWS: RowKind<FeeWaterfallRow> = {
  table: "feeStepsTable",
  columns: {
    ...each("text", "order_uid", "kind", "part", "token"),
    ...each("number?", "block_number", "log_index", "amount_low_tokens", "amount_high_tokens"),
    ...each("number", "step", "amount_tokens"),
    ...each("text?", "policy_kind"),
    ...each("flag?", "is_capped"),
  },
};

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
    ...each("text", "order_uid", "policy_kind", "market_position"),
    ...each("text?", "kind", "pair"),
    ...each("flag?", "is_partner", "is_capped"),
    ...each("number", "fee_bps"),
    ...each("number?", "cap_bps"),
  },
};

/** Options of {@linkcode feeRateByPolicy}. */
export interface FeeRateByPolicyOptions
  extends ChartOptions, GroupOptions<"market_position" | "kind" | "pair"> {
  /** Column by whose values the rows are split into panels. @default {"market_position"} */
  by?: "market_position" | "kind" | "pair";
}
