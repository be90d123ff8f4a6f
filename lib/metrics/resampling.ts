/** Numbers of one group, with a weight for each where a statistic takes weights. */
export interface Sample {
  /** The numbers; 1 and 0 for a share. */
  readonly values: readonly number[];
  /** Weights from 0, as many as values. @default {1 each} */
  readonly weights?: readonly number[];
}

/** Draws the next number, from 0 up to below 1. */
type Random = () => number;

/**
 * Creates a generator of random numbers that always draws the same ones for a seed: sfc32.
 *
 * @see {@link https://pracrand.sourceforge.net/RNG_engines.txt | Chris Doty-Humphrey, PractRand}
 */
export function seedRandom(seed: number): Random {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed >>> 0, 1];
  const drawNext = () => {
    const mixed = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed | 0;
    return (mixed >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 16; round++) drawNext();
  return drawNext;
}

/** Draws a statistic of a new resample, drawn with replacement, each time. */
export type Resample = (random: Random) => number;

/**
 * Draws medians of resamples.
 *
 * A resample takes `N` of the `N` values, so the ranks of its middle values are order statistics of `N`
 * uniform numbers, which follow beta distributions: one draw takes as long for a million values as for ten.
 *
 * @param sortedValues Values in ascending order, one at least.
 */
export function resampleMedian(sortedValues: Float64Array): Resample {
  const size = sortedValues.length;
  const half = size >> 1;
  const pickValue = (uniform: number) =>
    sortedValues[Math.min(size - 1, Math.floor(size * uniform))]!;
  if (size % 2 === 1) return (random) => pickValue(drawBeta(half + 1, half + 1, random));
  return (random) => {
    const low = drawBeta(half, half + 1, random);
    const high = low + (1 - low) * (1 - random() ** (1 / half));
    return (pickValue(low) + pickValue(high)) / 2;
  };
}

/**
 * Draws a statistic of whole resamples, each with as many values as the sample.
 *
 * @param compute The statistic, from the number of times that each value was drawn.
 */
export function resampleRows(
  size: number,
  compute: (times: Uint8Array) => number,
): Resample {
  // One byte each stays in the fastest memory. Of n values, one is drawn 256 times less often than once
  // in 256! resamples.
  const times = new Uint8Array(size);
  return (random) => {
    times.fill(0);
    for (let draw = 0; draw < size; draw++) times[Math.floor(size * random())]! += 1;
    return compute(times);
  };
}

/** Draws from a beta distribution whose parameters are at least 1. */
function drawBeta(a: number, b: number, random: Random): number {
  const x = drawGamma(a, random);
  return x / (x + drawGamma(b, random));
}

/**
 * Draws from a gamma distribution of a shape of at least 1.
 *
 * @see {@link https://doi.org/10.1145/358407.358414 | Marsaglia and Tsang, A simple method for generating gamma variables}
 */
function drawGamma(shape: number, random: Random): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  while (true) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < x * x / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Draws from the normal distribution, by Box and Muller. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
