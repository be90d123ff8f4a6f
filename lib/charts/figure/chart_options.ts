import { InputError } from "../../errors/input_error.ts";
import {
  numberFrom,
  type OptionRule,
  type OptionRules,
  orderBy,
  TEXT,
  wholeFrom,
} from "../../errors/option_rules.ts";

/** Options that every chart has. */
export interface ChartOptions {
  /** Width of the figure, in pixels, from 240 to 4,000. @default {760} */
  width?: number;
  /**
   * Height of the plot area of each panel with its margins, in pixels, from 60 to 20,000.
   * @default {what the rows need}
   */
  height?: number;
  /** Room for the labels left of the axis, in pixels. @default {what the labels need} */
  marginLeft?: number;
  /** Where the data comes from, for the caption. @default {not stated} */
  source?: string;
}

/** Options of charts with amounts in the native token. */
export interface NativeOptions {
  /** Symbol of the native token, for axes. @default {"native tokens"} */
  nativeSymbol?: string;
}

/** Options of charts that list something from top to bottom. */
export interface ListChartOptions<Column extends string> {
  /** Column to sort by, ascending; with `-` before its name, descending. */
  sort?: Column | `-${Column}`;
  /** Maximum number drawn; the caption counts the rest. */
  limit?: number;
}

/** Options of charts that can group their rows. */
export interface GroupOptions<Column extends string> {
  /** Column by whose values the rows are grouped. @default {not grouped} */
  by?: Column;
}

export const NATIVE_TOKENS = "native tokens";
const DEFAULT_WIDTH = 760;
const MOST_WIDTH = 4_000;

/** What each of the {@linkcode ChartOptions} may be. */
export const CHART_OPTIONS: OptionRules<ChartOptions> = {
  width: numberFrom(240, MOST_WIDTH, "pixels"),
  height: numberFrom(60, 20_000, "pixels"),
  marginLeft: numberFrom(0, MOST_WIDTH, "pixels"),
  source: TEXT,
};

/** What each of the {@linkcode NativeOptions} may be. */
export const NATIVE_OPTIONS: OptionRules<NativeOptions> = { nativeSymbol: TEXT };

/** What `limit` may be. */
export const LIMIT: OptionRule<number> = wholeFrom(1);

/** What the {@linkcode ListChartOptions} may be of a chart that sorts by some columns. */
export function listOptions<const Column extends string>(
  ...columns: Column[]
): OptionRules<ListChartOptions<Column>> {
  return { sort: orderBy(...columns), limit: LIMIT };
}

/** The width of the figure; a margin that leaves no room for the drawing is an error. */
export function widthOf({ width = DEFAULT_WIDTH, marginLeft }: ChartOptions): number {
  if (marginLeft === undefined || marginLeft <= width - 100) return width;
  throw new InputError(`Cannot draw a chart of width ${width} with marginLeft ${marginLeft}`, {
    remedy: `Pass marginLeft in pixels, from 0 to ${width - 100}, or leave it out`,
  });
}
