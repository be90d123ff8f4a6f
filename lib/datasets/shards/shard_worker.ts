/**
 * A worker that does one task after another, for {@linkcode ShardWorkers}.
 *
 * @module
 */
import { SHARD_TASKS, type TaskName } from "./shard_tasks.ts";

let queue = Promise.resolve();

process.getBuiltinModule("node:worker_threads").parentPort?.on("message", (asked: TaskMessage) => {
  queue = queue.then(() => runTask(asked));
});

/** A task, and the port for its result. */
interface TaskMessage {
  readonly name: TaskName;
  readonly task: never;
  readonly port: import("node:worker_threads").MessagePort;
}

async function runTask({ name, task, port }: TaskMessage): Promise<void> {
  let reply: unknown = null;
  try {
    const result = await SHARD_TASKS[name](task);
    reply = { result: "contents" in result ? { ...result, contents: undefined } : result };
  } catch { /* An error loses its class on the way; whoever asked does the task itself. */ }
  port.postMessage(reply);
}
