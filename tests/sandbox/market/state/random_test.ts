import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { Random } from "../../../../lib/sandbox/market/ledger.ts";

Deno.test("Random is reproducible for a seed and stream, and differs for others", () => {
  const numbers = (seed: number, stream: string) => {
    const random = new Random(seed, stream);
    return Array.from({ length: 8 }, () => random.next());
  };
  assertEquals(numbers(7, "a"), numbers(7, "a"));
  assertNotEquals(numbers(7, "a"), numbers(8, "a"));
  assertNotEquals(numbers(7, "a"), numbers(7, "b"));
  // Seeds may differ only above their lowest 32 bits.
  assertNotEquals(numbers(7, "a"), numbers(7 + 2 ** 32, "a"));
});

Deno.test("Random stays within its bounds and reaches them", () => {
  const random = new Random(1, "bounds");
  const seen = new Set(Array.from({ length: 400 }, () => random.between(-2, 2)));
  assertEquals([...seen].sort((a, b) => a - b), [-2, -1, 0, 1, 2]);
  assert(Array.from({ length: 50 }, () => random.chance(1000)).every(Boolean));
  assert(!Array.from({ length: 50 }, () => random.chance(0)).some(Boolean));
  assertEquals(random.hex(5).length, 12);
});
