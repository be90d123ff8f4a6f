import type { Chart } from "../figure/chart.ts";
import {
  type ChartOptions,
  NATIVE_OPTIONS,
  NATIVE_TOKENS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { wholeFrom } from "../../errors/option_rules.ts";
import { type ChartInput, picture } from "../figure/picture.ts";
import { MOST_SERIES, restNote, seriesLegend, seriesOf } from "../general/series.ts";
import { sum } from "../numbers/statistics.ts";
import type { Rows } from "../rows/row_kind.ts";
import { count, rowsWithTexts, wholeText } from "../rows/row_selection.ts";
import { signedText } from "../texts/signed_text.ts";
import { solverNames } from "../texts/solver_names.ts";
import { isValued, settledValues, withTotals } from "./running_totals.ts";
import { SOLVER_IMBALANCES_ROWS, type SolverImbalancesRow } from "./solver_imbalances_row.ts";
import { totalsPanel } from "./totals_panel.ts";

/** Options of {@linkcode solverImbalances}. */
export interface SolverImbalancesOptions extends ChartOptions, NativeOptions {
  /** Most solvers with a line of their own, from 1 to 6; the others share one. @default {6} */
  limit?: number;
}

const INPUT: ChartInput<SolverImbalancesRow, SolverImbalancesOptions> = {
  chart: "solverImbalances",
  rows: SOLVER_IMBALANCES_ROWS,
  options: { ...NATIVE_OPTIONS, limit: wholeFrom(1, MOST_SERIES) },
};

const WHAT = "What settlements left in the settlement contract";

/** Why values are not known, in words. */
const REASONS: Readonly<Record<string, string>> = {
  logs_incomplete: "logs are missing",
  no_auction: "the auction was not read",
  no_native_price: "no native price",
};
const OTHER_REASON = "the flows are not known";

const draw = picture(INPUT, {
  defaults: { limit: MOST_SERIES, nativeSymbol: NATIVE_TOKENS },
  select: (given, { limit }) => {
    const rows = rowsWithTexts(given, ["solver"]);
    const names = solverNames(rows);
    const settled = settledValues(rows);
    const series = seriesOf(settled, {
      keyOf: ({ solver }) => names.text(solver),
      sizeOf: (points) => points.length,
      limit,
      noun: "solver",
    }).map(withTotals);
    return {
      names,
      series,
      settled,
      unknown: rows.filter((row) => !isValued(row)),
      drawn: settled.flatMap((one) => one.rows.filter(isValued)),
    };
  },
  empty: {
    title: WHAT,
    noRows: "No settlement in this range",
    noValues: "No settlement in this range has an imbalance of a known value",
  },
  panels: ({ series, names, nativeSymbol, ...size }) => [
    totalsPanel(series, { ...size, names, native: nativeSymbol }),
  ],
  legend: ({ series, nativeSymbol }) =>
    series.flatMap((one) =>
      seriesLegend([one], {
        shape: "line",
        labelOf: ({ label }) => `${label}: ${signedText(one.total)} ${nativeSymbol}`,
      })
    ),
  title: ({ settled, unknown, nativeSymbol }) => {
    const total = signedText(sum(settled, ({ value }) => value));
    return `${WHAT}: ${total} ${nativeSymbol}${unknown.length > 0 ? ", where it is known" : ""}`;
  },
  caption: ({ settled, series, unknown, limit }) => [
    `n = ${count(settled.length, "settlement")}`,
    settled.length > 0 && "Below 0, buffers of the contract paid. Values at the auctions' prices",
    unknown.length > 0 && `Not in the sums: ${unknownText(unknown)}`,
    restNote(series, { limit, noun: "solver", most: "settlements" }),
  ],
});

/** How many imbalances have no value, by why. */
function unknownText(rows: readonly SolverImbalancesRow[]): string {
  const reasons = Map.groupBy(
    rows,
    ({ value_reason: reason }) =>
      typeof reason === "string" && Object.hasOwn(REASONS, reason)
        ? REASONS[reason]!
        : OTHER_REASON,
  );
  const parts = [...reasons].map(([reason, own]) => `${wholeText(own.length)} (${reason})`);
  return `${parts.join(", ")} of unknown value`;
}

/**
 * Draws what the settlements of each solver left in the settlement contract, added up block by
 * block and valued in native tokens: above zero the contract's buffers grew, below it they paid.
 *
 * A line steps at each settlement. Only known values are added: the caption says how many are not
 * known and why, and the title says so too.
 *
 * @param given Rows or a frame. One row per settlement and token; without rows the figure says so.
 * @returns The figure; its `rows` are those whose values are drawn, in the order of blocks.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example One settlement left 0.5, the next took 0.2
 * ```ts
 * import { solverImbalances } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const chart = solverImbalances([
 *   { tx_hash: "0x01", block_number: 100, solver: "A", net_value_native: 0.5 },
 *   { tx_hash: "0x02", block_number: 103, solver: "B", net_value_native: -0.2 },
 * ], { nativeSymbol: "ETH" });
 *
 * assertEquals(chart.title, "What settlements left in the settlement contract: +0.3 ETH");
 * ```
 */
export function solverImbalances(
  given: Rows<SolverImbalancesRow>,
  options: SolverImbalancesOptions = {},
): Chart<SolverImbalancesRow> {
  return draw(given, options);
}
