import { assert, assertEquals } from "@std/assert";
import { policiesByAuction } from "orderlens/metrics";
import * as tables from "orderlens/tables";
import { competitions, debugReports, orders, times, trades } from "./market.ts";

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
  assertEquals(gapsOf(tables.fillsTable(bare)), ["auction, fill_time"]);
  assertEquals(gapsOf(tables.fillsTable(bare, { competitions })), ["fill_time"]);
  assertEquals(gapsOf(tables.fillsTable(bare, { times })), ["auction"]);
  assertEquals(gapsOf(tables.fillsTable(bare, { competitions, times })), [null]);
  assertEquals(gapsOf(tables.feesTable(bare)), ["auction, fill_time"]);
  assertEquals(gapsOf(tables.feesTable(bare, { competitions, times })), [null]);
  assertEquals(gapsOf(tables.feeStepsTable(bare)), ["auction, fill_time"]);
  assertEquals(gapsOf(tables.feeStepsTable(bare, { competitions })), ["fill_time"]);
  assertEquals(gapsOf(tables.feeStepsTable(bare, { competitions, times })), [null]);
  assertEquals(gapsOf(tables.bestOtherBidsTable(bare, { competitions })), ["fill_time"]);
});

Deno.test("tables of auctions and fills say when they have no times", () => {
  assertEquals(gapsOf(tables.tradesTable(trades)), ["solver, fill_time"]);
  assertEquals(gapsOf(tables.tradesTable(trades, { competitions })), ["fill_time"]);
  assertEquals(gapsOf(tables.tradesTable(trades, { competitions, times })), [null]);
  assertEquals(gapsOf(tables.solverPairsTable(competitions)), ["auction_time"]);
  assertEquals(gapsOf(tables.solverPairsTable(competitions, { times })), [null]);
  assertEquals(gapsOf(tables.solutionsTable(competitions)), ["auction_time"]);
  assertEquals(gapsOf(tables.solutionsTable(competitions, { times })), [null]);
  assertEquals(gapsOf(tables.nativePricesTable(competitions)), ["auction_time"]);
  assertEquals(gapsOf(tables.nativePricesTable(competitions, { times })), [null]);
});

Deno.test("tradesTable() says which fills have no known solver", () => {
  assertEquals(gapsOf(tables.tradesTable(trades, { times })), ["solver"]);
  const [first, ...others] = competitions.filter(({ transactionHashes }) =>
    transactionHashes.length > 0
  );
  const some = tables.tradesTable(trades, { competitions: [first!, ...others.slice(10)], times });
  assertEquals(gapsOf(some), [null, "solver"]);
  assertEquals(unexplained(some, "solver"), 0);
});

Deno.test("bidsTable() says where orders, fills and times were not given", () => {
  const none = tables.bidsTable(competitions);
  assertEquals(gapsOf(none), ["order, auction_time", "order, fills, auction_time"]);
  const withOrders = tables.bidsTable(competitions, { orders, times });
  assertEquals(gapsOf(withOrders), ["fills", null]);
  assertEquals(unexplained(withOrders, "is_executed"), 0);
});

Deno.test("solverLeaderboardTable() says where no input covers settlements", () => {
  assertEquals(gapsOf(tables.solverLeaderboardTable(competitions)), ["settlements"]);
  assertEquals(gapsOf(tables.solverLeaderboardTable(competitions, { trades })), [null]);
});

const now = Temporal.Instant.from("2026-11-21T15:28:30Z");

/** Every table with a column `gaps`, from the least that it can be built from. */
const LEAST: Readonly<Record<string, () => tables.Frame>> = {
  trades: () => tables.tradesTable(trades),
  solutions: () => tables.solutionsTable(competitions),
  solver_pairs: () => tables.solverPairsTable(competitions),
  native_prices: () => tables.nativePricesTable(competitions),
  bids: () => tables.bidsTable(competitions),
  attempts: () => tables.attemptsTable(competitions),
  fair_gain: () => tables.fairGainTable(competitions),
  missed_baselines: () => tables.missedBaselinesTable(competitions),
  solver_leaderboard: () => tables.solverLeaderboardTable(competitions),
  rewards: () => tables.rewardsTable(competitions),
  auction_rewards: () => tables.auctionRewardsTable(competitions, { network: "mainnet" }),
  fills: () => tables.fillsTable(bare),
  markout: () => tables.markoutTable(bare, { prices: tables.priceSeries([]) }),
  protocol_fees: () => tables.protocolFeesTable(bare),
  fees: () => tables.feesTable(bare),
  fee_steps: () => tables.feeStepsTable(bare),
  best_other_bids: () => tables.bestOtherBidsTable(bare, { competitions }),
  lifecycle: () => tables.lifecycleTable(orders.map((order) => ({ order })), { now }),
};

for (const { name, columns } of tables.TABLES) {
  if (!columns.some((column: tables.Column<never>) => column.name === "gaps")) continue;
  Deno.test(`columns of ${name} that are null because of a missing input say so`, () => {
    const build = LEAST[name];
    assert(
      build !== undefined,
      `${name} has gaps: add what it is built from at least to LEAST in ` +
        "tests/tables/missing_inputs_test.ts, and test what its gaps say",
    );
    const frame = build();
    assert(frame.height > 0);
    // Reasons are null where there is nothing to explain; names are labels, and of invented solvers.
    const silent = frame.getColumns().filter((column) =>
      column.nullCount() === frame.height && !/reason$|_name$|^gaps$/.test(column.name)
    );
    if (silent.length === 0) return;
    assert(!gapsOf(frame).includes(null), `${name}: ${silent.map((column) => column.name)}`);
  });
}
