import { type Competition, InputError } from "orderlens";
import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { bestOtherBidsTable, bidsTable } from "orderlens/tables";
import { auctionOf, type Bid } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const PAIR = ["0x01", "0x02"] as const;
const bid: Bid = {
  ...{ solver: "0xa0", score: 5n, pairs: [PAIR], uid: "0x0F", sells: 100n, buys: [190n] },
  ...{ isWinner: true, txHash: "0xAA" },
};

/** The winning bid, and one that buys another amount. */
function auctionWith(bought: bigint, more: Partial<Competition> = {}): Competition {
  const other = { ...bid, solver: "0xb0", isWinner: false, buys: [bought] };
  return auctionOf([bid, other], { auction: { orders: ["0x0f"], prices: {} }, ...more });
}

const competition = auctionWith(189n);
const quote = { sellAmount: 100n, buyAmount: 205n, fee: 2n } as never;
const order = orderOf({ buyAmount: 180n, quote });

Deno.test("bidsTable() lists the bids of each solver, best ranking first", () => {
  const columns = ["solver order_uid buy_amount_atoms kind over_limit_bps is_executed"];
  assertEquals(cells(bidsTable([competition]), ...columns), [
    ["0xa0", "0x0F", "190", null, null, null],
    ["0xb0", "0x0F", "189", null, null, false],
  ]);
});

Deno.test("bidsTable() measures bids and quote against the limit, if the order is given", () => {
  const trades = [tradeOf({ executedProtocolFees: [] })];
  const rows = bidsTable([competition], { orders: [order], trades }).toRecords();
  assertEquals(rows.map(({ is_executed }) => is_executed), [true, false]);
  assertAlmostEquals(Number(rows[0]?.over_limit_bps), 10_000 * 10 / 180);
  assertAlmostEquals(Number(rows[1]?.over_limit_bps), 10_000 * 9 / 180);
  for (const row of rows) {
    assertAlmostEquals(Number(row.quote_gross_over_limit_bps), 10_000 * 25 / 180);
    assertAlmostEquals(Number(row.quote_net_over_limit_bps), 10_000 * 21 / 180);
    assertAlmostEquals(Number(row.quote_user_shown_over_limit_bps), 10_000 * 21 / 180);
  }
  // Not executed if its transaction filled nothing.
  const others = { orders: [order], trades: [tradeOf({ txHash: "0xbb" })] };
  assertEquals(cells(bidsTable([competition], others), "is_executed"), [[false], [false]]);
});

Deno.test("bidsTable() has no pair for old answers without tokens", () => {
  const [first] = competition.solutions;
  const old = { ...first!, orders: [{ id: "0x0f", sellAmount: 1n, buyAmount: 1n }] };
  const frame = bidsTable([{ ...competition, solutions: [old] }]);
  assertEquals(cells(frame, "sell_token", "pair", "sell_amount_atoms", "sell_amount_tokens"), [
    [null, null, "1", null],
  ]);
});

Deno.test("bidsTable() says how far a bid is behind the winner, and what it left on the table", () => {
  const better = auctionWith(199n, {
    transactionHashes: ["0xaa"],
    auction: { orders: ["0x0f"], prices: { "0x02": 3n * 10n ** 18n } },
  });
  const rows = bidsTable([better], { orders: [order], trades: [tradeOf()] }).toRecords();
  assertEquals(rows.map((row) => [row.surplus_atoms, row.surplus_native_atoms, row.volume_atoms]), [
    ["10", "30", "570"],
    ["19", "57", "597"],
  ]);
  assertEquals(rows[0]?.behind_winner_bps, 0);
  assertAlmostEquals(Number(rows[1]?.behind_winner_bps), -10_000 * 9 / 180);
  assertEquals(rows.map((row) => [row.left_atoms, row.left_native_atoms]), [
    [null, null],
    ["9", "27"],
  ]);
  // Without a fill from this auction, nothing was left there.
  const unfilled = bidsTable([better], { orders: [order], trades: [tradeOf({ txHash: "0xbb" })] });
  assertEquals(cells(unfilled, "left_atoms"), [[null], [null]]);
});

const records = [{ order: orderOf({ buyAmount: 180n }), trades: [tradeOf()] }];

function auctionOfBids(bids: [solver: string, bought: bigint, filteredOut?: boolean][]) {
  return auctionOf(
    bids.map(([solver, bought, filteredOut = false], index) => ({
      ...{ solver, score: 1n, pairs: [["0x01", "0x02"]], uid: "0x0f", sells: 100n, buys: [bought] },
      ...{ isWinner: index === 0, filteredOut, txHash: index === 0 ? "0xaa" : null },
    } as const)),
    { transactionHashes: ["0xaa"], auction: { orders: ["0x0f"], prices: { "0x02": 10n ** 36n } } },
  );
}

Deno.test("bestOtherBidsTable() puts the best other bid beside each fill", () => {
  const competition = auctionOfBids([["0xa0", 190n], ["0xb0", 185n], ["0xc0", 195n, true]]);
  const [row] = bestOtherBidsTable(records, {
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
  const competition = auctionOfBids([["0xa0", 190n], ["0xb0", 185n]]);
  const frame = bestOtherBidsTable(records, { competitions: [competition] });
  assertEquals(cells(frame, "left_atoms", "left_native"), [["-5", -5]]);
});

Deno.test("bestOtherBidsTable() has a row without other bids, but none without an auction", () => {
  const alone = auctionOfBids([["0xa0", 190n]]);
  const frame = bestOtherBidsTable(records, { competitions: [alone] });
  assertEquals(cells(frame, "executed_solver", "best_unexecuted_solver", "left_atoms"), [
    ["0xa0", null, null],
  ]);
  assertEquals(bestOtherBidsTable(records, { competitions: [] }).height, 0);
});

Deno.test("bestOtherBidsTable() rejects fills without any source of their auctions", () => {
  assertThrows(
    () => bestOtherBidsTable(records),
    InputError,
    "Pass competitions, or records with debug reports",
  );
  assertEquals(bestOtherBidsTable([{ ...records[0]!, trades: [] }]).height, 0);
});
