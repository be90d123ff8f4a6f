import { DecodeError } from "orderlens/errors";
import { recognizeAuctionPath } from "orderlens/metrics";
import { decodeCompetition } from "orderlens/schemas";
import { assertEquals, assertThrows } from "@std/assert";
import { AuctionReader } from "../../lib/datasets/shards/shard_contents.ts";
import { printExchange } from "../../lib/recordings/request_key.ts";
import { buildTable, SOLUTION_ORDERS, SOLUTIONS } from "orderlens/tables";
import { resolveFilterFacts } from "../../lib/datasets/shards/table_context.ts";

const [A, B, C] = ["a1", "b2", "c3"].map((byte) => `0x${byte.repeat(56)}`) as [
  string,
  string,
  string,
];
const [T1, T2, T3] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
];

interface Auction {
  auctionId: number;
  orders: unknown;
  prices?: unknown;
  bids?: readonly string[];
}

function bodyOf({ auctionId, orders, prices = { [T1]: "1", [T2]: "2" }, bids = [] }: Auction) {
  return {
    auctionId,
    auctionStartBlock: 5,
    transactionHashes: [],
    referenceScores: {},
    auction: { orders, prices },
    solutions: bids.map((id, place) => ({
      solverAddress: T3,
      score: "7",
      ranking: place + 1,
      clearingPrices: {},
      orders: [{ id, sellAmount: "1", buyAmount: "2", sellToken: T1, buyToken: T3 }],
      isWinner: true,
      filteredOut: false,
    })),
  };
}

/** Reads a body as the answer of a kept line. */
function read(reader: AuctionReader, body: string) {
  const line = printExchange({
    method: "GET",
    path: "/api/v2/solver_competition/7",
    status: 200,
    contentType: "application/json",
    responseBody: body,
  }).trim();
  return reader.decode(JSON.parse(reader.parse(line, "line 1").responseBody));
}

function intervalsOf(reader: AuctionReader) {
  return reader.listIntervals().map(({ uid, first, last, count }) => [uid, first, last, count]);
}

Deno.test("AuctionReader keeps the orders of solutions, and lists of auctions as intervals", () => {
  const reader = new AuctionReader();
  const auctions = [
    { auctionId: 1, orders: [A, B], bids: [B] },
    { auctionId: 2, orders: [C, B] },
    { auctionId: 4, orders: [A, A, C], bids: [A, B] },
    { auctionId: 9, orders: [] },
  ].map((auction) => read(reader, JSON.stringify(bodyOf(auction))));
  assertEquals(auctions.map(({ auction }) => auction.orders), [[B], [], [A], []]);
  assertEquals(auctions.map(({ auction }) => auction.prices), [{ [T1]: 1n }, {}, { [T1]: 1n }, {}]);
  assertEquals(reader.orderCounts, new Map([[1, 2], [2, 2], [4, 3], [9, 0]]));
  assertEquals(intervalsOf(reader), [[A, 1, 1, 1], [A, 4, 4, 1], [B, 1, 2, 2], [C, 2, 4, 2]]);
  const prices = reader.prices.frame(() => null, {}).toRecords();
  assertEquals(
    prices.slice(0, 4).map((row) => [row.auction_id, row.token, row.native_price]),
    [[1, T1, "1"], [1, T2, "2"], [2, T1, "1"], [2, T2, "2"]],
  );
});

Deno.test("AuctionReader keeps the native prices of dollar tokens, which nobody bid on", () => {
  const usdc = "0xA0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
  const prices = { [T1]: "1", [usdc]: "400", [T2]: "2" };
  const auction = bodyOf({ auctionId: 1, orders: [A], prices, bids: [A] });
  const competition = read(new AuctionReader(), JSON.stringify(auction));
  assertEquals(competition.auction.prices, { [T1]: 1n, [usdc]: 400n });
});

Deno.test("AuctionReader marks an auction with a partial list, which is no fast path", () => {
  const reader = new AuctionReader();
  const basisOf = (auctionId: number, orders: readonly string[]) => {
    const auction = read(reader, JSON.stringify(bodyOf({ auctionId, orders, bids: [A] })));
    return recognizeAuctionPath(auction, { orders: [{ uid: A, fullAppData: "{}" }] }).basis;
  };
  assertEquals([basisOf(1, [A, B]), basisOf(2, [A])], ["shape", "app_data"]);
});

Deno.test("AuctionReader finds UIDs in any letter case, and prices that change", () => {
  const reader = new AuctionReader();
  const upper = `0x${"A1".repeat(56)}`;
  const first = { auctionId: 1, orders: [upper], bids: [A] };
  assertEquals(read(reader, JSON.stringify(bodyOf(first))).auction.orders, [upper]);
  const second = { auctionId: 2, orders: [upper], prices: { [T1]: "30" }, bids: [upper] };
  assertEquals(read(reader, JSON.stringify(bodyOf(second))).auction, {
    orders: [upper],
    prices: { [T1]: 30n },
  });
});

Deno.test("AuctionReader reads other spellings of bodies, and repeated keys, like JSON", () => {
  const list = JSON.stringify([A, B]);
  const text = JSON.stringify(bodyOf({ auctionId: 1, orders: [A, B], bids: [C, B] }));
  const others = [
    text.replace(list, `[ "${A}" , "${B}" ]`),
    text.replace('"auction":{', '"auction": {'),
    text.replace(`"orders":${list}`, `"orders":[],"orders":${list}`),
    text.replace('{"auctionId"', `{"old":{"auction":{"orders":["${C}"]}},"auctionId"`),
  ];
  for (const other of others) {
    const reader = new AuctionReader();
    assertEquals(read(reader, other).auction.orders, [B], other);
    assertEquals(intervalsOf(reader), [[A, 1, 1, 1], [B, 1, 1, 1]]);
  }
  const replaced = text.replace(`"orders":${list}`, `"orders":${list},"orders":["${C}"]`);
  assertEquals(read(new AuctionReader(), replaced).auction.orders, [C]);
});

Deno.test("AuctionReader rejects what the decoder rejects", () => {
  const good = { auctionId: 1, orders: [A, B] };
  const bodies = [
    { ...good, orders: [A, `${B.slice(0, -1)}x`] },
    { ...good, orders: [A, B.slice(0, -2)] },
    { ...good, orders: [A, 5] },
    { ...good, orders: "read" },
    { ...good, orders: ["read"] },
    { ...good, prices: { [T1]: "01" } },
    { ...good, prices: { [T1]: 1 } },
    { ...good, prices: { [T1.slice(1)]: "1" } },
    { ...good, prices: { [T1]: `1${"0".repeat(78)}` } },
    { ...good, prices: [] },
    { ...good, auctionId: 1.5 },
  ].map(bodyOf);
  for (const body of bodies) {
    assertThrows(() => decodeCompetition(body), DecodeError);
    const reader = new AuctionReader();
    assertThrows(() => read(reader, JSON.stringify(body)), DecodeError);
    assertEquals([reader.orderCounts.size, intervalsOf(reader)], [0, []]);
  }
});

const source = { environment: "production", chainId: 1, settlementContract: "0x01" };
const BEGAN: Readonly<Record<number, string>> = {
  1: "2025-06-19T23:59:59Z",
  2: "2025-06-20T00:00:00Z",
};
const times = {
  auction(auctionId: number) {
    const at = BEGAN[auctionId];
    if (at === undefined) return null;
    return { at: Temporal.Instant.from(at), basis: "block", bracket: null } as const;
  },
};

Deno.test("filtered_out is null before the service stored it, and as sent without a time", () => {
  const known = resolveFilterFacts({ times }, { source: { ...source, network: "mainnet" } });
  const auctions = [1, 2, 3].map((auctionId) =>
    decodeCompetition(bodyOf({ auctionId, orders: [A], bids: [A] }))
  );
  for (
    const table of [
      buildTable(SOLUTIONS, { competitions: auctions, ...known }),
      buildTable(SOLUTION_ORDERS, { competitions: auctions, ...known }),
    ]
  ) {
    const values: unknown[] = table.getColumn("filtered_out").toArray();
    assertEquals(values, [null, false, false]);
  }
});

Deno.test("resolveFilterFacts() returns nothing for deployments without a network", () => {
  assertEquals(resolveFilterFacts({ times }, { source: { ...source, network: null } }), {});
});
