import { buildShard, type BuiltShard } from "./build_shard.ts";
import type { ShardReply, ShardTask } from "./shard_worker.ts";

/**
 * Builds shards, several at a time in workers of their own. A single one is built in this thread,
 * where it takes no memory for another engine.
 */
export class ShardBuilders implements Disposable {
  readonly #all: Worker[] = [];
  #idle: Worker[] = [];
  /** Workers that did not fail. */
  #alive = 0;
  /** Who waits for a worker; gets none if all have failed. */
  readonly #waiting: ((worker: Worker | undefined) => void)[] = [];

  /** Starts `count` workers; none for 1. */
  constructor(count: number) {
    if (count === 1) return;
    for (let started = 0; started < count; started++) {
      const worker = new Worker(new URL("./shard_worker.ts", import.meta.url), { type: "module" });
      this.#all.push(worker);
      this.#idle.push(worker);
      this.#alive++;
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        const idle = this.#idle.filter((one) => one !== worker);
        if (idle.length < this.#idle.length) this.#lose();
        this.#idle = idle;
      });
    }
  }

  /**
   * Builds a shard, as {@linkcode buildShard} does; waits until one of the workers is idle.
   *
   * @param signal Stops waiting; the workers end when this is disposed of.
   */
  async build(task: ShardTask, signal: AbortSignal): Promise<BuiltShard> {
    signal.throwIfAborted();
    const worker = await this.#take(signal);
    const built = worker === undefined ? null : await replyOf(worker, task, signal);
    if (worker !== undefined && built !== null) this.#give(worker);
    // One that failed may have ended.
    else if (worker !== undefined) this.#lose();
    // What a worker cannot build fails here with the error that the caller may catch.
    return built ?? await buildShard(task.raw, task.context, (table) => task.files[table]!);
  }

  /** A worker as soon as there is one; `undefined` if there is none. */
  async #take(signal: AbortSignal): Promise<Worker | undefined> {
    if (this.#idle.length > 0 || this.#alive === 0) return this.#idle.pop();
    const { promise, resolve, reject } = Promise.withResolvers<Worker | undefined>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    this.#waiting.push(resolve);
    return await promise;
  }

  #give(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(worker);
    else next(worker);
  }

  #lose(): void {
    this.#alive--;
    if (this.#alive > 0) return;
    for (const next of this.#waiting.splice(0)) next(undefined);
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
