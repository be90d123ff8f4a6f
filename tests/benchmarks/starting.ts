import { dirname, join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { type Benchmark, measureRatio } from "./ratio.ts";

async function runWhole(program: string, args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(program, {
    args: [...args],
    env: { PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH") ?? ""}` },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new TaskError(`Cannot run ${program} ${args.join(" ")}`);
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
