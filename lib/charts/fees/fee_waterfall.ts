import * as Plot from "@observablehq/plot";
import { createBaseScale, createFixedAxis } from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { createListPanel } from "../marks/bars.ts";
import { declare, fillTexts } from "../rows.ts";
import { extent, max, sum } from "../statistics.ts";
import { count, formatList } from "../texts/count_text.ts";
import { formatExact, formatNumber, formatTogether } from "../texts/label_text.ts";
import { namePolicy, shortenHex, shortenName } from "../texts/short_names.ts";
import {
  type FeeWaterfallRow,
  isWhole,
  layOutSteps,
  readRange,
  type WaterfallStep,
} from "./waterfall_levels.ts";

/** Options of {@linkcode feeWaterfall}. */
export type FeeWaterfallOptions = ChartOptions;

/** Above this number of steps, only the last ones are drawn. */
const MAX_STEPS = 60;

function createWaterfallPanel(steps: readonly WaterfallStep[], size: ListSize): Panel {
  const levels = steps.flatMap(({ level, uncertain }) => [
    ...(level === null ? [] : [level.from, level.to]),
    ...(uncertain === null ? [] : [uncertain.from, uncertain.to]),
  ]);
  const domain = padDomain(levels);
  const text = createAmountFormat(levels);
  const feeText = createFeeFormat(steps.flatMap(({ row }) => {
    const range = isWhole(row) ? null : readRange(row);
    return range === null ? [] : [[range.low, range.high]];
  }));
  const places = new Map(steps.map((step, index) => [step, index]));
  const y = (step: WaterfallStep) => places.get(step);
  const placedSteps = steps.filter(({ level }) => level !== null);
  const fees = placedSteps.filter(({ row }) => !isWhole(row));
  const wholes = Map.groupBy(
    placedSteps.filter(({ row }) => isWhole(row)),
    ({ level }) => level?.from === level?.to,
  );
  const bar = {
    x1: (step: WaterfallStep) => step.level?.from,
    x2: (step: WaterfallStep) => step.level?.to,
    y,
    title: formatStepTooltip,
  };
  return createListPanel({
    ...size,
    labels: steps.map(({ row }) => nameStep(row)),
    axis: createFixedAxis({
      type: "linear",
      domain: [...domain],
      ...createBaseScale({ label: `Amount (${nameToken(steps[0]?.row)})` }),
      ticks: 5,
      tickFormat: text,
    }),
    marks: () => [
      Plot.link(listConnectors(steps), {
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
        fill: (step: WaterfallStep) => pickPart(step.row).fill,
        stroke: (step: WaterfallStep) => pickPart(step.row).fill,
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
        title: formatStepTooltip,
        className: "whole",
      }),
    ],
    ends: steps.map((step) => ({
      value: max([step.level, step.uncertain].flatMap((range) =>
        range === null ? [] : [range.from, range.to]
      )) ?? domain[0],
      text: formatStepNote(step, { text, feeText }),
    })),
  });
}

/**
 * Room on both sides of the levels; the axis need not begin at zero, since it has no bars from
 * there.
 */
function padDomain(levels: readonly number[]): readonly [number, number] {
  const [low = 0, high = 0] = extent(levels);
  const pad = high > low ? (high - low) * 0.08 : Math.abs(high) * 0.01 || 1;
  return [low - pad, high + pad];
}

/** Lists lines from the end of a step to the beginning of the next. */
function listConnectors(
  steps: readonly WaterfallStep[],
): { x: number; from: number; to: number }[] {
  return steps.flatMap(({ level }, index) => {
    const next = steps[index + 1]?.level ?? null;
    if (level === null || next === null) return [];
    const { row } = steps[index]!;
    return isWhole(row) && level.from !== level.to
      ? []
      : [{ x: level.to, from: index, to: index + 1 }];
  });
}

/**
 * Draws where one fill's money went: its amount at the settlement's clearing prices, the network
 * fee, every policy's fee in the order applied with those of partners separate, and what the owner got
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
export const feeWaterfall: Draw<FeeWaterfallRow, FeeWaterfallOptions> = defineChart({
  chart: "feeWaterfall",
  table: "fee_steps",
  columns: {
    ...declare("text", "order_uid", "kind", "part", "token"),
    ...declare("number?", "block_number", "log_index", "amount_low_tokens", "amount_high_tokens"),
    ...declare("number", "step", "amount_tokens"),
    ...declare("text?", "policy_kind"),
    ...declare("flag?", "is_capped"),
  },
  options: {},
  select: (rows) => {
    const [fill = []] = Map.groupBy(fillTexts(rows, ["order_uid"]), formatFillKey).values();
    const { steps, gap, widestRange } = layOutSteps(fill);
    const shownSteps = steps.slice(-MAX_STEPS);
    const isKnown = steps.some(({ level }) => level !== null);
    return {
      fill,
      steps,
      shownSteps,
      gap,
      widestRange,
      leftOut: rows.length - fill.length,
      otherFills: new Set(rows.map(formatFillKey)).size - 1,
      isKnown,
      unplaced: shownSteps.filter(({ level }) => level === null).length,
      drawnRows: isKnown ? shownSteps.map(({ row }) => row) : [],
    };
  },
  empty: {
    title: "Where a fill's money went",
    noRows: "No fill to draw",
    noValues: "No amount of this fill is known in tokens: the token's decimals are missing",
  },
  panels: ({ shownSteps, ...size }) => [createWaterfallPanel(shownSteps, size)],
  series: () => [...Object.values(PARTS), OTHER],
  legend: ({ shownSteps }) => {
    const placedSteps = shownSteps.filter(({ level }) => level !== null);
    const entries = new Set(placedSteps.map(({ row }) => pickPart(row).label));
    const [, ...parts] = Object.values(PARTS);
    return [
      ...[...parts, OTHER].filter(({ label }) => entries.has(label)),
      ...(placedSteps.some(({ uncertain }) => uncertain !== null) ? [UNCERTAIN] : []),
    ];
  },
  finding: ({ fill, steps }) => {
    const fees = steps.flatMap(({ row }) => {
      const range = isWhole(row) ? null : readRange(row);
      return range === null ? [] : [{ row, ...range }];
    });
    const [low, high] = [sum(fees, (fee) => fee.low), sum(fees, (fee) => fee.high)];
    const text = createFeeFormat(fees.map(({ low, high }) => [low, high]).concat([[low, high]]));
    const token = nameToken(fill[0]);
    const parts = fees.filter((fee) => fee.high > 0)
      .map((fee) => `the ${nameStep(fee.row)} ${formatRange(fee, text)}`);
    return [
      `${formatTitle(fill)}`,
      fees.length > 0 && `Fees total ${formatRange({ low, high }, text)} ${token}` +
        (parts.length < 2 ? "" : `: ${formatList(parts)}`),
    ];
  },
  title: ({ fill }) => formatTitle(fill),
  caption: ({ fill, fill: [first], steps, shownSteps, isKnown, unplaced, gap, ...selection }) => [
    first !== undefined && `Order ${shortenHex(first.order_uid)}`,
    `n = ${count(fill.filter((row) => !isWhole(row)).length, "fee")} of one fill`,
    selection.widestRange !== null &&
    `Network fee known to within ${formatNumber(selection.widestRange)} ${nameToken(first)}: ` +
      "the settlement's calldata gives it exactly",
    isKnown && unplaced > 0 &&
    `${count(unplaced, "step")} without a bar: amount or position unknown`,
    gap !== null &&
    "The steps do not add up: fees and what was executed miss the clearing amount by " +
      formatNumber(gap),
    steps.length > shownSteps.length &&
    `${count(steps.length - shownSteps.length, "more step")} not shown`,
    selection.otherFills > 0 &&
    `${count(selection.leftOut, "row")} of ${count(selection.otherFills, "other fill")} left out`,
    isKnown && "The axis does not start at 0",
  ],
  describe: ({ fill }, caption) => `${formatTitle(fill)}. Order ${fill[0]!.order_uid}. ${caption}`,
});

function formatFillKey({ order_uid, block_number, log_index }: FeeWaterfallRow): string {
  return [order_uid, block_number, log_index].map(String).join(" ");
}

function formatTitle(rows: readonly FeeWaterfallRow[]): string {
  const find = (part: string) => rows.find((row) => row.part === part);
  const [clearingRow, executedRow] = [find("clearing"), find("executed")];
  const [worth, end] = [clearingRow, executedRow].map((row) =>
    row === undefined ? null : readRange(row)
  );
  const token = nameToken(rows[0]);
  if (worth == null || end == null) return `Where a fill's money went, in ${token}`;
  const text = createAmountFormat([worth.low, worth.high, end.low]);
  const clearingText = formatRange(worth, text);
  return rows[0]?.kind === "buy"
    ? `A buy order paid ${text(end.low)} ${token} for ${clearingText} ${token} at clearing prices`
    : `A sell order received ${text(end.low)} of ${clearingText} ${token} at clearing prices`;
}

const PARTS: Readonly<Record<string, LegendEntry>> = {
  clearing: { label: "amount", fill: COLORS.blue, shape: "tick", stroke: COLORS.blue },
  executed: { label: "amount", fill: COLORS.blue, shape: "tick", stroke: COLORS.blue },
  network: { label: "network fee", fill: COLORS.grey },
  protocol: { label: "protocol fee", fill: COLORS.orange },
  partner: { label: "partner fee", fill: COLORS.purple },
};
/** Legend entry of a fee whose receiver is unknown. */
const OTHER: LegendEntry = { label: "fee of unknown origin", fill: COLORS.sky };
const UNCERTAIN: LegendEntry = {
  label: "may also be network fee: only a range is known",
  fill: "#e6e9ec",
  stroke: COLORS.grey,
};
function pickPart(row: FeeWaterfallRow): LegendEntry {
  return Object.hasOwn(PARTS, row.part) ? PARTS[row.part]! : OTHER;
}

function nameToken(row: FeeWaterfallRow | undefined): string {
  return row?.token || "surplus token";
}

function nameStep(row: FeeWaterfallRow): string {
  switch (row.part) {
    case "clearing":
      return "at clearing prices";
    case "executed":
      return row.kind === "buy" ? "owner paid" : "owner got";
    case "network":
      return "network fee";
  }
  const name = namePolicy(row.policy_kind, row.part === "partner");
  return row.part === "protocol" || row.part === "partner" ? name : `${name}?`;
}

/** Creates a format with as many digits as the differences of amounts need. */
function createAmountFormat(levels: readonly number[]): (amount: number) => string {
  const [low = 0, high = 0] = extent(levels);
  const span = high - low;
  const size = max([0, ...levels.map(Math.abs)]);
  if (!(span > 0)) return formatNumber;
  if (size >= 1e9 || size < 1e-3) {
    const digits = Math.min(15, 2 + Math.max(0, Math.ceil(Math.log10(size / span))));
    return (amount) => amount.toExponential(digits).replace(/\.?0*e\+?/, "e").replaceAll("-", "−");
  }
  const decimals = Math.min(18, Math.max(0, 2 - Math.floor(Math.log10(span))));
  return (amount) =>
    amount.toLocaleString("en-US", { maximumFractionDigits: decimals }).replace(/^-/, "−");
}

/** Formats `3 to 4`; once if both read the same. */
function formatRange(
  { low, high }: { low: number; high: number },
  text: (amount: number) => string,
): string {
  return text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
}

/** Creates one format for the sizes of all fees of a waterfall. */
function createFeeFormat(ranges: readonly (readonly number[])[]): (size: number) => string {
  const sizes = ranges.flat().map(Math.abs);
  const texts = formatTogether(sizes);
  const bySize = new Map(sizes.map((size, index) => [size, texts[index] ?? ""]));
  return (size) => bySize.get(size) ?? formatNumber(size);
}

/** Formats the note beside a step: its amount, or that it is not known. */
function formatStepNote(
  { row, level }: WaterfallStep,
  { text, feeText }: { text: (amount: number) => string; feeText: (size: number) => string },
): string {
  const range = readRange(row);
  if (range === null) return "unknown";
  if (isWhole(row)) {
    return `${formatRange(range, text)} ${shortenName(nameToken(row))}`;
  }
  const [up, down] = row.kind === "buy" ? ["+", "−"] : ["−", "+"];
  const formatSignedFee = (fee: number) =>
    `${fee === 0 ? "" : fee > 0 ? up : down}${feeText(Math.abs(fee))}`;
  const [lowText, highText] = [formatSignedFee(range.low), formatSignedFee(range.high)];
  const amount = lowText !== highText
    ? `${lowText} to ${highText}`
    : `${range.low === range.high ? "" : "about "}${lowText}`;
  const placeNote = level === null ? ", position unknown" : "";
  return `${amount}${row.is_capped === true ? ", capped" : ""}${placeNote}`;
}

function formatStepTooltip({ row }: WaterfallStep): string {
  const range = readRange(row);
  const amount = range === null
    ? "unknown"
    : range.low === range.high
    ? `${formatExact(range.low)} ${nameToken(row)}`
    : `${formatExact(range.low)} to ${formatExact(range.high)} ${nameToken(row)}`;
  const goesTo = isWhole(row) ? "" : ` (${pickPart(row).label})`;
  return `${nameStep(row)}${goesTo}\n${amount}${row.is_capped === true ? "\ncapped" : ""}`;
}
