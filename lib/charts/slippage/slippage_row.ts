import { each, type RowKind } from "../rows.ts";

/**
 * One fill of one order and how far it was from its quote: the columns of `fillsTable`, of which
 * more may be there. A chart needs the columns it names; `null`, an absent column and `NaN` all
 * mean "not known", and captions count them.
 */
export interface SlippageRow {
  /** UID of the order. */
  order_uid: string;
  /** `sell` or `buy`. */
  kind: string;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Auction the fill was settled from. */
  auction_id?: number | null;
  /** Address or name of the solver that settled. */
  solver?: string | null;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Block of the settlement. */
  block_number?: number | null;
  /** Index of the trade's event in the block. */
  log_index?: number | null;
  /** Basis points of the gross quote, positive where the fill was better. */
  slippage_gross_bps?: number | null;
  /** Basis points of the quote less its network fee, positive where the fill was better. */
  slippage_net_bps?: number | null;
  /** Basis points of what the trader was shown, positive where the fill was better. */
  slippage_user_shown_bps?: number | null;
  /** Basis points of the limit, positive where the fill was better. */
  slippage_limit_bps?: number | null;
  /**
   * What network cost did to the fill, in basis points of the gross quote: negative where it cost
   * the trader. The four parts add up to `slippage_gross_bps`.
   */
  network_bps?: number | null;
  /** What protocol fees did to the fill, in basis points of the gross quote; a fee is negative. */
  protocol_bps?: number | null;
  /** What partner fees did to the fill, in basis points of the gross quote; a fee is negative. */
  partner_bps?: number | null;
  /** What the market did since the quote, in basis points of it: positive where it gave more. */
  market_bps?: number | null;
  /** `network_bps` as native tokens. */
  network_native?: number | null;
  /** `protocol_bps` as native tokens. */
  protocol_native?: number | null;
  /** `partner_bps` as native tokens. */
  partner_native?: number | null;
  /** `market_bps` as native tokens. */
  market_native?: number | null;
  /** Size of the fill, in native tokens. */
  volume_native?: number | null;
  /** How the time of the fill is known: `block`, `event` or `bracketed`; `null` if it is not. */
  time_basis?: string | null;
  /** Seconds from the quote to the fill; the least if `time_basis` is `bracketed`. */
  quote_age_seconds?: number | null;
  /** What the app data asked for as tolerance, in basis points. */
  tolerance_asked_bps?: number | null;
  /** How much worse than the gross quote the limit is, in basis points of the quote. */
  tolerance_signed_gross_bps?: number | null;
  /** How much worse than the quote less its network fee the limit is, in basis points of it. */
  tolerance_signed_net_bps?: number | null;
  /** How much worse than what the trader was shown the limit is, in basis points of it. */
  tolerance_signed_user_shown_bps?: number | null;
}

/** The table these rows come from, and its columns. */
export const SLIPPAGE_ROWS: RowKind<SlippageRow> = {
  table: "fillsTable",
  columns: {
    ...each("text", "order_uid", "kind"),
    ...each("text?", "pair", "solver", "solver_name", "time_basis"),
    ...each("number?", "auction_id", "block_number", "log_index", "slippage_gross_bps"),
    ...each("number?", "slippage_net_bps", "slippage_user_shown_bps", "slippage_limit_bps"),
    ...each("number?", "network_bps", "protocol_bps", "partner_bps", "market_bps"),
    ...each("number?", "network_native", "protocol_native", "partner_native", "market_native"),
    ...each("number?", "volume_native", "quote_age_seconds", "tolerance_asked_bps"),
    ...each("number?", "tolerance_signed_gross_bps", "tolerance_signed_net_bps"),
    ...each("number?", "tolerance_signed_user_shown_bps"),
  },
};

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
