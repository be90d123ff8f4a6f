import { raceAbort } from "../../http/transport.ts";
import { SHARD_TASKS, type TaskInput, type TaskName, type TaskResult } from "./shard_tasks.ts";

/** A worker, or `null` for this thread. */
type Executor = ShardWorker | null;

/** A thread, in Deno and in Node. */
type ShardWorker = import("node:worker_threads").Worker;

/**
 * Runs tasks, several at a time: one in this thread, which is warm already, others in workers. A
 * worker has its next task before it finishes one: this thread may be busy then.
 */
export class ShardWorkers implements AsyncDisposable {
  /** Number of tasks to submit at a time. */
  readonly concurrency: number;
  readonly #workers: ShardWorker[] = [];
  #idle: Executor[] = [null];
  readonly #waiting: ((doer: Executor) => void)[] = [];
  /** Unfinished tasks of workers and of this thread. */
  readonly #pending = new Set<Promise<unknown>>();

  /** Starts workers, so that `count` tasks are done at a time; none for 1. */
  constructor(count: number) {
    this.concurrency = 2 * count - 1;
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    for (let started = 1; started < count; started++) {
      const worker = new Worker(new URL("./shard_worker.ts", import.meta.url));
      this.#workers.push(worker);
      this.#idle.push(worker, worker);
      worker.on("error", () => {
        this.#idle = this.#idle.filter((executor) => executor !== worker);
      });
    }
  }

  /**
   * Runs a task once a worker or this thread is idle.
   *
   * @param signal Stops waiting; the workers end when this is disposed of.
   */
  async run<Name extends TaskName>(
    name: Name,
    task: TaskInput<Name>,
    signal: AbortSignal,
  ): Promise<TaskResult<Name>> {
    signal.throwIfAborted();
    const idle = this.#idle.pop();
    const doer = idle === undefined ? await this.#waitForIdle(signal) : idle;
    const reply = doer === null
      ? null
      : await raceAbort(this.#track(sendTask<Name>(doer, { name, task })), signal);
    if (reply !== null) {
      this.#release(doer);
      return reply.result;
    }
    // A worker that failed may have ended; its task fails here with the error that callers may catch.
    try {
      return await this.#track(findLocalTask(name)(task));
    } finally {
      if (doer === null) this.#release(doer);
    }
  }

  /** Tracks a task until it has settled. */
  #track<Result>(task: Promise<Result>): Promise<Result> {
    const end = () => void this.#pending.delete(task);
    this.#pending.add(task);
    task.then(end, end);
    return task;
  }

  async #waitForIdle(signal: AbortSignal): Promise<Executor> {
    const { promise, resolve } = Promise.withResolvers<Executor>();
    this.#waiting.push(resolve);
    return await raceAbort(promise, signal);
  }

  #release(doer: Executor): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(doer);
    else next(doer);
  }

  /** Terminates all workers, and waits for unfinished tasks: nothing is written afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    // Deno does not wait here for what polars does in a worker; its ports close once it has ended.
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    await Promise.allSettled(this.#pending);
  }
}

function findLocalTask<Name extends TaskName>(
  name: Name,
): (task: TaskInput<Name>) => Promise<TaskResult<Name>> {
  const tasks: { [One in TaskName]: (task: TaskInput<One>) => Promise<TaskResult<One>> } =
    SHARD_TASKS;
  return tasks[name];
}

/** Reply of a worker; `null` if it failed or ended before. */
type Reply<Name extends TaskName> = { readonly result: TaskResult<Name> } | null;

async function sendTask<Name extends TaskName>(
  worker: ShardWorker,
  message: { readonly name: Name; readonly task: TaskInput<Name> },
): Promise<Reply<Name>> {
  const { MessageChannel } = process.getBuiltinModule("node:worker_threads");
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<Reply<Name>>();
  const fail = () => resolve(null);
  port1.on("message", resolve);
  port1.on("close", fail);
  worker.on("error", fail);
  worker.postMessage({ ...message, port: port2 }, [port2]);
  try {
    return await promise;
  } finally {
    worker.off("error", fail);
    port1.close();
  }
}
