import { assert, assertEquals } from "@std/assert";
import { type Column, TABLES } from "orderlens/tables";
import { DRAWN, tableOf } from "../charts/drawn.ts";
import { builderOf } from "./market.ts";
import { ROW_KINDS } from "../charts/row_kinds.ts";

/** What a chart can draw and its table does not tell: a time of another table, or of the reader. */
const NOT_IN_TABLES = [
  "OrderTimelineAuction.auction_at_ms",
  "OrderTimelineAuction.auction_time_max_ms",
  "OrderTimelineAuction.time_basis",
  "OrderTimelineFill.fill_time_max_ms",
  "OrderTimelineFill.filled_at_ms",
  "OrderTimelineFill.time_basis",
  "FeeTimelineRow.timestamp",
  "OrderTimelineFill.timestamp",
];

/** Kinds of column that a property of a row may come from. */
const DTYPES: Readonly<Record<string, readonly string[]>> = {
  text: ["String"],
  number: ["Int64", "Float64"],
  flag: ["Bool"],
  moment: ["String"],
};

/** Columns by the function that builds their table: `solver_pairs` is of `solverPairsTable`. */
const COLUMNS = new Map(
  TABLES.map(({ name, columns }) => [
    builderOf(name),
    new Map(columns.map((column: Column<never>) => [column.name, column.dtype])),
  ]),
);

Deno.test("every chart takes rows of a declared kind", () => {
  const tables = ROW_KINDS.map(({ table }) => table);
  for (const [name, draw] of DRAWN) {
    if (name === "orderTimeline") continue;
    assert(
      tables.includes(tableOf(name, draw)),
      `${name}: declare its rows as a RowKind in its file`,
    );
  }
});

for (const { row, table, columns } of ROW_KINDS) {
  Deno.test(`${row} has names and kinds of columns of ${table}`, () => {
    const dtypes = COLUMNS.get(table);
    assert(dtypes !== undefined, `${table} is in TABLES of lib/tables/tables.ts`);
    const missing: string[] = [];
    for (const [name, kind] of Object.entries(columns)) {
      const dtype = dtypes.get(name);
      if (dtype === undefined) missing.push(`${row}.${name}`);
      else assert(DTYPES[kind.replace("?", "")]?.includes(dtype), `${row}.${name} is ${dtype}`);
    }
    const expected = NOT_IN_TABLES.filter((one) => one.startsWith(`${row}.`));
    assertEquals(missing.toSorted(), expected.toSorted());
  });
}
