import { assert, assertEquals } from "@std/assert";
import { policiesByAuction } from "orderlens/metrics";
import * as tables from "orderlens/tables";
import { competitions, debugReports, orders, trades } from "./market.ts";

const bare = orders.map((order) => ({
  order,
  trades: trades.filter(({ orderUid }) => orderUid === order.uid),
}));
const byUid = new Map(orders.map((order) => [order.uid.toLowerCase(), order]));

/** What `gaps` says over all rows of a frame, each text once, in order. */
function gapsOf(frame: tables.Frame): (string | null)[] {
  return [...new Set(frame.toRecords<{ gaps: string | null }>().map(({ gaps }) => gaps))].sort();
}

/** Rows in which a column is `null` and `gaps` says nothing. */
function unexplained(frame: tables.Frame, column: string): number {
  return frame.toRecords().filter((row) => row[column] === null && row.gaps === null).length;
}

Deno.test("missedBaselinesTable() names the inputs that would quantify a missed pair", () => {
  const build = (options: tables.MissedBaselinesOptions) =>
    tables.missedBaselinesTable(competitions, options);
  const policies = policiesByAuction({ debugReports });
  assertEquals(gapsOf(build({})), ["orders, policies"]);
  assertEquals(gapsOf(build({ orders: byUid })), ["policies"]);
  assert(gapsOf(build({ policies })).includes("orders"));
  const all = build({ orders: byUid, policies });
  assert(gapsOf(all).includes(null));
  assertEquals(unexplained(all, "missed_by_native"), 0);
});

Deno.test("tables of fills say where the auction is not known, and when a fill has no time", () => {
  assertEquals(gapsOf(tables.slippageTable(bare)), ["auction, fill_time"]);
  assertEquals(gapsOf(tables.slippageTable(bare, { competitions })), ["fill_time"]);
  assertEquals(gapsOf(tables.protocolFeesTable(bare)), ["auction"]);
  assertEquals(gapsOf(tables.feeStepsTable(bare)), ["auction"]);
  assertEquals(gapsOf(tables.feeStepsTable(bare, { competitions })), [null]);
});

Deno.test("solutionOrdersTable() says where orders and fills were not given", () => {
  const none = tables.solutionOrdersTable(competitions);
  assertEquals(gapsOf(none), ["order", "order, fills"]);
  const withOrders = tables.solutionOrdersTable(competitions, { orders });
  assertEquals(gapsOf(withOrders), ["fills", null]);
  assertEquals(unexplained(withOrders, "is_executed"), 0);
});

Deno.test("solverLeaderboardTable() says where no input covers settlements", () => {
  assertEquals(gapsOf(tables.solverLeaderboardTable(competitions)), ["settlements"]);
  assertEquals(gapsOf(tables.solverLeaderboardTable(competitions, { trades })), [null]);
});

Deno.test("every column that is null because of a missing input says so", () => {
  const now = Temporal.Instant.from("2026-11-21T15:28:30Z");
  const least = {
    solutions: tables.solutionsTable(competitions),
    solution_orders: tables.solutionOrdersTable(competitions),
    missed_baselines: tables.missedBaselinesTable(competitions),
    solver_leaderboard: tables.solverLeaderboardTable(competitions),
    slippage: tables.slippageTable(bare),
    protocol_fees: tables.protocolFeesTable(bare),
    fee_steps: tables.feeStepsTable(bare),
    lifecycle: tables.lifecycleTable(orders.map((order) => ({ order })), { now }),
  };
  for (const [name, frame] of Object.entries(least)) {
    // Reasons are null where there is nothing to explain.
    const silent = frame.getColumns().filter((column) =>
      column.nullCount() === frame.height && !/reason$|^gaps$/.test(column.name)
    );
    if (silent.length === 0) continue;
    assert(!gapsOf(frame).includes(null), `${name}: ${silent.map((column) => column.name)}`);
  }
});
