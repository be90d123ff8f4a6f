import { assert, assertEquals } from "@std/assert";
import { policiesByAuction } from "orderlens/metrics";
import * as tables from "orderlens/tables";
import { cells } from "./made_up.ts";
import { BEGINNING, builderOf, BUILDERS, NEEDED } from "./market.ts";

const { competitions, debugReports, orders, records, times, trades } = BEGINNING;
const bare = records.map(({ order, trades }) => ({ order, trades }));
const byUid = new Map(orders.map((order) => [order.uid.toLowerCase(), order]));

/** What `gaps` says over all rows of a frame, each text once, in order. */
function gapsOf(frame: tables.Frame): (string | null)[] {
  return [...new Set<string | null>(cells(frame, "gaps").flat() as string[])].sort();
}

/** Rows in which a column is `null` and `gaps` says nothing. */
function unexplained(frame: tables.Frame, column: string): number {
  return cells(frame, column, "gaps").filter((row) => row.every((cell) => cell === null)).length;
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

for (
  const [name, records, options, expected] of [
    ["fills", bare, {}, "auction, fill_time"],
    ["fills", bare, { competitions }, "fill_time"],
    ["fills", bare, { times }, "auction"],
    ["fills", bare, { competitions, times }, null],
    ["fees", bare, {}, "auction, fill_time"],
    ["fees", bare, { competitions, times }, null],
    ["fee_steps", bare, {}, "auction, fill_time"],
    ["fee_steps", bare, { competitions }, "fill_time"],
    ["fee_steps", bare, { competitions, times }, null],
    ["best_other_bids", bare, { competitions }, "fill_time"],
    ["trades", trades, {}, "solver, fill_time"],
    ["trades", trades, { times }, "solver"],
    ["trades", trades, { competitions }, "fill_time"],
    ["trades", trades, { competitions, times }, null],
    ["solver_pairs", competitions, {}, "auction_time"],
    ["solver_pairs", competitions, { times }, null],
    ["solutions", competitions, {}, "auction_time"],
    ["solutions", competitions, { times }, null],
    ["native_prices", competitions, {}, "auction_time"],
    ["native_prices", competitions, { times }, null],
    ["solver_leaderboard", competitions, {}, "settlements"],
    ["solver_leaderboard", competitions, { trades }, null],
  ] as const
) {
  Deno.test(`${name} of ${Object.keys(options).join(" and ") || "nothing else"} say ${expected}`, () => {
    assertEquals(gapsOf(BUILDERS.get(builderOf(name))!(records, options)), [expected]);
  });
}

Deno.test("bidsTable() says where orders, fills and times were not given", () => {
  const none = tables.bidsTable(competitions);
  assertEquals(gapsOf(none), ["order, auction_time", "order, fills, auction_time"]);
  const withOrders = tables.bidsTable(competitions, { orders, times });
  assertEquals(gapsOf(withOrders), ["fills", null]);
  assertEquals(unexplained(withOrders, "is_executed"), 0);
});

/** Every table with a column `gaps`, and the least that it can be built from. */
const LEAST: Readonly<Record<string, [records: unknown, options?: object]>> = {
  trades: [trades],
  solutions: [competitions],
  solver_pairs: [competitions],
  native_prices: [competitions],
  bids: [competitions],
  attempts: [competitions],
  fair_gain: [competitions],
  missed_baselines: [competitions],
  solver_leaderboard: [competitions],
  rewards: [competitions],
  auction_rewards: [competitions, { network: "mainnet" }],
  fills: [bare],
  markout: [bare],
  protocol_fees: [bare],
  fees: [bare],
  fee_steps: [bare],
  best_other_bids: [bare, { competitions }],
  lifecycle: [orders.map((order) => ({ order }))],
};

for (const { name, columns } of tables.TABLES) {
  if (!columns.some((column: tables.Column<never>) => column.name === "gaps")) continue;
  Deno.test(`columns of ${name} that are null because of a missing input say so`, () => {
    const least = LEAST[name];
    assert(
      least !== undefined,
      `${name} has gaps: add what it is built from at least to LEAST in ` +
        "tests/tables/missing_inputs_test.ts, and test what its gaps say",
    );
    const [records, options] = least;
    const builder = builderOf(name);
    const frame = BUILDERS.get(builder)!(records, { ...NEEDED[builder], ...options });
    assert(frame.height > 0);
    // Reasons are null where there is nothing to explain; names are labels, and of invented solvers.
    const silent = frame.getColumns().filter((column) =>
      column.nullCount() === frame.height && !/reason$|_name$|^gaps$/.test(column.name)
    );
    if (silent.length === 0) return;
    assert(!gapsOf(frame).includes(null), `${name}: ${silent.map((column) => column.name)}`);
  });
}
