import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  createTimeScale,
  findTimeWidth,
  parseBinWidth,
  readPositions,
} from "../../../lib/charts/general/time_plan.ts";
import { findBrackets } from "../../../lib/charts/general/time_points.ts";
import { describeColumn } from "../../../lib/charts/general/column_text.ts";

/** 2026-11-21T15:00:00Z. */
const SECONDS = 1_795_273_200;

function placed(column: string, value: unknown) {
  const rows = [{ [column]: value }];
  const { isTime, read: of } = readPositions(rows, column);
  return [isTime, of(rows[0]!)];
}

Deno.test("readPositions() tells times from numbers of blocks and auctions", () => {
  const text = "2026-11-21T15:00:00Z";
  assertEquals(placed("filled_at", text), [true, SECONDS]);
  assertEquals(placed("filled_at", new Date(text)), [true, SECONDS]);
  assertEquals(placed("filled_at", Temporal.Instant.from(text)), [true, SECONDS]);
  assertEquals(placed("filled_at_ms", SECONDS * 1_000), [true, SECONDS]);
  assertEquals(placed("when", BigInt(SECONDS) * 1_000n), [true, SECONDS]);
  assertEquals(placed("timestamp", SECONDS), [true, SECONDS]);
  assertEquals(placed("elapsed_ms", 5), [true, 0.005]);
  assertEquals(placed("block_number", SECONDS), [false, SECONDS]);
  assertEquals(placed("auction_id", 12), [false, 12]);
  assertEquals(placed("trade_id", SECONDS * 1_000), [false, SECONDS * 1_000]);
  assertEquals(placed("age", 12), [false, 12]);
  assertEquals(placed("filled_at", null), [true, null]);
  assertEquals(placed("filled_at_ms", 8.64e15), [true, null]);
  assertThrows(() => placed("solver", "A"), InputError, "the column solver has no times");
});

Deno.test("parseBinWidth() reads times and numbers of blocks, and nothing else", () => {
  const read = (text: unknown) => {
    const every = parseBinWidth(text);
    return every && [every.width, every.isTime, every.text];
  };
  assertEquals(read("5 minutes"), [300, true, "5 minutes"]);
  assertEquals(read("hour"), [3_600, true, "hour"]);
  assertEquals(read("1 day"), [86_400, true, "day"]);
  assertEquals(read("1000 blocks"), [1_000, false, "1,000 blocks"]);
  for (const text of ["", "0 minutes", "-1 day", "1.5 hours", "5", "minutes 5", 5, null]) {
    assertEquals(read(text), null, String(text));
  }
  // 2026-11-16 was a Monday.
  const { width, origin } = parseBinWidth("week")!;
  assertEquals((Date.UTC(2026, 10, 16) / 1_000 - origin) % width, 0);
  assertEquals(findTimeWidth(3_600, 60).text, "minute");
  assertEquals(findTimeWidth(86_400 * 365, 60).text, "week");
  assertEquals(findTimeWidth(86_400 * 365 * 10, 60).text, "9 weeks");
});

Deno.test("findBrackets() finds the interval beside a time", () => {
  const interval = ["fill_time_min", "fill_time_max"];
  assertEquals(findBrackets("filled_at", ["filled_at", ...interval]).columns, interval);
  assertEquals(findBrackets("filled_at_ms", ["time_basis", ...interval]).columns, [
    "time_basis",
    ...interval,
  ]);
  assertEquals(findBrackets("auction_at", ["time_basis"]).columns, ["time_basis"]);
  assertEquals(findBrackets("created_at", ["time_basis", ...interval]).columns, []);
  const first = ["first_auction_time_min", "first_auction_time_max"];
  const last = ["last_auction_time_min", "last_auction_time_max"];
  assertEquals(findBrackets("last_auction_at", [...first, ...last]).columns, last);
  const { has, note } = findBrackets("fill_time_max", interval);
  const row = { fill_time_min: "2026-11-21T15:00:00Z", fill_time_max: "2026-11-21T15:00:05Z" };
  assertEquals([has(row), has({ fill_time_min: null, fill_time_max: null })], [true, false]);
  assertEquals(
    note([row, row]),
    "2 rows whose time is known only as an interval are placed at its end (up to 5 s long)",
  );
});

Deno.test("createTimeScale() has round ticks in UTC, from milliseconds to years", () => {
  const said = (from: string, to: string) => {
    const domain = [from, to].map((day) => Date.parse(day) / 1_000) as [number, number];
    const { label, ticks, tickFormat } = createTimeScale(domain, "At");
    const texts = (ticks as number[]).map((tick) => (tickFormat as (tick: number) => string)(tick));
    return [label, texts[0], texts[1]];
  };
  const day = "At (2026-11-21, UTC) →";
  const expected: readonly [from: string, to: string, ...said: string[]][] = [
    ["2026-11-21T15:00:03.001Z", "2026-11-21T15:00:03.004Z", day, "15:00:03.0010", "15:00:03.0015"],
    ["2026-11-21T15:00:03.02Z", "2026-11-21T15:00:03.41Z", day, "15:00:03.05", "15:00:03.10"],
    ["2026-11-21T14:59:59.3Z", "2026-11-21T15:00:00.2Z", day, "14:59:59.4", "14:59:59.6"],
    ["2026-11-21T15:00:03Z", "2026-11-21T15:00:23Z", day, "15:00:05", "15:00:10"],
    ["2026-11-21T15:03:00Z", "2026-11-21T17:00:00Z", day, "15:15", "15:30"],
    ["2026-11-21T15:03:00Z", "2026-11-22T13:00:00Z", "At (UTC) →", "11-21 18:00", "11-21 21:00"],
    ["2026-11-01T15:03:00Z", "2026-11-08T13:00:00Z", "At (UTC) →", "2026-11-02", "2026-11-03"],
    ["2026-01-02T00:00:00Z", "2026-12-08T00:00:00Z", "At (UTC) →", "2026-04", "2026-07"],
    ["2015-01-02T00:00:00Z", "2026-12-08T00:00:00Z", "At (UTC) →", "2017", "2019"],
  ];
  for (const [from, to, ...texts] of expected) assertEquals(said(from, to), texts);
});

Deno.test("describeColumn() has the unit that a column is named with", () => {
  assertEquals(describeColumn("slippage_net_bps"), { name: "Slippage net", unit: "bps" });
  assertEquals(describeColumn("fee_native", "ETH"), { name: "Fee", unit: "ETH" });
  assertEquals(describeColumn("score"), { name: "Score", unit: null });
  assertEquals(describeColumn("bps"), { name: "Bps", unit: null });
});
