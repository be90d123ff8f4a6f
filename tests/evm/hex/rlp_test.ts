import { assertEquals } from "@std/assert";
import { toRlp } from "viem/utils";
import { encodeRlp, type RlpItem } from "../../../lib/evm/node/transaction_hash.ts";

/** Examples of the specification, and lengths around each change of the head. */
const ITEMS: RlpItem[] = [
  new TextEncoder().encode("dog"),
  [new TextEncoder().encode("cat"), new TextEncoder().encode("dog")],
  new Uint8Array(),
  [],
  new Uint8Array([0x00]),
  new Uint8Array([0x0f]),
  new Uint8Array([0x7f]),
  new Uint8Array([0x80]),
  [[], [[]], [[], [[]]]],
  ...[1, 54, 55, 56, 57, 255, 256, 257, 65_535, 65_536, 70_000].flatMap((length) => [
    new Uint8Array(length).fill(0xab),
    [new Uint8Array(length).fill(0x01), [new Uint8Array(3)]],
    Array.from({ length: Math.min(length, 300) }, () => new Uint8Array([0x05])),
  ]),
];

Deno.test("encodeRlp() writes what viem writes", () => {
  for (const item of ITEMS) {
    assertEquals(encodeRlp(item), toRlp(item as Uint8Array, "bytes"));
  }
  assertEquals([...encodeRlp(ITEMS[0]!)], [0x83, 0x64, 0x6f, 0x67]);
});
