import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { LogIndex } from "../../lib/recordings/recorded_chain.ts";

function logOf(block: number, transaction: number, logIndex: number) {
  return {
    address: "0x12",
    topics: [],
    data: "0x",
    // Files have numbers or hex.
    blockNumber: block % 2 === 0 ? block : `0x${block.toString(16)}`,
    transactionHash: `0xAB${transaction}`,
    logIndex,
  };
}

Deno.test("LogIndex finds what looking at every log finds, in the order of blocks", () => {
  const block = fc.nat(20);
  fc.assert(
    fc.property(fc.array(fc.tuple(block, fc.nat(3))), block, block, (places, first, last) => {
      const logs = places.map(([at, transaction], index) => logOf(at, transaction, index));
      const index = new LogIndex(logs);
      const between = [...index.between(first, last)].map(({ log }) => log);
      const expected = Array.from({ length: 21 }, (_, number) => number)
        .filter((number) => number >= first && number <= last)
        .flatMap((number) => logs.filter((log) => Number(log.blockNumber) === number));
      assertEquals(between, expected);
      for (const hash of [0, 1, 2, 3].map((transaction) => `0xab${transaction}`)) {
        assertEquals(
          index.ofTransaction(hash),
          logs.filter((log) => log.transactionHash.toLowerCase() === hash),
        );
      }
    }),
  );
});
