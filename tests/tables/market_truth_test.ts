import { assertEquals } from "@std/assert";
import * as tables from "orderlens/tables";
import {
  competitions,
  debugReports,
  orders,
  records,
  trades,
  truth,
  type TruthRow,
} from "./market.ts";

type Value = TruthRow[string];

/** Rows of some columns as lines of text, sorted: two tables are equal when these are. */
function lines(rows: readonly Readonly<Record<string, Value>>[], columns: readonly string[]) {
  return rows.map((row) => columns.map((column) => `${row[column]}`).join(" ")).sort();
}

/** Checks that a table has the rows of the service's own, under other names. */
function assertSameRows(
  own: tables.Frame,
  stored: readonly TruthRow[],
  names: Readonly<Record<string, string | ((row: TruthRow) => Value)>>,
): void {
  const renamed = stored.map((row) =>
    Object.fromEntries(
      Object.entries(names).map(([name, from]) => [
        name,
        typeof from === "string" ? row[from]! : from(row),
      ]),
    )
  );
  const columns = Object.keys(names);
  assertEquals(lines(own.toRecords(), columns), lines(renamed, columns));
}

/** Columns that have the name of the service's. */
const same = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, name]));

/** A time of the database in microseconds as the service writes it, with 0, 3 or 6 digits. */
const instant = (column: string) => (row: TruthRow): Value =>
  Temporal.Instant.from(row[column] as string).toString({ fractionalSecondDigits: 6 })
    .replace(/\.?(?:000)+Z$/, "Z");

Deno.test("ordersTable() has the orders and quotes that the service stored", () => {
  const own = tables.ordersTable(orders);
  assertEquals(own.height, 938);
  assertSameRows(own, truth.orders!, {
    order_uid: "uid",
    ...same(
      "owner kind partially_fillable sell_token buy_token receiver valid_to app_data settlement_contract",
    ),
    creation_date: instant("creation_timestamp"),
    sell_amount_atoms: "sell_amount",
    buy_amount_atoms: "buy_amount",
    signed_fee_atoms: "fee_amount",
  });
  assertSameRows(own, truth.order_quotes!, {
    order_uid: "order_uid",
    quote_sell_amount_atoms: "sell_amount",
    quote_buy_amount_atoms: "buy_amount",
    quote_solver: "solver",
    quote_verified: "verified",
  });
});

Deno.test("tradesTable() has the fills that the service indexed", () => {
  assertSameRows(tables.tradesTable(trades), truth.trades!, {
    ...same("block_number log_index order_uid"),
    sell_amount_atoms: "sell_amount",
    buy_amount_atoms: "buy_amount",
  });
});

Deno.test("solutionsTable() and solutionOrdersTable() have the bids that the service stored", () => {
  const ranking = (row: TruthRow) => Number(row.uid ?? row.solution_uid) + 1;
  assertSameRows(tables.solutionsTable(competitions), truth.proposed_solutions!, {
    ...same("auction_id solver is_winner filtered_out"),
    ranking,
    score_atoms: "score",
  });
  assertSameRows(tables.solutionOrdersTable(competitions), truth.proposed_trade_executions!, {
    ...same("auction_id order_uid"),
    ranking,
    sell_amount_atoms: "executed_sell",
    buy_amount_atoms: "executed_buy",
  });
});

Deno.test("referenceScoresTable() and nativePricesTable() match the stored data", () => {
  assertSameRows(tables.referenceScoresTable(competitions), truth.reference_scores!, {
    auction_id: "auction_id",
    solver: "solver",
    reference_score_atoms: "reference_score",
  });
  assertSameRows(tables.nativePricesTable(competitions), truth.auction_prices!, {
    auction_id: "auction_id",
    token: "token",
    native_price: "price",
  });
});

Deno.test("feePoliciesTable() has the policies that the service stored, in their order", () => {
  const own = tables.feePoliciesTable(debugReports);
  const byOrder = Map.groupBy(
    truth.fee_policies!,
    ({ auction_id, order_uid }) => `${auction_id} ${order_uid}`,
  );
  const stored = [...byOrder.values()].flatMap((policies) =>
    policies
      .toSorted((a, b) => Number(a.application_order) - Number(b.application_order))
      .map((policy, index): TruthRow => ({ ...policy, position: index + 1 }))
  );
  assertSameRows(own, stored, {
    ...same("auction_id order_uid position"),
    policy_kind: ({ kind }) => kind === "priceimprovement" ? "priceImprovement" : kind!,
    factor: (row) =>
      Number(row.surplus_factor ?? row.volume_factor ?? row.price_improvement_factor),
    max_volume_factor: (row) => {
      const cap = row.surplus_max_volume_factor ?? row.price_improvement_max_volume_factor;
      return cap == null ? null : Number(cap);
    },
  });
});

Deno.test("executionsTable() and feesTable() have the fees that the service booked", () => {
  assertSameRows(tables.executionsTable(debugReports), truth.order_execution!, {
    ...same("auction_id order_uid block_number"),
    executed_fee_atoms: "executed_fee",
    fee_token: "executed_fee_token",
  });
  const own = tables.feesTable(records, { competitions });
  const stored = truth.order_execution!.flatMap((row): TruthRow[] => {
    const amounts = row.protocol_fee_amounts as unknown as string[];
    const tokens = row.protocol_fee_tokens as unknown as string[];
    return amounts.map((fee, index) => ({ ...row, fee, token: tokens[index]!, at: index + 1 }));
  });
  assertSameRows(own, stored, {
    ...same("auction_id order_uid block_number"),
    position: "at",
    fee_atoms: "fee",
    recomputed_atoms: "fee",
    fee_token: "token",
  });
  assertEquals(new Set(own.getColumn("verdict").toArray()), new Set(["exact"]));
});

Deno.test("orderEventsTable() has the events that the service stored", () => {
  assertSameRows(tables.orderEventsTable(debugReports), truth.order_events!, {
    ...same("order_uid label reason"),
    timestamp: instant("timestamp"),
  });
});

Deno.test("settlementAttemptsTable() has each stored attempt once", () => {
  const own = tables.settlementAttemptsTable(debugReports);
  assertEquals(own.height, 646);
  assertSameRows(own, truth.settlement_executions!, {
    ...same("auction_id solver start_block end_block deadline_block outcome"),
    ranking: ({ solution_uid }) => Number(solution_uid) + 1,
    start_timestamp: instant("start_timestamp"),
    end_timestamp: instant("end_timestamp"),
  });
});

Deno.test("fillsTable() and tradesTable() name the auction and the solver of every fill without debug reports", () => {
  const publicOnly = records.map(({ order, trades }) => ({ order, trades }));
  const winners = new Map(
    truth.proposed_solutions!.filter(({ is_winner }) => is_winner)
      .map(({ auction_id, uid, solver }) => [`${auction_id} ${uid}`, solver!]),
  );
  const solvers = new Map(
    truth.proposed_trade_executions!.flatMap(({ auction_id, solution_uid, order_uid }) => {
      const solver = winners.get(`${auction_id} ${solution_uid}`);
      return solver === undefined ? [] : [[`${auction_id} ${order_uid}`, solver] as const];
    }),
  );
  for (
    const frame of [
      tables.fillsTable(publicOnly, { competitions }),
      tables.tradesTable(trades, { competitions }),
    ]
  ) {
    assertSameRows(frame, truth.order_execution!, {
      ...same("order_uid block_number auction_id"),
      solver: ({ auction_id, order_uid }) => solvers.get(`${auction_id} ${order_uid}`)!,
    });
  }
});
