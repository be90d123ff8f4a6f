/** Scale of an axis. */
export interface ExploredScale {
  readonly kind: "linear" | "log" | "symlog";
  readonly domain: readonly [number, number];
  /** Up to this size a `symlog` scale is linear. */
  readonly constant: number;
}

// These functions run in pages too, as text: they use nothing but each other.

/** Projects a value onto a scale, in units of the scale. */
export function projectValue({ kind, constant }: ExploredScale, value: number): number {
  if (kind === "linear") return value;
  if (kind === "log") return Math.log10(value);
  return Math.sign(value) * Math.log1p(Math.abs(value) / constant);
}

/** Inverts {@linkcode projectValue}. */
export function invertValue({ kind, constant }: ExploredScale, position: number): number {
  if (kind === "linear") return position;
  if (kind === "log") return 10 ** position;
  return Math.sign(position) * constant * Math.expm1(Math.abs(position));
}

/** Creates functions from values to shares of the axis and back, and its ticks. */
export function createScale(scale: ExploredScale): {
  readonly toShare: (value: number) => number;
  readonly value: (share: number) => number;
  readonly ticks: (maxCount: number) => number[];
} {
  const [from, to] = scale.domain.map((end) => projectValue(scale, end)) as [number, number];
  return {
    toShare: (value) => (projectValue(scale, value) - from) / (to - from),
    value: (share) => invertValue(scale, from + share * (to - from)),
    ticks: scale.kind === "linear"
      ? listEvenTicks.bind(null, scale)
      : listPowerTicks.bind(null, scale),
  };
}

/** Lists at most `maxCount` multiples of 1, 2 or 5 times a power of ten. */
export function listEvenTicks({ domain: [low, high] }: ExploredScale, maxCount: number): number[] {
  const rough = (high - low) / maxCount;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((width) => width >= rough) ??
    rough;
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => (first + index) * step,
  );
}

/** Lists zero and powers of ten on both sides of it, the largest first if not all fit. */
export function listPowerTicks({ domain: [low, high] }: ExploredScale, maxCount: number): number[] {
  const powers = Array.from({ length: 37 }, (_, index) => Number(`1e${index - 18}`));
  const ticks = [...powers.map((power) => -power), 0, ...powers]
    .filter((value) => value >= low && value <= high)
    .toSorted((a, b) => Math.abs(b) - Math.abs(a));
  const step = Math.ceil(ticks.length / maxCount);
  return ticks.filter((_, index) => index % step === 0).toSorted((a, b) => a - b);
}
