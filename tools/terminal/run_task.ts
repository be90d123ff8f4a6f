import { say } from "./say.ts";
import { TaskError } from "./task_error.ts";

/** Runs a task and exits: 0 if it resolves, 1 if it rejects. */
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
