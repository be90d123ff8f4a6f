import { assert, assertEquals } from "@std/assert";
import type { Competition } from "orderlens";
import { buildTable, FAIR_GAIN, MISSED_BASELINES, SOLUTIONS } from "orderlens/tables";
import { sells } from "../../metrics/fixtures.ts";
import { auctionOf, uidOf } from "../../metrics/auctions.ts";
import { competitions, debugReports, orders, trades } from "../market.ts";
import { debugAuctionOf, orderOf, proposedOf, reportOf } from "../../metrics/reports.ts";
import { cells } from "../made_up.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f";

Deno.test("SOLUTIONS names the pair that a filtered solution missed, or may have missed", () => {
  const [x, y, z] = [USDC, WETH, DAI];
  const two = { solver: "0xa0", score: 60n, pairs: [[x, y], [y, z]], filteredOut: true } as const;
  const one = { solver: "0xb0", score: 70n, pairs: [[x, y]], isWinner: true } as const;
  const other = { solver: "0xc0", score: 50n, pairs: [[y, z]], isWinner: true } as const;
  const certain = auctionOf([one, two]);
  const either = auctionOf([{ ...one, score: 40n }, { ...other, score: 30n }, two]);
  const both = auctionOf([one, { ...other, score: 80n }, two]);
  assertEquals(missedPairs(certain), ["USDC → WETH"]);
  assertEquals(missedPairs(either), ["USDC → WETH or WETH → DAI"]);
  assertEquals(missedPairs(both), ["USDC → WETH and WETH → DAI"]);
});

Deno.test("SOLUTIONS names the missed pairs of the market, more certainly with more inputs", () => {
  const unsure = [{}, { orders, trades, debugReports }].map((options) => {
    const filtered = buildTable(SOLUTIONS, { competitions, ...options }).toRecords()
      .filter(({ filtered_out }) => filtered_out);
    assertEquals(filtered.length, 365);
    assertEquals(filtered.filter(({ missed_pair }) => missed_pair === null), []);
    return filtered.filter(({ missed_pair }) => String(missed_pair).includes(" or ")).length;
  });
  assert(unsure[1]! < unsure[0]!, `${unsure}`);
});

function missedPairs(competition: Competition): unknown[] {
  return buildTable(SOLUTIONS, { competitions: [competition] }).toRecords().flatMap((
    { missed_pair },
  ) => missed_pair ?? []);
}

const [X, Y, Z] = ["0x01", "0x02", "0x03"];
const E16 = 10n ** 16n;
const competition = auctionOf([
  { solver: "0xb0", score: 7n * E16, pairs: [[X, Y]], isWinner: true },
  { solver: "0xc0", score: 2n * E16, pairs: [[Y, Z]] },
  { solver: "0xa0", score: 6n * E16, pairs: [[X, Y], [Y, Z]], filteredOut: true },
], { auctionId: 7 });

Deno.test("MISSED_BASELINES has a row per possible pair, with bounds of its score", () => {
  const columns = [
    "auction_id ranking solver sell_token is_certain missed_by_native",
    "pair_score_low_atoms pair_score_high_atoms baseline_atoms baseline_native baseline_solver",
  ];
  assertEquals(cells(buildTable(MISSED_BASELINES, { competitions: [competition] }), ...columns), [
    [7, 3, "0xa0", X, true, null, "0", `${6n * E16}`, `${7n * E16}`, 0.07, "0xb0"],
    [7, 3, "0xa0", Y, false, null, "0", `${6n * E16}`, `${2n * E16}`, 0.02, "0xc0"],
  ]);
});

Deno.test("MISSED_BASELINES quantifies the difference if orders and policies are known", () => {
  const uid = uidOf([Y, Z]);
  // The order on Y and Z gains one atom of Z, which is worth 10^16: the other pair has the rest.
  const priced = {
    ...competition,
    auction: { ...competition.auction, prices: { [Z]: 10n ** 34n } },
  };
  const orders = [orderOf({ uid, ...sells(1n, 0n) })];
  // The report says that the order has no fee policy.
  const proposedSolutions = [proposedOf({ isWinner: true })];
  const auctions = [debugAuctionOf(7, { proposedSolutions, feePolicies: [] })];
  const debugReports = [reportOf({ order: orders[0]!, auctions })];
  const columns = ["pair_score_low_atoms pair_score_high_atoms is_certain", "missed_by_native"];
  const known = buildTable(MISSED_BASELINES, { competitions: [priced], orders, debugReports });
  assertEquals(cells(known, ...columns, "missed_by_share"), [
    [`${5n * E16}`, `${5n * E16}`, true, 0.02, 2 / 7],
    [`${E16}`, `${E16}`, true, 0.01, 0.5],
  ]);
  // With a fee that is not known, 10^16 is the least it scores.
  assertEquals(
    cells(buildTable(MISSED_BASELINES, { competitions: [priced], orders }), ...columns),
    [
      ["0", `${5n * E16}`, true, null],
      [`${E16}`, `${6n * E16}`, false, null],
    ],
  );
});

const rows = buildTable(FAIR_GAIN, { competitions, orders }).toRecords();

Deno.test("FAIR_GAIN matches the counts of the recorded bodies in Python", () => {
  const gains = rows.flatMap(({ gain_atoms }) => gain_atoms === null ? [] : BigInt(gain_atoms!));
  assertEquals(
    [rows.length, rows.filter(({ is_batch }) => is_batch).length, gains.length],
    [673, 50, 641],
  );
  assertEquals(
    [gains.filter((one) => one > 0n), gains.filter((one) => one < 0n)].map((some) => some.length),
    [18, 1],
  );
  // What is of the whole auction stands once.
  const counted = rows.filter(({ solution_count }) => solution_count !== null);
  const ids = (of: typeof rows) => new Set(of.map(({ auction_id }) => auction_id));
  assertEquals([counted.length, ids(counted)], [ids(rows).size, ids(rows)]);
  const sum = (column: string) => rows.reduce((all, row) => all + BigInt(row[column] ?? 0), 0n);
  // As counted from the recorded bodies in Python.
  assertEquals([sum("filtered_count"), sum("solution_count")], [365n, 1798n]);
  assertEquals(sum("lost_score_atoms"), 411_806_214_788_228_356n);
  assertEquals(sum("total_score_atoms"), 5_180_621_073_009_082_046n);
  assertEquals(sum("gain_native_atoms"), 44_472_915_907_515_069n);
});

Deno.test("FAIR_GAIN measures the gain in basis points of what the benchmark gives", () => {
  const batches = rows.filter(({ is_batch, gain_bps }) => is_batch === true && gain_bps !== null)
    .map(({ gain_bps }) => Number(gain_bps)).sort((a, b) => a - b);
  assertEquals([batches.length, batches[0], batches[9], batches.at(-1)], [
    18,
    8.257704189676364,
    24.80741419183412,
    25.19571196210618,
  ]);
});

Deno.test("FAIR_GAIN names missing orders, benchmarks and filter flags in its gaps", () => {
  const [blind] = cells(
    buildTable(FAIR_GAIN, { competitions: competitions.slice(0, 1) }),
    "gain_atoms",
    "gaps",
  );
  assertEquals(blind, [null, "order, auction_time"]);
  const alone = rows.find(({ benchmark_ranking }) => benchmark_ranking === null);
  assertEquals([alone?.gain_atoms, alone?.gain_bps, alone?.gaps], [
    null,
    null,
    "benchmark, auction_time",
  ]);
  const old = buildTable(FAIR_GAIN, {
    competitions: competitions.slice(0, 1),
    orders,
    isFilterStored: () => false,
  });
  assertEquals(cells(old, "filtered_count", "lost_score_atoms")[0], [null, null]);
  assertEquals(`${cells(old, "gaps")[0]}`.includes("filter"), true);
});
