import type { ScaleOptions } from "@observablehq/plot";
import {
  type AxisMeaning,
  commonOf,
  leftEdge,
  linearAxis,
  LOG_FROM_RATIO,
  logAxis,
  needsLogAxis,
  type PlacedAxis,
  placedAxis,
  ratioOf,
  symlogScale,
} from "./axis_scale.ts";
import { max, min } from "../numbers/statistics.ts";
import { count } from "../rows/row_selection.ts";

/** An axis for amounts of any size and sign. */
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
export function valueAxis(
  values: readonly number[],
  meaning: AxisMeaning & { noun: string },
): ValueAxis {
  if (needsLogAxis(values)) {
    const edge = leftEdge(values);
    const zeros = values.filter((value) => value === 0).length;
    return {
      ...placedAxis(logAxis(values, meaning), (value) => Math.max(edge, value)),
      isLinear: false,
      note: zeros === 0 ? null : `${count(zeros, meaning.noun)} of 0 drawn at the edge of the axis`,
    };
  }
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const isSymlog = values.some((value) => value < 0) && ratioOf(sizes) >= LOG_FROM_RATIO;
  return fixedAxis(isSymlog ? symlogAxis(values, sizes, meaning) : linearAxis(values, meaning));
}

/** An axis with a given scale. */
export function fixedAxis(scale: ScaleOptions): ValueAxis {
  return { ...placedAxis(scale), isLinear: scale.type === "linear", note: null };
}

/** Linear within the smallest decade, logarithmic beyond it on both sides. */
function symlogAxis(
  values: readonly number[],
  sizes: readonly number[],
  meaning: AxisMeaning,
): ScaleOptions {
  const constant = Number(`1e${Math.floor(Math.log10(min(sizes)!))}`);
  const domain = [min([0, ...values]) * 1.5, max([0, ...values]) * 1.5] as const;
  return {
    ...commonOf(meaning, ", logarithmic both sides of 0"),
    ...symlogScale(domain, constant),
  };
}
