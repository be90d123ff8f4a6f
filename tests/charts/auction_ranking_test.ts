import { assert, assertEquals, assertRejects } from "@std/assert";
import { InputError } from "orderlens";
import { auctionRanking, type AuctionRankingRow } from "orderlens/charts";

function solution(ranking: number, facts: Partial<AuctionRankingRow>): AuctionRankingRow {
  return {
    auction_id: 7,
    ranking,
    solver: `solver ${ranking}`,
    score_native: 1,
    is_winner: false,
    filtered_out: false,
    ...facts,
  };
}

const rows = [
  solution(1, { is_winner: true, score_native: 3, reference_score_native: 2 }),
  solution(2, { is_winner: true, score_native: 1, reference_score_native: 3 }),
  solution(3, { score_native: 0.5 }),
  solution(4, { filtered_out: true, score_native: 4, missed_pair: "WETH → USDC" }),
];

function marks(svg: string, className: string): string[] {
  const group = svg.match(new RegExp(`<g [^>]*class="${className}"[^>]*>[^]*?</g>`))?.[0] ?? "";
  return group.match(/<(?:rect|circle) [^>]*/g) ?? [];
}

Deno.test("auctionRanking() draws one bar a solution: winners solid, filtered ones hollow", () => {
  const { svg } = auctionRanking(rows.toReversed());
  const bars = marks(svg, "score");
  assertEquals(bars.length, 4);
  const fills = bars.map((bar) => bar.match(/fill="([^"]*)"/)?.[1]);
  assertEquals(fills, ["#0072b2", "#0072b2", "#b8bec5", "white"]);
  const widths = bars.map((bar) => Number(bar.match(/ width="([^"]*)"/)?.[1]));
  assert(Math.abs(widths[3]! / widths[1]! - 4) < 0.01, `bars start at zero: ${widths}`);
  assert(svg.includes("missed WETH → USDC"));
});

Deno.test("auctionRanking() lays the winners to the total and shows what each solver added", () => {
  const { svg } = auctionRanking(rows);
  assert(svg.includes("Total score 4"));
  const [first, second, addedBy1, addedBy2] = marks(svg, "share")
    .map((bar) => Number(bar.match(/ width="([^"]*)"/)?.[1]));
  assert(Math.abs(first! / second! - 3) < 0.05);
  assert(Math.abs(addedBy1! / addedBy2! - 2) < 0.05);
});

Deno.test("auctionRanking() puts scores that differ a thousandfold on a logarithmic axis as dots", () => {
  const { svg } = auctionRanking([rows[0]!, solution(2, { score_native: 1e-9 })]);
  assert(svg.includes("logarithmic"));
  assertEquals(marks(svg, "score").filter((mark) => mark.startsWith("<circle")).length, 2);
});

Deno.test("auctionRanking() says honestly that there is nothing to draw", () => {
  const chart = auctionRanking([]);
  assert(chart.svg.includes("no solutions in this auction"));
  assertEquals(chart.rows, []);
});

Deno.test("auctionRanking() escapes names and keeps 50 long ones inside the figure", () => {
  const many = Array.from(
    { length: 50 },
    (_, index) => solution(index + 1, { solver: `<b>&"solver" with a long name ${index}` }),
  );
  const { svg } = auctionRanking(many);
  assert(!svg.includes("<b>"));
  assertEquals(marks(svg, "score").length, 50);
});

Deno.test("Chart shows itself in Jupyter and becomes a PNG with its text drawn", async () => {
  const chart = auctionRanking(rows);
  const bundle = (chart as unknown as Record<symbol, () => Record<string, string>>)[
    Symbol.for("Jupyter.display")
  ]!();
  assertEquals(bundle["image/svg+xml"], chart.svg);
  assert(chart.html.includes("<svg"));
  const withText = await chart.png({ scale: 1 });
  const bare = await auctionRanking(rows.map((row) => ({ ...row, solver: "" }))).png({ scale: 1 });
  assertEquals([...withText.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert(withText.length > bare.length, "text adds nothing to the picture");
  await assertRejects(() => chart.png({ scale: 0 }), InputError, "scale 0");
});

Deno.test("auctionRanking() draws the same figure for the same rows", async (t) => {
  await t.assertSnapshot(
    auctionRanking(rows, { nativeSymbol: "ETH", source: "a test" }).svg.split("><"),
  );
});
