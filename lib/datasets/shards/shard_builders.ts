import { buildShard, type BuiltShard } from "./build_shard.ts";
import type { ShardReply, ShardTask } from "./shard_worker.ts";

/**
 * Builds shards, several at a time in workers of their own. A single one is built in this thread,
 * where it takes no memory for another engine.
 */
export class ShardBuilders implements Disposable {
  readonly #all: Worker[] = [];
  #idle: Worker[] = [];

  /** Starts `count` workers; none for 1. */
  constructor(count: number) {
    if (count === 1) return;
    for (let started = 0; started < count; started++) {
      const worker = new Worker(new URL("./shard_worker.ts", import.meta.url), { type: "module" });
      this.#all.push(worker);
      this.#idle.push(worker);
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        this.#idle = this.#idle.filter((one) => one !== worker);
      });
    }
  }

  /**
   * Builds a shard, as {@linkcode buildShard} does; at most as many at a time as there are workers.
   *
   * @param signal Stops waiting; the workers end when this is disposed of.
   */
  async build(task: ShardTask, signal: AbortSignal): Promise<BuiltShard> {
    signal.throwIfAborted();
    const worker = this.#idle.pop();
    const built = worker === undefined ? null : await replyOf(worker, task, signal);
    // One that failed may have ended.
    if (worker !== undefined && built !== null) this.#idle.push(worker);
    // What a worker cannot build fails here with the error that the caller may catch.
    return built ?? await buildShard(task.raw, task.context, (table) => task.files[table]!);
  }

  /** Ends all workers. */
  [Symbol.dispose](): void {
    for (const worker of this.#all) worker.terminate();
  }
}

async function replyOf(worker: Worker, task: ShardTask, signal: AbortSignal): Promise<ShardReply> {
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve, reject } = Promise.withResolvers<ShardReply>();
  const stop = () => reject(signal.reason);
  const fail = () => resolve(null);
  port1.onmessage = ({ data }: MessageEvent<ShardReply>) => resolve(data);
  worker.addEventListener("error", fail);
  signal.addEventListener("abort", stop);
  worker.postMessage(task, [port2]);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    worker.removeEventListener("error", fail);
    port1.close();
  }
}
