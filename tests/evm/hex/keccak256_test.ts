import { assertEquals } from "@std/assert";
import { keccak256 as keccak256OfViem } from "viem/utils";
import { hexOf } from "../../../lib/evm/hex/hex_bytes.ts";
import { keccak256 } from "../../../lib/evm/hex/keccak256.ts";
import { makeKeccak } from "../../../lib/evm/hex/keccak_wasm.ts";

Deno.test("keccak256() is the hash of Ethereum, not SHA3-256", () => {
  assertEquals(
    hexOf(keccak256(new Uint8Array())),
    "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
  );
  assertEquals(
    hexOf(keccak256(new TextEncoder().encode("abc"))),
    "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
  );
});

Deno.test("keccak256() agrees with viem for every length of up to three blocks", () => {
  for (let length = 0; length <= 3 * 136; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + length * 31) & 0xff);
    assertEquals(hexOf(keccak256(bytes)), keccak256OfViem(bytes), `${length} bytes`);
  }
});

Deno.test("keccak256() agrees with viem for inputs that are longer than its memory takes at once", () => {
  for (const length of [64_463, 64_464, 64_465, 65_536, 128_928, 200_000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + length) & 0xff);
    assertEquals(hexOf(keccak256(bytes)), keccak256OfViem(bytes), `${length} bytes`);
  }
});

Deno.test("the permutation in WebAssembly can be made here", () => {
  // All bits zero, permuted once: the first lane by the reference of the Keccak team.
  const { memory, absorb } = makeKeccak()!;
  absorb(1);
  const [first] = new BigUint64Array(memory.buffer, 0, 1);
  assertEquals(first, 0xf1258f7940e1dde7n);
});
