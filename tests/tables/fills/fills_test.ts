import { assertEquals } from "@std/assert";
import { buildTable, FILLS, ORDERS } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { debugAuctionOf, event, orderOf, proposedOf, reportOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const VOLUME = { volume: { factor: 0.02 } };
const quote = { sellAmount: 100n, buyAmount: 205n, fee: 2n } as never;
const order = orderOf({ buyAmount: 180n, quote, fullAppData: "{}" });
const trade = tradeOf({ executedProtocolFees: [{ policy: VOLUME, amount: 4n, token: "0x02" }] });
const settlements = new Map([["0xaa", { tokens: ["0x01", "0x02"], clearingPrices: [2n, 1n] }]]);

Deno.test("FILLS has the digits of a fill worked by hand, positive if it is better, costs negative", () => {
  const fullAppData = JSON.stringify({ metadata: { quote: { slippageBips: 50 } } });
  const competition = auctionOf([], {
    transactionHashes: ["0xaa"],
    auction: { orders: ["0x0f"], prices: { "0x02": 15n * 10n ** 17n } },
  });
  const [row] = buildTable(FILLS, {
    records: [{ order: { ...order, fullAppData }, trades: [trade] }],
    settlements,
    competitions: [competition],
  }).toRecords();
  const expected = {
    // Net: 205 - floor(2 * 205 / 100) = 201; shown: 201 * 0.98 = 196.98; limit: 180.
    slippage_gross_atoms: "-15",
    slippage_gross_bps: -10_000 * 15 / 205,
    slippage_net_atoms: "-11",
    slippage_net_bps: -10_000 * 11 / 201,
    slippage_user_shown_atoms: "-7",
    slippage_user_shown_bps: -10_000 * 698 / 19_698,
    slippage_limit_atoms: "10",
    slippage_limit_bps: 10_000 * 10 / 180,
    tolerance_asked_bps: 50,
    tolerance_signed_gross_bps: 10_000 * 25 / 205,
    // Uniform prices gave 200; an atom is worth 1.5 native ones.
    decomposition_basis: "settlement",
    network_part_low_atoms: "-6",
    network_part_high_atoms: "-6",
    network_bps: -10_000 * 6 / 205,
    network_native: -9e-18,
    protocol_part_atoms: "-4",
    protocol_bps: -10_000 * 4 / 205,
    protocol_native: -6e-18,
    partner_part_atoms: "0",
    partner_bps: 0,
    market_part_low_atoms: "-5",
    market_part_high_atoms: "-5",
    market_bps: -10_000 * 5 / 205,
    market_native: -7.5e-18,
    scaled_limit_atoms: "180",
    surplus_atoms: "10",
    surplus_bps_of_limit: 10_000 * 10 / 180,
    surplus_bps_of_executed: 10_000 * 10 / 190,
    surplus_bps_of_quote: 10_000 * 10 / 205,
    surplus_bps_before_protocol_fees: 10_000 * 10 / 194,
    surplus_native_atoms: "15",
    surplus_native: 1.5e-17,
    // Sell tokens have no price, so the volume is of 190 bought.
    volume_atoms: "285",
    volume_native: 2.85e-16,
    protocol_fees_atoms: "4",
    fee_native_atoms: "6",
    fee_native: 6e-18,
    partner_fees_atoms: "0",
  };
  const found = Object.keys(expected).map((column) => [column, row?.[column]]);
  assertEquals(Object.fromEntries(found), expected);
});

Deno.test("FILLS names the trader and the receiver as ORDERS does, and only where they are not the owner", () => {
  const [contract, trader, other] = ["0xc0", "0x7a", "0x0e"].map((start) => start.padEnd(42, "0"));
  const zero = `0x${"00".repeat(20)}`;
  const orders = [
    orderOf({ owner: contract!, onchainUser: trader!, receiver: trader! }),
    orderOf({ owner: trader!, receiver: zero }),
    orderOf({ owner: trader!, receiver: null }),
    orderOf({ owner: trader!, receiver: other! }),
  ];
  const columns = "owner onchain_user receiver";
  const expected = [
    [contract, trader, trader],
    [trader, null, null],
    [trader, null, null],
    [trader, null, other],
  ];
  const records = orders.map((order) => ({ order, trades: [trade] }));
  assertEquals(cells(buildTable(FILLS, { records }), columns), expected);
  assertEquals(cells(buildTable(ORDERS, { orders }), columns), expected);
});

Deno.test("FILLS values the fees of a fill once, rounded down, and none of an unpriced token", () => {
  const fees = [3n, 4n].map((amount) => ({ policy: VOLUME, amount, token: "0x02" }));
  const records = [{ order, trades: [tradeOf({ executedProtocolFees: fees })] }];
  const build = (prices: Record<string, bigint>) =>
    buildTable(FILLS, {
      records,
      competitions: [auctionOf([], {
        transactionHashes: ["0xaa"],
        auction: { orders: [order.uid], prices },
      })],
    });
  const columns = "protocol_fees_atoms fee_native_atoms fee_native";
  // 7 atoms of 1.5 native ones are 10.5: each fee alone would give 4 and 6.
  const priced = build({ "0x02": 15n * 10n ** 17n });
  assertEquals(cells(priced, columns), [["7", "10", 1.05e-17]]);
  assertEquals(cells(build({ "0x01": 1n }), columns), [["7", null, null]]);
});

Deno.test("FILLS classifies how far apart both sides are at the native prices of the auction", () => {
  const sidesAt = (sold: bigint | null, bought: bigint | null) => {
    const prices = {
      ...sold === null ? {} : { "0x01": sold },
      ...bought === null ? {} : { "0x02": bought },
    };
    const competitions = [
      auctionOf([], { transactionHashes: ["0xaa"], auction: { orders: ["0x0f"], prices } }),
    ];
    const frame = buildTable(FILLS, { records: [{ order, trades: [trade] }], competitions });
    return cells(frame, "price_sides price_sides_ratio")[0];
  };
  // 100 were sold for 190.
  assertEquals(sidesAt(100n, 100n), ["consistent", 1.9]);
  assertEquals(sidesAt(100n, 300n), ["suspect", 5.7]);
  assertEquals(sidesAt(1_900n, 100n), ["suspect", 0.1]);
  assertEquals(sidesAt(100n, 100n * 10n ** 9n), ["absurd", 1.9e9]);
  assertEquals(sidesAt(0n, 100n), ["absurd", null]);
  assertEquals(sidesAt(null, 100n), [null, null]);
  assertEquals(sidesAt(100n, null), [null, null]);
});

Deno.test("FILLS has a row for a fill without a quote, with the reason", () => {
  const { quote: _, ...unquoted } = order;
  const columns = [
    "slippage_gross_atoms slippage_limit_atoms slippage_reason decomposition_reason",
  ];
  assertEquals(
    cells(buildTable(FILLS, { records: [{ order: unquoted, trades: [trade] }] }), ...columns),
    [
      [null, "10", "no_quote", "no_quote"],
    ],
  );
});

Deno.test("FILLS takes auction, solver, prices and times from a debug report", () => {
  const debugReport = reportOf({
    order,
    events: [event("created", 10), event("traded", 30)],
    trades: [{ ...trade, auctionId: 8 }],
    auctions: [debugAuctionOf(8, {
      nativePrices: { "0x01": 10n ** 36n, "0x02": 10n ** 36n },
      proposedSolutions: [proposedOf({ solver: "0x5a", executedSell: 100n, executedBuy: 190n })],
      executions: [{
        executedFee: 5n,
        executedFeeToken: "0x01",
        blockNumber: 103,
        protocolFees: [],
      }],
    })],
  });
  const columns = ["auction_id", "solver", "volume_native", "quote_age_seconds"];
  const frame = buildTable(FILLS, { records: [{ order, trades: [trade], debugReport }] });
  assertEquals(cells(frame, ...columns), [[8, "0x5a", 100, 30]]);
  // Between both ends, in native tokens.
  const parts = ["network_part_low_atoms network_part_high_atoms network_native"];
  assertEquals(cells(frame, ...parts, "decomposition_basis"), [["-8", "-6", -7, "executed_fee"]]);
});

Deno.test("FILLS lists the fills of an order by block, and skips those of other orders", () => {
  const half = { ...order, partiallyFillable: true };
  const trades = [
    tradeOf({ blockNumber: 110, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ blockNumber: 105, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ orderUid: "0x99" }),
  ];
  assertEquals(
    cells(
      buildTable(FILLS, { records: [{ order: half, trades }] }),
      "block_number",
      "filled_fraction",
    ),
    [
      [105, 0.5],
      [110, 0.5],
    ],
  );
});

Deno.test("FILLS has the best bid that was not executed, and the app", () => {
  const bid = { score: 1n, pairs: [["0x01", "0x02"]], uid: "0x0f", sells: 100n } as const;
  const competition = auctionOf([
    { ...bid, solver: "0xa0", buys: [190n], isWinner: true, txHash: "0xaa" },
    { ...bid, solver: "0xb0", buys: [185n] },
    { ...bid, solver: "0xc0", buys: [195n], filteredOut: true },
  ], {
    transactionHashes: ["0xaa"],
    auction: { orders: ["0x0f"], prices: { "0x02": 2n * 10n ** 18n } },
  });
  const of = { ...order, fullAppData: '{"appCode":"Swap","metadata":{}}' };
  const columns = [
    "best_unexecuted_solver best_unexecuted_filtered_out left_atoms left_native_atoms",
    "app_code",
  ];
  const given = { competitions: [competition] };
  assertEquals(
    cells(buildTable(FILLS, { records: [{ order: of, trades: [trade] }], ...given }), ...columns),
    [
      ["0xc0", true, "5", "10", "Swap"],
    ],
  );
  // What the service did not store is not known.
  const old = buildTable(FILLS, {
    records: [{ order: of, trades: [trade] }],
    ...given,
    isFilterStored: () => false,
  });
  assertEquals(cells(old, "best_unexecuted_filtered_out"), [[null]]);
});
