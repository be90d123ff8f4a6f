import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import {
  HostLimit,
  shareAt,
  slowedDown,
  UNKNOWN,
  updateHost,
} from "../../../lib/datasets/rate_limit/host_limit.ts";
import { withFolder } from "../../sandbox/temp_folder.ts";
import { TestClock } from "./test_clock.ts";

const SIGNAL = new AbortController().signal;
const MINUTE_MS = 60_000;
const HOST = "api.example:443";

function limitIn(folder: string | null, clock: TestClock, perMinute = 60): HostLimit {
  return new HostLimit({ host: HOST, folder, perMinute, clock, onPause() {} });
}

/** When turns were given, in milliseconds since the first. */
async function turnsOf(limits: readonly HostLimit[], each: number, clock: TestClock) {
  const times: number[] = [];
  await Promise.all(limits.map(async (limit) => {
    for (let turn = 0; turn < each; turn++) {
      await limit.take(SIGNAL);
      times.push(clock.ms);
    }
  }));
  return times.map((time) => time - times[0]!);
}

Deno.test("limits of one host give turns one interval apart, together", async () => {
  await withFolder(async (folder) => {
    const clock = new TestClock();
    const limits = [limitIn(folder, clock), limitIn(folder, clock)];
    // 60 a minute: one a second.
    assertEquals(await turnsOf(limits, 3, clock), [0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });
});

Deno.test("a file that is torn, or of another clock, neither breaks nor stalls a limit", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/limits/api.example_443.sqlite`;
    const clock = new TestClock();
    const take = async () => {
      clock.waits.length = 0;
      await limitIn(folder, clock).take(SIGNAL);
      return clock.waits.reduce((sum, ms) => sum + ms, 0);
    };
    await take();
    const whole = await Deno.readFile(file);
    const torn = [
      new Uint8Array(),
      new Uint8Array(3),
      whole.subarray(0, 200),
      whole.fill(7, 0, 40),
    ];
    for (const bytes of torn) {
      await Deno.writeFile(file, bytes);
      assertEquals(await take(), 0, `${bytes.length} bytes`);
      assertEquals(await take(), 1_000, `after ${bytes.length} bytes`);
    }
    const year = 365 * 24 * 60 * MINUTE_MS;
    clock.ms += year;
    assertEquals(await take(), 0, "far forwards");
    clock.ms -= 2 * year;
    assertEquals(
      await take(),
      1_000,
      "backwards: the turn that was taken just before still counts",
    );
    updateHost(
      { host: HOST, folder, clock },
      () => ({ ...UNKNOWN, atMs: clock.ms, pausedUntilMs: clock.ms + year }),
    );
    assertEquals(await take(), 0, "a pause that nobody asks for");
  });
});

Deno.test("a clock that is set back by hours makes a pause a minute longer at most", async () => {
  await withFolder(async (folder) => {
    const clock = new TestClock();
    const limits = [limitIn(folder, clock), limitIn(folder, clock)];
    limits[0]!.pauseUntil(clock.ms + MINUTE_MS);
    clock.ms -= 300 * MINUTE_MS;
    for (const limit of limits) {
      clock.waits.length = 0;
      await limit.take(SIGNAL);
      assert(clock.waits.reduce((sum, ms) => sum + ms, 0) <= 2 * MINUTE_MS, `${clock.waits}`);
    }
  });
});

Deno.test("a folder that cannot be written leaves a limit to the process", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const clock = new TestClock();
    const limits = [limitIn(`${folder}/file`, clock), limitIn(`${folder}/file`, clock)];
    const turns = await turnsOf(limits, 2, clock);
    assertEquals(turns, [0, 1_000, 2_000, 3_000]);
  });
});

Deno.test("a lock that another process holds on to does not stall a limit", async () => {
  await withFolder(async (folder) => {
    const clock = new TestClock();
    const limit = limitIn(folder, clock);
    await limit.take(SIGNAL);
    using held = new DatabaseSync(`${folder}/limits/api.example_443.sqlite`);
    held.exec("BEGIN IMMEDIATE");
    await limit.take(SIGNAL);
    assert(clock.waits.length <= 1);
  });
});

Deno.test("a refusal halves the rate, which recovers by 5 % of it a minute", () => {
  const nowMs = Date.UTC(2026, 10, 22);
  const once = slowedDown(UNKNOWN, nowMs, nowMs);
  assertEquals(shareAt(once, nowMs), 0.5);
  assertEquals(slowedDown(once, nowMs - 1, nowMs + 10), once, "sent before the rate was halved");
  assertEquals(shareAt(once, nowMs + 4 * MINUTE_MS), 0.7);
  assertEquals(shareAt(once, nowMs + 10 * MINUTE_MS), 1);
  assertEquals(shareAt(once, nowMs + 99 * MINUTE_MS), 1);
  const twice = slowedDown(once, nowMs + 1, nowMs + 4 * MINUTE_MS);
  assertEquals(shareAt(twice, nowMs + 4 * MINUTE_MS), 0.35);
});

Deno.test("a pause is one for all, and an abort ends the wait for a turn", async () => {
  await withFolder(async (folder) => {
    const clock = new TestClock();
    const [one, other] = [limitIn(folder, clock), limitIn(folder, clock)];
    const untilMs = clock.ms + 30_000;
    await one.pauseUntil(untilMs);
    await other.take(SIGNAL);
    assert(clock.ms >= untilMs);
    const controller = new AbortController();
    controller.abort(new Error("stopped"));
    await assertRejects(() => one.take(controller.signal), Error, "stopped");
    await one.take(SIGNAL);
  });
});
