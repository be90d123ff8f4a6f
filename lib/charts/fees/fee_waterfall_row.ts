import type { RowKind } from "../rows/row_kind.ts";

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
    order_uid: "text",
    block_number: "number?",
    log_index: "number?",
    kind: "text",
    step: "number",
    part: "text",
    policy_kind: "text?",
    amount_tokens: "number",
    amount_low_tokens: "number?",
    amount_high_tokens: "number?",
    token: "text",
    is_capped: "flag?",
  },
};
