/**
 * A worker that does one task after another, for {@linkcode ShardWorkers}.
 *
 * @module
 */
import { SHARD_TASKS, type TaskName } from "./shard_tasks.ts";

let last = Promise.resolve();

addEventListener("message", (event: Event) => {
  if (event instanceof MessageEvent) last = last.then(() => doTask(event));
});

async function doTask(event: MessageEvent): Promise<void> {
  const { name, task }: { name: TaskName; task: never } = event.data;
  let reply: unknown = null;
  try {
    const result = await SHARD_TASKS[name](task);
    reply = { result: "contents" in result ? { ...result, contents: undefined } : result };
  } catch { /* An error loses its class on the way; whoever asked does the task itself. */ }
  event.ports[0]?.postMessage(reply);
}
