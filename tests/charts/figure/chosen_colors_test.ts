import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { auctionRanking, feeTimeline, settlementOutcomes, timeToFill } from "orderlens/charts";
import { cssColor } from "../../../lib/charts/figure/chosen_colors.ts";

const FEES = [
  { block_number: 100, policy_kind: "surplus", fee_native: 0.5 },
  { block_number: 101, policy_kind: "network", fee_native: 0.25 },
];
const SOLUTION = { auction_id: 7, is_winner: false, filtered_out: false };
const OUTCOMES = [{ solver: "A", won: 10, in_time: 8, late: 2, absent: 0, pending: 0, unknown: 0 }];

Deno.test("cssColor() writes colours as hexadecimal, and knows what is none", () => {
  const known: Record<string, string> = {
    tomato: "#ff6347",
    White: "#ffffff",
    "#123": "#112233",
    "#0072B2": "#0072b2",
    "rgb(1, 2, 3)": "#010203",
    "hsl(120, 100%, 25%)": "#008000",
    "rgba(1, 2, 3, 0.5)": "rgba(1, 2, 3, 0.5)",
  };
  for (const [text, color] of Object.entries(known)) assertEquals(cssColor(text), color);
  for (
    const text of ["", "blu", "none", "currentColor", "var(--x)", "url(#a)", '#fff"/>', 7, null]
  ) {
    assertEquals(cssColor(text), null, String(text));
  }
});

Deno.test("colors paint the marks of a series and its entry of the legend, and nothing else", () => {
  const own = feeTimeline(FEES).svg;
  const { svg } = feeTimeline(FEES, { colors: { "surplus fee": "crimson" } });
  // Its bar and its swatch.
  assertEquals(own.match(/fill="#e69f00"/g)?.length, 2);
  assertEquals(svg.match(/fill="#dc143c"/g)?.length, 2);
  const grey = (text: string) => text.replaceAll(/ fill="#(?:e69f00|dc143c)"/g, "");
  assertEquals(grey(svg), grey(own));
});

Deno.test("colors paint the outline of what is hollow, and outlines in the colour of the fill", () => {
  const rows = [
    { ...SOLUTION, ranking: 1, solver: "A", score_native: 2, is_winner: true },
    { ...SOLUTION, ranking: 2, solver: "B", score_native: 3, filtered_out: true },
  ];
  const { svg } = auctionRanking(rows, {
    colors: { winner: "#111111", "filtered out": "#222222" },
  });
  assertMatch(svg, /<rect fill="#111111" stroke="#111111" [^>]*width="444"/);
  for (const tag of svg.match(/<rect[^>]*"#222222"[^>]*>/g) ?? []) {
    assertStringIncludes(tag, 'stroke="#222222"');
    assertStringIncludes(tag, 'fill="white"');
  }
  assert(svg.includes('"#222222"') && !svg.includes("#d55e00"));
});

Deno.test("a text on a bar of another colour can still be read", () => {
  const rows = [{ ...SOLUTION, ranking: 1, solver: "Alpha", score_native: 2, is_winner: true }];
  const textOn = (color: string) => {
    const { svg } = auctionRanking(rows, { colors: { winner: color } });
    return /<text[^>]*fill="([^"]*)"[^>]*>Alpha<\/text>/.exec(svg)?.[1];
  };
  assertEquals([textOn("black"), textOn("khaki")], ["white", "#1f2328"]);
});

Deno.test("colors may be given for what this range does not draw, but not for anything else", () => {
  assertEquals(
    settlementOutcomes(OUTCOMES, { colors: { absent: "black" } }).svg,
    settlementOutcomes(OUTCOMES).svg,
  );
  const wrong = assertThrows(
    () => settlementOutcomes(OUTCOMES, { colors: { in_time: "black" } }),
    InputError,
  );
  assertStringIncludes(wrong.message, 'Pass a color for "in time"; other names are "late"');
  assertEquals(settlementOutcomes([], { colors: { anything: "black" } }).rows, []);
});

Deno.test("curves are named by what they share, not by what the legend adds", () => {
  const rows = [
    { order_uid: "0x01", kind: "sell", status: "fulfilled", time_to_first_fill_seconds: 4 },
    { order_uid: "0x02", kind: "buy", status: "fulfilled", time_to_first_fill_seconds: 8 },
  ];
  const { svg } = timeToFill(rows, { by: "kind", colors: { sell: "#123456" } });
  assertEquals(svg.match(/stroke="#123456"/g)?.length, 2);
});
