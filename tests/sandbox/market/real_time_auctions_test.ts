import { assertEquals, assertRejects } from "@std/assert";
import { Engine } from "../../../lib/sandbox/market/engine.ts";
import { RealTimeAuctions } from "../../../lib/sandbox/sandbox.ts";

const EVERY = { everyMs: 5 };

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 60));
}

Deno.test("RealTimeAuctions holds auctions until it is stopped", async () => {
  const engine = new Engine(1);
  const { block } = engine.market;
  const auctions = new RealTimeAuctions(engine, EVERY);
  while (engine.market.block < block + 2) await pause();
  await auctions.stop();
  const last = engine.market.block;
  await pause();
  assertEquals(engine.market.block, last);
});

Deno.test("RealTimeAuctions skips auctions while one takes longer than a block", async () => {
  const engine = new Engine(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  let held = 0;
  engine.advance = () => {
    held++;
    return promise;
  };
  const auctions = new RealTimeAuctions(engine, EVERY);
  while (held === 0) await pause();
  await pause();
  assertEquals(held, 1);
  resolve();
  await auctions.stop();
  assertEquals(held, 1);
});

Deno.test("RealTimeAuctions ends after a failed auction, and throws its error when stopped", async () => {
  const engine = new Engine(1);
  let tries = 0;
  engine.advance = () => {
    tries++;
    return Promise.reject(new RangeError("No auction"));
  };
  const auctions = new RealTimeAuctions(engine, EVERY);
  while (tries === 0) await pause();
  await pause();
  assertEquals(tries, 1);
  await assertRejects(() => auctions.stop(), RangeError, "No auction");
});
