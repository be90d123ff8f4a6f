import { assertEquals } from "@std/assert";
import { packWords } from "../../../lib/evm/hex.ts";

Deno.test("packWords() aligns bytes and numbers to the right of 32-byte words", () => {
  const packed = packWords([new Uint8Array([1, 2]), 0x0304n, new Uint8Array(32).fill(5)]).toHex();
  assertEquals(packed, `${"00".repeat(30)}0102${"00".repeat(30)}0304${"05".repeat(32)}`);
});

Deno.test("packWords() writes numbers of any size up to 2^256 - 1", () => {
  assertEquals(packWords([0n]).toHex(), "00".repeat(32));
  assertEquals(packWords([2n ** 256n - 1n]).toHex(), "ff".repeat(32));
  assertEquals(packWords([2n ** 64n]).toHex(), `${"00".repeat(23)}01${"00".repeat(8)}`);
  assertEquals(packWords([2n ** 192n + 1n]).toHex(), `${"00".repeat(7)}01${"00".repeat(23)}01`);
});

Deno.test("packWords() of no words is empty", () => {
  assertEquals(packWords([]).length, 0);
});
