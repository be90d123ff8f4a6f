import { assertEquals, assertRejects } from "@std/assert";
import { Engine } from "../../../lib/sandbox/market/engine.ts";
import { RealTimeAuctions } from "../../../lib/sandbox/sandbox.ts";
import { encodeCompetition } from "../../../lib/schemas/mod.ts";
import { breakPool } from "./break_pool.ts";

/** SHA-256 of the competitions of the first hundred auctions of seed 7, one per line. */
const AUCTIONS_OF_SEED_7 = "303cefab5cdfd75513eedd0a1e48a6f3867ae8d9ae24693126ec43fd8b602d38";

async function auctionsDigest(engine: Engine): Promise<string> {
  const lines = [...engine.market.book.auctions.values()].map(({ competition }) =>
    JSON.stringify(encodeCompetition(competition))
  );
  const bytes = new TextEncoder().encode(lines.join("\n"));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

Deno.test("Engine.advance() holds the same auctions on every machine, in any steps", async () => {
  const [whole, stepped] = [new Engine(7), new Engine(7)];
  await whole.advance(100);
  for (let at = 0; at < 100; at++) await stepped.advance(1);
  assertEquals(await auctionsDigest(whole), AUCTIONS_OF_SEED_7);
  assertEquals(await auctionsDigest(stepped), AUCTIONS_OF_SEED_7);
});

Deno.test("Engine.advance() continues after a failed advance", async () => {
  const engine = new Engine(1);
  const mend = breakPool(engine);
  await assertRejects(() => engine.advance(20), RangeError, "No exchange");
  mend();
  const { block } = engine.market;
  await engine.advance(1);
  assertEquals(engine.market.block, block + 1);
});

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
