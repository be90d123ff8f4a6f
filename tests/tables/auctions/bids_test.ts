import fc from "fast-check";
import { InputError } from "orderlens";
import { assertEquals, assertThrows } from "@std/assert";
import { BEST_OTHER_BIDS, BIDS, buildTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

/** What solvers buy of the order for 100, best first; the first one won. */
function auctionOfBids(
  bids: [solver: string, bought: bigint, filteredOut?: boolean][],
  price = 10n ** 36n,
) {
  return auctionOf(
    bids.map(([solver, bought, filteredOut = false], index) => ({
      solver,
      score: 1n,
      pairs: [["0x01", "0x02"]],
      uid: "0x0F",
      sells: 100n,
      buys: [bought],
      isWinner: index === 0,
      filteredOut,
      txHash: index === 0 ? "0xAA" : null,
    } as const)),
    { transactionHashes: ["0xaa"], auction: { orders: ["0x0f"], prices: { "0x02": price } } },
  );
}

const competition = auctionOfBids([["0xa0", 190n], ["0xb0", 189n]]);
const quote = { sellAmount: 100n, buyAmount: 205n, fee: 2n } as never;
const order = orderOf({ buyAmount: 180n, quote });

Deno.test("BIDS lists the bids of each solver, best ranking first", () => {
  const columns = ["solver order_uid buy_amount_atoms kind over_limit_bps is_executed"];
  assertEquals(cells(buildTable(BIDS, { competitions: [competition] }), ...columns), [
    ["0xa0", "0x0F", "190", null, null, null],
    ["0xb0", "0x0F", "189", null, null, false],
  ]);
});

Deno.test("BIDS measures bids and quote against the limit, if the order is given", () => {
  const columns = [
    "is_executed over_limit_bps quote_gross_over_limit_bps quote_net_over_limit_bps",
    "quote_user_shown_over_limit_bps",
  ];
  const [gross, net] = [10_000 * 25 / 180, 10_000 * 21 / 180];
  const trades = [tradeOf({ executedProtocolFees: [] })];
  assertEquals(
    cells(buildTable(BIDS, { competitions: [competition], orders: [order], trades }), ...columns),
    [
      [true, 10_000 * 10 / 180, gross, net, net],
      [false, 500, gross, net, net],
    ],
  );
  // Not executed if its transaction filled nothing.
  const others = { orders: [order], trades: [tradeOf({ txHash: "0xbb" })] };
  assertEquals(cells(buildTable(BIDS, { competitions: [competition], ...others }), "is_executed"), [
    [false],
    [false],
  ]);
});

Deno.test("BIDS has no pair for old responses without tokens", () => {
  const [first] = competition.solutions;
  const old = { ...first!, orders: [{ id: "0x0f", sellAmount: 1n, buyAmount: 1n }] };
  const frame = buildTable(BIDS, { competitions: [{ ...competition, solutions: [old] }] });
  assertEquals(cells(frame, "sell_token", "pair", "sell_amount_atoms", "sell_amount_tokens"), [
    [null, null, "1", null],
  ]);
});

Deno.test("BIDS says how far a bid is behind the winner, and what it left on the table", () => {
  const better = auctionOfBids([["0xa0", 190n], ["0xb0", 199n]], 3n * 10n ** 18n);
  const columns = [
    "surplus_atoms surplus_native_atoms volume_atoms behind_winner_bps left_atoms left_native_atoms",
  ];
  const filled = buildTable(BIDS, { competitions: [better], orders: [order], trades: [tradeOf()] });
  assertEquals(cells(filled, ...columns), [
    ["10", "30", "570", 0, null, null],
    ["19", "57", "597", -500, "9", "27"],
  ]);
  // Without a fill from this auction, nothing was left there.
  const unfilled = buildTable(BIDS, {
    competitions: [better],
    orders: [order],
    trades: [tradeOf({ txHash: "0xbb" })],
  });
  assertEquals(cells(unfilled, "left_atoms"), [[null], [null]]);
});

/** The double nearest to a fraction: JavaScript reads 40 digits and a mark of more correctly. */
function toNearest(numerator: bigint, denominator: bigint): number {
  const digits = numerator * 10n ** 40n / denominator;
  const isExact = digits * denominator === numerator * 10n ** 40n;
  return Number(`${digits}${isExact ? "0" : "1"}e-41`);
}

Deno.test("BIDS rounds the distance to the winner once", () => {
  const behind = ([winner, other]: readonly [bigint, bigint], limit: bigint) =>
    cells(
      buildTable(BIDS, {
        competitions: [auctionOfBids([["0xa0", winner], ["0xb0", other]])],
        orders: [orderOf({ buyAmount: limit })],
      }),
      "behind_winner_bps",
    ).at(-1);
  // 10^4 * 1 / 180 = 55.5…; the doubles 555.5… and 500 differ by 55.55555555555554 (…43).
  assertEquals(10_000 * 10 / 180 - 500, 55.55555555555554);
  assertEquals(behind([190n, 189n], 180n), [55.55555555555556]);
  const amount = fc.bigInt({ min: 1n, max: 10n ** 24n });
  fc.assert(fc.property(amount, amount, amount, (winner, other, limit) => {
    assertEquals(behind([winner, other], limit), [toNearest(10_000n * (winner - other), limit)]);
  }));
});

Deno.test("BIDS and BEST_OTHER_BIDS classify how the native prices of a bid agree", () => {
  const priced = (price: bigint) => {
    const competition = auctionOfBids([["0xa0", 190n], ["0xb0", 300n]], price);
    const prices = { ...competition.auction.prices, "0x01": 10n ** 18n };
    return { ...competition, auction: { ...competition.auction, prices } };
  };
  // 100 are sold for 190, or for 300.
  const own = (price: bigint) =>
    cells(buildTable(BIDS, { competitions: [priced(price)] }), "price_sides");
  assertEquals(own(10n ** 18n), [["consistent"], ["suspect"]]);
  assertEquals(own(10n ** 27n), [["absurd"], ["absurd"]]);
  assertEquals(cells(buildTable(BIDS, { competitions: [competition] }), "price_sides"), [[null], [
    null,
  ]]);
  const competitions = [priced(10n ** 27n)];
  assertEquals(cells(buildTable(BEST_OTHER_BIDS, { records, competitions }), "price_sides"), [[
    "absurd",
  ]]);
});

const records = [{ order: orderOf({ buyAmount: 180n }), trades: [tradeOf()] }];

Deno.test("BEST_OTHER_BIDS puts the best other bid beside each fill", () => {
  const competition = auctionOfBids([["0xa0", 190n], ["0xb0", 185n], ["0xc0", 195n, true]]);
  const frame = buildTable(BEST_OTHER_BIDS, {
    records,
    competitions: [competition],
    symbols: (address) => address === "0x02" ? "USDC" : null,
  });
  assertEquals(
    cells(
      frame,
      "executed_solver executed_over_limit_bps best_unexecuted_solver best_unexecuted_ranking",
      "best_unexecuted_filtered_out best_unexecuted_over_limit_bps left_atoms left_native",
      "surplus_token surplus_symbol",
    ),
    [[
      ...["0xa0", 10_000 * 10 / 180, "0xc0", 3],
      ...[true, 10_000 * 15 / 180, "5", 5, "0x02", "USDC"],
    ]],
  );
});

Deno.test("BEST_OTHER_BIDS has a row without other bids, but none without an auction", () => {
  const alone = auctionOfBids([["0xa0", 190n]]);
  const frame = buildTable(BEST_OTHER_BIDS, { records, competitions: [alone] });
  assertEquals(cells(frame, "executed_solver", "best_unexecuted_solver", "left_atoms"), [
    ["0xa0", null, null],
  ]);
  assertEquals(buildTable(BEST_OTHER_BIDS, { records, competitions: [] }).height, 0);
});

Deno.test("BEST_OTHER_BIDS rejects fills without any source of their auctions", () => {
  assertThrows(
    () => buildTable(BEST_OTHER_BIDS, { records }),
    InputError,
    "Pass competitions, or records with debug reports",
  );
  assertEquals(
    buildTable(BEST_OTHER_BIDS, { records: [{ ...records[0]!, trades: [] }] }).height,
    0,
  );
});
