/** Something the project claims to be fast or small, against a reference in the same run. */
export interface Benchmark {
  /** What is measured, and against what. */
  readonly name: string;
  /** The largest median ratio that is good enough. */
  readonly bar: number;
  /** Measures it. */
  measure(): Measurement | Promise<Measurement>;
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
  /** The reference. */
  readonly reference: () => unknown;
  /** What is measured. */
  readonly measured: () => unknown;
  /** Rounds that count; a third as many come before, to warm up. @default {15} */
  readonly rounds?: number;
}

/** A benchmark that times something against a reference. */
export function timed(
  { name, bar, ...comparison }: Pick<Benchmark, "name" | "bar"> & Comparison,
): Benchmark {
  return { name, bar, measure: () => measureRatio(comparison) };
}

const ROUNDS = 15;
const MIN_ROUND_MS = 150;

/** How long one of some runs takes. What is asynchronous is awaited. */
export async function millisecondsOf(run: () => unknown, times = 1): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < times; time++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / times;
}

/** The middle of an ascending list. */
export function medianOf<Value>(ascending: readonly Value[]): Value {
  return ascending[Math.floor(ascending.length / 2)]!;
}

/** What rounds of a reference and of what was measured come to. */
export function measurementOf(
  rounds: readonly (readonly [reference: number, measured: number])[],
  unit: Measurement["unit"] = "ms",
): Measurement {
  const ratioOf = ([reference, measured]: readonly [number, number]) => measured / reference;
  const ascending = rounds.toSorted((a, b) => ratioOf(a) - ratioOf(b));
  return { ratios: ascending.map(ratioOf), amounts: medianOf(ascending), unit };
}

/** What rounds come to against a number that is fixed. */
export function againstBar(
  bar: number,
  measured: readonly number[],
  unit?: Measurement["unit"],
): Measurement {
  return measurementOf(measured.map((each) => [bar, each]), unit);
}

/**
 * Times both in turn, round by round, so that a machine whose speed drifts slows both; each round
 * takes both a good while, however short one run is.
 */
export async function measureRatio(
  { reference, measured, rounds: counted = ROUNDS }: Comparison,
): Promise<Measurement> {
  const once = await millisecondsOf(reference) + await millisecondsOf(measured);
  const times = Math.max(1, Math.ceil(MIN_ROUND_MS / once));
  const warmUp = Math.floor(counted / 3);
  const round = async () =>
    [await millisecondsOf(reference, times), await millisecondsOf(measured, times)] as const;
  const rounds = await Array.fromAsync({ length: warmUp + counted }, round);
  return measurementOf(rounds.slice(warmUp));
}
