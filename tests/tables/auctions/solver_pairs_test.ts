import { assertEquals } from "@std/assert";
import { AuctionTimes } from "orderlens/metrics";
import { decodeCompetition } from "orderlens/schemas";
import { solverPairsTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { cells } from "../made_up.ts";
import staging from "../../testdata/networks/competition_mainnet_staging_15567158.json" with {
  type: "json",
};

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

Deno.test("solverPairsTable() takes the buy token's price where the sell token has none, or says so", () => {
  const pairs = [["0x01", "0x02"], ["0x03", "0x04"]] as const;
  const auction = auctionOf([{ solver: "0xa0", score: 1n, pairs, isWinner: true }], {
    auction: { orders: [], prices: { "0x02": 3n * 10n ** 18n } },
  });
  assertEquals(cells(solverPairsTable([auction]), "sell_token", "volume_atoms", "gaps"), [
    ["0x01", "3", "auction_time"],
    ["0x03", null, "price, auction_time"],
  ]);
});

Deno.test("solverPairsTable() has the times of the first and the last auction", () => {
  const bid = { solver: "0xa0", score: 1n, pairs: [["0x01", "0x02"]] } as const;
  const auctions = [
    auctionOf([bid], { auctionId: 9, auctionStartBlock: 120 }),
    auctionOf([bid], { auctionId: 7, auctionStartBlock: 100 }),
  ];
  const at = (second: number) => Temporal.Instant.from(`2026-11-21T12:00:${second}Z`);
  const times = new AuctionTimes(auctions, { blockTimes: new Map([[100, at(10)], [120, at(50)]]) });
  const columns = ["first_auction_id", "first_auction_at", "last_auction_id", "last_auction_at"];
  assertEquals(cells(solverPairsTable(auctions, { times }), ...columns, "time_basis"), [
    [7, "2026-11-21T12:00:10Z", 9, "2026-11-21T12:00:50Z", "block"],
  ]);
});
