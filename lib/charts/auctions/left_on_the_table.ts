import * as Plot from "@observablehq/plot";
import {
  createAxisLabel,
  createDifferenceAxis,
  createValueAxis,
  type DifferenceAxis,
} from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import { type Currency, nameCurrency } from "../figure/currency.ts";
import { LIMIT, NATIVE_OPTIONS, type NativeOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { createListPanel } from "../marks/bars.ts";
import { createDotPanel, drawDots, nameDots, type RowDot } from "../marks/dot_plot.ts";
import { declare, isNumber, type WithNumbers } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import {
  addPlus,
  bpsText,
  formatAmount,
  formatBpsTogether,
  formatSigned,
  formatTogether,
} from "../texts/label_text.ts";
import { describeDoubtful } from "../texts/price_text.ts";
import { shortenHex, SolverNames } from "../texts/short_names.ts";

/**
 * One execution of one order beside the best bid for it that was not executed: columns of
 * `best_other_bids`.
 */
export interface LeftOnTheTableRow {
  /** UID of the order. */
  order_uid: string;
  /** Id of the auction. */
  auction_id: number;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Address or name of the solver that was executed. */
  executed_solver: string;
  /** Name of that solver; `null` if unknown. */
  executed_solver_name?: string | null;
  /** The executed price, in basis points over the limit. */
  executed_over_limit_bps: number | null;
  /** Address or name of the solver of the best other bid; `null` when there was no other. */
  best_unexecuted_solver: string | null;
  /** Name of that solver; `null` if unknown. */
  best_unexecuted_solver_name?: string | null;
  /** The best other bid, in basis points over the limit; `null` when there was no other. */
  best_unexecuted_over_limit_bps: number | null;
  /** Whether that bid's solution was filtered out as unfair to a pair. */
  best_unexecuted_filtered_out?: boolean | null;
  /**
   * Best other bid less what was executed, in native tokens; negative where the executed was best.
   */
  left_native?: number | null;
  /** Size of the execution, in native tokens. */
  volume_native?: number | null;
  /** Whether the native prices of the fill agree: `consistent`, `suspect` or `absurd`. */
  price_sides?: string | null;
}

/** Options of {@linkcode leftOnTheTable}. */
export interface LeftOnTheTableOptions extends NativeOptions {
  /** Maximum number of executions listed, those with the most left first. @default {15} */
  limit?: number;
}

const TITLE = "Left on the table";

type ComparedRow = WithNumbers<
  LeftOnTheTableRow,
  "executed_over_limit_bps" | "best_unexecuted_over_limit_bps"
>;

const OTHER_BID = {
  better: { label: "other bid was better", fill: COLORS.orange, stroke: COLORS.orange },
  filtered: {
    label: "other bid was better, but filtered out",
    fill: "white",
    stroke: COLORS.vermilion,
  },
  worse: { label: "executed bid was the best", fill: COLORS.blue, stroke: COLORS.blue },
} as const;

function formatTooltip(
  row: ComparedRow,
  { names, currency }: { names: SolverNames; currency?: Currency | undefined },
): string {
  const { left_native: left } = row;
  const native = isNumber(left) ? `, ${formatSigned(left)} ${nameCurrency(currency)}` : "";
  return `order ${shortenHex(row.order_uid)}${row.pair ? `, ${row.pair}` : ""}\n` +
    `auction ${row.auction_id}\n` +
    `executed ${bpsText(row.executed_over_limit_bps)} by ` +
    `${names.formatWithHex(row.executed_solver)}\n` +
    `best other ${bpsText(row.best_unexecuted_over_limit_bps)} by ` +
    `${names.formatWithHex(row.best_unexecuted_solver ?? "an unknown solver")}\n` +
    `difference ${bpsText(readLeftBps(row))}${native}`;
}

/** Subtracts the executed bid from the best other one, in basis points of the limit. */
function readLeftBps(row: ComparedRow): number {
  return row.best_unexecuted_over_limit_bps - row.executed_over_limit_bps;
}

function pickLook(row: ComparedRow): (typeof OTHER_BID)[keyof typeof OTHER_BID] {
  if (readLeftBps(row) <= 0) return OTHER_BID.worse;
  return row.best_unexecuted_filtered_out === true ? OTHER_BID.filtered : OTHER_BID.better;
}

function isCompared(row: LeftOnTheTableRow): row is ComparedRow {
  return isNumber(row.executed_over_limit_bps) && isNumber(row.best_unexecuted_over_limit_bps);
}

function createXAxis(rows: readonly ComparedRow[], native: string) {
  const sizes = rows.map((row) => row.volume_native).filter(isNumber);
  if (sizes.length === rows.length) {
    const label = `Size of the execution (${native})`;
    const axis = createValueAxis(sizes, { label, noun: "size" });
    return { ...axis, values: sizes.map(axis.clamp), isBeyond: () => false };
  }
  const values = rows.map((row) => row.executed_over_limit_bps);
  const axis = createDifferenceAxis(values, "bps");
  const label = createAxisLabel("Executed bid over the limit (bps)");
  return { ...axis, values, scale: { ...axis.scale, ...label } };
}

/** Draws a dot per execution, above the line if another bid was better. */
function drawScatter(
  rows: readonly ComparedRow[],
  { x, y, ...tooltip }: {
    x: ReturnType<typeof createXAxis>;
    y: DifferenceAxis;
    names: SolverNames;
    currency?: Currency | undefined;
  },
): Plot.Markish[] {
  const dots = rows.map((row, index): RowDot<ComparedRow> => ({
    row,
    x: x.values[index]!,
    y: readLeftBps(row),
    color: pickLook(row).fill,
    outline: pickLook(row).stroke,
    title: formatTooltip(row, tooltip),
  }));
  return [
    Plot.ruleY([0], {
      stroke: COLORS.ink,
      title: () => "both bids are the same",
      className: "equal",
    }),
    ...drawDots(dots, { noun: "execution", x, y }),
  ];
}

function createLegend(rows: readonly ComparedRow[]): LegendEntry[] {
  const looks = new Set(rows.map(pickLook));
  return [
    ...Object.values(OTHER_BID).filter((look) => looks.has(look)).map(({ label, ...paint }) => ({
      label: `${nameDots(rows.length, "execution")}: ${label}`,
      name: label,
      ...paint,
      shape: "dot" as const,
    })),
    { label: "both bids the same", fill: "none", stroke: COLORS.ink, shape: "line" },
  ];
}

/**
 * Draws what executions left on the table: the best bid that was not executed less the executed one,
 * in basis points of the order's limit, by size, or where a size is not known, by how much the executed
 * one was over the limit. Above the line the other one was better; a list below it has those with the
 * most left.
 *
 * A better bid for one order may have lost for good reason: its solution was worse as a whole, was
 * filtered out as unfair to another pair, or could have filled a part only. So this is an upper
 * bound.
 *
 * @param rows Rows or a frame. One row per execution; those without another bid, or without both
 * prices, are counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the executions that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example One execution, and a better bid for the same order
 * ```ts
 * import { leftOnTheTable } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = leftOnTheTable([{
 *   order_uid: "0x01",
 *   auction_id: 7,
 *   executed_solver: "A",
 *   executed_over_limit_bps: 40,
 *   best_unexecuted_solver: "B",
 *   best_unexecuted_over_limit_bps: 42,
 *   left_native: 0.001,
 * }], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.title, /1 better bid, worth 0.001 ETH more/);
 * ```
 */
export const leftOnTheTable: Draw<LeftOnTheTableRow, LeftOnTheTableOptions> = defineChart({
  chart: "leftOnTheTable",
  table: "best_other_bids",
  columns: {
    ...declare("text", "order_uid", "executed_solver", "best_unexecuted_solver"),
    ...declare("number", "auction_id", "executed_over_limit_bps", "best_unexecuted_over_limit_bps"),
    ...declare(
      "text?",
      "pair",
      "executed_solver_name",
      "best_unexecuted_solver_name",
      "price_sides",
    ),
    ...declare("flag?", "best_unexecuted_filtered_out"),
    ...declare("number?", "left_native", "volume_native"),
  },
  options: { ...NATIVE_OPTIONS, limit: LIMIT },
  defaults: { limit: 15 },
  select: (rows) => {
    const drawnRows = rows.filter(isCompared);
    const aloneCount = rows.filter((row) =>
      isNumber(row.executed_over_limit_bps) && row.best_unexecuted_solver === null &&
      !isCompared(row)
    ).length;
    const better = drawnRows.filter((row) =>
      readLeftBps(row) > 0
    );
    const unknownCount = rows.length - drawnRows.length - aloneCount;
    const names = new SolverNames(rows.flatMap((row) => [
      [row.executed_solver, row.executed_solver_name] as const,
      [row.best_unexecuted_solver, row.best_unexecuted_solver_name] as const,
    ]));
    return { drawnRows, better, aloneCount, names, unknownCount };
  },
  empty: {
    title: TITLE,
    noRows: "No executions in this range",
    noValues: "No execution in this range had another bid with a known price",
  },
  axes: ({ drawnRows, nativeSymbol }) => ({
    x: createXAxis(drawnRows, nativeSymbol),
    y: createDifferenceAxis(drawnRows.map(readLeftBps), "bps"),
  }),
  panels: ({ drawnRows, better, x, y, height = 300, ...options }) => {
    const { marginLeft, names } = options;
    const scatter = createDotPanel({
      height,
      marginLeft,
      x: x.scale,
      y: { ...y.scale, label: "↑ Best other bid − executed bid (bps)" },
      marks: drawScatter(drawnRows, { x, y, names, currency: options.currency }),
    });
    return better.length === 0 ? [scatter] : [scatter, createExecutionsList(better, options)];
  },
  legend: ({ drawnRows }) => createLegend(drawnRows),
  finding: ({ drawnRows, better, nativeSymbol }) => {
    const filtered = better.filter((row) => row.best_unexecuted_filtered_out === true).length;
    const largest = sortByLeft(better).at(0);
    return [
      `In ${
        formatPart(better.length, drawnRows.length)
      } executions with a bid of another solver, ` +
      "that bid was better for the order",
      better.length > 0 &&
      (filtered === better.length
        ? "All of those were filtered out, so none could have won"
        : `${formatPart(filtered, better.length)} of those were filtered out`),
      largest && `Order ${shortenHex(largest.order_uid)} left the most: ` +
        (arePriced(better) ? `${formatAmount(largest.left_native!)} ${nativeSymbol}, ` : "") +
        bpsText(readLeftBps(largest)),
      describeDoubtfulBids(better, nativeSymbol),
    ];
  },
  title: ({ drawnRows, better, nativeSymbol }) => {
    if (better.length === 0) return `${TITLE}: nothing in ${count(drawnRows.length, "execution")}`;
    const open = better.filter((row) => pickLook(row) === OTHER_BID.better);
    const bids = count(better.length, "better bid");
    if (open.length === 0) return `${TITLE}: ${bids}, none of which could have won`;
    const worths = open.map((row) => row.left_native).filter(isNumber);
    return `${TITLE}: ` +
      (open.length === better.length
        ? bids
        : `${formatWhole(open.length)} of ${bids} could have won`) +
      (worths.length < open.length
        ? ""
        : `, worth ${formatAmount(sum(worths))} ${nativeSymbol} more`);
  },
  caption: ({ drawnRows, better, aloneCount, unknownCount, limit, x, y }) => [
    `n = ${count(drawnRows.length, "execution")}`,
    aloneCount > 0 && `${count(aloneCount, "execution")} without another bid left out`,
    unknownCount > 0 && `${count(unknownCount, "execution")} without both prices left out`,
    better.length > limit &&
    `The list shows the ` +
      `${limit === 1 ? "execution" : `${limit} executions`} with the most left, of ${
        formatWhole(better.length)
      }`,
    x?.note,
    y?.note,
    better.length > 0 && "The list has its own scale",
    x &&
    "A better bid for one order may belong to a solution that was worse overall, or unfair",
  ],
});

/** Describes the extra worth of bids that could have won, without fills at prices that do not agree. */
function describeDoubtfulBids(better: readonly ComparedRow[], native: string): string | false {
  const open = better.filter((row) => pickLook(row) === OTHER_BID.better);
  if (!arePriced(open)) return false;
  return describeDoubtful(open, {
    noun: "better bid that could have won",
    many: "better bids that could have won",
    value: (row) => row.left_native ?? NaN,
    native,
  });
}

/** Sorts by what was left, the most first: in native tokens if all are known, else in basis points. */
function sortByLeft(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const isPriced = arePriced(rows);
  const readLeft = (row: ComparedRow) => isPriced ? row.left_native ?? NaN : readLeftBps(row);
  return rows.toSorted((a, b) => readLeft(b) - readLeft(a));
}

function arePriced(rows: readonly ComparedRow[]): boolean {
  return rows.every((row) => isNumber(row.left_native));
}

/** Formats what each execution left: in native tokens where known, else in basis points. */
function formatNotes(rows: readonly ComparedRow[], native: string): string[] {
  const amounts = rows.map((row) => isNumber(row.left_native) ? row.left_native : null);
  const natives = formatTogether(amounts.map((amount) => amount ?? 0));
  const differences = formatBpsTogether(rows.map(readLeftBps));
  return amounts.map((amount, index) =>
    amount === null ? differences[index]! : `${addPlus(natives[index]!, amount)} ${native}`
  );
}

/** Lists the executions with the most left: the executed bid, and the better one. */
function createExecutionsList(
  better: readonly ComparedRow[],
  { limit, nativeSymbol, names, currency, ...size }: ListSize & {
    limit: number;
    nativeSymbol: string;
    names: SolverNames;
    currency?: Currency | undefined;
  },
): Panel {
  const rows = sortByLeft(better).slice(0, limit);
  const axis = createDifferenceAxis(
    rows.flatMap((row) => [row.executed_over_limit_bps, row.best_unexecuted_over_limit_bps]),
    "bps",
  );
  const y = (_: unknown, index: number) => index;
  const placeExecuted = (row: ComparedRow) => axis.clamp(row.executed_over_limit_bps);
  const placeBest = (row: ComparedRow) => axis.clamp(row.best_unexecuted_over_limit_bps);
  const pickStroke = (row: ComparedRow) => pickLook(row).stroke;
  const dot = { y, r: 4.5, title: (row: ComparedRow) => formatTooltip(row, { names, currency }) };
  return createListPanel({
    ...size,
    heading: "Executions with the most left: filled dot = executed bid, hollow dot = better bid",
    labels: rows.map((row) => `${shortenHex(row.order_uid)} ${shortenHex(row.pair ?? "")}`.trim()),
    axis,
    label: "Bid over the limit (bps), better →",
    marks: () => [
      Plot.ruleX([0], { stroke: COLORS.ink }),
      Plot.ruleY(rows, { x1: placeExecuted, x2: placeBest, y, stroke: pickStroke, strokeWidth: 2 }),
      Plot.dot(rows, { ...dot, x: placeExecuted, fill: COLORS.blue, className: "executed" }),
      Plot.dot(rows, {
        ...dot,
        x: placeBest,
        fill: "white",
        stroke: pickStroke,
        strokeWidth: 1.8,
        className: "other",
      }),
    ],
    column: formatNotes(rows, nativeSymbol),
  });
}
