import { InputError } from "../../errors/input_error.ts";
import { checkOptions, oneOf, type OptionRules } from "../../errors/option_rules.ts";
import {
  columnOf,
  measuredFills,
  SLIPPAGE_OPTIONS,
  type SlippageChartOptions,
} from "./measured_fills.ts";
import { median } from "../numbers/statistics.ts";
import { type Rows, rowsOf } from "../rows/row_kind.ts";
import { isNumber } from "../rows/row_selection.ts";
import { SLIPPAGE_ROWS, type SlippageRow } from "./slippage_row.ts";

/** By what {@linkcode slippageSlices} sorts fills: their size, or the age of their quote. */
export type SliceColumn = "volume_native" | "quote_age_seconds";

/** Options of {@linkcode slippageSlices}. */
export interface SlippageSlicesOptions extends Pick<SlippageChartOptions, "baseline"> {
  /** Column that fills are sorted and divided by. */
  by: SliceColumn;
}

/** Fills of about the same size, or of quotes of about the same age. */
export interface SlippageSlice {
  /** The smallest value of the column among them. */
  from: number;
  /** The largest. */
  to: number;
  /**
   * Median slippage against the baseline, in basis points of it: positive where fills were better.
   */
  median_bps: number;
  /** The fills, from the smallest value of the column to the largest. */
  rows: readonly SlippageRow[];
}

const ACTION = "Cannot divide fills";

const OPTIONS: OptionRules<SlippageSlicesOptions> = {
  by: oneOf("volume_native", "quote_age_seconds"),
  baseline: SLIPPAGE_OPTIONS.baseline,
};

const MOST_SLICES = 8;
const SLICE_SIZE = 15;

/**
 * Divides fills into up to eight groups of equally many, from the smallest to the largest or from
 * the youngest quotes to the oldest, of at least 15 fills each: those whose medians
 * {@linkcode slippageBySize} and {@linkcode slippageByQuoteAge} draw and name in their titles.
 *
 * @param given Rows or a frame. One row per fill; those without a value above zero in the column,
 * and those without a known slippage, are in no group.
 * @returns The groups in ascending order; none for fewer than 30 fills.
 * @throws {InputError} If a baseline, column or option is unknown, or the rows are of another kind.
 *
 * @example The median of small fills and of large ones
 * ```ts
 * import { slippageSlices, type SlippageRow } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const rows: SlippageRow[] = Array.from({ length: 30 }, (_, place) => ({
 *   order_uid: `0x${place}`,
 *   kind: "sell",
 *   volume_native: place + 1,
 *   slippage_net_bps: place < 15 ? -9 : 2,
 * }));
 * const slices = slippageSlices(rows, { by: "volume_native" });
 *
 * assertEquals(slices.map(({ to, median_bps }) => [to, median_bps]), [[15, -9], [30, 2]]);
 * ```
 */
export function slippageSlices(
  given: Rows<SlippageRow>,
  options: SlippageSlicesOptions,
): SlippageSlice[] {
  checkOptions(options, OPTIONS, ACTION);
  const { by, baseline } = options;
  if (by === undefined) {
    throw new InputError(`${ACTION} without by`, {
      remedy: "Pass by: volume_native or quote_age_seconds",
    });
  }
  const rows = rowsOf(given, SLIPPAGE_ROWS, { action: ACTION, asked: [columnOf(baseline), by] });
  const { fills } = measuredFills(rows, baseline === undefined ? {} : { baseline });
  const sorted = fills.flatMap(({ row, bps }) => {
    const x = row[by];
    return isNumber(x) && x > 0 ? [{ row, bps, x }] : [];
  }).toSorted((a, b) => a.x - b.x);
  const slices = Math.min(MOST_SLICES, Math.floor(sorted.length / SLICE_SIZE));
  if (slices < 2) return [];
  return Array.from({ length: slices }, (_, index) => {
    const start = Math.round(index * sorted.length / slices);
    const members = sorted.slice(start, Math.round((index + 1) * sorted.length / slices));
    return {
      from: members[0]!.x,
      to: members.at(-1)!.x,
      median_bps: median(members.map(({ bps }) => bps))!,
      rows: members.map(({ row }) => row),
    };
  });
}
