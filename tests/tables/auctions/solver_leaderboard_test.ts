import { assertEquals } from "@std/assert";
import { solverLeaderboardTable, solverPairsTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { cells, tradeOf } from "../made_up.ts";

const PAIR = ["0x01", "0x02"] as const;
const auctions = [
  auctionOf([
    { solver: "0xa0", score: 30n, pairs: [PAIR], isWinner: true, txHash: "0xaa" },
    { solver: "0xb0", score: 20n, pairs: [["0x02", "0x01"]], isWinner: true, txHash: "0xbb" },
    { solver: "0xc0", score: 90n, pairs: [PAIR], filteredOut: true },
  ], { auctionId: 1, referenceScores: { "0xa0": 20n, "0xb0": 30n } }),
  auctionOf([
    { solver: "0xa0", score: 50n, pairs: [PAIR], isWinner: true, txHash: "0xcc" },
    { solver: "0xb0", score: 40n, pairs: [PAIR] },
  ], { auctionId: 2, referenceScores: { "0xa0": 40n } }),
];
const trades = [
  tradeOf({ txHash: "0xaa", blockNumber: 103 }),
  tradeOf({ txHash: "0xbb", blockNumber: 104 }),
  tradeOf({ txHash: "0xcc", blockNumber: 101 }),
];

Deno.test("solverLeaderboardTable() counts auctions once, regardless of the number of winners", () => {
  const columns = [
    "solver",
    "auctions_bid",
    "auctions_won",
    "win_rate",
    "score_won_atoms",
    "score_share",
  ];
  assertEquals(cells(solverLeaderboardTable(auctions), ...columns), [
    ["0xa0", 2, 2, 1, "80", 0.8],
    ["0xb0", 2, 1, 0.5, "20", 0.2],
    ["0xc0", 1, 0, 0, "0", 0],
  ]);
  const counts = ["bid_count", "filtered_count", "winning_count", "margin_sum_atoms", "pair_count"];
  assertEquals(cells(solverLeaderboardTable(auctions), ...counts), [
    [2, 0, 2, "40", 1],
    [2, 0, 1, "20", 2],
    [1, 1, 0, "0", 1],
  ]);
});

Deno.test("solverLeaderboardTable() reports settlements only if an input covers them", () => {
  const columns = ["in_time", "late", "absent", "in_time_rate"];
  assertEquals(cells(solverLeaderboardTable(auctions), ...columns), [
    [null, null, null, null],
    [null, null, null, null],
    [null, null, null, null],
  ]);
  assertEquals(cells(solverLeaderboardTable(auctions, { trades }), ...columns), [
    [2, 0, 0, 1],
    [0, 1, 0, 0],
    [0, 0, 0, null],
  ]);
});

Deno.test("solverPairsTable() counts bids and wins by directed pair", () => {
  const columns = ["solver", "sell_token", "buy_token", "bids", "wins"];
  assertEquals(cells(solverPairsTable(auctions), ...columns), [
    ["0xa0", "0x01", "0x02", 2, 2],
    ["0xb0", "0x02", "0x01", 1, 1],
    ["0xb0", "0x01", "0x02", 1, 0],
    ["0xc0", "0x01", "0x02", 1, 0],
  ]);
});
