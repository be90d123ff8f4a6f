import { auctionTimes, InputError } from "orderlens";
import { assertEquals, assertRejects } from "@std/assert";
import { nodeThat, range, secondsOfBlock, startBlockServer } from "../evm/node_server.ts";
import { MARKET_3 } from "../metrics/auctions/market_3_times.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

const { auctions, orders, fills, blocks } = MARKET_3;

/** A node that has some blocks of the recorded chain. */
function nodeOf(known: (block: number) => boolean) {
  return nodeThat(({ params: [number] }) => {
    const block = Number(number);
    const timestamp = `0x${blocks[block]?.toString(16)}`;
    return { result: known(block) ? { number, timestamp } : null };
  });
}

Deno.test("auctionTimes() requests the blocks of auctions and fills, each once", async () => {
  const node = nodeOf(() => true);
  const times = await auctionTimes(node, auctions, { orders, trades: fills });
  const wanted = new Set([
    ...auctions.map(({ auctionStartBlock }) => auctionStartBlock),
    ...fills.map(({ blockNumber }) => blockNumber),
  ]);
  const asked = node.sent.map(({ params: [number] }) => Number(number));
  assertEquals(asked, [...wanted].sort((a, b) => a - b));
  for (const { auctionId, auctionStartBlock } of auctions) {
    const time = times.auction(auctionId)!;
    assertEquals(time.basis, "block");
    assertEquals(time.at.epochMilliseconds, 1_000 * blocks[auctionStartBlock]!);
  }
  for (const { blockNumber } of fills) assertEquals(times.block(blockNumber)?.basis, "block");
});

Deno.test("auctionTimes gives intervals for blocks that the node lacks, and without a node", async () => {
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

inFolder.test("auctionTimes() caches timestamps of a node in a folder", async (cacheFolder) => {
  await using node = startBlockServer();
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

Deno.test("auctionTimes rejects invalid nodes, lists and options, and records that are not decoded", async () => {
  const action = "Cannot get times of auctions";
  const wrong = [null, {}, { competition: auctions[0] }, { ...auctions[0], auction: null }];
  const cases: readonly (readonly [says: string, ...given: unknown[]])[] = [
    ["the source is not a node", undefined, auctions],
    [action, null, 7],
    ["`await` it first", null, Promise.resolve(auctions)],
    ["orders", null, [], { order: [] }],
    [action, null, [], { orders: 7 }],
    [action, null, [], { trades: 7 }],
    ["not an http URL", "ftp://node", auctions],
    ["undefined is not a block number", nodeOf(() => true), auctions, { trades: [null] }],
    ...wrong.map((one) =>
      [`${action}: item 1 is not a decoded competition`, null, [auctions[0], one]] as const
    ),
  ];
  for (const [says, ...given] of cases) {
    const ask = () => auctionTimes(...given as Parameters<typeof auctionTimes>);
    await assertRejects(ask, InputError, says);
  }
});
