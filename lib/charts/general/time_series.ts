import {
  checkOptions,
  FLAG,
  needed,
  oneOf,
  type OptionRules,
  TEXT,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS } from "../figure/chart_options.ts";
import { drawPicture } from "../figure/picture.ts";
import { columnNames, type Rows } from "../rows/row_kind.ts";
import { bracketsOf } from "./brackets.ts";
import { EVERY } from "./every.ts";
import { openRows } from "./open_rows.ts";
import { MOST_SERIES } from "./series.ts";
import { timePicture } from "./time_picture.ts";
import { timePlan, type TimeSeriesOptions } from "./time_plan.ts";

const ACTION = "Cannot draw timeSeries";

const OPTIONS: OptionRules<TimeSeriesOptions> = {
  ...CHART_OPTIONS,
  x: needed(TEXT),
  y: TEXT,
  series: TEXT,
  stat: oneOf("none", "sum", "median", "mean", "count"),
  every: EVERY,
  share: FLAG,
  unit: TEXT,
  limit: wholeFrom(1, MOST_SERIES),
};

/**
 * Draws a column of any table over time, or by block or auction: every row as a dot, or the sum,
 * median, mean or number of the rows in bins of equal width, one line for each series; or the share
 * of each series in the bins.
 *
 * Times are drawn in UTC. Rows whose time is known only as an interval (`time_basis` is `bracketed`)
 * stand at its start, and the caption counts them. Sums and counts are 0 in bins without rows; medians
 * and means are missing there. The axis of values is linear; logarithmic where they differ a
 * thousandfold.
 *
 * @param given Rows of any kind, or a frame. Rows without a time or number are left out, and the
 * caption says how many; without rows the figure says so.
 * @returns The figure; its `rows` are the rows drawn.
 * @throws {InputError} If an option is unknown, out of range or contradicts another, or the rows have
 * no such column, or no numbers or times in it.
 *
 * @example The fees of each minute
 * ```ts
 * import { timeSeries } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const fees = [
 *   { filled_at: "2026-11-21T15:00:12Z", fee_native: 0.5, kind: "sell" },
 *   { filled_at: "2026-11-21T15:00:48Z", fee_native: 0.25, kind: "buy" },
 *   { filled_at: "2026-11-21T15:02:00Z", fee_native: 1, kind: "sell" },
 * ];
 * const chart = timeSeries(fees, { x: "filled_at", y: "fee_native", stat: "sum", every: "minute", unit: "ETH" });
 *
 * assertEquals(chart.title, "Fee per minute: 1.75 ETH in total");
 * ```
 * @example Who filled what share of the volume
 * ```ts
 * import { timeSeries } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const fills = [
 *   { auction_id: 101, solver: "A", volume_native: 3 },
 *   { auction_id: 108, solver: "B", volume_native: 1 },
 * ];
 * const chart = timeSeries(fills, {
 *   x: "auction_id",
 *   y: "volume_native",
 *   series: "solver",
 *   share: true,
 *   every: "10 auctions",
 * });
 *
 * assertEquals(chart.title, "Share of volume per 10 auctions: A has the most, 75%");
 * ```
 */
export function timeSeries<Row extends object>(
  given: Rows<Row>,
  options: TimeSeriesOptions,
): Chart<Row> {
  checkOptions(options, OPTIONS, ACTION);
  const { x, y, series } = options;
  const plan = timePlan(options, ACTION);
  const brackets = bracketsOf(x, columnNames(given as Rows<object>));
  const rows = openRows(given, {
    needed: {
      ...(series === undefined ? {} : { [series]: "text" }),
      [x]: "text",
      ...(y === undefined ? {} : { [y]: "number" }),
    },
    read: brackets.columns,
  }, ACTION);
  const picture = timePicture<Row>({ plan, brackets, action: ACTION });
  return drawPicture("timeSeries", rows, options, picture);
}
