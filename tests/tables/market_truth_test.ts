import { assert, assertEquals } from "@std/assert";
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

Deno.test("ORDERS has the orders and quotes that the service stored", () => {
  const own = tables.buildTable(tables.ORDERS, { orders });
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

Deno.test("TRADES has the fills that the service indexed", () => {
  assertSameRows(tables.buildTable(tables.TRADES, { trades }), truth.trades!, {
    ...same("block_number log_index order_uid"),
    sell_amount_atoms: "sell_amount",
    buy_amount_atoms: "buy_amount",
  });
});

Deno.test("SOLUTIONS and SOLUTION_ORDERS have the bids that the service stored", () => {
  const ranking = (row: TruthRow) => Number(row.uid ?? row.solution_uid) + 1;
  assertSameRows(tables.buildTable(tables.SOLUTIONS, { competitions }), truth.proposed_solutions!, {
    ...same("auction_id solver is_winner filtered_out"),
    ranking,
    score_atoms: "score",
  });
  assertSameRows(
    tables.buildTable(tables.SOLUTION_ORDERS, { competitions }),
    truth.proposed_trade_executions!,
    {
      ...same("auction_id order_uid"),
      ranking,
      sell_amount_atoms: "executed_sell",
      buy_amount_atoms: "executed_buy",
    },
  );
});

Deno.test("REFERENCE_SCORES and NATIVE_PRICES match the stored data", () => {
  assertSameRows(
    tables.buildTable(tables.REFERENCE_SCORES, { competitions }),
    truth.reference_scores!,
    {
      auction_id: "auction_id",
      solver: "solver",
      reference_score_atoms: "reference_score",
    },
  );
  assertSameRows(tables.buildTable(tables.NATIVE_PRICES, { competitions }), truth.auction_prices!, {
    auction_id: "auction_id",
    token: "token",
    native_price: "price",
  });
});

Deno.test("FEE_POLICIES has the policies that the service stored, in their order", () => {
  const own = tables.buildTable(tables.FEE_POLICIES, { debugReports });
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

Deno.test("EXECUTIONS and FEES have the fees that the service booked", () => {
  assertSameRows(tables.buildTable(tables.EXECUTIONS, { debugReports }), truth.order_execution!, {
    ...same("auction_id order_uid block_number"),
    executed_fee_atoms: "executed_fee",
    fee_token: "executed_fee_token",
  });
  const own = tables.buildTable(tables.FEES, { records, competitions });
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

Deno.test("EXECUTIONS counts an execution once where several reports name it", () => {
  const given = debugReports.slice(0, 20);
  const [one, both] = [given, [...given, ...given]].map((debugReports) =>
    tables.buildTable(tables.EXECUTIONS, { debugReports }).toRecords()
  );
  assert(one!.length > 0);
  assertEquals(both, one);
});

Deno.test("ORDER_EVENTS has the events that the service stored", () => {
  assertSameRows(tables.buildTable(tables.ORDER_EVENTS, { debugReports }), truth.order_events!, {
    ...same("order_uid label reason"),
    timestamp: instant("timestamp"),
  });
});

Deno.test("SETTLEMENT_ATTEMPTS has each stored attempt once", () => {
  const own = tables.buildTable(tables.SETTLEMENT_ATTEMPTS, { debugReports });
  assertEquals(own.height, 646);
  assertSameRows(own, truth.settlement_executions!, {
    ...same("auction_id solver start_block end_block deadline_block outcome"),
    ranking: ({ solution_uid }) => Number(solution_uid) + 1,
    start_timestamp: instant("start_timestamp"),
    end_timestamp: instant("end_timestamp"),
  });
});

Deno.test("FILLS and TRADES name the auction and the solver of every fill without debug reports", () => {
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
      tables.buildTable(tables.FILLS, { records: publicOnly, competitions }),
      tables.buildTable(tables.TRADES, { trades, competitions }),
    ]
  ) {
    assertSameRows(frame, truth.order_execution!, {
      ...same("order_uid block_number auction_id"),
      solver: ({ auction_id, order_uid }) => solvers.get(`${auction_id} ${order_uid}`)!,
    });
  }
});
