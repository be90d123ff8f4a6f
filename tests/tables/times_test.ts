import { assert, assertEquals } from "@std/assert";
import { AuctionTimes } from "orderlens/metrics";
import * as tables from "orderlens/tables";
import {
  BEGINNING,
  competitions,
  debugReports,
  now,
  records,
  times,
  trades,
  truth,
} from "./market.ts";

/** The records as the public gets them. */
const bare = records.map(({ order, trades }) => ({ order, trades }));

type Texts = "status" | "gaps" | "auction_at" | "auction_time_min" | "fill_time_min";
type Numbers = "block_number" | "auction_start_block" | "filled_at_ms" | "first_fill_at_ms";
type Row =
  & Record<Texts | "filled_at" | "time_basis", string | null>
  & Record<Numbers | `${"fill" | "first_fill"}_time_${"min" | "max"}_ms`, number>
  & Record<`${"quote_age" | "time_to_first_fill"}_seconds`, number>
  & { order_uid: string; observed_seconds: number | null };

/** When the service indexed the fill of each order with a single one, in unix milliseconds. */
const indexedAt = new Map<string, number>();
for (const { order_uid, timestamp, label } of truth.order_events!) {
  if (label !== "traded") continue;
  const uid = String(order_uid);
  indexedAt.set(uid, indexedAt.has(uid) ? NaN : Date.parse(String(timestamp)));
}
const filledOnce = new Set(
  records.flatMap(({ order, trades }) => [...trades].length === 1 ? [order.uid] : []),
);

Deno.test("fillsTable() has times and ages of quotes from public responses alone", () => {
  const rows = tables.fillsTable(bare, { competitions, times }).toRecords<Row>();
  const ages = new Map(
    tables.fillsTable(records, { competitions }).toRecords<Row>()
      .map((row) => [`${row.order_uid} ${row.block_number}`, row.quote_age_seconds]),
  );
  let compared = 0;
  const errors: number[] = [];
  for (const row of rows) {
    assertEquals([row.time_basis, row.filled_at], ["bracketed", row.fill_time_min]);
    assertEquals(row.filled_at_ms, row.fill_time_min_ms);
    const indexed = indexedAt.get(row.order_uid) ?? NaN;
    if (!filledOnce.has(row.order_uid) || Number.isNaN(indexed)) continue;
    compared++;
    assert(row.fill_time_min_ms! <= indexed && indexed <= row.fill_time_max_ms!, row.order_uid);
    errors.push(
      ages.get(`${row.order_uid} ${row.block_number}`)! - row.quote_age_seconds!,
    );
    assert(row.quote_age_seconds! >= 0);
  }
  assert(compared > 500);
  errors.sort((a, b) => a - b);
  // The age is at its least: closer than ten seconds to that of the event for most fills.
  assert(errors[0]! >= 0 && errors[Math.floor(errors.length / 2)]! < 10);
});

Deno.test("lifecycleTable() has times to fill from public responses alone", () => {
  const rows = tables.lifecycleTable(bare, { now, times }).toRecords<Row>();
  const filled = rows.filter(({ order_uid }) => filledOnce.has(order_uid));
  assertEquals(filled.length, filledOnce.size);
  for (const row of filled) {
    assertEquals(row.time_basis, "bracketed");
    assertEquals(row.first_fill_at_ms, row.first_fill_time_min_ms);
    assert(row.time_to_first_fill_seconds! >= 0);
    assert(row.first_fill_time_max_ms! >= row.first_fill_at_ms!);
    assert(!row.gaps!.includes("fill_times"));
    if (row.status === "fulfilled") assert(row.observed_seconds !== null);
  }
  const without = tables.lifecycleTable(bare, { now }).toRecords<Row>();
  assert(
    without.every(({ gaps, time_basis }) => gaps!.includes("fill_times") && time_basis === null),
  );
});

Deno.test("tables take the timestamps of blocks before everything else", () => {
  const { competitions, debugReports, orders, records, trades } = BEGINNING;
  const blocks = new Set([
    ...trades.map(({ blockNumber }) => blockNumber),
    ...competitions.map(({ auctionStartBlock }) => auctionStartBlock),
  ]);
  const secondsOf = (block: number) => 1_800_000_000 + block;
  const textOf = (block: number) =>
    new Date(1_000 * secondsOf(block)).toISOString().replace(".000", "");
  const exact = new AuctionTimes(competitions, {
    orders,
    debugReports,
    blockTimes: new Map(
      [...blocks].map((
        block,
      ) => [block, Temporal.Instant.fromEpochMilliseconds(1_000 * secondsOf(block))]),
    ),
  });
  const options = { times: exact };
  for (
    const frame of [
      tables.tradesTable(trades, options),
      tables.fillsTable(records, options),
      tables.feesTable(records, options),
      tables.feeStepsTable(records, options),
      tables.bestOtherBidsTable(records, { competitions, ...options }),
    ]
  ) {
    for (const row of frame.toRecords<Row>()) {
      assertEquals([row.time_basis, row.filled_at], ["block", textOf(row.block_number)]);
      assertEquals([row.filled_at_ms, row.fill_time_min], [
        1_000 * secondsOf(row.block_number),
        null,
      ]);
    }
  }
  for (
    const frame of [
      tables.solutionsTable(competitions, options),
      tables.nativePricesTable(competitions, options),
    ]
  ) {
    for (const row of frame.toRecords<Row>()) {
      assertEquals([row.time_basis, row.auction_at], ["block", textOf(row.auction_start_block)]);
      assertEquals(row.auction_time_min, null);
    }
  }
});

Deno.test("tradesTable() takes events of debug reports that the times have", () => {
  const known = new AuctionTimes(competitions, { debugReports });
  const rows = tables.tradesTable(trades, { times: known }).toRecords<Row>();
  const events = rows.filter(({ time_basis }) => time_basis === "event");
  assert(events.length > rows.length * 0.9);
  for (const row of events) {
    const indexed = indexedAt.get(row.order_uid) ?? NaN;
    if (!filledOnce.has(row.order_uid) || Number.isNaN(indexed)) continue;
    // Several fills of a block are indexed together, within moments.
    assert(Math.abs(row.filled_at_ms! - indexed) < 2_000, row.order_uid);
  }
});
