import { assertEquals, assertRejects } from "@std/assert";
import { auctionTimes, InputError } from "orderlens";
import { range, secondsOfBlock, startBlockServer } from "../evm/node_server.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { MARKET_3 } from "../metrics/auctions/market_3_times.ts";

const { auctions, orders, fills, blocks } = MARKET_3;

/** A node that has some blocks of the recorded chain. */
function nodeOf(known: (block: number) => boolean) {
  const asked: number[] = [];
  return {
    asked,
    rpc: (calls: readonly { params: readonly unknown[] }[]) =>
      Promise.resolve(calls.map(({ params: [number] }) => {
        const block = Number(number);
        asked.push(block);
        if (!known(block)) return { result: null };
        return { result: { number, timestamp: `0x${blocks[block]!.toString(16)}` } };
      })),
  };
}

Deno.test("auctionTimes() requests the blocks of auctions and fills, each once", async () => {
  const node = nodeOf(() => true);
  const times = await auctionTimes(node, auctions, { orders, trades: fills });
  const wanted = new Set([
    ...auctions.map(({ auctionStartBlock }) => auctionStartBlock),
    ...fills.map(({ blockNumber }) => blockNumber),
  ]);
  assertEquals(node.asked, [...wanted].sort((a, b) => a - b));
  for (const { auctionId, auctionStartBlock } of auctions) {
    const time = times.auction(auctionId)!;
    assertEquals(time.basis, "block");
    assertEquals(time.at.epochMilliseconds, 1_000 * blocks[auctionStartBlock]!);
  }
  for (const { blockNumber } of fills) assertEquals(times.block(blockNumber)?.basis, "block");
});

Deno.test("auctionTimes() takes intervals for blocks that the node lacks, and without a node", async () => {
  const middle = auctions[50]!.auctionStartBlock;
  const partly = await auctionTimes(nodeOf((block) => block < middle), auctions, { orders });
  const without = await auctionTimes(null, auctions, { orders });
  for (const { auctionId, auctionStartBlock } of auctions) {
    const basis = auctionStartBlock < middle ? "block" : "bracketed";
    assertEquals(partly.auction(auctionId)?.basis, basis);
    assertEquals(without.auction(auctionId)?.basis, "bracketed");
  }
  const nothing = await auctionTimes(null, auctions);
  assertEquals(nothing.auction(auctions[0]!.auctionId), null);
});

Deno.test("auctionTimes() caches timestamps of a node in a folder", async () => {
  await using node = startBlockServer();
  await withFolder(async (cacheFolder) => {
    const many = range(1, 250).map((block) => ({
      auctionId: block,
      auctionStartBlock: block,
      auction: { orders: [] },
    }));
    for (let round = 0; round < 2; round++) {
      const times = await auctionTimes(node.url, many, { cacheFolder });
      assertEquals(times.auction(250)?.at.epochMilliseconds, 1_000 * secondsOfBlock(250));
    }
    assertEquals(node.asked(), 250);
  });
});

Deno.test("auctionTimes() rejects invalid nodes, lists and options", async () => {
  const ask = (...given: unknown[]) => () =>
    auctionTimes(...given as Parameters<typeof auctionTimes>);
  const action = "Cannot get times of auctions";
  await assertRejects(ask(undefined, auctions), InputError, "the source is not a node");
  await assertRejects(ask(null, 7), InputError, action);
  await assertRejects(ask(null, Promise.resolve(auctions)), InputError, "`await` it first");
  await assertRejects(ask(null, [], { order: [] }), InputError, "orders");
  await assertRejects(ask(null, [], { orders: 7 }), InputError, action);
  await assertRejects(ask(null, [], { trades: 7 }), InputError, action);
  await assertRejects(ask("ftp://node", auctions), InputError, "not an http URL");
});

Deno.test("auctionTimes() refuses what is no decoded competition or trade", async () => {
  for (const wrong of [null, {}, { competition: auctions[0] }, { ...auctions[0], auction: null }]) {
    await assertRejects(
      () => auctionTimes(null, [auctions[0]!, wrong as never]),
      InputError,
      "Cannot get times of auctions: item 1 is no decoded competition",
    );
  }
  await assertRejects(
    () => auctionTimes(nodeOf(() => true), auctions, { trades: [null as never] }),
    InputError,
    "undefined is not a block number",
  );
});
