import { assertEquals, assertRejects } from "@std/assert";
import { Engine } from "../../lib/sandbox/engine.ts";

Deno.test("Engine.advance() goes on after an advance that failed", async () => {
  const engine = new Engine(1);
  const { liquidity } = engine.market;
  const [pool] = liquidity.pools;
  const { exchange } = pool!;
  pool!.exchange = () => {
    throw new RangeError("No exchange");
  };
  await assertRejects(() => engine.advance(20), RangeError, "No exchange");
  pool!.exchange = exchange;
  const { block } = engine.market;
  await engine.advance(1);
  assertEquals(engine.market.block, block + 1);
});
