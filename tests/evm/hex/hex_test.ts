import { assertEquals } from "@std/assert";
import { keccak256 as keccak256OfViem } from "viem/utils";
import { hexOf, packWords } from "../../../lib/evm/hex.ts";
import { hashInWebAssembly, keccak256 } from "../../../lib/evm/keccak256.ts";

function requireHashes(): void {
  assertEquals(
    hexOf(keccak256(new Uint8Array())),
    "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
  );
  assertEquals(
    hexOf(keccak256(new TextEncoder().encode("abc"))),
    "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
  );
  const lengths = [...Array.from({ length: 3 * 136 + 1 }, (_, length) => length), 16_385, 200_000];
  for (const length of lengths) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + length * 31) & 0xff);
    assertEquals(hexOf(keccak256(bytes)), keccak256OfViem(bytes), `${length} bytes`);
  }
}

Deno.test("keccak256() is the hash of Ethereum, not SHA3-256", requireHashes);

Deno.test("keccak256() is the same in WebAssembly, and keeps no state between hashes", async () => {
  await hashInWebAssembly();
  const first = keccak256(new TextEncoder().encode("abc"));
  requireHashes();
  assertEquals(
    hexOf(first),
    "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
  );
});

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
