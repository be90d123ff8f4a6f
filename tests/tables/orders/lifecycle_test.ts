import { assertEquals } from "@std/assert";
import type { OrderEvidence } from "orderlens/metrics";
import { lifecycleTable } from "orderlens/tables";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf, reportOf } from "../../metrics/reports.ts";
import { cells } from "../made_up.ts";
import { competitions, records } from "../market.ts";

const at = (time: string) => Temporal.Instant.from(`2026-08-21T10:${time}Z`);
const now = at("10:00");
const validTo = at("05:00").epochMilliseconds / 1_000;
const filled = {
  executedSellAmount: 100n,
  executedSellAmountBeforeFees: 100n,
  executedBuyAmount: 210n,
};
const COLUMNS = [
  "status status_agrees time_to_first_fill_seconds time_to_last_fill_seconds",
  "observed_seconds",
];

function rowOf(evidence: OrderEvidence) {
  return cells(lifecycleTable([evidence], { now }), ...COLUMNS)[0];
}

Deno.test("lifecycleTable() measures the times of a filled order by its events", () => {
  const order = orderOf({ ...filled, status: "fulfilled", validTo });
  const debugReport = reportOf({
    order,
    events: [
      { label: "created", timestamp: at("00:00") },
      { label: "traded", timestamp: at("00:07.5") },
      { label: "ready", timestamp: at("00:08") },
      { label: "traded", timestamp: at("01:00") },
    ],
  });
  assertEquals(rowOf({ order, debugReport }), ["fulfilled", true, 7.5, 60, 60]);
  assertEquals(rowOf({ order }), ["fulfilled", true, null, null, null]);
});

Deno.test("lifecycleTable() covers an order until it expires, is cancelled, or until now", () => {
  const events = [
    { label: "created", timestamp: at("00:00") },
    { label: "cancelled", timestamp: at("02:00") },
  ];
  const expired = orderOf({ status: "expired", validTo });
  const open = orderOf({ status: "open" });
  const cancelled = orderOf({ status: "cancelled", invalidated: true });
  // An order is valid until the end of the second that it names.
  assertEquals(rowOf({ order: expired }), ["expired", true, null, null, 301]);
  assertEquals(rowOf({ order: open }), ["open", true, null, null, 600]);
  assertEquals(rowOf({ order: cancelled }), ["cancelled", true, null, null, null]);
  const debugReport = reportOf({ order: cancelled, events });
  assertEquals(rowOf({ order: cancelled, debugReport }), ["cancelled", true, null, null, 120]);
});

Deno.test("lifecycleTable() has no time to the last fill of a partially filled order", () => {
  const order = orderOf({ ...filled, executedSellAmount: 50n, executedSellAmountBeforeFees: 50n });
  const debugReport = reportOf({ order, events: [{ label: "traded", timestamp: at("00:09") }] });
  assertEquals(rowOf({ order, debugReport }), ["open", true, 9, null, 600]);
});

Deno.test("lifecycleTable() names gaps in the evidence", () => {
  const frame = lifecycleTable([{ order: orderOf() }], { now });
  const [[gaps, invalid, auctions]] = cells(frame, "gaps", "invalid_seconds", "auction_count") as [
    [string, null, number],
  ];
  assertEquals(gaps.split(", ").includes("events"), true);
  assertEquals([invalid, auctions], [null, 0]);
});

Deno.test("lifecycleTable() finds each order's auctions among all, regardless of case", () => {
  const bid = { solver: "0xa0", score: 1n, pairs: [] } as const;
  const auction = auctionOf([bid], { auction: { orders: ["0x0F"], prices: {} } });
  const other = auctionOf([bid], { auctionId: 2 });
  const columns = ["auction_count", "bid_count"];
  const all = [auction, other];
  const frame = lifecycleTable([{ order: orderOf() }], { now, competitions: all });
  assertEquals(cells(frame, ...columns), [[1, 0]]);
  const own = lifecycleTable([{ order: orderOf(), competitions: [] }], { now, competitions: all });
  assertEquals(cells(own, ...columns), [[0, 0]]);
});

Deno.test("lifecycleTable() reads auctions and bids of the market from public answers too", () => {
  const columns = ["order_uid", "bid_count", "fill_count"];
  const known = lifecycleTable(records, { now }).select(...columns).toRecords();
  const publicOnly = records.map(({ order, trades }) => ({ order, trades }));
  const own = lifecycleTable(publicOnly, { now, competitions }).select(...columns).toRecords();
  assertEquals(own, known);
});
