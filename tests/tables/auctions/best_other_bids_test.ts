import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { bestOtherBidsTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const order = orderOf({ buyAmount: 180n });
const trades = [tradeOf()];

function auctionWith(bids: [solver: string, buyAmount: bigint, filteredOut?: boolean][]) {
  const { solutions, ...auction } = auctionOf(
    bids.map(([solver, , filteredOut = false], index) => ({
      solver,
      score: 1n,
      pairs: [],
      isWinner: index === 0,
      filteredOut,
      txHash: index === 0 ? "0xaa" : null,
    })),
    { transactionHashes: ["0xaa"], auction: { orders: ["0x0f"], prices: { "0x02": 10n ** 36n } } },
  );
  return {
    ...auction,
    solutions: solutions.map((solution) => ({
      ...solution,
      orders: [{ id: "0x0f", sellAmount: 100n, buyAmount: bids[solution.ranking - 1]![1] }],
    })),
  };
}

Deno.test("bestOtherBidsTable() puts the best other bid beside each fill", () => {
  const competition = auctionWith([["0xa0", 190n], ["0xb0", 185n], ["0xc0", 195n, true]]);
  const [row] = bestOtherBidsTable([{ order, trades }], {
    competitions: [competition],
    symbols: (address) => address === "0x02" ? "USDC" : null,
  }).toRecords();
  assertEquals([row?.executed_solver, row?.best_unexecuted_solver], ["0xa0", "0xc0"]);
  assertEquals([row?.best_unexecuted_ranking, row?.best_unexecuted_filtered_out], [3, true]);
  assertEquals([row?.left_atoms, row?.left_native, row?.surplus_token], ["5", 5, "0x02"]);
  assertEquals(row?.surplus_symbol, "USDC");
  assertAlmostEquals(Number(row?.executed_over_limit_bps), 10_000 * 10 / 180);
  assertAlmostEquals(Number(row?.best_unexecuted_over_limit_bps), 10_000 * 15 / 180);
});

Deno.test("bestOtherBidsTable() is negative if the executed bid was the best", () => {
  const competition = auctionWith([["0xa0", 190n], ["0xb0", 185n]]);
  const frame = bestOtherBidsTable([{ order, trades }], { competitions: [competition] });
  assertEquals(cells(frame, "left_atoms", "left_native"), [["-5", -5]]);
});

Deno.test("bestOtherBidsTable() has a row without other bids, but none without an auction", () => {
  const alone = auctionWith([["0xa0", 190n]]);
  const frame = bestOtherBidsTable([{ order, trades }], { competitions: [alone] });
  assertEquals(cells(frame, "executed_solver", "best_unexecuted_solver", "left_atoms"), [
    ["0xa0", null, null],
  ]);
  assertEquals(bestOtherBidsTable([{ order, trades }], { competitions: [] }).height, 0);
});

Deno.test("bestOtherBidsTable() rejects fills without any source of their auctions", () => {
  assertThrows(
    () => bestOtherBidsTable([{ order, trades }]),
    InputError,
    "Pass competitions, or records with debug reports",
  );
  assertEquals(bestOtherBidsTable([{ order, trades: [] }]).height, 0);
});
