import fc from "fast-check";
import {
  AuctionTimes,
  cowShares,
  gasAdjustedSurplus,
  windowedConcentration,
} from "orderlens/metrics";
import { decodeCompetition } from "orderlens/schemas";
import { BIDS, buildTable, OUTCOMES, type Records } from "orderlens/tables";
import { ratioToNumber } from "orderlens/units";
import { assertAlmostEquals, assertEquals } from "@std/assert";
import staging from "../testdata/networks/competition_mainnet_staging_15567158.json" with {
  type: "json",
};
import { auctionOf } from "../metrics/auctions.ts";
import { tradeOf } from "../tables/made_up.ts";
import { viewOver } from "./over_rows.ts";

const TUESDAY = Date.UTC(2026, 10, 24);

Deno.test("concentration has the digits of rows worked by hand", async () => {
  const fill = (
    filled_at_ms: number | null,
    solver: string | null,
    [sell_token = "", buy_token = ""]: readonly string[],
    volume_atoms: string | null,
  ) => ({ filled_at_ms, solver, sell_token, buy_token, volume_atoms });
  const [pair, back] = [["0x1", "0x2"], ["0X2", "0x1"]];
  const fills = [
    fill(TUESDAY, "a", pair, "3"),
    fill(TUESDAY, "B", pair, "1"),
    fill(TUESDAY - 1, "b", back, "10"),
    fill(null, null, back, "10"),
    fill(null, "a", back, null),
  ];
  const rows = await viewOver("concentration", { fills });
  assertEquals(rows.map((row) => Object.values(row)), [
    ["pair", "0x1 0x2", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
    ["pair", "0x2 0x1", 1, 2, 1, "10", 1e-17, 1, 1, 1],
    ["size", "1e-17", 1, 1, 1, "10", 1e-17, 1, 1, 1],
    ["size", "1e-18", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
    ["week", "2026-11-17", 1, 0, 1, "10", 1e-17, 1, 1, 1],
    ["week", "2026-11-24", 2, 0, 2, "4", 4e-18, 0.75, 0.625, 1.6],
  ]);
  const nothing = await viewOver("concentration", { fills: [fill(null, "a", pair, "0")] });
  // Without volume there are no shares, and 0 has no size.
  assertEquals(nothing.map((row) => Object.values(row)), [
    ["pair", "0x1 0x2", 1, 0, 1, "0", 0, null, null, null],
  ]);
});

Deno.test("gas_surplus has the digits of rows worked by hand, and gas of settlements", async () => {
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
  const rows = await viewOver("gas_surplus", { fills });
  assertEquals(rows.map((row) => Object.values(row)), [
    [null, null, 0, 1, null, null, null, null, null, null, 0, 0, 0, null, null],
    ["0xa", "A", 3, 1, "1000000000000000000000", 1000, ...rest],
  ]);
  const settlements = [{ tx_hash: "0x0F", gas_cost_per_trade_atoms: "2" }];
  const [, row] = await viewOver("gas_surplus", { fills, settlements });
  assertEquals([row?.fills, row?.unknown_count, row?.after_gas_atoms], [4, 0, "0"]);
  assertEquals([row?.gas_cost_atoms, row?.sound_surplus_atoms], ["1000000000000000000009", "4"]);
});

Deno.test("cow_shares has the digits of rows worked by hand", async () => {
  const trade = (
    [tx_hash, auction_id]: readonly [string | null, number | null],
    [sell_token, buy_token]: readonly [string, string],
    [sell_amount_atoms, buy_amount_atoms]: readonly [string, string],
  ) => ({ tx_hash, auction_id, sell_token, buy_token, sell_amount_atoms, buy_amount_atoms });
  const trades = [
    trade(["0xa", null], ["0x0000000001", "y"], ["10", "40"]),
    trade(["0xA", 7], ["y", "0x0000000001"], ["30", "8"]),
    trade(["0xb", 8], ["0x0000000001", "y"], ["5", "20"]),
    // A trade of a token for itself is one.
    trade(["0xc", 9], ["y", "Y"], ["5", "20"]),
    trade([null, null], ["0x0000000001", "y"], ["5", "20"]),
  ];
  // Files of two shards have the same token.
  const known = { token: "Y", symbol: "WHY", decimals: 1 };
  const rows = await viewOver("cow_shares", { trades, tokens: [known, known] });
  assertEquals(rows.map((row) => Object.values(row)), [
    ["0xa", 7, "0x0000000001", "0x0000…0001", 2, "10", null, "8", null, "8", null, 1],
    ["0xa", 7, "y", "WHY", 2, "30", 3, "40", 4, "30", 3, 0.75],
    ["0xb", 8, "0x0000000001", "0x0000…0001", 1, "5", null, "0", null, "0", null, null],
    ["0xb", 8, "y", "WHY", 1, "0", 0, "20", 2, "0", 0, 0],
    ["0xc", 9, "y", "WHY", 1, "5", 0.5, "20", 2, "5", 0.5, 0.25],
  ]);
  const whole = [{ token: "y", symbol: null, decimals: 0 }];
  const [, , , , last] = await viewOver("cow_shares", { trades, tokens: whole });
  assertEquals([last?.sold_tokens, last?.symbol], [5, "y…y"]);
});

const address = fc.constantFrom("0x0a", "0x0b", "0x0C", "0x0c");
const atoms = fc.option(fc.bigInt(0n, 10n ** 30n));
const FILLS = fc.sample(
  fc.record({
    solver: fc.option(address),
    sellToken: address,
    buyToken: address,
    volume: atoms,
    surplus: fc.option(fc.bigInt(-(10n ** 30n), 10n ** 30n)),
    gasCost: atoms,
    sellAmount: fc.bigInt(0n, 10n ** 40n),
    buyAmount: fc.bigInt(0n, 10n ** 40n),
    filledAt: fc.option(fc.integer({ min: TUESDAY - 3e9, max: TUESDAY + 3e9 })),
    txHash: fc.option(fc.constantFrom("0xaa", "0xAB", "0xab")),
  }),
  { numRuns: 400, seed: 7 },
);
const textOf = (amount: bigint | null) => amount === null ? null : String(amount);

Deno.test("solver_slippage has the digits of rows worked by hand, and counts what it leaves out", async () => {
  const [week, later] = ["2026-11-17T00:00:00Z", "2026-11-24T00:00:00Z"];
  const settled = (
    week_start: string | null,
    solver: string,
    [low, high]: readonly (string | null)[],
    slippage_reason: string | null = null,
  ) => ({
    week_start,
    solver,
    solver_name: solver === "0xA" ? "A" : null,
    slippage_low_atoms: low ?? null,
    slippage_high_atoms: high ?? null,
    slippage_reason,
  });
  const settlement_slippage = [
    settled(week, "0xA", ["1000000000000000000001", "1000000000000000000001"]),
    settled(week, "0xa", ["-3", "-3"]),
    settled(week, "0xa", ["-10", "5"]),
    settled(week, "0xa", [], "no_native_price"),
    settled(week, "0xa", [], "logs_incomplete"),
    settled(week, "0xa", [], "no_auction"),
    // It failed, and moved nothing.
    settled(week, "0xa", [], "reverted"),
    settled(later, "0xa", ["7", null]),
    settled(later, "0xa", ["2", "2"]),
    settled(null, "0xb", [], "fee_withdrawal"),
  ];
  const rows = await viewOver("solver_slippage", { settlement_slippage });
  const sums = (...atoms: (string | null)[]) =>
    atoms.flatMap((sum) => [sum, sum === null ? null : Number(`${sum}e-18`)]);
  assertEquals(rows.map((row) => Object.values(row)), [
    [null, "0xb", null, 1, 0, 0, 0, 0, 1, ...sums(null, null, null)],
    [
      ...[week, "0xa", "A", 6, 2, 1, 0, 1, 2],
      ...sums("999999999999999999998", "999999999999999999988", "1000000000000000000003"),
    ],
    [later, "0xa", null, 2, 1, 0, 1, 0, 0, ...sums("2", "9", null)],
  ]);
});

Deno.test("concentration agrees with windowedConcentration(), for any fills", async () => {
  const rows = await viewOver("concentration", {
    fills: FILLS.map((fill) => ({
      solver: fill.solver,
      sell_token: fill.sellToken,
      buy_token: fill.buyToken,
      volume_atoms: textOf(fill.volume),
      filled_at_ms: fill.filledAt,
    })),
  });
  const windows = windowedConcentration(FILLS)
    .toSorted((a, b) => `${a.kind} ${a.window}` < `${b.kind} ${b.window}` ? -1 : 1);
  assertEquals(rows.length, windows.length);
  assertEquals(new Set(rows.map(({ windows }) => windows)).size, 3);
  for (const [index, window] of windows.entries()) {
    const { volume_native: _, largest_share, herfindahl, equal_solvers, ...exact } = rows[index]!;
    assertEquals(exact, {
      windows: window.kind,
      window_of: window.window,
      fills: window.fills,
      unknown_count: window.unknownFills,
      solvers: window.solvers,
      volume_atoms: String(window.volume),
    });
    const shares = [largest_share, herfindahl, equal_solvers];
    for (const [at, share] of [window.top1, window.herfindahl, window.equalSolvers].entries()) {
      if (share === null) assertEquals(shares[at], null);
      else assertAlmostEquals(Number(shares[at]) / ratioToNumber(share), 1, 1e-15);
    }
  }
});

Deno.test("gas_surplus agrees with gasAdjustedSurplus(), for any fills", async () => {
  const rows = await viewOver("gas_surplus", {
    fills: FILLS.map((fill) => ({
      solver: fill.solver,
      surplus_native_atoms: textOf(fill.surplus),
      gas_cost_atoms: textOf(fill.gasCost),
      tx_hash: fill.txHash,
    })),
    settlements: [{ tx_hash: "0xab", gas_cost_per_trade_atoms: "33" }],
  });
  const gas = [{ txHash: "0xAB", gasCost: 100n, tradeCount: 3 }];
  const expected = gasAdjustedSurplus(FILLS, gas).map((one) => ({
    solver: one.solver?.toLowerCase() ?? null,
    fills: one.fills,
    unknown_count: one.unknownFills,
    surplus_atoms: textOf(one.surplus),
    gas_cost_atoms: textOf(one.gasCost),
    after_gas_atoms: textOf(one.afterGas),
    below_gas_count: one.belowGas,
  })).toSorted((a, b) => `${a.solver ?? ""}` < `${b.solver ?? ""}` ? -1 : 1);
  const names = Object.keys(expected[0]!);
  assertEquals(
    rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))),
    expected,
  );
});

Deno.test("cow_shares agrees with cowShares(), for any trades", async () => {
  const rows = await viewOver("cow_shares", {
    trades: FILLS.map((fill, index) => ({
      tx_hash: fill.txHash,
      auction_id: index,
      sell_token: fill.sellToken,
      buy_token: fill.buyToken,
      sell_amount_atoms: String(fill.sellAmount),
      buy_amount_atoms: String(fill.buyAmount),
    })),
  });
  const shares = cowShares(FILLS).map((one) => ({
    key: `${one.txHash} ${one.token}`.toLowerCase(),
    exact: [one.trades.length, one.sold, one.bought, one.matched].map(String),
    share: one.share === null ? null : ratioToNumber(one.share),
  })).toSorted((a, b) => a.key < b.key ? -1 : 1);
  assertEquals(
    rows.map(({ tx_hash, token, trades, sold_atoms, bought_atoms, matched_atoms }) => [
      `${tx_hash} ${token}`,
      ...[trades, sold_atoms, bought_atoms, matched_atoms].map(String),
    ]),
    shares.map(({ key, exact }) => [key, ...exact]),
  );
  for (const [index, { share }] of shares.entries()) {
    assertAlmostEquals(Number(rows[index]?.cow_share), share!, 1e-15);
  }
});

const PAIR = ["0x01", "0x02"] as const;

const AUCTIONS = [
  auctionOf([
    { solver: "0xa0", score: 30n, pairs: [PAIR], isWinner: true, txHash: "0xaa" },
    { solver: "0xb0", score: 20n, pairs: [["0x02", "0x01"]], isWinner: true, txHash: "0xbb" },
    { solver: "0xc0", score: 90n, pairs: [PAIR], filteredOut: true },
    { solver: "0xa0", score: 10n, pairs: [["0x03", "0x01"]], isWinner: true, txHash: "0xdd" },
  ], { auctionId: 1, referenceScores: { "0xa0": 20n, "0xb0": 30n } }),
  auctionOf([
    { solver: "0xa0", score: 50n, pairs: [PAIR], isWinner: true, txHash: "0xcc" },
    { solver: "0xb0", score: 40n, pairs: [PAIR] },
  ], { auctionId: 2, referenceScores: { "0xa0": 40n } }),
];

Deno.test("leaderboard counts auctions once, and the outcome of each win", async () => {
  const columns = [
    ...["solver", "auctions_bid", "auctions_won", "win_rate", "score_won_atoms", "score_share"],
    ...["filtered_count", "pair_count", "reference_score_sum_atoms", "margin_sum_atoms"],
    "margin_auctions",
  ];
  const leaderboard = async (options: Records, names = columns) => {
    const rows = await viewOver("leaderboard", {
      outcomes: buildTable(OUTCOMES, { competitions: AUCTIONS, ...options }).toRecords(),
      bids: buildTable(BIDS, { competitions: AUCTIONS }).toRecords(),
    });
    return rows.map((row) => names.map((name) => row[name]));
  };
  assertEquals(await leaderboard({}), [
    ["0xa0", 2, 2, 1, "90", 90 / 110, 0, 2, "60", "50", 2],
    ["0xb0", 2, 1, 0.5, "20", 20 / 110, 0, 2, "30", "30", 1],
    ["0xc0", 1, 0, 0, "0", 0, 1, 1, "0", "0", 0],
  ]);
  // Of the first auction, in which all bid, it was not stored what was filtered out.
  const late = { isFilterStored: (auctionId: number) => auctionId === 2 };
  assertEquals(await leaderboard(late, ["filtered_count"]), [[null], [null], [null]]);
  const trades = [
    tradeOf({ txHash: "0xaa", blockNumber: 103 }),
    tradeOf({ txHash: "0xbb", blockNumber: 104 }),
  ];
  const counts = ["in_time", "late", "absent", "pending", "unknown", "in_time_rate"];
  const rates = ["in_time_rate_low", "in_time_rate_high"];
  const settled = await leaderboard({ trades }, [...counts, ...rates]);
  // Wilson's 95 % interval of 1 of 1 has 1 / (1 + z²) as its lower end, that of 0 of 1 the rest.
  const low = 1 / (1 + 1.959963984540054 ** 2);
  assertAlmostEquals(Number(settled[0]!.splice(6, 1)[0]), low, 1e-15);
  assertAlmostEquals(Number(settled[1]!.splice(7, 1)[0]), 1 - low, 1e-15);
  assertEquals(settled, [
    [1, 0, 0, 0, 2, 1, 1],
    [0, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, null, null, null],
  ]);
});

Deno.test("leaderboard has intervals that end at 0 and at 1 where all or none are counted", async () => {
  // Of 10 and of 3, Wilson's formula in doubles misses both ends by a last digit.
  const wins = (solver: string, count: number, outcome: string) =>
    Array.from({ length: count }, (_, index) => (
      { auction_id: index, ranking: 1, solver, is_winner: true, score_atoms: "1", outcome }
    ));
  const outcomes = [...wins("0xa0", 10, "in_time"), ...wins("0xb0", 3, "late")];
  const rows = await viewOver("leaderboard", { outcomes });
  assertEquals(rows.map((row) => [row.win_rate_high, row.in_time_rate_high === 1]), [
    [1, true],
    [1, false],
  ]);
  assertEquals(rows.map((row) => [row.in_time_rate, row.in_time_rate_low === 0]), [
    [1, false],
    [0, true],
  ]);
});

const PAIR_COLUMNS = ["solver", "sell_token", "buy_token", "bids", "wins", "volume_atoms"];

Deno.test("pairs values wins to the atom", async () => {
  const bids = buildTable(BIDS, { competitions: [decodeCompetition(staging)] }).toRecords();
  const [row, ...others] = await viewOver("pairs", { bids });
  assertEquals(others, []);
  // 0.001 WETH at a price of 10^18: the amount itself.
  const columns = ["solver_name", "pair", "bids", "wins", "volume_atoms", "volume_native"];
  assertEquals(columns.map((name) => row?.[name]), [
    ...["Baseline (staging)", "WETH → USDC", 1, 1, "1000000000000000", 0.001],
  ]);
  const first = ["first_auction_id", "first_start_block", "first_auction_at"];
  assertEquals(first.map((name) => row?.[name]), [15567158, 25136204, null]);
});

Deno.test("pairs counts a directed pair once per solution, and values wins at the prices of each auction", async () => {
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
  const rows = await viewOver("pairs", {
    bids: buildTable(BIDS, { competitions: auctions, times }).toRecords(),
  });
  assertEquals(rows.map((row) => PAIR_COLUMNS.map((name) => row[name])), [
    ["0xa0", "0x01", "0x02", 4, 2, "28"],
    ["0xa0", "0x02", "0x01", 2, 2, "10"],
    ["0xa0", "0x03", "0x02", 2, 2, "10"],
    ["0xa0", "0x03", "0x04", 2, 2, null],
    ["0xb0", "0x01", "0x02", 2, 0, "0"],
  ]);
  const first = ["first_auction_id", "first_start_block", "first_auction_at"];
  const last = ["last_auction_id", "last_start_block", "last_auction_at"];
  assertEquals([...first, ...last].map((name) => rows[0]?.[name]), [
    ...[7, 100, "2026-11-21T12:00:10Z", 9, 120, "2026-11-21T12:00:50Z"],
  ]);
});
