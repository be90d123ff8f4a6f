import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { bidsForOrder } from "orderlens/charts";
import { bid } from "../order_rows.ts";
import { assertDrawn, fillsOf, marksOf, numberOf, testPicture } from "../svg_marks.ts";

const SIX = Array.from({ length: 6 }, (_, place) => bid(place));

Deno.test("bidsForOrder() lists bids by auction, the best first, against limit and quotes", () => {
  const { rows, svg, title } = bidsForOrder(SIX.toReversed(), { orderUid: `0x${"12".repeat(56)}` });
  assertEquals(
    title,
    "Bids for order 0x1212…1212: 6 bids in 2 auctions, the best +50.0 bps over the limit",
  );
  assertEquals(rows.map((row) => row.over_limit_bps), [50, 47, 44, 41, 38, 35]);
  assertStringIncludes(svg, ">auction 100: solver 0<");
  assertStringIncludes(svg, ">auction 101: solver 0<");
  const [limit, gross, net, shown] = marksOf(svg, "reference");
  const [best] = marksOf(svg, "bid");
  const bps = (numberOf(best, "cx") - numberOf(limit, "x1")) / 50;
  assertAlmostEquals(numberOf(gross, "x1"), numberOf(limit, "x1") + 60 * bps, 1);
  assertAlmostEquals(numberOf(net, "x1"), numberOf(limit, "x1") + 45 * bps, 1);
  assertAlmostEquals(numberOf(shown, "x1"), numberOf(limit, "x1") + 44 * bps, 1);
});

Deno.test("bidsForOrder() leaves out bids for other orders, and says where rows are for several", () => {
  const mixed = SIX.map((row, place) => ({ ...row, order_uid: place < 2 ? "0x0a" : "0x0b" }));
  const { rows, title } = bidsForOrder(mixed, { orderUid: "0x0A" });
  assertEquals(rows.map(({ order_uid: uid }) => uid), ["0x0a", "0x0a"]);
  assertStringIncludes(title, "Bids for order 0x0a: 2 bids in 1 auction");
  assertStringIncludes(bidsForOrder(mixed).title, "Bids for 2 orders: 6 bids");
});

Deno.test("bidsForOrder() tells executed, winning, lost and filtered bids apart", () => {
  const { svg } = bidsForOrder(SIX);
  const [executed, lost, filtered, won] = ["#0072b2", "#b8bec5", "white", "#56b4e9"];
  assertEquals(fillsOf(svg, "bid"), [executed, lost, filtered, won, lost, filtered]);
  for (const label of ["bid that was executed", "winner, not executed", "filtered out"]) {
    assertStringIncludes(svg, label);
  }
  const unknown = bidsForOrder([bid(0, { is_executed: null })]).svg;
  assert(!unknown.includes("executed<"));
});

Deno.test("bidsForOrder() draws only the quotes that are known", () => {
  const { svg } = bidsForOrder([
    bid(0, { quote_gross_over_limit_bps: null, quote_user_shown_over_limit_bps: NaN }),
  ]);
  assertEquals(marksOf(svg, "reference").map(({ title }) => title), [
    "limit: 0 bps over the limit",
    "net quote: +45.0 bps over the limit",
  ]);
});

Deno.test("bidsForOrder() draws many bids as dots over auctions", () => {
  const { svg } = bidsForOrder(Array.from({ length: 41 }, (_, place) => bid(place)));
  assertEquals(marksOf(svg, "bid").length, 0);
  assertEquals(marksOf(svg, "fill").length, 41);
  assertStringIncludes(svg, "Auction →");
  assertEquals(marksOf(bidsForOrder(SIX, { limit: 5 }).svg, "fill").length, 6);
});

Deno.test("bidsForOrder() draws many bids over the times of their auctions where these are known", () => {
  const at = (second: number, basis = "block") => ({
    auction_at_ms: Date.UTC(2026, 10, 21, 15, 0, second),
    time_basis: basis,
  });
  // Two bids in each of three auctions, 30 and 60 seconds after the first, and one without a time.
  const { svg, rows } = bidsForOrder([
    bid(0, { auction_id: 1, ...at(0) }),
    bid(1, { auction_id: 1 }),
    bid(2, { auction_id: 2, ...at(30) }),
    bid(3, { auction_id: 9, ...at(60, "bracketed") }),
    bid(4, { auction_id: 5 }),
  ], { limit: 1 });
  assertEquals(rows.map((row) => row.auction_id), [1, 1, 2, 9]);
  const [first, same, half, last] = marksOf(svg, "fill").map((dot) => numberOf(dot, "cx"));
  assertEquals(first, same);
  assertAlmostEquals(half!, (first! + last!) / 2, 0.02);
  assertStringIncludes(svg, "Start of the auction (2026-11-21, UTC) →");
  assertStringIncludes(svg, "1 bid in auctions without a known time left out");
  assertStringIncludes(svg, "1 bid drawn at the earliest");
  assertDrawn(svg);
});

Deno.test("bidsForOrder() lists bids without times too", () => {
  const timed = bid(0, { auction_at_ms: Date.UTC(2026, 10, 21) });
  assertEquals(bidsForOrder([timed, bid(1)]).rows.length, 2);
});

testPicture("bidsForOrder", bidsForOrder, SIX, ["No bids for this order", []], ["has a price", [
  bid(0, { over_limit_bps: NaN }),
]]);
