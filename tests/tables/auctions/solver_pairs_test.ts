import { assertEquals } from "@std/assert";
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
    cells(frame, "solver_name", "pair", "bids", "wins", "volume", "volume_native"),
    [["Baseline (staging)", "WETH → USDC", 1, 1, "1000000000000000", 0.001]],
  );
  assertEquals(cells(frame, "first_start_block", "last_start_block", "gaps"), [
    [25136204, 25136204, null],
  ]);
});

Deno.test("solverPairsTable() takes the buy token's price where the sell token has none, or says so", () => {
  const pairs = [["0x01", "0x02"], ["0x03", "0x04"]] as const;
  const auction = auctionOf([{ solver: "0xa0", score: 1n, pairs, isWinner: true }], {
    auction: { orders: [], prices: { "0x02": 3n * 10n ** 18n } },
  });
  assertEquals(cells(solverPairsTable([auction]), "sell_token", "volume", "gaps"), [
    ["0x01", "3", null],
    ["0x03", null, "price"],
  ]);
});
