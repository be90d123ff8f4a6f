import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  concentrationTable,
  cowSharesTable,
  fillsTable,
  gasSurplusTable,
  winnersCurseTable,
} from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { debugAuctionOf, event, orderOf, proposedOf, reportOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";
import { InputError } from "orderlens";

const VOLUME = { volume: { factor: 0.02 } };
const quote = { sellAmount: 100n, buyAmount: 205n, fee: 2n } as never;
const order = orderOf({ buyAmount: 180n, quote, fullAppData: "{}" });
const trade = tradeOf({ executedProtocolFees: [{ policy: VOLUME, amount: 4n, token: "0x02" }] });
const settlements = new Map([["0xaa", { tokens: ["0x01", "0x02"], clearingPrices: [2n, 1n] }]]);

Deno.test("fillsTable() has the digits of a fill worked by hand, positive if it is better, costs negative", () => {
  const fullAppData = JSON.stringify({ metadata: { quote: { slippageBips: 50 } } });
  const competition = auctionOf([], {
    transactionHashes: ["0xaa"],
    auction: { orders: ["0x0f"], prices: { "0x02": 15n * 10n ** 17n } },
  });
  const [row] = fillsTable([{ order: { ...order, fullAppData }, trades: [trade] }], {
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
    partner_fees_atoms: "0",
  };
  const found = Object.keys(expected).map((column) => [column, row?.[column]]);
  assertEquals(Object.fromEntries(found), expected);
});

Deno.test("fillsTable() says how far both sides are apart at the native prices of the auction", () => {
  const sidesAt = (sold: bigint | null, bought: bigint | null) => {
    const prices = {
      ...sold === null ? {} : { "0x01": sold },
      ...bought === null ? {} : { "0x02": bought },
    };
    const competitions = [
      auctionOf([], { transactionHashes: ["0xaa"], auction: { orders: ["0x0f"], prices } }),
    ];
    const frame = fillsTable([{ order, trades: [trade] }], { competitions });
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

Deno.test("fillsTable() has a row for a fill without a quote, with the reason", () => {
  const { quote: _, ...unquoted } = order;
  const columns = [
    "slippage_gross_atoms slippage_limit_atoms slippage_reason decomposition_reason",
  ];
  assertEquals(cells(fillsTable([{ order: unquoted, trades: [trade] }]), ...columns), [
    [null, "10", "no_quote", "no_quote"],
  ]);
});

Deno.test("fillsTable() takes auction, solver, prices and times from a debug report", () => {
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
  const frame = fillsTable([{ order, trades: [trade], debugReport }]);
  assertEquals(cells(frame, ...columns), [[8, "0x5a", 100, 30]]);
  // Between both ends, in native tokens.
  const parts = ["network_part_low_atoms network_part_high_atoms network_native"];
  assertEquals(cells(frame, ...parts, "decomposition_basis"), [["-8", "-6", -7, "executed_fee"]]);
});

Deno.test("fillsTable() lists the fills of an order by block, and skips those of other orders", () => {
  const half = { ...order, partiallyFillable: true };
  const trades = [
    tradeOf({ blockNumber: 110, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ blockNumber: 105, sellAmount: 50n, buyAmount: 95n }),
    tradeOf({ orderUid: "0x99" }),
  ];
  assertEquals(cells(fillsTable([{ order: half, trades }]), "block_number", "filled_fraction"), [
    [105, 0.5],
    [110, 0.5],
  ]);
});

Deno.test("fillsTable() has the best bid that was not executed, and the app", () => {
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
  assertEquals(cells(fillsTable([{ order: of, trades: [trade] }], given), ...columns), [
    ["0xc0", true, "5", "10", "Swap"],
  ]);
  // What the service did not store is not known.
  const old = fillsTable([{ order: of, trades: [trade] }], {
    ...given,
    isFilterStored: () => false,
  });
  assertEquals(cells(old, "best_unexecuted_filtered_out"), [[null]]);
});

const TUESDAY = Date.UTC(2026, 10, 24);

Deno.test("concentrationTable() has the digits of rows worked by hand", () => {
  const fill = (
    filled_at_ms: number | null,
    solver: string | null,
    [sell_token = "", buy_token = ""]: readonly string[],
    volume_atoms: string | null,
  ) => ({ filled_at_ms, solver, sell_token, buy_token, volume_atoms });
  const [pair, back] = [["0x1", "0x2"], ["0x2", "0x1"]];
  const frame = concentrationTable([
    fill(TUESDAY, "a", pair, "3"),
    fill(TUESDAY, "B", pair, "1"),
    fill(TUESDAY - 1, "b", back, "10"),
    fill(null, null, back, "10"),
    fill(null, "a", back, null),
  ]);
  assertEquals(frame.toRecords().map((row) => Object.values(row)), [
    ["week", "2026-11-17", 1, 0, 1, "10", 1e-17, 1, 1, 1],
    ["week", "2026-11-24", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
    ["pair", "0x1 0x2", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
    ["pair", "0x2 0x1", 1, 2, 1, "10", 1e-17, 1, 1, 1],
    ["size", "1e-17", 1, 1, 1, "10", 1e-17, 1, 1, 1],
    ["size", "1e-18", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
  ]);
});

Deno.test("gasSurplusTable() has the digits of rows worked by hand, and gas of settlements", () => {
  const fill = (
    solver: string | null,
    solver_name: string | null,
    surplus_native_atoms: string | null,
    gas_cost_atoms: string | null,
    price_sides: string | null = "consistent",
  ) => ({
    solver,
    solver_name,
    surplus_native_atoms,
    gas_cost_atoms,
    price_sides,
    tx_hash: "0x0f",
  });
  const fills = [
    fill("0xa", "A", "1000000000000000000001", "1000000000000000000000", "absurd"),
    fill("0xA", "A", "4", "7", "suspect"),
    fill("0xa", "A", "-5", "0"),
    fill("0xa", "A", "9", null),
    fill(null, null, null, "3"),
  ];
  const rest = ["1000000000000000000007", 1000, "-7", -7e-18, 2, 1, 1, "-5", -5e-18];
  assertEquals(gasSurplusTable(fills).toRecords().map((row) => Object.values(row)), [
    ["0xa", "A", 3, 1, "1000000000000000000000", 1000, ...rest],
    [null, null, 0, 1, null, null, null, null, null, null, 0, 0, 0, null, null],
  ]);
  const settlements = [{ tx_hash: "0x0F", gas_cost_atoms: "5", trade_count: 2 }];
  const [row] = gasSurplusTable(fills, { settlements }).toRecords();
  assertEquals([row?.fills, row?.unknown_count, row?.after_gas_atoms], [4, 0, "0"]);
});

Deno.test("cowSharesTable() has the digits of rows worked by hand", () => {
  const trade = (
    [tx_hash, auction_id]: readonly [string | null, number | null],
    [sell_token, buy_token]: readonly [string, string],
    [sell_amount_atoms, buy_amount_atoms]: readonly [string, string],
  ) => ({ tx_hash, auction_id, sell_token, buy_token, sell_amount_atoms, buy_amount_atoms });
  const frame = cowSharesTable([
    trade(["0xa", 7], ["x", "y"], ["10", "40"]),
    trade(["0xA", 7], ["y", "x"], ["30", "8"]),
    trade(["0xb", 8], ["x", "y"], ["5", "20"]),
    trade([null, null], ["x", "y"], ["5", "20"]),
  ], { decimals: () => 1, symbols: (token) => token.toUpperCase() });
  assertEquals(frame.toRecords().map((row) => Object.values(row)), [
    ["0xa", 7, "x", "X", 2, "10", 1, "8", 0.8, "8", 0.8, 1],
    ["0xa", 7, "y", "Y", 2, "30", 3, "40", 4, "30", 3, 0.75],
    ["0xb", 8, "x", "X", 1, "5", 0.5, "0", 0, "0", 0, null],
    ["0xb", 8, "y", "Y", 1, "0", 0, "20", 2, "0", 0, 0],
  ]);
});

Deno.test("winnersCurseTable() reads exact markouts, and counts fills without one or of unknown bidders", () => {
  const row = (
    bidder_count: number | null,
    markout_exact: string | null,
    solver_efficiency_exact = markout_exact,
  ) => ({ bidder_count, markout_exact, solver_efficiency_exact });
  const frame = winnersCurseTable([
    row(1, "-1/1000", "0/1"),
    row(2, "1/3", "1/2"),
    row(2, null),
    row(null, "1/2"),
  ]);
  assertEquals(frame.toRecords().map((one) => Object.values(one)), [
    [1, 1, 0, -10, 0, 0, null, null],
    [2, 1, 1, 10_000 / 3, 5_000, 5_000, null, null],
    [null, 1, 0, 5_000, 5_000, null, null, null],
  ]);
});

Deno.test("amounts of rows that are no whole numbers are rejected by column", () => {
  const { message } = assertThrows(
    () =>
      concentrationTable([
        { filled_at_ms: 0, solver: "a", sell_token: "x", buy_token: "y", volume_atoms: "1.5" },
      ]),
    InputError,
  );
  assertStringIncludes(message, 'Cannot read "1.5" as volume_atoms');
});
