import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { bidsForOrder, leftOnTheTable } from "orderlens/charts";
import { bid, execution } from "../order_rows.ts";
import { assertDrawn, fillsOf, marksOf, numberOf, testPicture } from "../svg_marks.ts";

const SIX = Array.from({ length: 6 }, (_, place) => bid(place));

Deno.test("bidsForOrder() lists bids by auction, the best first, against limit and quotes", () => {
  const { rows, svg, title } = bidsForOrder(SIX.toReversed(), { orderUid: `0x${"12".repeat(56)}` });
  assertEquals(
    title,
    "Bids for order 0x1212…1212: 6 bids in 2 auctions, the best +50.0 bps over the limit",
  );
  assertEquals(rows.map((row) => row.over_limit_bps), [50, 47, 44, 41, 38, 35]);
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

Deno.test("bidsForOrder() calls a bid executed only where that is known", () => {
  const unknown = bidsForOrder([bid(0, { is_executed: null })]);
  assert(!unknown.svg.includes("executed<"));
  assertStringIncludes(unknown.finding, "by solver 0 (winner)");
});

Deno.test("bidsForOrder() draws only the quotes that are known", () => {
  const { svg, finding } = bidsForOrder([
    bid(0, { quote_gross_over_limit_bps: null, quote_user_shown_over_limit_bps: NaN }),
  ]);
  assertEquals(marksOf(svg, "reference").map(({ title }) => title), [
    "limit: 0 bps over the limit",
    "net quote: +45.0 bps over the limit",
  ]);
  assertStringIncludes(finding, "1 of 1 (100%) bids were better than the net quote");
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

testPicture(
  "bidsForOrder",
  bidsForOrder,
  SIX,
  "3 solvers made 6 bids; 2 in solutions that were filtered out. The best was +50.0 bps over the " +
    "limit, by solver 0 (bid that was executed). 2 of 6 (33%) bids were better than the quote as " +
    "shown.",
  ["No bids for this order", []],
  ["has a price", [
    bid(0, { over_limit_bps: NaN }),
  ]],
);

const alone = { best_unexecuted_solver: null, best_unexecuted_over_limit_bps: null };
const worse = { best_unexecuted_over_limit_bps: 30, left_native: -1 };

Deno.test("leftOnTheTable() sets the best other bid against the executed one", () => {
  const { svg, title } = leftOnTheTable([
    execution(1),
    execution(2, { best_unexecuted_filtered_out: true }),
    execution(3, worse),
  ], { nativeSymbol: "ETH" });
  assertEquals(
    title,
    "Left on the table: 1 of 2 better bids could have won, worth 0.25 ETH more",
  );
  assertEquals(fillsOf(svg, "fill"), ["#e69f00", "white", "#0072b2"]);
  const [better, , best] = marksOf(svg, "fill");
  assert(numberOf(better, "cy") < numberOf(best, "cy"));
  assertStringIncludes(better?.title ?? "", "difference +2.0 bps, +0.25 native tokens");
});

Deno.test("leftOnTheTable() places dots by size, and by the executed bid where one has no size", () => {
  const sizes = [0.5, 2, 1].map((volume_native, place) => execution(place, { volume_native }));
  const bySize = leftOnTheTable(sizes, { nativeSymbol: "ETH" }).svg;
  assertStringIncludes(bySize, "Size of the execution (ETH)");
  const [least, most, middle] = marksOf(bySize, "fill").map((mark) => numberOf(mark, "cx"));
  assert(least! < middle! && middle! < most!);
  const { svg } = leftOnTheTable([...sizes, execution(3)]);
  assertStringIncludes(svg, "Executed bid over the limit (bps)");
});

Deno.test("leftOnTheTable() lists the executions with the most left first", () => {
  const rows = [0.1, 0.3, 0.2].map((left_native, place) => execution(place, { left_native }));
  const { svg } = leftOnTheTable(rows, { limit: 2, nativeSymbol: "ETH" });
  assertEquals(marksOf(svg, "executed").length, 2);
  assert(svg.indexOf("+0.3 ETH<") < svg.indexOf("+0.2 ETH<"));
  assert(!svg.includes("+0.1 ETH<"));
  assertStringIncludes(svg, "The list shows the 2 executions with the most left, of 3");
});

Deno.test("leftOnTheTable() sorts and names basis points where a worth is not known", () => {
  const { svg, title } = leftOnTheTable([
    execution(1, { left_native: null }),
    execution(2, { best_unexecuted_over_limit_bps: 50 }),
  ]);
  assertEquals(title, "Left on the table: 2 better bids");
  assertEquals(
    marksOf(svg, "other").map(({ title }) => title?.includes("+10.0 bps")),
    [true, false],
  );
});

Deno.test("leftOnTheTable() says that none of the better bids could win, and where there is none", () => {
  const filtered = { best_unexecuted_filtered_out: true };
  const { title, finding } = leftOnTheTable([execution(1, filtered), execution(2, worse)]);
  assertEquals(title, "Left on the table: 1 better bid, none of which could win");
  assertEquals(
    finding,
    "In 1 of 2 (50%) executions that another solver bid on, its bid for the order was better. All of " +
      "those were filtered out, so none could have won. The most was left by order " +
      "0x0000…0001: +2.0 bps.",
  );
  assertEquals(
    leftOnTheTable([execution(2, worse)]).title,
    "Left on the table: nothing in 1 execution",
  );
});

Deno.test("leftOnTheTable() has no list where the executed bids were the best", () => {
  const { svg } = leftOnTheTable([execution(1, worse)]);
  assert(!svg.includes("most left"));
  assertEquals(marksOf(svg, "fill").length, 1);
});

Deno.test("leftOnTheTable() tells executions without another bid from those not known", () => {
  const { rows, svg } = leftOnTheTable([
    execution(1),
    execution(2, alone),
    execution(3, { executed_over_limit_bps: NaN }),
  ]);
  assertEquals(rows.length, 1);
  assertStringIncludes(svg, "1 execution without another bid left out");
  assertStringIncludes(svg, "1 execution without both prices left out");
});

testPicture(
  "leftOnTheTable",
  leftOnTheTable,
  [execution(1), execution(2, worse), execution(3, { left_native: 0.5 })],
  "In 2 of 3 (67%) executions that another solver bid on, its bid for the order was better. 0 of " +
    "2 (0%) of those were filtered out. The most was left by order 0x0000…0003: +2.0 bps.",
  ["No executions in this range", []],
  ["had another bid", [execution(1, alone)]],
);
