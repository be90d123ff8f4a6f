// deno-lint-ignore-file no-console -- a task speaks on the console
/**
 * Measures what the project claims, as ratios in one run; `deno task bench [group]
 * [part of a name]`. A group alone makes no data of others, which its memory would count.
 *
 * @module
 */
import { TaskError } from "../../tools/terminal/task_error.ts";
import { auditingBenchmarks } from "./auditing.ts";
import { clusteringBenchmarks } from "./clustering.ts";
import { datasetBenchmarks, monthBenchmarks } from "./datasets.ts";
import { decodingBenchmarks, streamingBenchmarks, tablingBenchmarks } from "./decoding.ts";
import { estimatingBenchmarks } from "./estimating.ts";
import { exploringBenchmarks } from "./exploring.ts";
import { fetchingBenchmarks, walkingBenchmarks } from "./fetching.ts";
import { marketBenchmarks } from "./markets.ts";
import { queryingBenchmarks } from "./querying.ts";
import { type Benchmark, type Measurement, medianOf } from "./ratio.ts";
import { replayingBenchmarks } from "./replaying.ts";
import { reportingBenchmarks } from "./reporting.ts";
import { importingBenchmarks, startingBenchmarks } from "./starting.ts";

function print({ name, bar }: Benchmark, measured: Measurement): boolean {
  const { ratios, amounts: [reference, own], unit } = measured;
  const median = medianOf(ratios);
  const isGood = median <= bar;
  const range = ratios.length === 1
    ? ""
    : ` (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`;
  console.log(
    `${isGood ? "ok  " : "OVER"} ${name}: ${median.toFixed(2)} times${range}, bar ` +
      `${bar.toFixed(2)}; ${own.toFixed(1)} ${unit} against ${reference.toFixed(1)} ${unit}`,
  );
  return isGood;
}

async function measureAll(benchmarks: readonly Benchmark[]): Promise<number> {
  let over = 0;
  for (const benchmark of benchmarks) {
    try {
      if (!print(benchmark, await benchmark.measure())) over++;
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      over++;
      console.log(`FAIL ${benchmark.name}: ${error.message}`);
    }
  }
  return over;
}

const GROUPS: Readonly<Record<string, () => Benchmark[] | Promise<Benchmark[]>>> = {
  decoding: decodingBenchmarks,
  auditing: auditingBenchmarks,
  replaying: replayingBenchmarks,
  streaming: streamingBenchmarks,
  tabling: tablingBenchmarks,
  querying: queryingBenchmarks,
  clustering: clusteringBenchmarks,
  fetching: fetchingBenchmarks,
  walking: walkingBenchmarks,
  datasets: datasetBenchmarks,
  month: monthBenchmarks,
  estimating: estimatingBenchmarks,
  exploring: exploringBenchmarks,
  markets: marketBenchmarks,
  reporting: reportingBenchmarks,
  importing: importingBenchmarks,
  starting: startingBenchmarks,
};

/** The benchmarks of a group, or of all, with `part` in their name. */
async function chosen(group = "", part = ""): Promise<Benchmark[]> {
  if (!Object.hasOwn(GROUPS, group)) [group, part] = ["", part || group];
  const groups = group === "" ? Object.values(GROUPS) : [GROUPS[group]!];
  const all = await Promise.all(groups.map((benchmarks) => benchmarks()));
  return all.flat().filter(({ name }) => name.includes(part));
}

if (import.meta.main) {
  const benchmarks = await chosen(...Deno.args);
  const over = await measureAll(benchmarks);
  console.log(`${benchmarks.length} ratios, ${over} over their bar`);
  Deno.exit(over === 0 ? 0 : 1);
}
