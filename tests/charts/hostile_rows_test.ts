import { assert, assertStringIncludes } from "@std/assert";
import * as charts from "orderlens/charts";

/** Every column that a chart of auctions or fees reads. */
const COLUMNS = [
  ...["auction_id", "ranking", "solver", "score_native", "is_winner", "filtered_out"],
  ...["reference_score_native", "missed_pair", "auctions_bid", "auctions_won", "win_rate"],
  ...["win_rate_low", "win_rate_high", "score_share", "in_time_rate", "in_time_rate_low"],
  ...["in_time_rate_high", "margin_native", "margin_share", "pair", "bids", "wins", "in_time"],
  ...["late", "absent", "pending", "unknown", "order_uid", "block_number", "log_index", "kind"],
  ...["step", "part", "policy_kind", "amount_tokens", "amount_tokens_low", "amount_tokens_high"],
  ...["token", "is_capped", "is_partner", "market_position", "fee_bps", "cap_bps", "timestamp"],
  "fee_native",
  ...["week_start", "performance_low_native", "consistency_low_native", "uncapped_low_native"],
  ...["quote_reward_low_native", "total_low_native", "total_high_native", "rewarded_auctions"],
  ...["upper_cap_cut_low_native", "lower_cap_relief_low_native", "upper_capped_count"],
  "solver_name",
];
const TEXTS = [
  "solver",
  "solver_name",
  "missed_pair",
  "pair",
  "order_uid",
  "kind",
  "part",
  "policy_kind",
  "token",
];

function row(value: unknown, text: unknown = value): Record<string, unknown> {
  return Object.fromEntries(
    COLUMNS.map((column) => [column, TEXTS.includes(column) ? text : value]),
  );
}

const HOSTILE: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  nulls: [row(null)],
  "not a number": [row(NaN, "A")],
  infinity: [row(Infinity, "A"), row(-Infinity, "A")],
  "text for numbers": [row("7")],
  "bigints for numbers": [row(7n)],
  "booleans for all": [row(true)],
  zeros: [row(0, "A")],
  negatives: [row(-1, "A")],
  "the largest and smallest doubles": [
    row(Number.MAX_VALUE, "A"),
    row(-Number.MAX_VALUE, "B"),
    row(Number.MIN_VALUE, "C"),
  ],
  "70 orders of magnitude": [row(1e35, "A"), row(1e-35, "B"), row(-1, "C")],
  "names of object members": [row(1, "__proto__"), row(1, "constructor"), row(1, "")],
  "markup and control characters": [row(1, '<b>&"\u0000\u{1F600}\uD800\n\t' + "x".repeat(300))],
};

type Draw = (rows: readonly unknown[], options?: unknown) => charts.Chart;

const CHARTS: Readonly<Record<string, Draw>> = {
  auctionRanking: charts.auctionRanking as Draw,
  solverLeaderboard: charts.solverLeaderboard as Draw,
  winMargin: charts.winMargin as Draw,
  solverMatrix: charts.solverMatrix as Draw,
  settlementOutcomes: charts.settlementOutcomes as Draw,
  feeWaterfall: charts.feeWaterfall as Draw,
  feeRateByPolicy: charts.feeRateByPolicy as Draw,
  feeTimeline: charts.feeTimeline as Draw,
  solverRewards: charts.solverRewards as Draw,
  rewardCaps: charts.rewardCaps as Draw,
};

for (const [name, draw] of Object.entries(CHARTS)) {
  Deno.test(`${name}() draws any rows, as a document that a picture can be made of`, async (t) => {
    for (const [kind, rows] of Object.entries(HOSTILE)) {
      await t.step(kind, async () => {
        for (const width of [240, 760]) {
          const { svg } = draw(rows, { width, source: "a test" });
          assertStringIncludes(svg, "Source:");
          const drawing = svg.replaceAll(/<title>[^<]*<\/title>/g, "");
          for (const sign of ["⚠", '="NaN', "(NaN", "Infinity,", '="Infinity', "undefined"]) {
            assert(!drawing.includes(sign), `${sign} in the drawing`);
          }
          assert(!svg.includes("<b>"));
        }
        const png = await draw(rows).png({ scale: 0.2 });
        assert(png.length > 100);
      });
    }
  });
}
