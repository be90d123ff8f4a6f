import { percentAxis } from "../axes/axis_scale.ts";
import { NATIVE_OPTIONS, type NativeOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { rankedList, stackedBars } from "../marks/bars.ts";
import { each, isCount, type Known, rowsWithNumbers, rowsWithTexts, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, partText } from "../texts/count_text.ts";
import { amountText, exactText, percentText } from "../texts/label_text.ts";
import { formatDoubtful } from "../texts/price_text.ts";
import { solverNames } from "../texts/short_names.ts";

/** Surplus and gas of the fills of one solver: columns of `gas_surplus`. */
export interface GasSurplusRow {
  /** Address or name of the solver. */
  solver: string | null;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Fills whose surplus and gas are known. */
  fills: number;
  /** Fills that lack one of them. */
  unknown_count: number;
  /** Their surplus, in native tokens. */
  surplus_native: number | null;
  /** Gas paid for them, in native tokens. */
  gas_cost_native: number | null;
  /** Surplus less gas, in native tokens. */
  after_gas_native: number | null;
  /** Fills whose surplus is less than their gas. */
  below_gas_count: number;
  /** Those of these fills whose native prices are absurd. */
  absurd_count?: number | null;
  /** Those of these fills whose native prices are suspect. */
  suspect_count?: number | null;
  /** Surplus of the other fills, in native tokens. */
  sound_surplus_native?: number | null;
}

const GAS: LegendEntry = { label: "gas", fill: COLORS.orange };

/**
 * Draws how much of the surplus of each solver's fills the gas that they took outweighs, in percent, and
 * beside it what is left in native tokens, most first.
 *
 * Surplus is what traders got beyond their limits, after the network fee that they paid for gas: what
 * is left after gas is a lower bound of what the trades were worth.
 *
 * @param rows Rows or a frame. One row per solver; without rows the figure says so. Fills without a
 * known surplus or gas are left out, and the caption says how many.
 * @returns The figure; its `rows` are the solvers drawn, in order.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A tenth of the surplus went into gas
 * ```ts
 * import { gasSurplus } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const amounts = { surplus_native: 2, gas_cost_native: 0.2, after_gas_native: 1.8 };
 * const chart = gasSurplus([
 *   { solver: "A", fills: 3, unknown_count: 0, below_gas_count: 1, ...amounts },
 * ], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.title, /3 fills took 0.2 ETH of gas, 10% of the surplus/);
 * ```
 */
export const gasSurplus: Draw<GasSurplusRow, NativeOptions> = picture({
  chart: "gasSurplus",
  table: "gas_surplus",
  columns: {
    ...each("text", "solver"),
    ...each("text?", "solver_name"),
    ...each("number", "fills", "unknown_count", "below_gas_count"),
    ...each("number", "surplus_native", "gas_cost_native", "after_gas_native"),
    ...each("number?", "absurd_count", "suspect_count", "sound_surplus_native"),
  },
  options: NATIVE_OPTIONS,
  select: (rows) => {
    const numbers = ["surplus_native", "gas_cost_native", "after_gas_native"] as const;
    const named = rowsWithTexts(rows, [
      "solver",
    ]) as readonly (GasSurplusRow & { solver: string })[];
    const { rows: known } = rowsWithNumbers(named, numbers);
    const drawn = sortRows(
      known.filter(({ fills, below_gas_count: below, gas_cost_native: gas }) =>
        isCount(fills) && fills > 0 && isCount(below) && isCount(gas)
      ),
      "-after_gas_native",
    ) as typeof known;
    const sumOf = (
      column: "fills" | "surplus_native" | "gas_cost_native" | "below_gas_count",
    ) => sum(drawn, (row) => row[column]);
    return {
      drawn,
      names: solverNames(named),
      fills: sumOf("fills"),
      surplus: sumOf("surplus_native"),
      gas: sumOf("gas_cost_native"),
      below: sumOf("below_gas_count"),
      doubtful: {
        absurd: sum(drawn, (row) => row.absurd_count ?? 0),
        suspect: sum(drawn, (row) => row.suspect_count ?? 0),
      },
      sound: sum(drawn, (row) => row.sound_surplus_native ?? 0),
      unknown: sum(rows.map((row) => row.unknown_count).filter(isCount)),
    };
  },
  empty: {
    title: "What surplus is left after gas",
    noRows: "No fills in this range",
    noValues: "No fill in this range has a known surplus and gas",
  },
  axes: ({ drawn }) => ({
    axis: percentAxis(drawn.map(shareOf), "Gas, of the surplus of the fills (%)"),
  }),
  panels: ({ drawn, names, axis, nativeSymbol: native, ...size }) => [
    rankedList({
      ...size,
      labels: names.labels(drawn.map(({ solver }) => solver)),
      axis,
      column: drawn.map((row) => `${amountText(row.after_gas_native)} ${native} left`),
      hasBaseline: true,
      marks: () => [
        stackedBars(
          drawn.map((row, place) => ({
            place,
            value: shareOf(row),
            fill: GAS.fill,
            title: [
              names.withAddress(row.solver),
              `surplus ${exactText(row.surplus_native)} ${native}`,
              `gas ${exactText(row.gas_cost_native)} ${native}`,
              `${partText(row.below_gas_count, row.fills)} fills below their gas`,
            ].join("\n"),
          })),
          { className: "gas" },
        ),
      ],
    }),
  ],
  legend: () => [GAS],
  finding: ({ fills, surplus, gas, below, doubtful, sound, nativeSymbol: native }) => [
    `${count(fills, "fill")} had a surplus of ${amountText(surplus)} ${native}, and took ` +
    `${amountText(gas)} ${native} of gas: ${amountText(surplus - gas)} ${native} is left`,
    `${partText(below, fills)} took more gas than their surplus`,
    doubtful.absurd + doubtful.suspect > 0 &&
    `Without ${formatDoubtful(doubtful, "fill")}, the surplus is ${amountText(sound)} ${native}`,
  ],
  title: ({ fills, surplus, gas, nativeSymbol: native }) =>
    `${count(fills, "fill")} took ${amountText(gas)} ${native} of gas` +
    (surplus > 0 ? `, ${percentText(gas / surplus)} of the surplus` : ""),
  caption: ({ drawn, fills, unknown }) => [
    `n = ${count(fills, "fill")}`,
    unknown > 0 && `${count(unknown, "fill")} without a known surplus or gas left out`,
    drawn.length > 0 && "Surplus is after the network fee that traders paid for gas",
    drawn.some(({ surplus_native: surplus }) => surplus <= 0) && "No bar where there is no surplus",
  ],
});

/** Gas as a share of the surplus; 0 where there is no surplus. */
function shareOf(
  { surplus_native: surplus, gas_cost_native: gas }: Known<
    GasSurplusRow,
    "surplus_native" | "gas_cost_native"
  >,
): number {
  return surplus > 0 ? gas / surplus : 0;
}
