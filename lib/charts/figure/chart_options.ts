import {
  defineRule,
  numberFrom,
  oneOf,
  type OptionRule,
  type OptionRules,
  orderBy,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import type { Currency } from "./currency.ts";

/** Options that every chart has. */
export interface ChartOptions {
  /** Title of the figure, and its accessible name. @default {what is seen, in one sentence} */
  title?: string;
  /** A second line below the title. @default {none} */
  subtitle?: string;
  /**
   * Colours by the name of a series or state, as the legend has it, such as
   * `{ winner: "#0072b2", "filtered out": "crimson" }`. A page keeps them light and dark.
   * @default {a palette that colour-blind readers can tell apart}
   */
  colors?: Readonly<Record<string, string>>;
  /** Width of the figure, in pixels, from 240 to 4,000. @default {760} */
  width?: number;
  /**
   * Height of the plot area of each panel with its margins, in pixels, from 60 to 20,000.
   * @default {what the rows need}
   */
  height?: number;
  /** Room for the labels left of the axis, in pixels. @default {what the labels need} */
  marginLeft?: number;
  /** Source of the data, for the caption. @default {not stated} */
  source?: string;
  /**
   * Finding, in one to three sentences, below the picture in a notebook; `false` to say
   * nothing. @default {sentences with the numbers that are drawn}
   */
  finding?: string | false;
}

/** Options of charts with amounts in the native token. */
export interface NativeOptions extends ChartOptions {
  /** Symbol of the native token, for axes. @default {"native tokens"} */
  nativeSymbol?: string;
  /**
   * Currency of values: with `usd`, all columns that end in `_native` are multiplied by the `native_usd` of
   * their row, and the caption counts the rows without one. @default {"native"}
   */
  currency?: Currency;
}

/** Options of charts that list something from top to bottom. */
export interface ListChartOptions<Column extends string> extends ChartOptions {
  /** Column to sort by, ascending; with `-` before its name, descending. */
  sort?: Column | `-${Column}`;
  /** Maximum number drawn; the caption counts the rest. */
  limit?: number;
}

/** Options of charts that can group their rows. */
export interface GroupOptions extends ChartOptions {
  /** Column by whose values the rows are grouped, of the table or your own. @default {not grouped} */
  by?: string;
}

/** Options of charts with one row for each name, such as a solver's. */
export interface NamedRowOptions extends ChartOptions {
  /** Column that names each row, of the table or your own. @default {"solver"} */
  by?: string;
}

const DEFAULT_WIDTH = 760;
const MAX_WIDTH = 4_000;

/** Minimum width of a drawing beside its left margin, in pixels. */
const MIN_PLOT = 100;

export const TITLE: OptionRule<string> = defineRule(
  "a text that is not empty",
  (text) => typeof text === "string" && text.trim() !== "",
);

export const CHART_OPTIONS: OptionRules<ChartOptions> = {
  title: TITLE,
  subtitle: TITLE,
  colors: defineRule(
    'an object with names and CSS colours, as { winner: "#0072b2" },',
    (colors) => typeof colors === "object" && colors !== null && !Array.isArray(colors),
  ),
  width: numberFrom(240, MAX_WIDTH, "pixels"),
  height: numberFrom(60, 20_000, "pixels"),
  marginLeft: numberFrom(0, MAX_WIDTH, "pixels"),
  source: String,
  finding: defineRule(
    "a text, or false",
    (finding) => finding === false || typeof finding === "string",
  ),
};

export const NATIVE_OPTIONS: OptionRules<Pick<NativeOptions, "nativeSymbol" | "currency">> = {
  nativeSymbol: String,
  currency: oneOf<Currency>("native", "usd"),
};

export const LIMIT: OptionRule<number> = wholeNumber(1);

export function createListOptions<const Column extends string>(
  ...columns: Column[]
): OptionRules<Pick<ListChartOptions<Column>, "sort" | "limit">> {
  return { sort: orderBy(...columns), limit: LIMIT };
}

/** Sets another width, and drops a margin that leaves no room there. */
export function setWidth<Options extends ChartOptions>(options: Options, width: number): Options {
  const { marginLeft = 0 } = options;
  if (marginLeft <= width - MIN_PLOT) return { ...options, width };
  const { marginLeft: _, ...otherOptions } = options;
  return { ...otherOptions, width } as Options;
}

/** Returns the width of the figure; a margin that leaves no room for the drawing is an error. */
export function resolveWidth({ width = DEFAULT_WIDTH, marginLeft }: ChartOptions): number {
  if (marginLeft === undefined || marginLeft <= width - MIN_PLOT) return width;
  throw new InputError(`Cannot draw a chart of width ${width} with marginLeft ${marginLeft}`, {
    remedy: `Pass marginLeft in pixels, from 0 to ${width - MIN_PLOT}, or leave it out`,
  });
}
