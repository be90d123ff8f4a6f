import type { ScaleOptions } from "@observablehq/plot";
import { clockScale } from "../axes/row_axes.ts";
import { count, wholeText } from "../rows.ts";
import { extent, roundStep } from "../statistics.ts";
import { axisText, momentText } from "../texts/label_text.ts";

/** Bins of equal width along blocks or time. */
export interface TimelineBins {
  /** Plot's scale. */
  scale: ScaleOptions;
  /** What Plot's scale takes in the place of a block or of seconds. */
  place: (x: number) => number | Date;
  /** The bin that a block or moment is in. */
  indexOf: (x: number) => number;
  /** Where a bin begins and ends. */
  edgesOf: (index: number) => { x1: number; x2: number };
  /** What a tooltip says of a bin. */
  titleOf: (index: number) => string;
  /** What the caption says of the bins. */
  note: string;
}

const MOST_BINS = 60;
/** An axis is at least this many bins long, so that one bar does not fill it. */
const LEAST_BINS = 12;
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const SPANS: readonly [number, string][] = [
  [1, "second"],
  [5, "5 seconds"],
  [15, "15 seconds"],
  [30, "30 seconds"],
  [MINUTE, "minute"],
  [5 * MINUTE, "5 minutes"],
  [15 * MINUTE, "15 minutes"],
  [30 * MINUTE, "30 minutes"],
  [HOUR, "hour"],
  [3 * HOUR, "3 hours"],
  [6 * HOUR, "6 hours"],
  [12 * HOUR, "12 hours"],
  [DAY, "day"],
  [7 * DAY, "7 days"],
  [30 * DAY, "30 days"],
];

/** At most about 60 bins of 1, 2, 5, 10, … blocks each. */
export function blockBins(blocks: readonly number[]): TimelineBins {
  const [low = 0, high = 0] = extent(blocks);
  const width = Math.max(1, roundStep((high - low + 1) / MOST_BINS));
  const first = Math.floor(low / width) * width;
  const edgesOf = (index: number) => {
    const x1 = first + index * width;
    return width === 1 ? { x1: x1 - 0.5, x2: x1 + 0.5 } : { x1, x2: x1 + width };
  };
  const indexOf = (block: number) => Math.floor((block - first) / width);
  return {
    scale: {
      type: "linear",
      domain: domainOf({ edgesOf, indexOf }, high),
      label: "Block →",
      labelAnchor: "center",
      ticks: 6,
      tickFormat: (block: number) => Number.isInteger(block) ? blockText(block) : "",
    },
    place: (block) => block,
    indexOf,
    edgesOf,
    titleOf: (index) =>
      width === 1
        ? `block ${wholeText(first + index)}`
        : `blocks ${wholeText(first + index * width)} to ${
          wholeText(first + (index + 1) * width - 1)
        }`,
    note: `One bar is ${count(width, "block")}`,
  };
}

/** At most about 60 bins of seconds, minutes, hours or days, in UTC. */
export function timeBins(seconds: readonly number[]): TimelineBins {
  const [low = 0, high = 0] = extent(seconds);
  const needed = (high - low) / MOST_BINS;
  const [width, name] = SPANS.find(([span]) => span >= needed) ??
    [Math.ceil(needed / DAY) * DAY, `${wholeText(Math.ceil(needed / DAY))} days`];
  const first = Math.floor(low / width) * width;
  const edgesOf = (index: number) => {
    const x1 = first + index * width;
    return { x1, x2: x1 + width };
  };
  const indexOf = (second: number) => Math.floor((second - first) / width);
  const place = (second: number) => new Date(second * 1_000);
  return {
    scale: clockScale(domainOf({ edgesOf, indexOf }, high), "Time"),
    place,
    indexOf,
    edgesOf,
    titleOf: (index) => `from ${momentText(edgesOf(index).x1)}`,
    note: `One bar is one ${name}`.replace(/one (\d)/, "$1"),
  };
}

/** From where to where the axis reaches: all bins, or more where they are few. */
function domainOf(
  { edgesOf, indexOf }: Pick<TimelineBins, "edgesOf" | "indexOf">,
  high: number,
): [number, number] {
  const last = indexOf(high);
  const missing = Math.max(0, LEAST_BINS - last - 1);
  const before = Math.floor(missing / 2);
  return [edgesOf(-before).x1, edgesOf(last + missing - before).x2];
}

function blockText(block: number): string {
  return Math.abs(block) < 1e9 ? wholeText(block) : axisText(block);
}
