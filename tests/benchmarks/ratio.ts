/** One measured comparison: how many times as long as its reference something takes. */
export interface MeasuredRatio {
  /** What was measured, and against what. */
  name: string;
  /** The largest median ratio that is good enough. */
  bar: number;
  /** Ratios of the counted rounds, ascending. */
  ratios: readonly number[];
  /** Milliseconds of the reference and of what was measured, in the median round. */
  milliseconds: readonly [number, number];
}

/** What is compared with what. */
export interface Comparison {
  /** What is measured, and against what. */
  name: string;
  /** The largest median ratio that is good enough. */
  bar: number;
  /** The reference. */
  reference: () => unknown;
  /** What is measured. */
  measured: () => unknown;
}

const ROUNDS = 15;
const WARM_UP_ROUNDS = 4;
const MIN_ROUND_MS = 150;

function millisecondsOf(run: () => unknown, times: number): number {
  const start = performance.now();
  for (let time = 0; time < times; time++) run();
  return (performance.now() - start) / times;
}

/** The middle of an ascending list. */
export function medianOf(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length / 2)]!;
}

/**
 * Times both in turn, round by round, so that a machine whose speed drifts slows both; each round
 * takes both a good while, however short one run is.
 */
export function measureRatio(comparison: Comparison): MeasuredRatio {
  const { name, bar, reference, measured } = comparison;
  const once = millisecondsOf(reference, 1) + millisecondsOf(measured, 1);
  const times = Math.max(1, Math.ceil(MIN_ROUND_MS / once));
  const rounds: { ratio: number; milliseconds: [number, number] }[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const milliseconds: [number, number] = [
      millisecondsOf(reference, times),
      millisecondsOf(measured, times),
    ];
    if (round >= WARM_UP_ROUNDS) {
      rounds.push({ ratio: milliseconds[1] / milliseconds[0], milliseconds });
    }
  }
  rounds.sort((a, b) => a.ratio - b.ratio);
  const median = rounds[Math.floor(rounds.length / 2)]!;
  return { name, bar, ratios: rounds.map(({ ratio }) => ratio), milliseconds: median.milliseconds };
}
