import type { ScaleOptions } from "@observablehq/plot";
import { logAxis, ratioOf } from "../axes/axis_scale.ts";
import { axisText } from "../texts/axis_text.ts";
import type { DotAxis } from "./dot_plot.ts";
import { extent, quantile } from "../numbers/statistics.ts";
import { count } from "../rows/row_selection.ts";

/** An axis for dots at positive values. */
export interface SpreadAxis {
  /** Plot's scale. */
  scale: ScaleOptions;
  /** Where values are drawn. */
  axis: DotAxis;
  /** A note for the caption on outliers; `null` where there are none. */
  note: string | null;
}

const LOG_FROM_RATIO = 30;
/** How far the axis reaches beyond the middle 80%, in multiples of their spread of logarithms. */
const FENCE = 4;
/** If a larger share of the values are outliers, the axis shows them. */
const MOST_FAR = 0.02;
/** Factor by which the edge of the axis lies beyond the other values. */
const EDGE = 1.3;

/**
 * An axis for positive values: linear from zero, or logarithmic where they differ thirtyfold. A
 * logarithmic axis draws a few outliers at its edge, so that a dust fill does not squeeze the rest.
 */
export function spreadAxis(
  values: readonly number[],
  { label, noun }: { label: string; noun: string },
): SpreadAxis {
  const isFar = farFrom(values);
  const far = values.filter(isFar);
  const near = values.filter((value) => !isFar(value));
  const [low = 1, high = 1] = extent(near);
  const [from, to] = [low / EDGE, high * EDGE];
  return {
    scale: isWide(near) || far.length > 0 ? logAxis(near, { label }) : {
      domain: [0, high * 1.05],
      label: `${label} →`,
      labelAnchor: "center",
      grid: true,
      ticks: 6,
      tickFormat: axisText,
    },
    axis: {
      place: (value) => isFar(value) ? Math.min(to, Math.max(from, value)) : value,
      isBeyond: isFar,
    },
    note: far.length === 0
      ? null
      : `${count(far.length, "fill")} at the edge of the axis, with a ${noun} far from the rest: ` +
        axisText(far.reduce((a, b) => Math.abs(Math.log(b)) > Math.abs(Math.log(a)) ? b : a)),
  };
}

function isWide(values: readonly number[]): boolean {
  return ratioOf(values) >= LOG_FROM_RATIO;
}

/** Tells outliers from other values: there are none where values are similar or many are far. */
function farFrom(values: readonly number[]): (value: number) => boolean {
  if (!isWide(values)) return () => false;
  const logs = values.map(Math.log10).toSorted((a, b) => a - b);
  const [low, high] = [quantile(logs, 0.1)!, quantile(logs, 0.9)!];
  const reach = FENCE * (high - low);
  const isFar = (value: number) =>
    Math.log10(value) < low - reach || Math.log10(value) > high + reach;
  const isException = high > low && values.filter(isFar).length <= MOST_FAR * values.length;
  return isException ? isFar : () => false;
}
