import type { ScaleOptions } from "@observablehq/plot";
import { differenceAxis, linearAxis, needsLogAxis, valueAxis } from "../axes/axis_scale.ts";
import { extent } from "../statistics.ts";
import { axisText } from "../texts/label_text.ts";

/** An axis for the numbers of any column. */
export interface OpenAxis {
  /** Plot's scale, with its label. */
  readonly scale: ScaleOptions;
  /** Where a value is drawn. */
  readonly place: (value: number) => number;
  /** Whether a value lies beyond the axis. */
  readonly isBeyond: (value: number) => boolean;
  /** Whether it is linear and begins at zero. */
  readonly hasZero: boolean;
  /** What the caption says of it; `null` where it is as expected. */
  readonly note: string | null;
}

/** What an axis shows. */
interface OpenMeaning {
  /** What the numbers are, with their unit. */
  readonly label: string;
  /** Their unit; empty if they have none. */
  readonly unit: string;
  /** Which way it points. */
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
export function openAxis(values: readonly number[], meaning: OpenMeaning): OpenAxis {
  const { label, unit, towards, fromZero = false } = meaning;
  const own = { place: (value: number) => value, isBeyond: () => false, note: null };
  if (fromZero) return { ...own, scale: linearAxis(values, { label, towards }), hasZero: true };
  const [low = 0, high = 0] = extent(values);
  if (low < 0) {
    const { scale, place, isBeyond, note } = differenceAxis(values, unit || "in size");
    return { scale: { ...scale, ...labelOf(meaning) }, place, isBeyond, note, hasZero: false };
  }
  if (needsLogAxis(values)) {
    const { scale, place, note } = valueAxis(values, { label, noun: "value", towards });
    return { ...own, scale, place, note, hasZero: false };
  }
  if (high > low && low >= CLOSE * high) {
    const pad = (high - low) * PAD;
    const scale: ScaleOptions = {
      ...labelOf(meaning),
      type: "linear",
      domain: [low - pad, high + pad],
      grid: true,
      ticks: 6,
      tickFormat: axisText,
    };
    return { ...own, scale, note: "The axis does not begin at 0", hasZero: false };
  }
  return { ...own, scale: linearAxis(values, { label, towards }), hasZero: true };
}

function labelOf({ label, towards }: OpenMeaning): ScaleOptions {
  return towards === "up"
    ? { label: `↑ ${label}` }
    : { label: `${label} →`, labelAnchor: "center" };
}
