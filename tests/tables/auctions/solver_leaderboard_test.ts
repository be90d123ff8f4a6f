import { assertEquals } from "@std/assert";
import { solverLeaderboardTable, solverPairsTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { cells, tradeOf } from "../made_up.ts";
import { AuctionTimes } from "orderlens/metrics";
import { decodeCompetition } from "orderlens/schemas";
import staging from "../../testdata/networks/competition_mainnet_staging_15567158.json" with {
  type: "json",
};

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

Deno.test("solverLeaderboardTable() counts auctions once, and settlements only if an input covers them", () => {
  const columns = [
    "solver auctions_bid auctions_won win_rate score_won_atoms score_share filtered_count",
    "pair_count in_time in_time_rate",
  ];
  assertEquals(cells(solverLeaderboardTable(auctions), ...columns), [
    ["0xa0", 2, 2, 1, "80", 0.8, 0, 1, null, null],
    ["0xb0", 2, 1, 0.5, "20", 0.2, 0, 2, null, null],
    ["0xc0", 1, 0, 0, "0", 0, 1, 1, null, null],
  ]);
  const trades = [
    tradeOf({ txHash: "0xaa", blockNumber: 103 }),
    tradeOf({ txHash: "0xbb", blockNumber: 104 }),
    tradeOf({ txHash: "0xcc", blockNumber: 101 }),
  ];
  const settled = solverLeaderboardTable(auctions, { trades });
  assertEquals(cells(settled, "in_time in_time_rate"), [[2, 1], [0, 0], [0, null]]);
});

Deno.test("solverPairsTable() values what was won, to the atom", () => {
  const frame = solverPairsTable([decodeCompetition(staging)]);
  // 0.001 WETH at a price of 10^18: the amount itself.
  assertEquals(
    cells(frame, "solver_name", "pair", "bids", "wins", "volume_atoms", "volume_native"),
    [["Baseline (staging)", "WETH → USDC", 1, 1, "1000000000000000", 0.001]],
  );
  assertEquals(cells(frame, "first_auction_id", "first_start_block", "gaps"), [
    [15567158, 25136204, "auction_time"],
  ]);
});

Deno.test("solverPairsTable() counts a directed pair once per solution, and values what it won at the prices of each auction, or says so", () => {
  const pairs = [
    ...[["0x01", "0x02"], ["0x01", "0x02"], ["0x02", "0x01"]] as const,
    ...[["0x03", "0x02"], ["0x03", "0x04"]] as const,
  ];
  const won = auctionOf([
    { solver: "0xa0", score: 30n, pairs, isWinner: true },
    { solver: "0xa0", score: 3n, pairs: [PAIR] },
    { solver: "0xb0", score: 3n, pairs: [PAIR] },
  ], {
    auctionId: 7,
    // Each order sells and buys one atom: 7.9 and 5 native atoms, each rounded down.
    auction: {
      orders: [],
      prices: { "0x01": 7_900_000_000_000_000_000n, "0X02": 5n * 10n ** 18n },
    },
  });
  const auctions = [{ ...won, auctionId: 9, auctionStartBlock: 120 }, won];
  const at = (second: number) => Temporal.Instant.from(`2026-11-21T12:00:${second}Z`);
  const times = new AuctionTimes(auctions, { blockTimes: new Map([[100, at(10)], [120, at(50)]]) });
  const frame = solverPairsTable(auctions, { times });
  assertEquals(cells(frame, "solver sell_token buy_token bids wins volume_atoms gaps"), [
    ["0xa0", "0x01", "0x02", 4, 2, "28", null],
    ["0xa0", "0x02", "0x01", 2, 2, "10", null],
    ["0xa0", "0x03", "0x02", 2, 2, "10", null],
    ["0xa0", "0x03", "0x04", 2, 2, null, "price"],
    ["0xb0", "0x01", "0x02", 2, 0, "0", null],
  ]);
  const first = ["first_auction_id", "first_start_block", "first_auction_at"];
  const last = ["last_auction_id", "last_start_block", "last_auction_at"];
  assertEquals(cells(frame, ...first, ...last, "time_basis")[0], [
    ...[7, 100, "2026-11-21T12:00:10Z", 9, 120, "2026-11-21T12:00:50Z"],
    "block",
  ]);
});
