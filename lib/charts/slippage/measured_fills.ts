import {
  oneOf,
  type OptionRule,
  type OptionRules,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { computeStatistic } from "../../metrics/intervals.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { type Currency, nameCurrency } from "../figure/currency.ts";
import type { EmptyTexts } from "../figure/picture.ts";
import { declare, isNumber, type RowKind } from "../rows.ts";
import { count } from "../texts/count_text.ts";
import { bpsText, formatNumber } from "../texts/label_text.ts";
import { readSolverNames, shortenHex } from "../texts/short_names.ts";

/**
 * One fill of one order and how far it was from its quote: the columns of `fills`, of which
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
   * Effect of network cost on the fill, in basis points of the gross quote: negative where it cost
   * the trader. The four parts add up to `slippage_gross_bps`.
   */
  network_bps?: number | null;
  /** Effect of protocol fees on the fill, in basis points of the gross quote; a fee is negative. */
  protocol_bps?: number | null;
  /** Effect of partner fees on the fill, in basis points of the gross quote; a fee is negative. */
  partner_bps?: number | null;
  /** Effect of the market since the quote, in basis points of it: positive where it gave more. */
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
  /** Source of the time of the fill: `block`, `event` or `bracketed`; `null` if it is unknown. */
  time_basis?: string | null;
  /** Seconds from the quote to the fill; the least if `time_basis` is `bracketed`. */
  quote_age_seconds?: number | null;
  /** Tolerance requested in the app data, in basis points. */
  tolerance_asked_bps?: number | null;
  /** Distance of the limit below the gross quote, in basis points of the quote. */
  tolerance_signed_gross_bps?: number | null;
  /** Distance of the limit below the quote less its network fee, in basis points of it. */
  tolerance_signed_net_bps?: number | null;
  /** Distance of the limit below the quote shown to the trader, in basis points of it. */
  tolerance_signed_user_shown_bps?: number | null;
}

/** Table and columns of {@linkcode SlippageRow}. */
export const SLIPPAGE_ROWS: RowKind<SlippageRow> = {
  table: "fills",
  columns: {
    ...declare("text", "order_uid", "kind"),
    ...declare("text?", "pair", "solver", "solver_name", "time_basis"),
    ...declare("number?", "auction_id", "block_number", "log_index", "slippage_gross_bps"),
    ...declare("number?", "slippage_net_bps", "slippage_user_shown_bps", "slippage_limit_bps"),
    ...declare("number?", "network_bps", "protocol_bps", "partner_bps", "market_bps"),
    ...declare("number?", "network_native", "protocol_native", "partner_native", "market_native"),
    ...declare("number?", "volume_native", "quote_age_seconds", "tolerance_asked_bps"),
    ...declare("number?", "tolerance_signed_gross_bps", "tolerance_signed_net_bps"),
    ...declare("number?", "tolerance_signed_user_shown_bps"),
  },
};

/**
 * Baseline of a fill:
 *
 * - `"gross"`: the stored quote as it is, before any fee
 * - `"net"`: the stored quote less its network fee
 * - `"userShown"`: the net quote less volume fees, of protocol and partner: what a trader was shown
 * - `"limit"`: the price that was signed
 */
export type SlippageBaseline = "gross" | "net" | "userShown" | "limit";

/** Baselines, from the best price to the worst accepted one. */
export const BASELINES = {
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
} as const;

export type BaselineFacts = typeof BASELINES[SlippageBaseline];

/** Options of charts that compare fills with one baseline. */
export interface SlippageChartOptions extends ChartOptions {
  /** Baseline of the fills. @default {"net"} */
  baseline?: SlippageBaseline;
  /**
   * Number of orders in the same range that were never filled, for the caption. @default {not
   * stated}
   */
  unfilledOrders?: number;
}

export const UNFILLED_ORDERS: OptionRule<number> = wholeNumber(0);

export const SLIPPAGE_OPTIONS: OptionRules<Omit<SlippageChartOptions, keyof ChartOptions>> = {
  baseline: oneOf("gross", "net", "userShown", "limit"),
  unfilledOrders: UNFILLED_ORDERS,
};

/** Picks the column with the slippage against a baseline. */
export function pickColumn(baseline: SlippageBaseline = "net"): BaselineFacts["column"] {
  return BASELINES[baseline].column;
}

export interface MeasuredFill {
  row: SlippageRow;
  /** Improvement over the baseline, in basis points of it. */
  bps: number;
}

/** Selects the fills with a known slippage against the baseline. */
export function measureFills(rows: readonly SlippageRow[], options: SlippageChartOptions) {
  const against: BaselineFacts = BASELINES[options.baseline ?? "net"];
  const fills = rows.flatMap((row): MeasuredFill[] => {
    const bps = row[against.column];
    return isNumber(bps) ? [{ row, bps }] : [];
  });
  const unknownCount = rows.length - fills.length;
  return {
    against,
    fills,
    drawnRows: fills.map(({ row }) => row),
    notes: [
      unknownCount === 0
        ? null
        : `${count(unknownCount, "fill")} without a known ${against.name} left out`,
      describeUnfilled(options.unfilledOrders),
      against.meaning,
    ],
  };
}

export function formatSlippageLabel({ name, better }: BaselineFacts): string {
  return `Slippage against the ${name} (bps), ${better}`;
}

export function describeUnfilled(unfilledOrders: number | undefined): string | null {
  return unfilledOrders === undefined
    ? null
    : `${count(unfilledOrders, "order")} never filled, so they have no slippage`;
}

export function explainEmpty(against: BaselineFacts): Omit<EmptyTexts, "title"> {
  return {
    noRows: "No fills in this range",
    noValues: `No fill in this range has a known slippage against the ${against.name}`,
  };
}

export function formatFillTooltip(
  { row, bps }: MeasuredFill,
  against: BaselineFacts,
  currency?: Currency,
): string {
  return [
    `${row.kind} ${row.pair ?? ""}`.trim(),
    `order ${shortenHex(row.order_uid)}`,
    `${bpsText(bps)} against the ${against.name}`,
    isNumber(row.volume_native)
      ? `size ${formatNumber(row.volume_native)} ${nameCurrency(currency)}`
      : null,
    isNumber(row.quote_age_seconds) ? `quote ${formatNumber(row.quote_age_seconds)} s old` : null,
    row.solver ? `settled by ${readSolverNames([row]).formatWithHex(row.solver)}` : null,
  ].filter((line) => line !== null).join("\n");
}

/** Computes the median slippage of fills, weighted by size; `null` if no size is known. */
export function weighBps(fills: readonly MeasuredFill[]): number | null {
  const weights = fills.map(({ row }) => isNumber(row.volume_native) ? row.volume_native : 0);
  return computeStatistic({ values: fills.map(({ bps }) => bps), weights }, "median");
}
