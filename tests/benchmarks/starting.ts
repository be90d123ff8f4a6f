import { withFiles } from "../sandbox/temp_folder.ts";
import { LAUNCHER, runWhole } from "./benchmark_program.ts";
import { type Benchmark, measureRatio, timed } from "./ratio.ts";

/** What trading takes of other packages; whoever only reads loads less of them. */
const PACKAGES_ALONE = 'import "zod"; import "viem/utils";';

/** Importing the front door in a fresh process. */
export function importingBenchmarks(): Benchmark[] {
  const evaluate = (code: string) => () => runWhole(Deno.execPath(), ["eval", code]);
  return [timed({
    name: 'a process that imports "orderlens" / one that imports zod and viem/utils alone',
    bar: 1.2,
    reference: evaluate(PACKAGES_ALONE),
    measured: evaluate('import "orderlens";'),
  })];
}

/** Help of the command line, from its launcher to its end, which is after its first byte. */
export function startingBenchmarks(): Benchmark[] {
  return [{
    name: "`bin/orderlens --help` / `deno run` of an empty file",
    bar: 2.5,
    measure: () =>
      withFiles({ "empty.ts": "" }, (folder) =>
        measureRatio({
          reference: () => runWhole(Deno.execPath(), ["run", `${folder}/empty.ts`]),
          measured: () => runWhole(LAUNCHER, ["--help"]),
        })),
  }];
}
