import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { type Benchmark, measureRatio } from "./ratio.ts";

/** What trading takes of other packages; whoever only reads loads less of them. */
const PACKAGES_ALONE = 'import "zod"; import "viem/utils";';

async function runFresh(code: string): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", code],
    cwd: PROJECT_ROOT,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new TaskError(`Cannot run ${code}`);
}

/** Importing the front door in a fresh process. */
export function importingBenchmarks(): Benchmark[] {
  return [{
    name: 'a process that imports "orderlens" / one that imports zod and viem/utils alone',
    bar: 1.2,
    measure: () =>
      measureRatio({
        reference: () => runFresh(PACKAGES_ALONE),
        measured: () => runFresh('import "orderlens";'),
      }),
  }];
}
