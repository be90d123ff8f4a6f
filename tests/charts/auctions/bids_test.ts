import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { bidsForOrder, leftOnTheTable } from "orderlens/charts";
import { bid, execution } from "../order_rows.ts";
import { assertDrawn, marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

const SIX = Array.from({ length: 6 }, (_, place) => bid(place));

const mixed = SIX.map((row, place) => ({ ...row, order_uid: place < 2 ? "0x0a" : "0x0b" }));

testSays("bidsForOrder", {
  "leaves out bids for other orders": [
    () => bidsForOrder(mixed, { orderUid: "0x0A" }),
    2,
    "Bids for order 0x0a: 2 bids in auction 100",
  ],
  "says where rows are for several": [() => bidsForOrder(mixed), "Bids for 2 orders: 6 bids"],
  // 50, 47 and 44 bps over the limit.
  "compares a bid with the quote of its own order": [
    () =>
      bidsForOrder(
        [44, 48, 45].map((quote, place) =>
          bid(place, { order_uid: `0x0${place}`, quote_user_shown_over_limit_bps: quote })
        ),
      ),
    "1 of 3 (33%) bids were better than the quote as shown",
  ],
  "calls a bid executed only where that is known": [
    () => bidsForOrder([bid(0, { is_executed: null })]),
    "1 solver made 1 bid. The best was +50.0 bps over the limit, by solver 0 (winner).",
    { lacks: "executed<" },
  ],
  "draws only the quotes that are known": [
    () =>
      bidsForOrder([
        bid(0, { quote_gross_over_limit_bps: null, quote_user_shown_over_limit_bps: NaN }),
      ]),
    "limit: 0 bps over the limit",
    "net quote: +45.0 bps over the limit",
    "1 of 1 (100%) bids were better than the net quote",
    { lacks: "gross quote" },
    { lacks: "quote as shown:" },
  ],
  "says that rows have different quotes": [
    () => bidsForOrder([bid(0, { quote_net_over_limit_bps: 44 }), bid(1)]),
    "The rows have different quotes; only the first is shown",
  ],
  "lists bids without times too, and without a quote": [
    () =>
      bidsForOrder([bid(0, { auction_at_ms: 1e12 }), bid(1, { quote_net_over_limit_bps: null })]),
    2,
    { lacks: "different quotes" },
  ],
});

Deno.test("bidsForOrder() labels bids with whole ids of auctions, shorter where there is little room", () => {
  const solver = `0x${"ab".repeat(20)}`;
  const rows = [12_345_678, 12_345_679].map((id) => bid(0, { auction_id: id, solver }));
  assertStringIncludes(bidsForOrder(rows).svg, ">auction 12345678: 0xabab…abab<");
  assertStringIncludes(bidsForOrder(rows, { width: 400 }).svg, ">12345678: 0xabab…abab<");
  assertMatch(bidsForOrder(rows, { width: 360 }).svg, />12345678: 0xab[ab]*…[ab]*ab</);
  // The title names the only auction.
  assertStringIncludes(bidsForOrder(rows.slice(1), { width: 360 }).svg, ">0xabab…abab<");
});

Deno.test("bidsForOrder() draws many bids as dots over auctions", () => {
  const rows = Array.from({ length: 41 }, (_, place) => bid(place));
  const { svg } = bidsForOrder(rows);
  const far = rows.map((row) => ({ ...row, auction_id: row.auction_id + 12_000_000 }));
  assertStringIncludes(bidsForOrder(far).svg, ">12000102</text>");
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
  assertStringIncludes(svg, "1 bid shown at its earliest");
  assertDrawn(svg);
});

Deno.test("bidsForOrder() names quotes beside their lines, on axes of any kind", () => {
  const far = { quote_gross_over_limit_bps: 5_002, quote_net_over_limit_bps: 5_001 };
  const { svg } = bidsForOrder(
    Array.from(
      { length: 41 },
      (_, place) => bid(place, { ...far, over_limit_bps: 10 ** (place % 7) }),
    ),
  );
  const lines = marksOf(svg, "reference").map((line) => numberOf(line, "y1"));
  const names = ["limit", "gross quote", "net quote"].map((name) =>
    Number(svg.match(new RegExp(`translate\\([\\d.]+,([\\d.]+)\\)"[^>]*>${name}<`))?.[1])
  );
  const [limit, gross, net] = names.map((name, at) => lines[at]! - name);
  assertAlmostEquals(limit!, 0, 0.1);
  assertAlmostEquals(net!, 0, 0.1);
  assertAlmostEquals(gross!, 13, 0.1);
});

testPicture(
  "bidsForOrder",
  bidsForOrder,
  SIX.toReversed(),
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

const LEFT = [0.1, 0.3, 0.2].map((left_native, place) => execution(place, { left_native }));

testSays("leftOnTheTable", {
  "has what was left without bids at absurd native prices": [
    () =>
      leftOnTheTable([
        execution(1, { left_native: 30_000, price_sides: "absurd" }),
        execution(2, { left_native: 0.5, price_sides: "consistent" }),
        execution(3, {
          left_native: 4,
          price_sides: "suspect",
          best_unexecuted_filtered_out: true,
        }),
      ], { nativeSymbol: "ETH" }),
    "Without 1 better bid that could have won at absurd native prices: 0.5 ETH.",
  ],
  "names both solvers in its tooltips": [
    () =>
      leftOnTheTable([
        execution(1, {
          executed_solver: `0xaaaa${"0".repeat(32)}0001`,
          executed_solver_name: "Barter",
          best_unexecuted_solver: `0xbbbb${"0".repeat(32)}0002`,
        }),
      ]),
    "by Barter (0xaaaa…0001)",
    "by 0xbbbb…0002",
  ],
  "says that none of the better bids could win": [
    () =>
      leftOnTheTable([
        execution(1, { best_unexecuted_filtered_out: true, pair: "WETH\n → USDC" }),
        execution(2, worse),
      ]),
    ">0x0000…0001 WETH → USDC<",
    "Left on the table: 1 better bid, none of which could have won\n",
    "In 1 of 2 (50%) executions with a bid of another solver, that bid was better for the order. All " +
    "of those were filtered out, so none could have won. Order " +
    "0x0000…0001 left the most: 0.25 native tokens, +2.0 bps.",
  ],
  "has no list where the executed bids were the best": [
    () => leftOnTheTable([execution(2, worse)]),
    1,
    "Left on the table: nothing in 1 execution\n",
    { lacks: "most left" },
  ],
  "tells executions without another bid from those not known": [
    () =>
      leftOnTheTable([
        execution(1),
        execution(2, alone),
        execution(3, { executed_over_limit_bps: NaN }),
        execution(4, { left_native: null }),
      ]),
    2,
    "1 execution without another bid left out",
    "1 execution without both prices left out",
    "Order 0x0000…0001 left the most: +2.0 bps.",
  ],
  "shows the executions with the most left": [
    () => leftOnTheTable(LEFT, { limit: 1, nativeSymbol: "ETH" }),
    "The list shows the execution with the most left, of 3",
    { lacks: "+0.1 ETH<" },
  ],
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
  assertMatch(leftOnTheTable(LEFT, { nativeSymbol: "ETH" }).svg, /\+0\.3 ETH<.*\+0\.2 ETH</s);
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

testPicture(
  "leftOnTheTable",
  leftOnTheTable,
  [execution(1), execution(2, worse), execution(3, { left_native: 0.5 })],
  "In 2 of 3 (67%) executions with a bid of another solver, that bid was better for the order. 0 of " +
    "2 (0%) of those were filtered out. Order 0x0000…0003 left the most: 0.5 " +
    "native tokens, +2.0 bps.",
  ["No executions in this range", []],
  ["had another bid", [execution(1, alone)]],
);
