import * as Plot from "@observablehq/plot";
import { oneOf } from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { MIN_COMPARED } from "../../metrics/intervals.ts";
import { createFixedAxis, findInlierRange } from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import {
  createListOptions,
  type GroupOptions,
  type ListChartOptions,
  NATIVE_OPTIONS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, INTERVAL_ENTRY, type LegendEntry } from "../looks.ts";
import { createListPanel, drawStackedBars } from "../marks/bars.ts";
import { selectNumeric } from "../rows.ts";
import { extent, sum } from "../statistics.ts";
import { count, formatList, formatWhole } from "../texts/count_text.ts";
import {
  addPlus,
  bpsText,
  formatBpsNumber,
  formatBpsTogether,
  formatSigned,
  formatTogether,
} from "../texts/label_text.ts";
import { shortenNames } from "../texts/short_names.ts";
import {
  describeUnfilled,
  SLIPPAGE_ROWS,
  type SlippageRow,
  UNFILLED_ORDERS,
} from "./measured_fills.ts";
import {
  ALL_FILLS,
  countMismatches,
  createStack,
  createStacks,
  SLIPPAGE_PARTS,
  type Stack,
  type StackUnit,
} from "./slippage_groups.ts";

/** Options of {@linkcode slippageDecomposition}. */
export interface SlippageDecompositionOptions
  extends NativeOptions, ListChartOptions<"fills" | "slippage" | "name">, GroupOptions {
  /**
   * Content of a row of bars: all fills with one value of a column, such as `pair`, `solver`, `kind` or
   * one of your own; or `fill` for one fill. @default {"pair"}
   */
  by?: string;
  /**
   * `bps`: the mean over fills, in basis points of the gross quote; `native`: the sum of amounts.
   * @default {"bps"}
   */
  unit?: "bps" | "native";
  /** Maximum number of rows of bars; the rest share one. @default {25} */
  limit?: number;
  /**
   * Number of orders in the same range that were never filled, for the caption. @default {not
   * stated}
   */
  unfilledOrders?: number;
}

const LEGEND: readonly LegendEntry[] = [
  ...SLIPPAGE_PARTS.map(({ label, color }) => ({ label, fill: color })),
  { label: "together", fill: "white", stroke: COLORS.ink, shape: "dot" },
];

function createFormats(unit: StackUnit, native: string) {
  if (unit === "bps") {
    return { name: unit, short: formatBpsNumber, text: bpsText, texts: formatBpsTogether };
  }
  return {
    name: native,
    short: formatSigned,
    text: (value: number) => `${formatSigned(value)} ${native}`,
    texts: (values: readonly number[]) =>
      formatTogether(values).map((text, index) => `${addPlus(text, values[index]!)} ${native}`),
  };
}

function listPartColumns<Unit extends StackUnit>(unit: Unit) {
  return SLIPPAGE_PARTS.map(({ part }) => `${part}_${unit}` as const);
}

/**
 * Draws why fills differ from the gross quote: network cost, protocol fees, partner fees, and
 * market moves since the quote. Costs are left of zero, gains right of it; a dot marks their sum,
 * the slippage against the gross quote.
 *
 * In basis points, a row of bars is the unweighted mean over its fills, since means add up and
 * medians do not; in native tokens, it is the sum. The first row is all fills, unless `by`
 * is `"fill"`. Groups beyond `limit` share the last row; fills beyond it are left out, and counted.
 *
 * @param rows Rows or a frame. One row per fill with the four parts, signed: a cost is negative.
 * Fills without all four are counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example The market gave back half of what the network cost
 * ```ts
 * import { slippageDecomposition } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageDecomposition([{
 *   order_uid: "0x01",
 *   kind: "sell",
 *   pair: "WETH → USDC",
 *   slippage_gross_bps: -6,
 *   network_bps: -8,
 *   protocol_bps: -2,
 *   partner_bps: 0,
 *   market_bps: 4,
 * }]);
 *
 * assertMatch(chart.title, /network −8.0, protocol −2.0, partner 0, market \+4.0 bps/);
 * ```
 */
export const slippageDecomposition: Draw<SlippageRow, SlippageDecompositionOptions> = defineChart({
  chart: "slippageDecomposition",
  ...SLIPPAGE_ROWS,
  options: {
    ...NATIVE_OPTIONS,
    ...createListOptions("fills", "slippage", "name"),
    by: String,
    unit: oneOf("bps", "native"),
    unfilledOrders: UNFILLED_ORDERS,
  },
  selectColumns: (
    { unit = "bps", by = "pair" },
  ) => [...listPartColumns(unit), ...(by === "fill" ? [] : [by])],
  defaults: { by: "pair", unit: "bps", limit: 25 },
  select: (rows, options) => {
    if (options.currency === "usd" && options.unit === "bps") {
      throw new InputError("Cannot draw slippageDecomposition in US dollars in basis points", {
        remedy: 'Pass { unit: "native" }, or omit `currency`',
      });
    }
    const { rows: fills, leftOut } = selectNumeric(rows, listPartColumns(options.unit));
    const allStack = createStack(ALL_FILLS, fills, options.unit);
    const differ = fills.length === 1 ? "the fill differs" : "fills differ";
    const subject = `Why ${differ} from the gross quote`;
    return { fills, leftOut, allStack, subject, ...createStacks(fills, options) };
  },
  empty: ({ subject }) => ({
    title: subject,
    noRows: "No fills in this range",
    noValues: "No fill in this range has all four parts",
  }),
  axes: ({ fills, stacks, unit, ...options }) => {
    const far = unit === "bps" ? findFarFills(fills) : new Set<SlippageRow>();
    const nearFills = fills.filter((row) => !far.has(row));
    const near = far.size === 0 ? stacks : createStacks(nearFills, { ...options, unit }).stacks;
    const [low = 0, high = 0] = extent([0, ...near.flatMap(measureReach)]);
    return { domain: roundDomain(low === high ? [-1, 1] : [low, high]), far, nearFills };
  },
  panels: ({ stacks, domain, by, unit, nativeSymbol, ...size }) => {
    const { name, text, texts } = createFormats(unit, nativeSymbol);
    const aggregate = unit === "bps" ? "Mean difference" : "Sum of differences";
    const difference = by === "fill" ? "Difference" : aggregate;
    const label = `${difference} from the gross quote (${name}), better than quoted →`;
    return [
      createStacksPanel(stacks, { ...size, domain, isEach: by === "fill", text, texts, label }),
    ];
  },
  series: () => [...LEGEND, INTERVAL_ENTRY],
  legend: ({ stacks }) =>
    stacks.some(({ interval }) => interval) ? [...LEGEND, INTERVAL_ENTRY] : LEGEND,
  finding: ({ fills, allStack, unit, nativeSymbol }) => {
    const { text } = createFormats(unit, nativeSymbol);
    const took = SLIPPAGE_PARTS.map(({ part, noun }) => {
      const size = text(Math.abs(allStack.parts[part])).replace("+", "");
      return `${noun} ${allStack.parts[part] > 0 ? "gave" : "took"} ${size}`;
    });
    return [
      `${unit === "bps" ? "On average over" : "In total over"} ${count(fills.length, "fill")}, ` +
      `${formatList(took)}. Together: ${text(allStack.slippage)} against the gross quote`,
    ];
  },
  title: ({ subject, fills, allStack, unit, nativeSymbol }) => {
    const { name, short } = createFormats(unit, nativeSymbol);
    const together = fills.length === 1 ? "" : unit === "bps" ? "on average " : "in total ";
    const parts = SLIPPAGE_PARTS.map(({ part }) => `${part} ${short(allStack.parts[part])}`);
    return `${subject}: ${together}${parts.join(", ")} ${name}`;
  },
  caption: (
    { fills, leftOut, allStack, stacks, drawnRows, note, by, unit, unfilledOrders, ...axes },
  ) => {
    const sentences = [
      `n = ${count(fills.length, "fill")}`,
      leftOut > 0 && `${count(leftOut, "fill")} without all four parts left out`,
      describeUnfilled(unfilledOrders),
    ];
    const { domain, far, nearFills } = axes;
    if (domain === undefined || far === undefined || nearFills === undefined) return sentences;
    const wrong = unit === "bps" ? countMismatches(drawnRows) : 0;
    return [
      ...sentences,
      by !== "fill" &&
      (unit === "bps"
        ? "Basis points are unweighted means over fills"
        : "Amounts are sums over fills"),
      note,
      unit === "bps" && by !== "fill" && describeBare(stacks),
      far.size > 0 &&
      describeFar([...far], { allStack, nearStack: createStack(ALL_FILLS, nearFills, unit), by }),
      findCutEnds(stacks, domain).length > 0 &&
      "Bars with an arrow extend beyond the axis; their labels have the whole amount",
      wrong > 0 && `The parts of ${count(wrong, "fill")} do not add up to the slippage`,
    ];
  },
});

/** Counts groups without an interval, where others have one; says of what each holds. */
function describeBare(stacks: readonly Stack[]): string | null {
  const bare = stacks.filter(({ interval }) => !interval).length;
  if (bare === stacks.length) return null;
  return "Each interval is for its row alone" +
    (bare === 0
      ? ""
      : `; ${count(bare, "row")} of fewer than ${MIN_COMPARED.mean} fills ${
        bare === 1 ? "has" : "have"
      } none`);
}

function describeFar(
  far: readonly SlippageRow[],
  { allStack, nearStack, by }: { allStack: Stack; nearStack: Stack; by: string },
): string {
  const farthest = far.map((row) => createStack("", [row], "bps").slippage)
    .reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a, 0);
  const pronoun = far.length === 1 ? "it" : "them";
  const mean = by === "fill"
    ? ""
    : `: with ${pronoun} the mean is ${bpsText(allStack.slippage)}, without ${pronoun} ` +
      bpsText(nearStack.slippage);
  return `${count(far.length, "fill")} ${far.length === 1 ? "is" : "are"} far from the rest, up ` +
    `to ${bpsText(farthest)}${mean}`;
}

interface StacksPanelOptions extends ListSize {
  /** Range of the axis; longer bars are cut off. */
  domain: readonly [number, number];
  isEach: boolean;
  label: string;
  text: (value: number) => string;
  /** Formats the values of all rows together. */
  texts: (values: readonly number[]) => string[];
}

/** Draws rows of bars: costs left of zero, gains right of it, and their sum. */
function createStacksPanel(
  stacks: readonly Stack[],
  { domain: [low, high], isEach, label, text, texts, ...size }: StacksPanelOptions,
): Panel {
  const layOutParts = (minLength: number) =>
    stacks.flatMap(({ name, parts }, index) =>
      SLIPPAGE_PARTS.filter((_, partIndex) => isWithin(parts, partIndex, [low, high])).map(
        ({ part, color, label }) => ({
          index,
          value: Math.sign(parts[part]) * Math.max(minLength, Math.abs(parts[part])),
          fill: color,
          title: `${name}\n${label} ${text(parts[part])}`,
        }),
      )
    );
  const slippages = texts(stacks.map(({ slippage }) => slippage));
  const grid = { grid: true, ticks: 6, tickFormat: formatSigned };
  return createListPanel({
    ...size,
    labels: shortenNames(stacks.map(({ name, label = name }) => label)),
    axis: createFixedAxis({ type: "linear", domain: [low, high], clamp: true, ...grid }),
    label,
    marks: ({ axisWidth }) => [
      drawStackedBars(layOutParts(MIN_WIDTH * (high - low) / axisWidth), {
        stroke: "white",
        strokeWidth: 0.5,
        className: "part",
      }),
      Plot.ruleX([0], { stroke: COLORS.ink }),
      Plot.text(findCutEnds(stacks, [low, high]), {
        x: "end",
        y: "index",
        text: ({ end }: { end: number }) => end === low ? "◀" : "▶",
        fill: COLORS.ink,
        stroke: "white",
        strokeWidth: 3,
        className: "cut",
      }),
      Plot.ruleY(stacks.filter(({ interval }) => interval), {
        x1: ({ interval }: Stack) => Math.max(low, interval!.low),
        x2: ({ interval }: Stack) => Math.min(high, interval!.high),
        y: (stack: Stack) => stacks.indexOf(stack),
        stroke: COLORS.ink,
        strokeWidth: 2,
        className: "interval",
      }),
      Plot.dot(stacks.filter(({ slippage }) => slippage >= low && slippage <= high), {
        x: "slippage",
        y: (stack: Stack) => stacks.indexOf(stack),
        r: 4,
        fill: "white",
        stroke: COLORS.ink,
        strokeWidth: 1.5,
        title: ({ name, slippage, fills, interval }: Stack) =>
          `${name}\n${count(fills, "fill")}\ntogether ${text(slippage)}` +
          (interval ? `\n95% interval ${text(interval.low)} to ${text(interval.high)}` : ""),
        className: "together",
      }),
    ],
    column: stacks.map(({ fills }, partIndex) =>
      isEach ? slippages[partIndex]! : `${slippages[partIndex]}, n = ${formatWhole(fills)}`
    ),
  });
}

/** Minimum width of a part, in pixels: beside the line at zero, a thinner one is not seen. */
const MIN_WIDTH = 3;

/** Whether a part has a length and begins within the axis, where those before it on its side end. */
function isWithin(parts: Stack["parts"], index: number, [low, high]: readonly [number, number]) {
  const values = SLIPPAGE_PARTS.slice(0, index + 1).map(({ part }) => parts[part]);
  const length = values.pop()!;
  const from = sum(values.filter((value) => value * length > 0));
  return length > 0 ? from < high : length < 0 && from > low;
}

function roundDomain(domain: readonly [number, number]): [number, number] {
  const { domain: ends } = Plot.scale({ x: { type: "linear", domain: [...domain], nice: true } });
  const [low = -1, high = 1] = [...ends ?? []].map(Number);
  return [low, high];
}

/** Finds the ends of the axis that cut off rows of bars. */
function findCutEnds(
  stacks: readonly Stack[],
  [low, high]: readonly [number, number],
): { index: number; end: number }[] {
  return stacks.flatMap((stack, index) => {
    const [start, stop] = measureReach(stack);
    return [...(start < low ? [low] : []), ...(stop > high ? [high] : [])]
      .map((end) => ({ index, end }));
  });
}

/** Maximum share of fills beyond the axis. */
const MAX_FAR = 0.1;
const MIN_FILLS = 5;

/** Measures the reach of a row of bars: costs pile up left of zero, gains right of it. */
function measureReach({ parts }: Stack): readonly [number, number] {
  const values = SLIPPAGE_PARTS.map(({ part }) => parts[part]);
  const sumSide = (side: number) => sum(values.filter((value) => value * side > 0));
  return [sumSide(-1), sumSide(1)];
}

/**
 * Fills so far from the rest that one of them would decide what an axis shows; none where many are.
 */
function findFarFills(rows: readonly SlippageRow[]): ReadonlySet<SlippageRow> {
  if (rows.length < MIN_FILLS) return new Set();
  const stacks = rows.map((row) => ({ row, slippage: createStack("", [row], "bps").slippage }));
  const [low, high] = findInlierRange(stacks.map(({ slippage }) => slippage));
  const far = stacks.filter(({ slippage }) => slippage < low || slippage > high);
  return new Set(far.length > MAX_FAR * rows.length ? [] : far.map(({ row }) => row));
}
