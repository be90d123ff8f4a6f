/**
 * What a fill is compared with:
 *
 * - `"gross"`: the stored quote as it is, before any fee
 * - `"net"`: the stored quote less its network fee
 * - `"userShown"`: the net quote less volume fees, of protocol and partner: what a trader was shown
 * - `"limit"`: the price that was signed
 */
export type SlippageBaseline = "gross" | "net" | "userShown" | "limit";

/** How a baseline is named in figures, and where its columns are. */
export interface BaselineFacts {
  /** Name, as it stands behind "the". */
  readonly name: string;
  /** Which way the axis points. */
  readonly better: string;
  /** What it means, in one sentence. */
  readonly meaning: string;
  /** Column with the slippage against it. */
  readonly column:
    | "slippage_gross_bps"
    | "slippage_net_bps"
    | "slippage_user_shown_bps"
    | "slippage_limit_bps";
}

/** The baselines, from the best price to the worst that was accepted. */
export const BASELINES: Readonly<Record<SlippageBaseline, BaselineFacts>> = {
  gross: {
    name: "gross quote",
    better: "better than quoted →",
    meaning: "Gross quote: the stored quote before any fee",
    column: "slippage_gross_bps",
  },
  net: {
    name: "net quote",
    better: "better than quoted →",
    meaning: "Net quote: the stored quote less its network fee",
    column: "slippage_net_bps",
  },
  userShown: {
    name: "quote as shown",
    better: "better than quoted →",
    meaning: "Quote as shown: the stored quote less network and volume fees, as the trader saw it",
    column: "slippage_user_shown_bps",
  },
  limit: {
    name: "limit",
    better: "better than the limit →",
    meaning: "Limit: the price that was signed",
    column: "slippage_limit_bps",
  },
};
