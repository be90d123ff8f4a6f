import { dirname, join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { type Benchmark, measureRatio } from "./ratio.ts";

/** What trading takes of other packages; whoever only reads loads less of them. */
const PACKAGES_ALONE = 'import "zod"; import "viem/utils";';

async function runWhole(program: string, args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(program, {
    args: [...args],
    cwd: PROJECT_ROOT,
    env: { PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH") ?? ""}` },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new TaskError(`Cannot run ${program} ${args.join(" ")}`);
}

/** Importing the front door in a fresh process. */
export function importingBenchmarks(): Benchmark[] {
  const evaluate = (code: string) => () => runWhole(Deno.execPath(), ["eval", code]);
  return [{
    name: 'a process that imports "orderlens" / one that imports zod and viem/utils alone',
    bar: 1.2,
    measure: () =>
      measureRatio({
        reference: evaluate(PACKAGES_ALONE),
        measured: evaluate('import "orderlens";'),
      }),
  }];
}

/** Help of the command line, from its launcher to its end, which is after its first byte. */
export function startingBenchmarks(): Benchmark[] {
  return [{
    name: "`bin/orderlens --help` / `deno run` of an empty file",
    bar: 2.5,
    measure: async () => {
      const empty = await Deno.makeTempFile({ suffix: ".ts" });
      try {
        return await measureRatio({
          reference: () => runWhole(Deno.execPath(), ["run", empty]),
          measured: () => runWhole(join(PROJECT_ROOT, "bin", "orderlens"), ["--help"]),
        });
      } finally {
        await Deno.remove(empty);
      }
    },
  }];
}
