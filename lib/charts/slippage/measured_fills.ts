import { oneOf, type OptionRule, type OptionRules, wholeFrom } from "../../errors/option_rules.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import type { EmptyTexts } from "../figure/picture.ts";
import { count, isNumber } from "../rows.ts";
import { bpsText } from "../texts/alike_texts.ts";
import { shortHex, solverNames } from "../texts/short_names.ts";
import { axisText } from "../texts/label_text.ts";
import {
  type BaselineFacts,
  BASELINES,
  type SlippageBaseline,
  type SlippageRow,
} from "./slippage_row.ts";

/** Options of charts that compare fills with one baseline. */
export interface SlippageChartOptions extends ChartOptions {
  /** What fills are compared with. @default {"net"} */
  baseline?: SlippageBaseline;
  /**
   * Number of orders in the same range that were never filled, for the caption. @default {not
   * stated}
   */
  unfilledOrders?: number;
}

/** What `unfilledOrders` may be. */
export const UNFILLED_ORDERS: OptionRule<number> = wholeFrom(0);

/** What each of the {@linkcode SlippageChartOptions} may be. */
export const SLIPPAGE_OPTIONS: OptionRules<Omit<SlippageChartOptions, keyof ChartOptions>> = {
  baseline: oneOf("gross", "net", "userShown", "limit"),
  unfilledOrders: UNFILLED_ORDERS,
};

/** Column with the slippage against a baseline. */
export function columnOf(baseline: SlippageBaseline = "net"): BaselineFacts["column"] {
  return BASELINES[baseline].column;
}

/** A fill whose slippage is known. */
export interface MeasuredFill {
  /** The fill. */
  row: SlippageRow;
  /** How much better than the baseline it was, in basis points of it. */
  bps: number;
}

/** Fills whose slippage against one baseline is known, and what the caption says of the others. */
interface MeasuredFills {
  /** The baseline. */
  against: BaselineFacts;
  /** Fills with a known slippage, in the order of their rows. */
  fills: readonly MeasuredFill[];
  /** Their rows. */
  drawn: readonly SlippageRow[];
  /** What the baseline means, and what is not in the picture. */
  notes: readonly (string | null)[];
}

/** Selects the fills whose slippage against the baseline of some options is known. */
export function measuredFills(
  rows: readonly SlippageRow[],
  options: SlippageChartOptions,
): MeasuredFills {
  const against = BASELINES[options.baseline ?? "net"];
  const fills: MeasuredFill[] = [];
  for (const row of rows) {
    const bps = row[against.column];
    if (isNumber(bps)) fills.push({ row, bps });
  }
  const unknown = rows.length - fills.length;
  return {
    against,
    fills,
    drawn: fills.map(({ row }) => row),
    notes: [
      unknown === 0 ? null : `${count(unknown, "fill")} without a known ${against.name} left out`,
      unfilledNote(options.unfilledOrders),
      against.meaning,
    ],
  };
}

/** What a caption says of orders that were never filled. */
export function unfilledNote(unfilledOrders: number | undefined): string | null {
  return unfilledOrders === undefined
    ? null
    : `${count(unfilledOrders, "order")} never filled, so they have no slippage`;
}

/** Why a picture of slippage is empty. */
export function nothingMeasured(against: BaselineFacts): Omit<EmptyTexts, "title"> {
  return {
    noRows: "No fills in this range",
    noValues: `No fill in this range has a known slippage against the ${against.name}`,
  };
}

/** The tooltip of one fill. */
export function fillTooltip({ row, bps }: MeasuredFill, against: BaselineFacts): string {
  return [
    `${row.kind} ${row.pair ?? ""}`.trim(),
    `order ${shortHex(row.order_uid)}`,
    `${bpsText(bps)} against the ${against.name}`,
    isNumber(row.volume_native) ? `size ${axisText(row.volume_native)} native tokens` : null,
    isNumber(row.quote_age_seconds) ? `quote ${axisText(row.quote_age_seconds)} s old` : null,
    row.solver ? `settled by ${solverNames([row]).withHex(row.solver)}` : null,
  ].filter((line) => line !== null).join("\n");
}

/** The median of some fills, weighted by their size; `null` where no size is known. */
export function weightedBps(fills: readonly MeasuredFill[]): number | null {
  return weightedMedian(fills.map(({ row, bps }) => ({
    value: bps,
    weight: isNumber(row.volume_native) ? row.volume_native : 0,
  })));
}

/** A value with a weight. */
interface Weighted {
  /** The value. */
  value: number;
  /** Its weight; values with a weight at or below zero do not count. */
  weight: number;
}

/**
 * The value at which the cumulative weight reaches half of the total, from the smallest value up; the
 * mean of two values where it is exactly half at the lower one.
 *
 * @returns `null` when nothing has a weight above zero.
 */
export function weightedMedian(values: readonly Weighted[]): number | null {
  const sorted = values.filter(({ weight }) => weight > 0).toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let reached = 0;
  for (const [index, { value, weight }] of sorted.entries()) {
    reached += weight;
    if (reached < half) continue;
    const next = sorted[index + 1];
    return reached === half && next !== undefined ? (value + next.value) / 2 : value;
  }
  return null;
}
