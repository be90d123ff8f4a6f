import type { ScaleOptions } from "@observablehq/plot";
import { formatSpan } from "../../units/mod.ts";
import { extent } from "../statistics.ts";
import { createBaseScale } from "./axis_scale.ts";
import { formatExact, formatNumber } from "../texts/label_text.ts";

/** From this ratio of the longest to the shortest span, the axis is logarithmic. */
const LOG_FROM_RATIO = 100;
const UNITS: readonly { name: string; seconds: number }[] = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
];
/** A linear axis uses the largest unit of which it spans at least this many. */
const MIN_UNITS = 3;
const LOG_TICKS = [1, 10, 60, 600, 3_600, 36_000, 86_400, 864_000, 8_640_000, 86_400_000];
const CLOSE_TICKS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800],
  ...[3_600, 7_200, 18_000, 43_200, 86_400, 172_800, 432_000, 864_000],
];
/** Below this ratio of the longest to the shortest span, an axis has these close ticks. */
const CLOSE_TO_RATIO = 10_000;
const NANOSECONDS = 1e9;
/** Longer spans, in seconds, are written in days: a double does not hold their hours. */
const MAX_EXACT = 1e12;

const MAX_TICKS = 8;

export interface DurationAxis {
  scale: ScaleOptions;
  domain: readonly [number, number];
  isLog: boolean;
  /**
   * Returns the span at which another is drawn: a logarithmic axis draws spans below its range at its
   * left edge.
   */
  clamp: (seconds: number) => number;
}

/** Formats a span of time: `4.1 s`, `19 min 8 s`, `2 d 3 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "an unknown time";
  const size = Math.abs(seconds);
  if (size < 0.1 && size > 0) return `${formatExact(Number(seconds.toPrecision(2)))} s`;
  if (size >= MAX_EXACT) return `${formatNumber(seconds / 86_400)} d`;
  const step = size < 60 ? 0.1 : size < 36_000 ? 1 : 60;
  const rounded = Math.round(Math.round(seconds / step) * step * 10) / 10;
  return formatSpan(BigInt(Math.round(rounded * NANOSECONDS))).replace("-", "−");
}

export function createLinearDurationAxis(
  domain: readonly [number, number],
  label: string,
): DurationAxis {
  const size = Math.max(Math.abs(domain[0]), Math.abs(domain[1]));
  const unit = UNITS.find(({ seconds }) => size >= MIN_UNITS * seconds) ??
    { name: "s", seconds: 1 };
  return {
    scale: {
      domain: domain.map((seconds) => seconds / unit.seconds),
      transform: (seconds: number) => seconds / unit.seconds,
      ...createBaseScale({ label: `${label} (${unit.name})` }),
      ticks: 8,
    },
    domain,
    isLog: false,
    clamp: (seconds) => seconds,
  };
}

/** Creates an axis from zero for spans; logarithmic where they differ a hundredfold. */
export function createDurationAxis(spans: readonly number[], label: string): DurationAxis {
  const positive = spans.filter((seconds) => seconds > 0);
  const [shortest, longest] = extent(positive);
  if (shortest === undefined || longest === undefined) {
    return createLinearDurationAxis([0, 1], label);
  }
  if (longest / shortest < LOG_FROM_RATIO) {
    return createLinearDurationAxis([0, longest * 1.04], label);
  }
  const domain = [shortest / 1.5, longest * 1.5] as const;
  const isClose = domain[1] / domain[0] < CLOSE_TO_RATIO && domain[0] >= CLOSE_TICKS[0]!;
  const ticks = (isClose ? CLOSE_TICKS : [...listPowersBelowOne(domain[0]), ...LOG_TICKS])
    .filter((seconds) => seconds >= domain[0] && seconds <= domain[1]);
  const step = Math.ceil(ticks.length / MAX_TICKS);
  // A linear scale of logarithms: a logarithmic one labels powers of ten only, which hides minutes.
  return {
    scale: {
      domain: domain.map(Math.log10),
      transform: Math.log10,
      ...createBaseScale({ label: `${label} (logarithmic)` }),
      ticks: ticks.filter((_, index) => isClose || index % step === 0).map(Math.log10),
      tickFormat: (power: number) => formatDuration(10 ** power),
    },
    domain,
    isLog: true,
    clamp: (seconds) => Math.max(domain[0], seconds),
  };
}

function listPowersBelowOne(from: number): number[] {
  const powers: number[] = [];
  for (let power = -1; 10 ** power >= from && power > -30; power--) powers.unshift(10 ** power);
  return powers;
}
