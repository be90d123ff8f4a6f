import { assertEquals, assertRejects } from "@std/assert";
import { mapInOrder } from "../../../lib/endpoints/calls.ts";

/** A task whose results are given by hand. */
class HeldTask {
  readonly started: number[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #held = new Map<number, PromiseWithResolvers<string>>();

  readonly run = (input: number, signal: AbortSignal): Promise<string> => {
    this.started.push(input);
    this.signals.push(signal);
    const held = Promise.withResolvers<string>();
    this.#held.set(input, held);
    return held.promise;
  };

  finish(input: number): void {
    this.#held.get(input)?.resolve(`done ${input}`);
  }

  fail(input: number): void {
    this.#held.get(input)?.reject(new Error(`failed ${input}`));
  }
}

Deno.test("mapInOrder() yields results in the order of the inputs", async () => {
  const task = new HeldTask();
  const results = mapInOrder([1, 2, 3], task.run, { concurrency: 3 });
  const first = results.next();
  task.finish(3);
  task.finish(2);
  task.finish(1);
  assertEquals((await first).value, "done 1");
  assertEquals(await Array.fromAsync(results), ["done 2", "done 3"]);
});

Deno.test("mapInOrder() starts nothing before the first pull, and never more than allowed", async () => {
  const task = new HeldTask();
  const results = mapInOrder([1, 2, 3, 4, 5], task.run, { concurrency: 2 });
  assertEquals(task.started, []);
  const first = results.next();
  assertEquals(task.started, [1, 2]);
  task.finish(1);
  task.finish(2);
  await first;
  assertEquals(task.started, [1, 2]);
  const second = results.next();
  assertEquals(task.started, [1, 2, 3]);
  await second;
  await results.return();
  assertEquals(task.started, [1, 2, 3]);
});

Deno.test("mapInOrder() aborts running tasks when its consumer leaves", async () => {
  const task = new HeldTask();
  const results = mapInOrder([1, 2, 3], task.run, { concurrency: 3 });
  const first = results.next();
  task.finish(1);
  await first;
  await results.return();
  assertEquals(task.signals.map((signal) => signal.aborted), [true, true, true]);
  assertEquals(task.started, [1, 2, 3]);
});

Deno.test("mapInOrder() throws the error of the first failed task in order, and aborts the others", async () => {
  const task = new HeldTask();
  const results = mapInOrder([1, 2, 3], task.run, { concurrency: 2 });
  const first = results.next();
  task.fail(2);
  task.finish(1);
  assertEquals((await first).value, "done 1");
  await assertRejects(() => results.next(), Error, "failed 2");
  assertEquals((await results.next()).done, true);
  assertEquals(task.started, [1, 2, 3]);
  assertEquals(task.signals[2]?.aborted, true);
});

Deno.test("mapInOrder() passes the caller's abort reason on", async () => {
  const controller = new AbortController();
  const task = new HeldTask();
  const results = mapInOrder([1], task.run, { concurrency: 1, signal: controller.signal });
  const first = results.next();
  controller.abort(new Error("enough"));
  assertEquals(task.signals[0]?.reason, new Error("enough"));
  task.finish(1);
  await first;
});
