import * as Plot from "@observablehq/plot";
import { fixedAxis } from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { rankedList } from "../marks/bars.ts";
import { each, rowsWithTexts } from "../rows.ts";
import { extent, max, sum } from "../statistics.ts";
import { count, listText } from "../texts/count_text.ts";
import { alikeTexts, axisText, exactText } from "../texts/label_text.ts";
import { policyName, shortHex, shortName } from "../texts/short_names.ts";
import {
  type FeeWaterfallRow,
  isWhole,
  rangeOf,
  waterfallLevels,
  type WaterfallStep,
} from "./waterfall_levels.ts";

/** Options of {@linkcode feeWaterfall}. */
export type FeeWaterfallOptions = ChartOptions;

/** Above this number of steps, only the last ones are drawn. */
const MOST_STEPS = 60;

function waterfallPanel(steps: readonly WaterfallStep[], size: ListSize): Panel {
  const levels = steps.flatMap(({ level, uncertain }) => [
    ...(level === null ? [] : [level.from, level.to]),
    ...(uncertain === null ? [] : [uncertain.from, uncertain.to]),
  ]);
  const domain = paddedDomain(levels);
  const text = amountTexts(levels);
  const feeText = feeTexts(steps.flatMap(({ row }) => {
    const range = isWhole(row) ? null : rangeOf(row);
    return range === null ? [] : [[range.low, range.high]];
  }));
  const places = new Map(steps.map((step, place) => [step, place]));
  const y = (step: WaterfallStep) => places.get(step);
  const known = steps.filter(({ level }) => level !== null);
  const fees = known.filter(({ row }) => !isWhole(row));
  const wholes = Map.groupBy(
    known.filter(({ row }) => isWhole(row)),
    ({ level }) => level?.from === level?.to,
  );
  const bar = {
    x1: (step: WaterfallStep) => step.level?.from,
    x2: (step: WaterfallStep) => step.level?.to,
    y,
    title: stepTooltip,
  };
  return rankedList({
    ...size,
    labels: steps.map(({ row }) => stepLabel(row)),
    axis: fixedAxis({
      type: "linear",
      domain: [...domain],
      label: `Amount (${tokenOf(steps[0]?.row)}) →`,
      labelAnchor: "center",
      grid: true,
      ticks: 5,
      tickFormat: text,
    }),
    marks: () => [
      Plot.link(connectors(steps), {
        x: "x",
        y1: "from",
        y2: "to",
        stroke: COLORS.muted,
        strokeDasharray: "2 2",
      }),
      Plot.barX(fees.filter((step) => step.uncertain !== null), {
        ...bar,
        x1: (step: WaterfallStep) => step.uncertain?.from,
        x2: (step: WaterfallStep) => step.uncertain?.to,
        fill: UNCERTAIN.fill,
        stroke: UNCERTAIN.stroke!,
        strokeDasharray: "3 2",
        className: "uncertain",
      }),
      Plot.barX(fees, {
        ...bar,
        fill: (step: WaterfallStep) => partOf(step.row).fill,
        stroke: (step: WaterfallStep) => partOf(step.row).fill,
        className: "fee",
      }),
      Plot.barX(wholes.get(false) ?? [], {
        ...bar,
        fill: COLORS.blue,
        fillOpacity: 0.3,
        stroke: COLORS.blue,
        strokeDasharray: "3 2",
        className: "whole_range",
      }),
      Plot.tickX(wholes.get(true) ?? [], {
        x: (step: WaterfallStep) => step.level?.to,
        y,
        stroke: COLORS.blue,
        strokeWidth: 4,
        title: stepTooltip,
        className: "whole",
      }),
    ],
    ends: steps.map((step) => ({
      value: endOf(step) ?? domain[0],
      text: stepNote(step, { text, feeText }),
    })),
  });
}

/** Where the marks of a step end on the right; none where its place is not known. */
function endOf({ level, uncertain }: WaterfallStep): number | undefined {
  return max([level, uncertain].flatMap((one) => one === null ? [] : [one.from, one.to]));
}

/**
 * Room on both sides of the levels; the axis need not begin at zero, since it has no bars from
 * there.
 */
function paddedDomain(levels: readonly number[]): readonly [number, number] {
  const [low = 0, high = 0] = extent(levels);
  const pad = high > low ? (high - low) * 0.08 : Math.abs(high) * 0.01 || 1;
  return [low - pad, high + pad];
}

/** Dotted lines from the end of a step to the beginning of the next. */
function connectors(steps: readonly WaterfallStep[]): { x: number; from: number; to: number }[] {
  return steps.flatMap(({ level }, place) => {
    const next = steps[place + 1]?.level ?? null;
    if (level === null || next === null) return [];
    const { row } = steps[place]!;
    return isWhole(row) && level.from !== level.to
      ? []
      : [{ x: level.to, from: place, to: place + 1 }];
  });
}

/**
 * Draws where one fill's money went: its amount at the settlement's clearing prices, the network
 * fee, every policy's fee in the order applied with partners' told apart, and what the owner got
 * (of a sell order) or paid (of a buy order).
 *
 * All amounts are of the surplus token. Without the settlement's calldata the network fee and the
 * clearing amount are ranges, drawn as such. The steps are laid out from what was executed
 * backwards, so the end is exact; if they miss a known clearing amount, the caption says by how
 * much. Fees are small beside the amounts, so the axis does not begin at zero: it carries
 * differences only.
 *
 * @param rows Rows or a frame. Steps of one fill; without rows the figure says so. Those of
 * another fill than the first row's are left out, and the caption says so.
 * @returns The figure; its `rows` are the steps in the order applied.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A sell order that got 98 of 100
 * ```ts
 * import { feeWaterfall } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const fill = { order_uid: "0x01", kind: "sell", token: "USDC" };
 * const chart = feeWaterfall([
 *   { ...fill, step: 1, part: "clearing", amount_tokens: 100 },
 *   { ...fill, step: 2, part: "network", amount_tokens: 0.5 },
 *   { ...fill, step: 3, part: "protocol", policy_kind: "surplus", amount_tokens: 1.5 },
 *   { ...fill, step: 4, part: "executed", amount_tokens: 98 },
 * ]);
 *
 * assertMatch(chart.title, /98 of 100 USDC/);
 * ```
 */
export const feeWaterfall: Draw<FeeWaterfallRow, FeeWaterfallOptions> = picture({
  chart: "feeWaterfall",
  table: "fee_steps",
  columns: {
    ...each("text", "order_uid", "kind", "part", "token"),
    ...each("number?", "block_number", "log_index", "amount_low_tokens", "amount_high_tokens"),
    ...each("number", "step", "amount_tokens"),
    ...each("text?", "policy_kind"),
    ...each("flag?", "is_capped"),
  },
  options: {},
  select: (rows) => {
    const [fill = []] = Map.groupBy(rowsWithTexts(rows, ["order_uid"]), keyOf).values();
    const { steps, gap, widestRange } = waterfallLevels(fill);
    const shown = steps.slice(-MOST_STEPS);
    const isKnown = steps.some(({ level }) => level !== null);
    return {
      fill,
      steps,
      shown,
      gap,
      widestRange,
      leftOut: rows.length - fill.length,
      others: new Set(rows.map(keyOf)).size - 1,
      isKnown,
      unplaced: shown.filter(({ level }) => level === null).length,
      drawn: isKnown ? shown.map(({ row }) => row) : [],
    };
  },
  empty: {
    title: "Where a fill's money went",
    noRows: "No fill to draw",
    noValues: "No amount of this fill is known in tokens: the token's decimals are missing",
  },
  panels: ({ shown, ...size }) => [waterfallPanel(shown, size)],
  series: () => [...Object.values(PARTS), OTHER],
  legend: ({ shown }) => {
    const known = shown.filter(({ level }) => level !== null);
    const entries = new Set(known.map(({ row }) => partOf(row).label));
    const [, ...parts] = Object.values(PARTS);
    return [
      ...[...parts, OTHER].filter(({ label }) => entries.has(label)),
      ...(known.some(({ uncertain }) => uncertain !== null) ? [UNCERTAIN] : []),
    ];
  },
  finding: ({ fill, steps }) => {
    const fees = steps.flatMap(({ row }) => {
      const range = isWhole(row) ? null : rangeOf(row);
      return range === null ? [] : [{ row, ...range }];
    });
    const [low, high] = [sum(fees, (fee) => fee.low), sum(fees, (fee) => fee.high)];
    const text = feeTexts(fees.map(({ low, high }) => [low, high]).concat([[low, high]]));
    const token = tokenOf(fill[0]);
    const parts = fees.filter((fee) => fee.high > 0)
      .map((fee) => `the ${stepLabel(fee.row)} ${rangeText(fee, text)}`);
    return [
      `${titleOf(fill)}`,
      fees.length > 0 && `All fees are ${rangeText({ low, high }, text)} ${token}` +
        (parts.length < 2 ? "" : `: ${listText(parts)}`),
    ];
  },
  title: ({ fill }) => titleOf(fill),
  caption: ({ fill, fill: [first], steps, shown, isKnown, unplaced, gap, ...seen }) => [
    first !== undefined && `Order ${shortHex(first.order_uid)}`,
    `n = ${count(fill.filter((row) => !isWhole(row)).length, "fee")} of one fill`,
    seen.widestRange !== null &&
    `Network fee known to within ${axisText(seen.widestRange)} ${tokenOf(first)}: ` +
      "the settlement's calldata gives it exactly",
    isKnown && unplaced > 0 &&
    `${count(unplaced, "step")} of unknown amount or place without a bar`,
    gap !== null &&
    "The steps do not add up: fees and what was executed miss the clearing amount by " +
      axisText(gap),
    steps.length > shown.length && `${count(steps.length - shown.length, "more step")} not drawn`,
    seen.others > 0 &&
    `${count(seen.leftOut, "row")} of ${count(seen.others, "other fill")} left out`,
    isKnown && "The axis does not start at 0",
  ],
  describe: ({ fill }, caption) => `${titleOf(fill)}. Order ${fill[0]!.order_uid}. ${caption}`,
});

function keyOf({ order_uid, block_number, log_index }: FeeWaterfallRow): string {
  return [order_uid, block_number, log_index].map(String).join(" ");
}

function titleOf(rows: readonly FeeWaterfallRow[]): string {
  const find = (part: string) => rows.find((row) => row.part === part);
  const [clearing, executed] = [find("clearing"), find("executed")];
  const [worth, end] = [clearing, executed].map((row) => row === undefined ? null : rangeOf(row));
  const token = tokenOf(rows[0]);
  if (worth == null || end == null) return `Where a fill's money went, in ${token}`;
  const text = amountTexts([worth.low, worth.high, end.low]);
  const whole = rangeText(worth, text);
  return rows[0]?.kind === "buy"
    ? `A buy order paid ${text(end.low)} ${token} for ${whole} ${token} at clearing prices`
    : `A sell order received ${text(end.low)} of ${whole} ${token} at clearing prices`;
}

/** What the legend says of the parts of a waterfall. */
const PARTS: Readonly<Record<string, LegendEntry>> = {
  clearing: { label: "amount", fill: COLORS.blue, shape: "tick", stroke: COLORS.blue },
  executed: { label: "amount", fill: COLORS.blue, shape: "tick", stroke: COLORS.blue },
  network: { label: "network fee", fill: COLORS.grey },
  protocol: { label: "protocol fee", fill: COLORS.orange },
  partner: { label: "partner fee", fill: COLORS.purple },
};
/** What it says of a fee whose receiver is not known. */
const OTHER: LegendEntry = { label: "fee of unknown origin", fill: COLORS.sky };
/** What it says of the part of a fee that is not certain. */
const UNCERTAIN: LegendEntry = {
  label: "may also be network fee: only a range is known",
  fill: "#e6e9ec",
  stroke: COLORS.grey,
};
/** What the legend says of a step. */
function partOf(row: FeeWaterfallRow): LegendEntry {
  return Object.hasOwn(PARTS, row.part) ? PARTS[row.part]! : OTHER;
}

/** The token that amounts are of. */
function tokenOf(row: FeeWaterfallRow | undefined): string {
  return row?.token || "surplus token";
}

/** What a step is called. */
function stepLabel(row: FeeWaterfallRow): string {
  switch (row.part) {
    case "clearing":
      return "at clearing prices";
    case "executed":
      return row.kind === "buy" ? "owner paid" : "owner got";
    case "network":
      return "network fee";
  }
  const name = policyName(row.policy_kind, row.part === "partner");
  return row.part === "protocol" || row.part === "partner" ? name : `${name}?`;
}

/** Writes amounts with as many digits as their differences need. */
function amountTexts(levels: readonly number[]): (amount: number) => string {
  const [low = 0, high = 0] = extent(levels);
  const span = high - low;
  const size = max([0, ...levels.map(Math.abs)]);
  if (!(span > 0)) return axisText;
  if (size >= 1e9 || size < 1e-3) {
    const digits = Math.min(15, 2 + Math.max(0, Math.ceil(Math.log10(size / span))));
    return (amount) => amount.toExponential(digits).replace(/\.?0*e\+?/, "e").replaceAll("-", "−");
  }
  const decimals = Math.min(18, Math.max(0, 2 - Math.floor(Math.log10(span))));
  return (amount) =>
    amount.toLocaleString("en-US", { maximumFractionDigits: decimals }).replace(/^-/, "−");
}

/** `3 to 4`; once where both read the same. */
function rangeText(
  { low, high }: { low: number; high: number },
  text: (amount: number) => string,
): string {
  return text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
}

/** Writes the sizes of all fees of a waterfall in one form. */
function feeTexts(ranges: readonly (readonly number[])[]): (size: number) => string {
  const sizes = ranges.flat().map(Math.abs);
  const texts = alikeTexts(sizes);
  const bySize = new Map(sizes.map((size, at) => [size, texts[at] ?? ""]));
  return (size) => bySize.get(size) ?? axisText(size);
}

/** What stands beside a step: its amount, or that it is not known. */
function stepNote(
  { row, level }: WaterfallStep,
  { text, feeText }: { text: (amount: number) => string; feeText: (size: number) => string },
): string {
  const range = rangeOf(row);
  if (range === null) return "not known";
  if (isWhole(row)) {
    return `${rangeText(range, text)} ${shortName(tokenOf(row))}`;
  }
  const [up, down] = row.kind === "buy" ? ["+", "−"] : ["−", "+"];
  const signed = (fee: number) =>
    `${fee === 0 ? "" : fee > 0 ? up : down}${feeText(Math.abs(fee))}`;
  const [least, most] = [signed(range.low), signed(range.high)];
  const amount = least !== most
    ? `${least} to ${most}`
    : `${range.low === range.high ? "" : "about "}${least}`;
  const where = level === null ? ", place not known" : "";
  return `${amount}${row.is_capped === true ? ", capped" : ""}${where}`;
}

/** What the tooltip of a step says. */
function stepTooltip({ row }: WaterfallStep): string {
  const range = rangeOf(row);
  const amount = range === null
    ? "not known"
    : range.low === range.high
    ? `${exactText(range.low)} ${tokenOf(row)}`
    : `${exactText(range.low)} to ${exactText(range.high)} ${tokenOf(row)}`;
  const goesTo = isWhole(row) ? "" : ` (${partOf(row).label})`;
  return `${stepLabel(row)}${goesTo}\n${amount}${row.is_capped === true ? "\ncapped" : ""}`;
}
