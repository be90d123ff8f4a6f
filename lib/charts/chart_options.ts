import { InputError } from "../errors/input_error.ts";

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
  /** Where the data comes from, for the caption. @default {nothing is said} */
  source?: string;
}

/** Options of charts with amounts in the native token. */
export interface NativeOptions {
  /** Symbol of the native token, for axes. @default {"native tokens"} */
  nativeSymbol?: string;
}

/** Options of charts that list something from top to bottom. */
export interface ListOptions<Column extends string> {
  /** Column to sort by, ascending; with `-` before its name, descending. */
  sort?: Column | `-${Column}`;
  /** How many are drawn at most; the caption says how many more there are. */
  limit?: number;
}

/** Options of charts that can be split into small ones. */
export interface FacetOptions<Column extends string> {
  /** Column by whose values the rows are split into panels. @default {one panel} */
  facet?: Column;
}

export const NATIVE_TOKENS = "native tokens";
const DEFAULT_WIDTH = 760;

/** The width of the figure, checked; heights and margins too, where they are given. */
export function checkedWidth(options: ChartOptions): number {
  const { width = DEFAULT_WIDTH, height, marginLeft } = options;
  checkRange("width", width, 240, 4_000);
  if (height !== undefined) checkRange("height", height, 60, 20_000);
  if (marginLeft !== undefined) checkRange("marginLeft", marginLeft, 0, width - 100);
  return width;
}

function checkRange(name: string, value: number, low: number, high: number): void {
  if (value >= low && value <= high) return;
  throw new InputError(`Cannot draw a chart with ${name} ${value}`, {
    remedy: `Pass ${name} in pixels, from ${low} to ${high}, or leave it out`,
  });
}

/** How many rows are drawn at most, checked. */
export function checkedLimit(limit: number | undefined, standard: number): number {
  const checked = limit ?? standard;
  if (Number.isSafeInteger(checked) && checked > 0) return checked;
  throw new InputError(`Cannot draw at most ${limit} rows`, {
    remedy: `Pass a whole number above 0 as limit, or leave it out for ${standard}`,
  });
}
