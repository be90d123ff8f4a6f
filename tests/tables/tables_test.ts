import pl from "nodejs-polars";
import { assert, assertEquals } from "@std/assert";
import type { Order, Trade } from "orderlens";
import { type Column, ORDERS, type Records, toPolarsSchema } from "orderlens/tables";
import { BUILT as built } from "./built.ts";
import { ALL as TABLES, build, declaredDtypes, dtypesOf, orders, solvers } from "./market.ts";
import { FACTS } from "./settlements/audits.ts";
import { cells } from "./made_up.ts";
import { annotate } from "../../lib/notebook/annotate.ts";
import { outlineFrame, outlineText } from "../../lib/notebook/render.ts";
import { TokenAmounts } from "../../lib/tables/columns/lookups.ts";
import { formatDataDictionary } from "../../tools/tables/data_dictionary.ts";

/** Columns of an interval that is `null`, since every order has a debug report. */
function intervalsOf(table: string, name: string): [string, string][] {
  return ["min", "min_ms", "max", "max_ms"].map((end) => [
    `${table}.${name}_time_${end}`,
    "events of debug reports tell the time",
  ]);
}

/** Columns that are `null` throughout `market_1`, and why. */
const SILENT = new Map([
  ["orders.valid_from", "no order of the market waits for a time"],
  ...["orders.gas_cost", "trades.gas_cost", "trades.penalty_cap", "fills.gas_cost"].flatMap((
    name,
  ) =>
    ["atoms", "native"]
      .map((unit) => [`${name}_${unit}`, "the recorded service does not answer it yet"] as const)
  ),
  ["trades.gaps", "competitions and times are given"],
  ...["orders", "fills"].flatMap((name) =>
    ["widget_app_code", "is_smart_slippage", "bridge_destination_chain", "wrapper"]
      .map((column) => [`${name}.${column}`, "no document of the market says it"] as const)
  ),
  ["solutions.gaps", "times are given"],
  ["attempts.gaps", "fills, reports, rules and times are given"],
  ["native_prices.gaps", "times are given"],
  ["lifecycle.gaps", "every order has a debug report"],
  ["instance_orders.gaps", "instances have every order with a bid, and name owners"],
  ...intervalsOf("protocol_fees", "fill"),
  ["protocol_fees.gaps", "every fill names its auction"],
  ...intervalsOf("fee_steps", "fill"),
  ["fee_steps.gaps", "every fill names its auction"],
  ...intervalsOf("fills", "fill"),
  ["fills.slippage_reason", "every order has a quote"],
  ["fills.decomposition_reason", "every fill can be decomposed"],
  ["fills.gaps", "every order has a debug report, and every fill names its auction"],
  ...intervalsOf("fees", "fill"),
  ["fees.reason", "every fee can be recomputed"],
  ["fees.gaps", "every fill names its auction"],
  ...intervalsOf("best_other_bids", "fill"),
  ["best_other_bids.gaps", "every order has a debug report, and every fill names its auction"],
  ...intervalsOf("lifecycle", "first_fill"),
  ...intervalsOf("lifecycle", "last_fill"),
  ["auction_rewards.gaps", "everything is given"],
  ...intervalsOf("markout", "fill"),
  ["markout.sell_price_reason", "the series has every token"],
  ["markout.buy_price_reason", "the series has every token"],
  ["markout.markout_reason", "every fill can be measured"],
  ["markout.solver_efficiency_reason", "every trade names its fees"],
  ["markout.gaps", "every fill has an auction, a time, prices and fees"],
  ["settlements.audit_reason", "all settlements of the market were audited"],
]);

/** Some records of each list, once and twice; orders of `records` and `evidence` with their trades. */
function onceAndTwice(given: Records): readonly [Records, Records] {
  const lists = Object.entries(given).filter(([name, value]) =>
    Array.isArray(value) && !["solvers", "dollarTokens", "cowPrice"].includes(name)
  ).map(([name, list]: [string, readonly { order?: Order; trades?: readonly Trade[] }[]]) => {
    const few = list.slice(-12);
    const twice = [...few, ...few].map((record) => {
      const { order, trades = [] } = record;
      return { ...record, ...order && { trades: [...trades, ...trades] } };
    });
    return [[name, few], [name, twice]] as const;
  });
  const [few, twice] = [0, 1].map((at) => Object.fromEntries(lists.map((list) => list[at]!)));
  return [{ ...given, ...few }, { ...given, ...twice }];
}

for (const { table, given } of built.filter(({ table }) => table.name !== "winners_curse")) {
  Deno.test(`${table.name} has each row once where records are passed twice`, () => {
    const [once, twice] = onceAndTwice(given).map((records) => build(table, records).toRecords());
    assert(once!.length > 0);
    assertEquals(twice!.length, once!.length);
    assert(JSON.stringify(twice) === JSON.stringify(once));
  });
}

Deno.test("ORDERS keeps one row per distinct state of an order", () => {
  const [order] = orders;
  const open = { ...order!, status: "open" as const };
  assertEquals(build(ORDERS, { orders: [order, open, order] }).height, 2);
});

for (const { table, full, empty } of built) {
  Deno.test(`${table.name} has the declared kinds, full and empty`, () => {
    assert(full.height > 0);
    assertEquals(empty.height, 0);
    assertEquals(dtypesOf(full), declaredDtypes(table));
    assertEquals(dtypesOf(empty), declaredDtypes(table));
  });

  Deno.test(`${table.name} is unchanged by Parquet, NDJSON and CSV`, () => {
    const expected = full.toRecords();
    assertEquals(pl.readParquet(full.writeParquet()).toRecords(), expected);
    assertEquals(
      pl.readJSON(full.writeJSON({ format: "lines" }), {
        format: "lines",
        inferSchemaLength: full.height,
      }).toRecords(),
      expected,
    );
    assertEquals(
      pl.readCSV(full.writeCSV(), { schema: toPolarsSchema(table) }).toRecords(),
      expected,
    );
  });
}

Deno.test("TABLES fill every column from the recorded market, or give a reason", () => {
  const silent = built.flatMap(({ table, full }) =>
    full.getColumns().filter((column) => column.nullCount() === full.height)
      .map(({ name }) => `${table.name}.${name}`)
  );
  const unexplained = silent.filter((name) => !SILENT.has(name));
  assertEquals(
    unexplained,
    [],
    `${unexplained.join(", ")} is null in every row of market_1: if that is right, say why in ` +
      "SILENT of tests/tables/tables_test.ts, otherwise pass its inputs in tests/tables/market.ts",
  );
  const spoken = [...SILENT.keys()].filter((name) => !silent.includes(name));
  assertEquals(spoken, [], `${spoken.join(", ")} has values: remove it from SILENT`);
});

Deno.test("TABLES name tables and columns once, in snake_case, with a grain and sources", () => {
  const names = TABLES.map(({ name }) => name);
  assertEquals(names, [...new Set(names)]);
  for (const { name, grain, columns } of TABLES) {
    assert(/^One [a-z]/.test(grain) && !grain.endsWith("."), `${name}: ${grain}`);
    const all = columns.map((column) => column.name);
    assertEquals(all, [...new Set(all)]);
    // SQL and datasets add these in front.
    const added = ["network", "environment", "chain_id"].filter((column) => all.includes(column));
    assertEquals(added, [], name);
    for (const column of columns) {
      assert(/^[a-z][a-z0-9_]*$/.test(column.name), column.name);
      assert(column.source.length > 0 && !column.source.endsWith("."), column.name);
      assert(column.unit !== null || column.dtype !== "Float64", `${column.name} has a unit`);
    }
  }
});

Deno.test("TABLES give columns of the same name the same kind", () => {
  const dtypes = new Map<string, Set<string>>();
  for (const { name, dtype } of TABLES.flatMap(({ columns }) => columns)) {
    dtypes.set(name, (dtypes.get(name) ?? new Set()).add(dtype));
  }
  assertEquals([...dtypes].filter(([, kinds]) => kinds.size > 1), []);
});

Deno.test("TABLES have amounts as decimal text, and the nearest doubles as numbers", () => {
  let amounts = 0;
  for (const { full } of built) {
    for (const column of full.columns.filter((name) => name.endsWith("_tokens"))) {
      const text = column.replace(/_tokens$/, "_atoms");
      if (!full.columns.includes(text)) continue;
      for (const row of full.select(text, column).toRecords()) {
        const atoms = row[text];
        if (atoms === null) continue;
        assert(/^-?[0-9]+$/.test(String(atoms)));
        // Every token of the market has 18 decimals.
        assertEquals(row[column], Number(`${atoms}e-18`), `${column} of ${atoms}`);
        amounts++;
      }
    }
  }
  assert(amounts > 0);
});

Deno.test("TABLES name exact amounts …_atoms, with a number in its own unit for each", () => {
  for (const { name, columns } of TABLES) {
    for (const { name: column, unit } of columns) {
      // A price is of two units.
      const isAmount = /\batoms\b/.test(unit ?? "") && !unit!.includes("for 10^18");
      assertEquals(column.endsWith("_atoms"), isAmount, `${name}.${column} of ${unit}`);
    }
    const dtypes = new Map(columns.map((column: Column<never>) => [column.name, column.dtype]));
    for (const exact of dtypes.keys().filter((one) => one.endsWith("_atoms"))) {
      const stem = exact.slice(0, -"_atoms".length);
      const beside = [`${stem}_tokens`, /_(?:native|usd)$/.test(stem) ? stem : `${stem}_native`];
      assertEquals(dtypes.get(exact), "String");
      assert(beside.some((one) => dtypes.get(one) === "Float64"), `${name}.${exact}`);
    }
  }
});

const names = new Map<string, string>([
  ...Object.entries(FACTS.solvers),
  ...solvers.map(({ address, name }) => [address, name] as const),
]);

Deno.test("TABLES put the name of a solver after its address", () => {
  let count = 0;
  for (const { full } of built) {
    for (const [index, column] of full.columns.entries()) {
      if (!/(?:^|_)solver$/.test(column)) continue;
      count++;
      assertEquals(full.columns[index + 1], `${column}_name`);
      const pairs = cells(full, column, `${column}_name`);
      assert(pairs.some(([address]) => address !== null), column);
      for (const [address, name] of pairs) {
        assertEquals(name, address === null ? null : names.get(String(address)) ?? null);
      }
    }
  }
  const declared = TABLES.flatMap(({ columns }) => columns)
    .filter(({ name }) => /(?:^|_)solver$/.test(name));
  assertEquals(count, declared.length);
});

/** What a readable amount says in whole tokens of 18 decimals. */
function tokensOf(readable: string): number {
  const [number = "", unit] = readable.replaceAll(",", "").replace("−", "-").split(" ");
  return Number(number) / (unit === "atoms" ? 1e18 : 1);
}

Deno.test("annotate() shows every column of atoms in whole tokens, and no other", () => {
  const read = {
    network: undefined,
    nativeSymbol: "native tokens",
    amounts: new TokenAmounts({ network: "local" }),
  };
  let count = 0;
  for (const { table, full } of built) {
    const outline = outlineFrame(full.head(60), 60);
    const shown = annotate(outline, read);
    assertEquals(outlineText(shown), outlineText(outline));
    assert(shown.kind === "table");
    for (const [at, { name, unit }] of table.columns.entries()) {
      const isAtoms = unit !== null && /\batoms\b/.test(unit) && !unit.includes("for 10^18");
      for (const row of shown.rows) {
        const { text, readable } = row[at]!;
        if (readable === undefined) {
          // Zero is left alone where only the column beside it would tell the unit.
          assert(!isAtoms || text === "null" || text === "0", `${table.name}.${name}: ${text}`);
          continue;
        }
        assert(isAtoms, `${table.name}.${name} of ${unit}: ${readable}`);
        const [own, exact] = [tokensOf(readable), Number(text) / 1e18];
        assert(Math.abs(own - exact) <= Math.abs(exact) * 1e-5, `${name}: ${text} as ${readable}`);
        assertEquals(
          / native tokens$/.test(readable),
          /^native/.test(unit) && !/atoms$/.test(readable),
        );
        count++;
      }
    }
  }
  assert(count > 3_000, `${count}`);
});

Deno.test("data_dictionary.md matches the declarations", async () => {
  const path = new URL("../../lib/tables/data_dictionary.md", import.meta.url);
  assertEquals(
    await Deno.readTextFile(path),
    await formatDataDictionary(TABLES),
    "Write it again: deno run -A tools/tables/write_dictionary.ts",
  );
});
