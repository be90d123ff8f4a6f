import { say } from "./say.ts";
import { TaskError } from "./task_error.ts";

/** Runs what a task does and ends the process: 0 when it resolves, 1 when it fails. */
export async function runTask(work: () => Promise<void>): Promise<never> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    say(`error: ${error.message}`);
    Deno.exit(1);
  }
  Deno.exit(0);
}
