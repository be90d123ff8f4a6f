import { assertEquals, assertThrows } from "@std/assert";
import { MismatchError } from "../../../lib/errors/mod.ts";
import { findBlockAt, readHeader, requireSameBlock } from "../../../lib/evm/node/block_at.ts";

const HASH = `0x${"b7".repeat(32)}`;
const UPPER = `0x${"B7".repeat(32)}`;

/** A header as a node writes it. */
function header(number: number, timestamp: number, hash: string): Record<string, string> {
  return {
    number: `0x${number.toString(16)}`,
    timestamp: `0x${timestamp.toString(16).toUpperCase()}`,
    hash,
  };
}

Deno.test("readHeader() and requireSameBlock() take a hash and quantities in any letter case", () => {
  const [lower, upper] = [HASH, UPPER].map((hash) =>
    readHeader({ result: header(0xab, 0x5f5e_1ab, hash) }, 0xab, "a block")!
  );
  assertEquals(upper, lower);
  assertEquals([upper?.hash, upper?.timestamp], [HASH, 0x5f5e_1ab]);
  // A header may come from elsewhere, spelled as it was kept.
  requireSameBlock({ ...lower!, hash: UPPER }, lower!);
  const other = { ...lower!, hash: `0x${"B8".repeat(32)}` };
  assertThrows(() => requireSameBlock(lower!, other), MismatchError, "hash");
});

Deno.test("findBlockAt() finds the same block on nodes that spell hex differently", async () => {
  const found = [];
  for (
    const spell of [(text: string) => text, (text: string) => `0x${text.slice(2).toUpperCase()}`]
  ) {
    const node = {
      rpc: (calls: readonly { readonly params: readonly unknown[] }[]) =>
        Promise.resolve(calls.map(({ params: [block] }) => {
          const number = block === "earliest" ? 1 : block === "latest" ? 200 : Number(block);
          const hash = `0x${number.toString(16).padStart(64, "a")}`;
          const all = header(number, 1_000_000_000 + 12 * number, hash);
          return {
            result: Object.fromEntries(
              Object.entries(all).map(([name, text]) => [name, spell(text)]),
            ),
          };
        })),
    };
    const time = Temporal.Instant.fromEpochMilliseconds(1_000_000_000_000 + 12_000 * 171 + 5_000);
    found.push(await findBlockAt(node, time));
  }
  assertEquals(found[1], found[0]);
  assertEquals(found[0], {
    number: 171,
    timestamp: 1_000_000_000 + 12 * 171,
    hash: `0x${"ab".padStart(64, "a")}`,
    hasOtherNumber: false,
  });
});
