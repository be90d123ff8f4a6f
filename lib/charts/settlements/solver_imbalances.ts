import * as Plot from "@observablehq/plot";
import { wholeNumber } from "../../errors/option_rules.ts";
import { createLinearScale } from "../axes/axis_scale.ts";
import { NATIVE_OPTIONS, type NativeOptions } from "../figure/chart_options.ts";
import { DOLLAR_RATE } from "../figure/currency.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import {
  createSeriesLegend,
  describeRest,
  groupSeries,
  MAX_SERIES,
  type Series,
} from "../general/column_text.ts";
import { createNumberScale } from "../general/time_plan.ts";
import { COLORS } from "../looks.ts";
import { createDotPanel } from "../marks/dot_plot.ts";
import { declare, fillTexts, isNumber, type WithNumbers } from "../rows.ts";
import { extent, sum } from "../statistics.ts";
import { count, formatWhole } from "../texts/count_text.ts";
import { addPlus, formatAmount, formatExact, formatSigned } from "../texts/label_text.ts";
import { readSolverNames, type SolverNames } from "../texts/short_names.ts";

/**
 * The balance of one token that one settlement left in the settlement contract: columns of
 * `imbalance_values`.
 */
export interface SolverImbalancesRow {
  /** Hash of the settlement transaction; without one, the rows of a block are one settlement. */
  tx_hash?: string | null;
  /** Its block. */
  block_number: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Symbol of the token. */
  symbol?: string | null;
  /** Value that it left in the contract, in native tokens; negative if buffers paid. */
  net_value_native: number | null;
  /** Reason for an unknown value; `null` if it is known. */
  value_reason?: string | null;
}

/** Options of {@linkcode solverImbalances}. */
export interface SolverImbalancesOptions extends NativeOptions {
  /** Most solvers with a line of their own, from 1 to 6; the others share one. @default {6} */
  limit?: number;
}

type ValuedRow = WithNumbers<SolverImbalancesRow, "net_value_native">;

const TITLE = "What settlements left in the settlement contract";

/** Reasons for unknown values, in words. */
const REASONS: Readonly<Record<string, string>> = {
  logs_incomplete: "logs are missing",
  no_auction: "the auction was not read",
  no_native_price: "no native price",
};

const OTHER_REASON = "flows are unknown";

function formatReasons(rows: readonly SolverImbalancesRow[]): string {
  const reasons = Map.groupBy(
    rows,
    (row) => {
      const { value_reason: reason } = row;
      if (reason == null && Reflect.get(row, DOLLAR_RATE) === null) return "no dollar rate";
      return typeof reason === "string" && Object.hasOwn(REASONS, reason)
        ? REASONS[reason]!
        : OTHER_REASON;
    },
  );
  return [...reasons].map(([reason, members]) => `${formatWhole(members.length)} (${reason})`).join(
    ", ",
  );
}

/**
 * Draws what the settlements of each solver left in the settlement contract, added up block by
 * block and valued in native tokens: above zero the contract's buffers grew, below it they paid.
 *
 * A line steps at each settlement. Only known values are added: the caption says how many are not
 * known and why, and the title says so too.
 *
 * @param rows Rows or a frame. One row per settlement and token; without rows the figure says so.
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
export const solverImbalances: Draw<SolverImbalancesRow, SolverImbalancesOptions> = defineChart({
  chart: "solverImbalances",
  table: "imbalance_values",
  columns: {
    ...declare("text?", "tx_hash", "solver_name", "symbol", "value_reason"),
    ...declare("number", "block_number", "net_value_native"),
    ...declare("text", "solver"),
  },
  options: { ...NATIVE_OPTIONS, limit: wholeNumber(1, MAX_SERIES) },
  defaults: { limit: MAX_SERIES },
  select: (input, { limit }) => {
    const rows = fillTexts(input, ["solver"]);
    const names = readSolverNames(rows);
    const settlements = sumSettlements(rows);
    const series = groupSeries(settlements, {
      readKey: ({ solver }) => names.format(solver),
      measure: (points) => points.length,
      limit,
      noun: "solver",
    }).map(addTotals);
    return {
      names,
      series,
      settlements,
      unknownRows: rows.filter((row) => !isValued(row)),
      drawnRows: settlements.flatMap((settlement) => settlement.rows.filter(isValued)),
    };
  },
  empty: {
    title: TITLE,
    noRows: "No settlement in this range",
    noValues: "No settlement in this range has an imbalance with a known value",
  },
  panels: ({ series, names, nativeSymbol, ...size }) => [
    createTotalsPanel(series, { ...size, names, native: nativeSymbol }),
  ],
  legend: ({ series, nativeSymbol }) =>
    series.flatMap((solver) =>
      createSeriesLegend([solver], {
        shape: "line",
        formatLabel: ({ label }) => `${label}: ${formatSigned(solver.total)} ${nativeSymbol}`,
      })
    ),
  finding: ({ settlements, series, unknownRows, nativeSymbol: native }) => {
    const largest = series.reduce((a, b) => Math.abs(b.total) > Math.abs(a.total) ? b : a);
    const total = sum(settlements, ({ value }) => value);
    return [
      `${count(settlements.length, "settlement")} ${total < 0 ? "took" : "left"} ` +
      `${formatAmount(Math.abs(total))} ${native} ${total < 0 ? "from" : "in"} the contract` +
      (unknownRows.length === 0
        ? ""
        : `, excluding ${count(unknownRows.length, "imbalance")} of unknown value`),
      series.length > 1 &&
      `The largest amount is from ${largest.label}, ${formatSigned(largest.total)} ${native}`,
    ];
  },
  title: ({ settlements, unknownRows, nativeSymbol }) => {
    const total = formatSigned(sum(settlements, ({ value }) => value));
    return `${TITLE}: ${total} ${nativeSymbol}` +
      `${unknownRows.length > 0 ? ", where it is known" : ""}`;
  },
  caption: ({ settlements, series, unknownRows, limit }) => [
    `n = ${count(settlements.length, "settlement")}`,
    settlements.length > 0 &&
    "Below 0, the contract paid from its buffers. Valued at the prices of the auctions",
    unknownRows.length > 0 &&
    `Not in the sums, because their value is unknown: ${formatReasons(unknownRows)}`,
    describeRest(series, { limit, noun: "solver", measure: "settlements" }),
  ],
});

/** Above this number of settlements, dots are small, and from the second on there are none. */
const [SMALL_FROM, NO_DOTS_FROM] = [150, 2_000];

const MARGIN_LEFT = 60;
const HEIGHT = 320;

const MAX_TOKENS = 8;

interface TotalsSize {
  readonly names: SolverNames;
  readonly native: string;
  readonly height?: number | undefined;
  readonly marginLeft?: number | undefined;
}

/** Draws a line per series, which steps at each settlement. */
function createTotalsPanel(
  series: readonly TotalSeries[],
  { names, native, height = HEIGHT, marginLeft = MARGIN_LEFT }: TotalsSize,
): Panel {
  const blocks = series.flatMap(({ totals }) => totals.map(({ block }) => block));
  const [first = 0, last = 0] = extent(blocks);
  const pad = first === last ? 1 : (last - first) * 0.02;
  const [from, to] = [first - pad, last + pad];
  const values = series.flatMap(({ totals }) => totals.map(({ total }) => total));
  return createDotPanel({
    height,
    marginLeft,
    x: createNumberScale([from, to], "Block", "block_number"),
    y: createLinearScale(values, {
      label: `Left in the contract since the first block (${native})`,
      towards: "up",
    }),
    marks: [
      Plot.ruleY([0], { stroke: COLORS.ink }),
      ...series.flatMap(({ color, totals, total }) => [
        Plot.line([{ block: from, total: 0 }, ...totals, { block: to, total }], {
          x: "block",
          y: "total",
          curve: "step-after",
          stroke: color,
          strokeWidth: 1.6,
          className: "total",
        }),
        ...(blocks.length > NO_DOTS_FROM ? [] : [
          Plot.dot(totals, {
            x: "block",
            y: "total",
            r: blocks.length > SMALL_FROM ? 1.8 : 2.8,
            fill: color,
            title: (point: RunningTotal) => formatTooltip(point, { names, native }),
            className: "settlement",
          }),
        ]),
      ]),
    ],
  });
}

function formatTooltip(
  { block, solver, value, total, rows }: RunningTotal,
  { names, native }: Pick<TotalsSize, "names" | "native">,
): string {
  const movedRows = rows.filter((row) => row.net_value_native !== 0);
  return [
    names.formatWithHex(solver),
    `block ${block}: ${addPlus(formatExact(value), value)} ${native}`,
    ...movedRows.slice(0, MAX_TOKENS).map(({ symbol, net_value_native: net }) =>
      `  ${symbol ?? "a token"} ${isNumber(net) ? formatSigned(net) : "of unknown value"}`
    ),
    movedRows.length > MAX_TOKENS ? `  and ${movedRows.length - MAX_TOKENS} more tokens` : null,
    `total ${formatSigned(total)} ${native}`,
  ].filter((line) => line !== null).join("\n");
}

function isValued(row: SolverImbalancesRow): row is ValuedRow {
  return isNumber(row.net_value_native) && isNumber(row.block_number);
}

/** Sums the known values of each settlement, in the order of blocks. */
function sumSettlements(rows: readonly SolverImbalancesRow[]) {
  const settlements = Map.groupBy(
    rows.filter(({ block_number }) => isNumber(block_number)),
    ({ tx_hash, block_number, solver }) => `${tx_hash ?? ""} ${block_number} ${solver}`,
  );
  return [...settlements.values()].flatMap((members) => {
    const { block_number: block, solver } = members[0]!;
    const valued = members.filter(isValued);
    if (valued.length === 0) return [];
    return [{ block, solver, value: sum(valued, (row) => row.net_value_native), rows: members }];
  }).sort((a, b) => a.block - b.block);
}

function addTotals(series: Series<SettlementValue>) {
  let total = 0;
  const totals = series.points.map((point) => ({ ...point, total: total += point.value }));
  return { ...series, totals, total };
}

type SettlementValue = ReturnType<typeof sumSettlements>[number];

type TotalSeries = ReturnType<typeof addTotals>;

/** A settlement with the total of its series up to it. */
type RunningTotal = TotalSeries["totals"][number];
