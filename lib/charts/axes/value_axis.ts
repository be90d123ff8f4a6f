import { scale as plotScale, type ScaleOptions } from "@observablehq/plot";
import {
  type AxisMeaning,
  commonOf,
  leftEdge,
  linearAxis,
  LOG_FROM_RATIO,
  logAxis,
  needsLogAxis,
  symlogTicks,
} from "./axis_scale.ts";
import { largest, smallest } from "../numbers/extremes.ts";
import { axisText } from "../texts/axis_text.ts";
import { count } from "../rows/row_selection.ts";

/** An axis for amounts of any size and sign. */
export interface ValueAxis {
  /** Plot's scale. */
  scale: ScaleOptions;
  /** Whether the axis is linear, so that it may carry bars. */
  isLinear: boolean;
  /** Where a value is drawn on the axis. */
  place: (value: number) => number;
  /** The same as a part of the axis: 0 is its left end, 1 the right. */
  fraction: (value: number) => number;
  /** What the caption says of values that the axis cannot show; `null` when there are none. */
  note: string | null;
}

/**
 * The axis that suits some amounts: linear from zero; logarithmic where they differ a thousandfold
 * and none is negative; linear near zero and logarithmic beyond where they differ as much on both
 * sides.
 *
 * @param noun What a value is, such as `score`, for the note on zeros at the edge of a logarithmic
 * axis.
 */
export function valueAxis(
  values: readonly number[],
  meaning: AxisMeaning & { noun: string },
): ValueAxis {
  if (needsLogAxis(values)) {
    const edge = leftEdge(values);
    const zeros = values.filter((value) => value === 0).length;
    return axisOf(logAxis(values, meaning), {
      place: (value) => Math.max(edge, value),
      note: zeros === 0 ? null : `${count(zeros, meaning.noun)} of 0 drawn at the edge of the axis`,
    });
  }
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const isWide = largest(sizes) / smallest(sizes) >= LOG_FROM_RATIO;
  return values.some((value) => value < 0) && isWide
    ? axisOf(symlogAxis(values, meaning), {})
    : axisOf(linearAxis(values, meaning), {});
}

/** A linear axis that is fixed already. */
export function fixedAxis(scale: ScaleOptions): ValueAxis {
  return axisOf(scale, {});
}

function axisOf(scale: ScaleOptions, rest: Partial<ValueAxis>): ValueAxis {
  const { place = (value: number) => value, note = null } = rest;
  const { apply } = plotScale({ x: { ...scale, range: [0, 1] } });
  return {
    scale,
    isLinear: scale.type === "linear",
    place,
    fraction: (value) => apply(place(value)),
    note,
  };
}

/** Linear within the smallest decade, logarithmic beyond on both sides. */
function symlogAxis(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const constant = Number(`1e${Math.floor(Math.log10(smallest(sizes)))}`);
  const domain = [
    Math.min(0, smallest(values)) * 1.5,
    Math.max(0, largest(values)) * 1.5,
  ] as const;
  return {
    ...commonOf(meaning, ", logarithmic both sides of 0"),
    type: "symlog",
    constant,
    domain: [...domain],
    ticks: symlogTicks(domain, constant),
    tickFormat: axisText,
  };
}
