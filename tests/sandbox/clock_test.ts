import { assert, assertEquals, assertRejects } from "@std/assert";
import { TimeoutError } from "../../lib/errors/mod.ts";
import { connect } from "../../lib/mod.ts";
import { Engine } from "../../lib/sandbox/market/engine.ts";
import { createMarketClock, holdInRealTime } from "../../lib/sandbox/sandbox.ts";
import { openSandbox, type Sandbox } from "../../lib/sandbox/mod.ts";
import { encodeCompetition } from "../../lib/schemas/mod.ts";

const NEVER = new AbortController().signal;

function blockOf({ description }: Sandbox): number {
  return description.block;
}

Deno.test("Sandbox.clock holds the auctions that fall into a wait, at least one", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const { clock } = sandbox;
  const [block, began] = [blockOf(sandbox), clock.now()];
  await clock.sleep(0, NEVER);
  assertEquals([blockOf(sandbox), clock.now()], [block, began]);
  await clock.sleep(1, NEVER);
  assertEquals([blockOf(sandbox), clock.now()], [block + 1, began + 2_000]);
  await clock.sleep(5_000, NEVER);
  assertEquals([blockOf(sandbox), clock.now()], [block + 4, began + 8_000]);
  assertEquals(clock.now(), sandbox.now.epochMilliseconds);
});

Deno.test("Sandbox.clock lets concurrent waits share auctions", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const block = blockOf(sandbox);
  const woken: string[] = [];
  await Promise.all(
    ([["long", 8_000], ["short", 2_000], ["middle", 4_000]] as const).map(async ([name, ms]) => {
      await sandbox.clock.sleep(ms, NEVER);
      woken.push(`${name} ${blockOf(sandbox) - block}`);
    }),
  );
  assertEquals(blockOf(sandbox), block + 4);
  assertEquals(woken, ["short 1", "middle 2", "long 4"]);
});

Deno.test("Sandbox.clock aborts a wait between auctions", async () => {
  const { clock } = await openSandbox({ seed: 7 });
  const stopped = AbortSignal.abort(new Error("left"));
  await assertRejects(() => clock.sleep(60_000, stopped), Error, "left");
  const leaving = new AbortController();
  const began = clock.now();
  const waits = clock.sleep(3_600_000, leaving.signal);
  await clock.sleep(1, NEVER);
  leaving.abort(new Error("enough"));
  await assertRejects(() => waits, Error, "enough");
  assert(clock.now() < began + 60_000);
});

Deno.test("createMarketClock() continues after a failed auction", async () => {
  const engine = new Engine(1);
  engine.advance = () => Promise.reject(new RangeError("No auction"));
  const clock = createMarketClock(engine);
  await assertRejects(() => clock.sleep(60_000, NEVER), RangeError, "No auction");
  Reflect.deleteProperty(engine, "advance");
  const began = clock.now();
  await clock.sleep(1, NEVER);
  assertEquals(clock.now(), began + 2_000);
});

Deno.test("Sandbox.clock is the system clock in real time", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  assert(sandbox.clock.isVirtual);
  {
    await using server = sandbox.listen({ port: 0 });
    assert(!sandbox.clock.isVirtual);
    const began = performance.now();
    await sandbox.clock.sleep(30, NEVER);
    assert(performance.now() - began >= 25);
    assert(server.port > 0);
  }
  const steady = await openSandbox({ seed: 7, clock: "virtual" });
  await using _ = steady.listen({ port: 0 });
  assert(steady.clock.isVirtual);
});

Deno.test("connect() retries requests to a sandbox in its own time, as often as to any service", async () => {
  const sandbox = await openSandbox({ seed: 7, limits: { quotesPerMinute: 1 } });
  const [weth, usdc] = sandbox.description.tokens;
  const book = connect(sandbox);
  const request = {
    kind: "sell",
    sellToken: weth!.address,
    buyToken: usdc!.address,
    sellAmountBeforeFee: 10n ** 18n,
    from: sandbox.description.accounts[0]!,
  } as const;
  const block = blockOf(sandbox);
  await book.quote(request);
  assertEquals(blockOf(sandbox), block);
  await book.quote(request);
  // A minute in blocks of two seconds.
  assertEquals(blockOf(sandbox), block + 30);
});

Deno.test("connect() retries after faults reproducibly for a seed", async () => {
  const runs = [];
  for (let run = 0; run < 2; run++) {
    const sandbox = await openSandbox({ seed: 7, auctions: 2 });
    sandbox.fault({ kind: "serverError", rate: 0.6 });
    const book = connect(sandbox);
    for (let at = 0; at < 10; at++) await book.version().catch(() => {});
    runs.push([blockOf(sandbox), await book.competition("latest").catch(String)]);
  }
  assertEquals(runs[0], runs[1]);
});

Deno.test("connect() times an attempt by the system clock, so that virtual time causes no timeouts", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const block = blockOf(sandbox);
  sandbox.fault({ kind: "latency", ms: 60_000 });
  const book = connect(sandbox, { timeoutMs: 20, retries: 0 });
  await assertRejects(() => book.version(), TimeoutError, "within 20 ms");
  assertEquals(blockOf(sandbox), block);
});

/** SHA-256 of the competitions of the first hundred auctions of seed 7, one per line. */
const AUCTIONS_OF_SEED_7 = "303cefab5cdfd75513eedd0a1e48a6f3867ae8d9ae24693126ec43fd8b602d38";

Deno.test("Engine.advance() holds the same auctions on every machine, in any steps", async () => {
  const engine = new Engine(7);
  for (const auctions of [1, 60, 0, 1, 38]) await engine.advance(auctions);
  const lines = [...engine.market.book.auctions.values()].map(({ competition }) =>
    JSON.stringify(encodeCompetition(competition))
  );
  const bytes = new TextEncoder().encode(lines.join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  assertEquals(digest, AUCTIONS_OF_SEED_7);
});

/** Intervals that pass when a test says so; their lengths are noted. */
function heldIntervals() {
  const { setInterval, clearInterval } = globalThis;
  const running = new Map<number, () => void>();
  const lengths: number[] = [];
  globalThis.setInterval = ((run: () => void, ms: number) => {
    running.set(lengths.push(ms), run);
    return lengths.length;
  }) as typeof setInterval;
  globalThis.clearInterval = ((id: number) => void running.delete(id)) as typeof clearInterval;
  return {
    lengths,
    /** Lets one of each interval pass, and what follows from it at once. */
    async pass() {
      for (const run of running.values()) run();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { setInterval, clearInterval }),
  };
}

Deno.test("listen() holds an auction each block, in real time, until it is closed", async () => {
  using intervals = heldIntervals();
  const sandbox = await openSandbox({ seed: 7 });
  const server = sandbox.listen({ port: 0 });
  const before = sandbox.description.block;
  await intervals.pass();
  // A block is two seconds.
  assertEquals(intervals.lengths, [2_000]);
  await server.close();
  assertEquals(sandbox.description.block, before + 1);
  assert(sandbox.now.epochMilliseconds > Date.now() - 5_000);
  await intervals.pass();
  assertEquals(sandbox.description.block, before + 1);
});

Deno.test("holdInRealTime() skips auctions while one takes longer than a block", async () => {
  using intervals = heldIntervals();
  const engine = new Engine(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  let held = 0;
  engine.advance = () => {
    held++;
    return promise;
  };
  const stop = holdInRealTime(engine);
  await intervals.pass();
  await intervals.pass();
  assertEquals(held, 1);
  resolve();
  await stop();
  assertEquals(held, 1);
});

Deno.test("holdInRealTime() ends after a failed auction, and throws its error when stopped", async () => {
  using intervals = heldIntervals();
  const engine = new Engine(1);
  let tries = 0;
  engine.advance = () => {
    tries++;
    return Promise.reject(new RangeError("No auction"));
  };
  const stop = holdInRealTime(engine);
  await intervals.pass();
  await intervals.pass();
  assertEquals(tries, 1);
  await assertRejects(stop, RangeError, "No auction");
});
