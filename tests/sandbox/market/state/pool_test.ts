import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Pool } from "../../../../lib/sandbox/market/liquidity.ts";

const pool = () => new Pool(["x", "y"], [1_000_000n, 2_000_000n]);

Deno.test("Pool pays out by the constant product, less 0.3%", () => {
  // 2,000,000 * 1,000 * 0.997 / (1,000,000 + 1,000 * 0.997) = 1,992.01
  assertEquals(pool().outputFor("x", 1_000n), 1_992n);
  // 2,000,000 * 1,992 / ((1,000,000 - 1,992) * 0.997) = 4,003.96
  assertEquals(pool().inputFor("y", 1_992n), 4_004n);
  assertEquals(pool().inputFor("x", 2_000_000n), null);
});

Deno.test("Pool asks for enough input for an output, and for no atom more", () => {
  fc.assert(fc.property(fc.bigInt(1n, 1_999_999n), (wanted) => {
    const paid = pool().inputFor("x", wanted)!;
    assert(pool().outputFor("x", paid) >= wanted);
    assert(paid === 0n || pool().outputFor("x", paid - 1n) <= wanted);
  }));
});
