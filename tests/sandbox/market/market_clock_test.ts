import { assert, assertEquals, assertRejects } from "@std/assert";
import { TimeoutError } from "../../../lib/errors/mod.ts";
import { connect } from "../../../lib/mod.ts";
import { Engine } from "../../../lib/sandbox/market/engine.ts";
import { marketClock } from "../../../lib/sandbox/sandbox.ts";
import { openSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { breakPool } from "./break_pool.ts";

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
  const sandbox = await openSandbox({ seed: 7 });
  const block = blockOf(sandbox);
  await assertRejects(
    () => sandbox.clock.sleep(60_000, AbortSignal.abort(new Error("left"))),
    Error,
    "left",
  );
  assertEquals(blockOf(sandbox), block);
  const leaving = new AbortController();
  const waits = sandbox.clock.sleep(3_600_000, leaving.signal);
  setTimeout(() => leaving.abort(new Error("enough")), 20);
  await assertRejects(() => waits, Error, "enough");
  assert(blockOf(sandbox) < block + 1_000);
});

Deno.test("marketClock() continues after a failed auction", async () => {
  const engine = new Engine(1);
  const mend = breakPool(engine);
  const clock = marketClock(engine);
  await assertRejects(() => clock.sleep(60_000, NEVER), RangeError, "No exchange");
  mend();
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
  const real = performance.now();
  await book.quote(request);
  assertEquals(blockOf(sandbox), block);
  await book.quote(request);
  // A minute in blocks of two seconds.
  assertEquals(blockOf(sandbox), block + 30);
  assert(performance.now() - real < 20_000);
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
