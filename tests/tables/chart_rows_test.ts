import { assert, assertEquals } from "@std/assert";
import { type Column, TABLES } from "orderlens/tables";

/** Which table's records each kind of row is. */
const TABLE_OF: Readonly<Record<string, string>> = {
  AuctionRankingRow: "solutions",
  FeeRateRow: "protocol_fees",
  FeeTimelineRow: "protocol_fees",
  FeeWaterfallRow: "fee_steps",
  LeftOnTheTableRow: "best_other_bids",
  OrderBidRow: "solution_orders",
  OrderTimelineAttempt: "settlement_attempts",
  OrderTimelineAuction: "order_auctions",
  OrderTimelineEvent: "order_events",
  OrderTimelineFill: "executions",
  RewardCapsRow: "solver_rewards",
  SettlementOutcomesRow: "solver_leaderboard",
  SlippageRow: "slippage",
  SolverLeaderboardRow: "solver_leaderboard",
  SolverMatrixRow: "solver_pairs",
  SolverRewardsRow: "solver_rewards",
  TimeToFillRow: "lifecycle",
  WinMarginRow: "reference_scores",
};

/** What a chart can draw and its table does not tell: a time of another table, or of the reader. */
const NOT_IN_TABLES = [
  "OrderBidRow.auction_at_ms",
  "OrderBidRow.time_basis",
  "OrderTimelineAuction.auction_at_ms",
  "OrderTimelineAuction.time_basis",
  "OrderTimelineFill.filled_at_ms",
  "OrderTimelineFill.time_basis",
  "FeeTimelineRow.timestamp",
  "OrderTimelineFill.timestamp",
];

/** Kinds of column that a property of a row may come from. */
const DTYPES: Readonly<Record<string, readonly string[]>> = {
  string: ["String"],
  number: ["Int64", "Float64"],
  boolean: ["Bool"],
  Moment: ["String"],
};

interface Property {
  name: string;
  tsType: { repr: string; kind: string; value: unknown };
}

interface Documented {
  nodes: Record<string, {
    symbols: {
      name: string;
      declarations: { kind: string; def: { properties?: Property[] } }[];
    }[];
  }>;
}

async function chartRows(): Promise<Map<string, Property[]>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", "lib/charts/mod.ts"],
    cwd: new URL("../../", import.meta.url),
  }).output();
  const { nodes }: Documented = JSON.parse(new TextDecoder().decode(stdout));
  return new Map(
    Object.values(nodes).flatMap(({ symbols }) =>
      symbols.flatMap(({ name, declarations }) =>
        declarations.flatMap(({ kind, def }): [string, Property[]][] =>
          kind === "interface" && name in TABLE_OF ? [[name, def.properties ?? []]] : []
        )
      )
    ),
  );
}

/** The kind of a property, `null` and absence left aside. */
function kindOf({ tsType }: Property): string {
  if (tsType.kind !== "union") return tsType.repr;
  const parts = tsType.value as { repr: string }[];
  return parts.map(({ repr }) => repr).filter((repr) => repr !== "null").join(" | ");
}

Deno.test("charts accept the records of tables: same names, same kinds", async () => {
  const rows = await chartRows();
  assert(rows.size >= 14, `${rows.size} kinds of row are documented`);
  const missing: string[] = [];
  for (const [name, properties] of rows) {
    const table = TABLES.find((one) => one.name === TABLE_OF[name])!;
    for (const property of properties) {
      const column: Column<never> | undefined = table.columns.find((one) =>
        one.name === property.name
      );
      if (column === undefined) missing.push(`${name}.${property.name}`);
      else {
        const dtypes = DTYPES[kindOf(property)] ?? [];
        assertEquals(dtypes.includes(column.dtype), true, `${name}.${property.name}`);
      }
    }
  }
  assertEquals(missing.filter((one) => !NOT_IN_TABLES.includes(one)), []);
});
