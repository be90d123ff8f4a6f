import { scale as plotScale, type ScaleOptions } from "@observablehq/plot";
import { extent, max, median, min, quantile } from "../statistics.ts";
import { count } from "../texts/count_text.ts";
import { formatNumber, formatSigned } from "../texts/label_text.ts";

/** From this ratio of the largest to the smallest amount, a linear axis hides the small ones. */
const LOG_FROM_RATIO = 1_000;

/** A scale with its positions. */
export interface PlacedAxis {
  scale: ScaleOptions;
  /** Returns the value at which another value is drawn, such as the edge for one beyond the axis. */
  clamp: (value: number) => number;
  /** Returns the position of a value as a part of the axis: 0 is its left end, 1 the right. */
  fraction: (value: number) => number;
  /** Returns the value at a part of the axis. */
  valueAt: (fraction: number) => number;
}

/** Adds positions to a scale; `clamp` moves values to where they are drawn. */
export function createAxis(
  scale: ScaleOptions,
  clamp: (value: number) => number = (value) => value,
): PlacedAxis {
  const { apply, invert } = plotScale({ x: { ...scale, range: [0, 1] } });
  return {
    scale,
    clamp,
    fraction: (value) => apply(clamp(value)),
    valueAt: (fraction) => invert!(fraction),
  };
}

/** Divides the largest of some positive values by the smallest; 1 without values. */
export function measureRatio(values: readonly number[]): number {
  const [low = 1, high = 1] = extent(values);
  return high / low;
}

interface AxisMeaning {
  /** Name of the numbers with their unit, such as `Score (ETH)`. */
  label: string;
  /** Direction of the axis. @default {"right"} */
  towards?: "right" | "up";
}

/**
 * Whether amounts differ so much that they need a logarithmic axis, and so dots instead of bars.
 */
function needsLogAxis(values: readonly number[]): boolean {
  const positive = values.filter((value) => value > 0);
  if (positive.length < 2 || values.some((value) => value < 0)) return false;
  return measureRatio(positive) >= LOG_FROM_RATIO;
}

/** Creates a linear scale from zero, for bars; from 0 to 1 if all amounts are zero. */
export function createLinearScale(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const [low = 0, high = 0] = extent([0, ...values]);
  return {
    ...createBaseScale(meaning),
    type: "linear",
    domain: low === high ? [0, 1] : [low, high],
    nice: true,
  };
}

/**
 * A logarithmic axis, for dots. Draw values at or below zero at its left edge, `leftEdge(values)`.
 */
export function createLogScale(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const domain = [findLeftEdge(values), max(values)! * 1.5] as const;
  return {
    ...createBaseScale(meaning, ", logarithmic"),
    type: "log",
    domain: [...domain],
    ticks: listLogTicks(domain),
  };
}

/** Returns the left end of a logarithmic axis: a third of the smallest amount above zero. */
function findLeftEdge(values: readonly number[]): number {
  return min(values.filter((value) => value > 0))! / 3;
}

/** Lists all powers of ten; over a few decades also multiples of them. */
function listLogTicks([low, high]: readonly [number, number]): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first > 3 ? [1] : last - first > 2 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = first; power <= last; power++) {
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`));
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/** Creates a scale that is linear up to `constant` on both sides of zero, and logarithmic beyond. */
function createSymlogScale(domain: readonly [number, number], constant: number): ScaleOptions {
  return {
    type: "symlog",
    constant,
    domain: [...domain],
    grid: true,
    ticks: listSymlogTicks(domain, constant),
  };
}

/**
 * Ticks of an axis that is linear up to `constant` and logarithmic beyond: zero, and the powers of
 * ten on both sides of it. The panel draws as many of them as fit.
 */
export function listSymlogTicks(
  [low, high]: readonly [number, number],
  constant: number,
): number[] {
  const first = Math.round(Math.log10(constant));
  const last = Math.floor(Math.log10(Math.max(-low, high)));
  const powers: number[] = [];
  for (let power = first; power <= last; power++) powers.push(Number(`1e${power}`));
  return [...powers.toReversed().map((power) => -power), 0, ...powers]
    .filter((tick) => tick >= low && tick <= high);
}

/** Options shared by all axes of amounts; `suffix` goes inside the parentheses of the unit. */
export function createBaseScale(
  { label, towards = "right" }: AxisMeaning,
  suffix = "",
): ScaleOptions {
  return {
    ...createAxisLabel(insertIntoUnit(label, suffix), towards),
    grid: true,
    ticks: 6,
    tickFormat: formatNumber,
  };
}

/** Adds a word inside the unit's parentheses: `Score (ETH)` becomes `Score (ETH, logarithmic)`. */
function insertIntoUnit(label: string, suffix: string): string {
  if (suffix === "") return label;
  return label.endsWith(")") ? `${label.slice(0, -1)}${suffix})` : `${label} (${suffix.slice(2)})`;
}

export interface ValueAxis extends PlacedAxis {
  /** Whether the axis is linear, so that it may carry bars. */
  isLinear: boolean;
  /** A note for the caption on values that the axis cannot show; `null` when there are none. */
  note: string | null;
}

/**
 * An axis for amounts. It is linear from zero; logarithmic where they differ a thousandfold and none
 * is negative; linear near zero and logarithmic beyond where they do and some are negative.
 *
 * @param noun What a value is, such as `score`, for the note on zeros at the edge of a logarithmic
 * axis.
 */
export function createValueAxis(
  values: readonly number[],
  meaning: AxisMeaning & { noun: string },
): ValueAxis {
  if (needsLogAxis(values)) {
    const edge = findLeftEdge(values);
    const zeros = values.filter((value) => value === 0).length;
    return {
      ...createAxis(createLogScale(values, meaning), (value) => Math.max(edge, value)),
      isLinear: false,
      note: zeros === 0 ? null : `${count(zeros, meaning.noun)} of 0 shown at the edge of the axis`,
    };
  }
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const isSymlog = values.some((value) => value < 0) && measureRatio(sizes) >= LOG_FROM_RATIO;
  return createFixedAxis(
    isSymlog ? createSymlogValueScale(values, sizes, meaning) : createLinearScale(values, meaning),
  );
}

export function createPercentAxis(shares: readonly number[], label: string): ValueAxis {
  return createFixedAxis({
    ...createLinearScale(shares, { label }),
    tickFormat: (share: number) => formatNumber(Number((share * 100).toPrecision(6))),
  });
}

export function createFixedAxis(scale: ScaleOptions): ValueAxis {
  return { ...createAxis(scale), isLinear: scale.type === "linear", note: null };
}

/** Linear within the smallest decade, logarithmic beyond it on both sides. */
function createSymlogValueScale(
  values: readonly number[],
  sizes: readonly number[],
  meaning: AxisMeaning,
): ScaleOptions {
  const constant = Number(`1e${Math.floor(Math.log10(min(sizes)!))}`);
  const domain = [min([0, ...values]) * 1.5, max([0, ...values]) * 1.5] as const;
  return {
    ...createBaseScale(meaning, ", logarithmic on both sides of 0"),
    ...createSymlogScale(domain, constant),
  };
}

/** Reach of an axis beyond the middle 80% of the values, in multiples of their spread. */
const FENCE = 2;

/** Share of the values that may lie beyond a linear axis, at its edge. */
const MAX_BEYOND = 0.02;

/** A smaller range has no ticks: doubles near it are too coarse. */
const MIN_RANGE = 1e-100;

export interface DifferenceAxis extends PlacedAxis {
  domain: readonly [number, number];
  isBeyond: (value: number) => boolean;
  /** A note for the caption: values beyond the axis, or that it is not linear; else `null`. */
  note: string | null;
}

/**
 * The range of a linear axis: zero, and all values except outliers. An outlier is farther from the
 * middle 80% of the values than twice its spread (the middle 96% where the middle 80% is one value).
 * The range ends at the farthest value that is not an outlier.
 */
export function findInlierRange(values: readonly number[]): [number, number] {
  const ascending = values.toSorted((a, b) => a - b);
  if (ascending.length === 0) return [-1, 1];
  const [low, high] = findMiddleRange(ascending);
  const reach = high > low ? FENCE * (high - low) : Infinity;
  const inside = ascending.filter((value) => value >= low - reach && value <= high + reach);
  const range: [number, number] = [Math.min(0, inside[0] ?? 0), Math.max(0, inside.at(-1) ?? 0)];
  return range[0] === range[1] ? [-1, 1] : range;
}

/** Finds the middle 80% of some values; the middle 96% where those are all equal. */
function findMiddleRange(ascending: readonly number[]): readonly [number, number] {
  const readQuantile = (share: number) => quantile(ascending, share) ?? NaN;
  const [low, high] = [readQuantile(0.1), readQuantile(0.9)];
  return high > low ? [low, high] : [readQuantile(0.02), readQuantile(0.98)];
}

/**
 * An axis that shows zero and all values. With few outliers it is linear and draws them at its edge;
 * with many it is linear near zero and logarithmic beyond. For dots only: bars would mislead.
 *
 * @param unit Unit of the values, for the note on those beyond the axis.
 */
export function createDifferenceAxis(values: readonly number[], unit: string): DifferenceAxis {
  const [low, high] = findInlierRange(values);
  const beyond = values.filter((value) => value < low || value > high);
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const middle = median(sizes) ?? 1;
  const isSymlog = beyond.length > MAX_BEYOND * values.length ||
    Math.max(-low, high) / middle >= LOG_FROM_RATIO;
  return isSymlog
    ? createSymlogDifferenceAxis(values, middle, unit)
    : createLinearDifferenceAxis(values, unit);
}

function createLinearDifferenceAxis(values: readonly number[], unit: string): DifferenceAxis {
  const fenced = findInlierRange(values);
  const [low, high] = fenced[1] - fenced[0] < MIN_RANGE ? [-1, 1] : fenced;
  const beyond = values.filter((value) => value < low || value > high);
  const pad = (high - low) * 0.04;
  const domain = [low - pad, high + pad] as const;
  const isBeyond = (value: number) => value < low || value > high;
  const farthest = beyond.reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a, 0);
  const clamp = (value: number) => Math.min(domain[1], Math.max(domain[0], value));
  const look = { grid: true, ticks: 6, tickFormat: formatSigned };
  return {
    ...createAxis({ type: "linear", domain: [...domain], ...look }, clamp),
    domain,
    isBeyond,
    note: beyond.length === 0
      ? null
      : `${count(beyond.length, "value")} beyond the axis, up to ${formatSigned(farthest)} ` +
        `${unit}, shown at its edge`,
  };
}

function createSymlogDifferenceAxis(
  values: readonly number[],
  middle: number,
  unit: string,
): DifferenceAxis {
  const constant = 10 ** Math.floor(Math.log10(middle));
  const reach = values.map((value) => value * 4);
  const domain = [min([-constant, ...reach]), max([constant, ...reach])] as const;
  return {
    ...createAxis({ ...createSymlogScale(domain, constant), tickFormat: formatSigned }),
    domain,
    isBeyond: () => false,
    note: `The axis is linear up to ${formatNumber(constant)} ${unit} and logarithmic beyond`,
  };
}

export interface OpenAxis {
  readonly scale: ScaleOptions;
  readonly clamp: (value: number) => number;
  readonly isBeyond: (value: number) => boolean;
  /** Whether it is linear and begins at zero. */
  readonly hasZero: boolean;
  /** A note for the caption; `null` for a linear axis from zero without outliers. */
  readonly note: string | null;
}

interface OpenMeaning {
  /** Name of the numbers with their unit. */
  readonly label: string;
  /** Their unit; empty if they have none. */
  readonly unit: string;
  readonly towards: "right" | "up";
  /** Whether it begins at zero, as sums need. @default {false} */
  readonly fromZero?: boolean;
}

/** Values of which the smallest is at least this part of the largest are drawn apart from zero. */
const CLOSE = 0.6;

const PAD = 0.06;

/**
 * An axis for numbers of any size: linear from zero; from near the smallest where all are close
 * together; logarithmic where they differ a thousandfold; and where some are negative, as
 * differences are drawn, with outliers at its edge.
 */
export function createOpenAxis(values: readonly number[], meaning: OpenMeaning): OpenAxis {
  const { label, unit, towards, fromZero = false } = meaning;
  const plain = { clamp: (value: number) => value, isBeyond: () => false, note: null };
  if (fromZero) {
    return { ...plain, scale: createLinearScale(values, { label, towards }), hasZero: true };
  }
  const [low = 0, high = 0] = extent(values);
  if (low < 0) {
    const { scale, clamp, isBeyond, note } = createDifferenceAxis(values, unit || "in size");
    return {
      scale: { ...scale, ...createAxisLabel(label, towards) },
      clamp,
      isBeyond,
      note,
      hasZero: false,
    };
  }
  if (needsLogAxis(values)) {
    const { scale, clamp, note } = createValueAxis(values, { label, noun: "value", towards });
    return { ...plain, scale, clamp, note, hasZero: false };
  }
  if (high > low && low >= CLOSE * high) {
    const pad = (high - low) * PAD;
    const scale: ScaleOptions = {
      ...createBaseScale(meaning),
      type: "linear",
      domain: [low - pad, high + pad],
    };
    return { ...plain, scale, note: "The axis does not start at 0", hasZero: false };
  }
  return { ...plain, scale: createLinearScale(values, { label, towards }), hasZero: true };
}

/** Creates the label of an axis, with an arrow in its direction. */
export function createAxisLabel(
  label: string,
  towards: "right" | "up" = "right",
): Pick<ScaleOptions, "label" | "labelAnchor"> {
  return towards === "up"
    ? { label: `↑ ${label}` }
    : { label: `${label} →`, labelAnchor: "center" };
}
