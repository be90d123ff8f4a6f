/** Something the project claims to be fast or small, against a reference in the same run. */
export interface Benchmark {
  /** What is measured, and against what. */
  readonly name: string;
  /** The largest median ratio that is good enough. */
  readonly bar: number;
  /** Measures it. */
  measure(): Promise<Measurement>;
}

/** How many times as much as its reference something takes. */
export interface Measurement {
  /** Ratios of the counted rounds, ascending. */
  readonly ratios: readonly number[];
  /** What the reference and what was measured took, in the median round. */
  readonly amounts: readonly [reference: number, measured: number];
  /** Unit of the amounts. */
  readonly unit: "ms" | "MB" | "requests";
}

/** What is timed against what. What is asynchronous is awaited. */
export interface Comparison {
  /** What is measured, and against what. */
  readonly name: string;
  /** The largest median ratio that is good enough. */
  readonly bar: number;
  /** The reference. */
  readonly reference: () => unknown;
  /** What is measured. */
  readonly measured: () => unknown;
}

const ROUNDS = 15;
const MIN_ROUND_MS = 150;

async function millisecondsOf(run: () => unknown, times: number): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < times; time++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
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
export async function measureRatio(
  { reference, measured, rounds: counted = ROUNDS }: Pick<Comparison, "reference" | "measured"> & {
    /** Rounds that count; a third as many come before, to warm up. @default {15} */
    readonly rounds?: number;
  },
): Promise<Measurement> {
  const once = await millisecondsOf(reference, 1) + await millisecondsOf(measured, 1);
  const times = Math.max(1, Math.ceil(MIN_ROUND_MS / once));
  const warmUp = Math.floor(counted / 3);
  const rounds: { ratio: number; amounts: [number, number] }[] = [];
  for (let round = 0; round < warmUp + counted; round++) {
    const amounts: [number, number] = [
      await millisecondsOf(reference, times),
      await millisecondsOf(measured, times),
    ];
    if (round >= warmUp) rounds.push({ ratio: amounts[1] / amounts[0], amounts });
  }
  rounds.sort((a, b) => a.ratio - b.ratio);
  const median = rounds[Math.floor(rounds.length / 2)]!;
  return { ratios: rounds.map(({ ratio }) => ratio), amounts: median.amounts, unit: "ms" };
}
