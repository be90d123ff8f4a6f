import { openSql, readViews } from "orderlens/sql";
import { assert, assertEquals } from "@std/assert";
import { formatSqlDictionary } from "../../tools/sql/sql_dictionary.ts";
import { type SolverSums, sumRecordedBids } from "./sum_recorded_bids.ts";

const sql = await openSql("market_1");
Deno.test.afterAll(() => sql[Symbol.dispose]());

/** The auctions of the shipped dataset, added up from the recorded bodies. */
const { solvers, pairs } = await sumRecordedBids({ from: 1_990, to: 2_049 });
const LEADERS = [...solvers].toSorted(([a], [b]) => a < b ? -1 : 1);
const [[FIRST_SOLVER]] = LEADERS as [typeof LEADERS[number]];

function addUp(pick: (sums: SolverSums) => bigint | number): bigint {
  return LEADERS.reduce((sum, [, sums]) => sum + BigInt(pick(sums)), 0n);
}

Deno.test("the double beside an amount is the nearest one, which a division of doubles misses", async () => {
  const columns = "margin_sum_atoms, margin_sum_native";
  assertEquals(
    await sql.query(`SELECT ${columns} FROM leaderboard WHERE solver = '${FIRST_SOLVER}'`),
    [
      // 84671884197155037e0 / 1e18 is 0.08467188419715505.
      { margin_sum_atoms: "84671884197155037", margin_sum_native: 0.08467188419715503 },
    ],
  );
});

Deno.test("views have the columns that they declare, and rows of different keys", async () => {
  const views = await readViews();
  assert(views.length > 0);
  for (const { name, key, columns } of views) {
    using result = await sql.run(`SELECT * FROM ${name} LIMIT 0`);
    const found = result.columns;
    assertEquals(found.map((one) => one.name), columns.map((one) => one.name));
    const types: Record<string, string> = { String: "VARCHAR", Int64: "BIGINT", Float64: "DOUBLE" };
    assertEquals(
      found.map(({ type }) => type),
      columns.map((one) => one.name.endsWith("_atoms") ? "BIGNUM" : types[one.dtype]),
    );
    const twice = await sql.query(
      `SELECT count(*) AS n FROM ${name} GROUP BY ${key.join(", ")} HAVING count(*) > 1`,
    );
    assertEquals(twice, []);
  }
});

Deno.test("the leaderboard has the sums of the recorded bodies", async () => {
  const rows = await sql.query(`
    SELECT solver, bid_count, filtered_count, winning_count, auctions_bid, auctions_won,
      score_won_atoms, reference_score_sum_atoms, margin_sum_atoms, margin_auctions, pair_count,
      in_time, late, absent + pending + unknown AS unsettled
    FROM leaderboard ORDER BY solver`);
  assertEquals(LEADERS.length, 4);
  assertEquals(
    rows.map((row) => Object.values(row)),
    LEADERS.map(([solver, sums]) => [
      solver,
      ...Object.values(sums).map((sum) => typeof sum === "bigint" ? `${sum}` : sum),
    ]),
  );
});

Deno.test("shares, rates and intervals follow from the sums", async () => {
  const rows = await sql.query("SELECT * FROM leaderboard ORDER BY solver");
  assertEquals(rows.map(({ win_rate }) => win_rate), [1, 3 / 28, 5 / 24, 0]);
  const all = 206870159477692212 + 49838751784806026 + 6637906001677701;
  assertEquals(rows[0]!.score_share, 206870159477692212 / all);
  // Wilson's 95 % interval of 29 of 29 has 29 / (29 + z²) as its lower end.
  const z = 1.959963984540054;
  assertEquals(Math.abs(Number(rows[0]!.win_rate_low) - 29 / (29 + z * z)) < 1e-15, true);
  assertEquals([rows[0]!.win_rate_high, rows[3]!.win_rate_low], [1, 0]);
  assertEquals(rows[0]!.score_won_native, 0.206870159477692212);
});

Deno.test("solver_days sums to the leaderboard, and pairs to the bids", async () => {
  const sums =
    "sum(bid_count) AS bids, sum(score_won_atoms) AS score, sum(margin_sum_atoms) AS margin, " +
    "sum(in_time) AS in_time, sum(absent) AS absent";
  const days = await sql.query(`SELECT day, ${sums} FROM solver_days GROUP BY day`);
  assertEquals(days, [{
    day: "2026-11-21",
    bids: Number(addUp(({ bids }) => bids)),
    score: `${addUp(({ scoreWon }) => scoreWon)}`,
    margin: `${addUp(({ margins }) => margins)}`,
    in_time: Number(addUp(({ inTime }) => inTime)),
    absent: Number(addUp(({ unsettled }) => unsettled)),
  }]);
  assertEquals(
    await sql.query(
      `SELECT count(*) AS n, sum(bids) AS bids, sum(wins) AS wins, sum(volume_atoms) AS volume FROM pairs`,
    ),
    [{ ...pairs, volume: `${pairs.volume}` }],
  );
});

Deno.test("the data dictionary describes the views and functions", async () => {
  const file = new URL("../../lib/sql/data_dictionary.md", import.meta.url);
  assertEquals(await Deno.readTextFile(file), await formatSqlDictionary(await readViews()));
});

Deno.test("partners are paid three quarters of their fees, by application and recipient", async () => {
  const rows = await sql.query(
    `SELECT week_start, app_code, recipient, orders, fills, fees_atoms, service_share, net_atoms
     FROM partners ORDER BY app_code, recipient`,
  );
  const [ONE, OTHER] = [
    "0x28436801e7093ba424a28a66512aa31760c192b6",
    "0xae8be95be03288071217078950278910001dcbc8",
  ];
  // From the answers: the amounts of trade.executedProtocolFees that app data asks for, at the native
  // price of their auction; of each fee three quarters, rounded down.
  const bot = 7463502532831135n * 9951254823276666n / 10n ** 18n;
  const explorer = 567917527422900924n * 9874181674225478n / 10n ** 18n;
  const [second, first] = [[265289207809186n, 459863906867934n], [
    177036508381171n,
    306882820732689n,
  ]];
  const expected = [
    ["Bot", OTHER, 2, [bot, 0n]],
    ["Explorer", OTHER, 1, [explorer]],
    ["Orderlens market", ONE, 2, second],
    ["Orderlens market", OTHER, 2, first],
  ] as const;
  const sum = (all: readonly bigint[]) => String(all.reduce((a, b) => a + b));
  assertEquals(
    rows,
    expected.map(([app_code, recipient, count, fees]) => ({
      week_start: "2026-11-17T00:00:00Z",
      app_code,
      recipient,
      orders: count,
      fills: count,
      fees_atoms: sum(fees),
      service_share: 0.25,
      net_atoms: sum(fees.map((fee) => fee * 3n / 4n)),
    })),
  );
  assertEquals(rows.map(({ net_atoms }) => net_atoms), [
    "55703411683779",
    "4205790631312989",
    "543864836007839",
    "362939496835394",
  ]);
});
