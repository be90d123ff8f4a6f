/** A scale of an axis; `constant` is where a logarithm on both sides of zero begins. */
export interface ExploredScale {
  /** How values are placed. */
  readonly kind: "linear" | "log" | "symlog";
  /** Its ends. */
  readonly domain: readonly [number, number];
  /** Up to here a `symlog` scale is linear. */
  readonly constant: number;
}

// These functions run in pages too, as text: they use nothing but each other.

/** Where a value is on a scale, in units of the scale. */
export function placed({ kind, constant }: ExploredScale, value: number): number {
  if (kind === "linear") return value;
  if (kind === "log") return Math.log10(value);
  return Math.sign(value) * Math.log1p(Math.abs(value) / constant);
}

/** The value that {@linkcode placed} puts somewhere. */
export function valueAt({ kind, constant }: ExploredScale, place: number): number {
  if (kind === "linear") return place;
  if (kind === "log") return 10 ** place;
  return Math.sign(place) * constant * Math.expm1(Math.abs(place));
}

/** Places on an axis, from 0 to 1, the values there, and the values at its ticks. */
export function scaleOf(scale: ExploredScale): {
  readonly place: (value: number) => number;
  readonly value: (share: number) => number;
  readonly ticks: (most: number) => number[];
} {
  const [from, to] = scale.domain.map((end) => placed(scale, end)) as [number, number];
  return {
    place: (value) => (placed(scale, value) - from) / (to - from),
    value: (share) => valueAt(scale, from + share * (to - from)),
    ticks: scale.kind === "linear" ? evenTicks.bind(null, scale) : powerTicks.bind(null, scale),
  };
}

/** Multiples of 1, 2 or 5 times a power of ten, at most so many. */
export function evenTicks({ domain: [low, high] }: ExploredScale, most: number): number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
}

/** Zero and powers of ten on both sides of it, the largest first to stay where only so many fit. */
export function powerTicks({ domain: [low, high] }: ExploredScale, most: number): number[] {
  const powers = Array.from({ length: 37 }, (_, at) => Number(`1e${at - 18}`));
  const all = [...powers.map((power) => -power), 0, ...powers]
    .filter((value) => value >= low && value <= high)
    .toSorted((a, b) => Math.abs(b) - Math.abs(a));
  const every = Math.ceil(all.length / most);
  return all.filter((_, at) => at % every === 0).toSorted((a, b) => a - b);
}
