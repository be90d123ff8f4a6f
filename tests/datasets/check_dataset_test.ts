import { cp } from "node:fs/promises";
import { InputError } from "orderlens";
import { checkDataset, checkText, describeDataset } from "orderlens/datasets";
import { querySql } from "orderlens/sql";
import pl, { type DataFrame } from "nodejs-polars";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DamagedError } from "../../lib/errors/orderlens_error.ts";
import { sha256 } from "../../lib/datasets/layout/files.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { writeSeededTables } from "../benchmarks/seeded_fills.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { changeManifest, rewriteTable } from "./rewrite_table.ts";

const SHARD = "0000002000-0000002999.parquet";

/** Sets values of a column by row number; those of other rows are `other`, if it is not `undefined`. */
function setValues(
  frame: DataFrame,
  name: string,
  values: Readonly<Record<number, string | number | null>>,
  other?: string | number | null,
): DataFrame {
  const column = frame.getColumn(name);
  const next = column.toArray().map((value, row) =>
    row in values ? values[row]! : other === undefined ? value : other
  );
  return frame.withColumn(pl.Series(name, next, column.dtype));
}

async function findByName(folder: string) {
  const { findings } = await checkDataset(folder);
  return new Map(findings.map((finding) => [finding.name, finding]));
}

inFolder.test("checkDataset() states the share of fees at absurd native prices", async (folder) => {
  await cp(`${SHIPPED_FOLDER}/market_1`, folder, { recursive: true });
  for (const shard of ["0000001000-0000001999.parquet", SHARD]) {
    await rewriteTable(folder, `fees/${shard}`, (frame) => {
      const rows = shard === SHARD ? { 0: "395000", 1: "394920" } : {};
      const verdicts = Object.fromEntries(Object.keys(rows).map((row) => [row, "absurd"]));
      return setValues(
        setValues(frame, "fee_native_atoms", rows, "1"),
        "price_sides",
        verdicts,
      );
    });
  }
  const finding = (await findByName(folder)).get("absurd_fee_prices")!;
  assertEquals(finding.count, 2);
  assertEquals(
    finding.text,
    "2 fees at absurd native prices: the values sold and bought differ more than 1,000 times",
  );
  // 81 fees: 789,920 of 789,999 atoms are 0.99989999…
  assertEquals(
    finding.consequence,
    "sum(fee_native_atoms) over these 2 rows is 99.98 % of the total",
  );
  assertStringIncludes(finding.example, "price_sides absurd, fee_native_atoms 395000");
});

inFolder.test(
  "checkDataset() finds as many rows as its SQL selects in DuckDB",
  async (folder, t) => {
    await cp(`${SHIPPED_FOLDER}/market_1`, folder, { recursive: true });
    const change = (table: string, edit: (frame: DataFrame) => DataFrame, shard = SHARD) =>
      rewriteTable(folder, `${table}/${shard}`, edit);
    await change("fees", (frame) => {
      const doubtful = setValues(frame, "price_sides", { 0: "suspect", 2: "absurd" });
      return setValues(doubtful, "fee_native_atoms", { 2: null });
    });
    await change("fills", (frame) => {
      const first = Number(frame.getColumn("filled_at_ms").get(0));
      const changes: [string, Record<number, string | number | null>][] = [
        ["price_sides", { 0: "absurd", 1: "suspect", 2: "suspect" }],
        ["filled_at_ms", { 2: first - 60_000 }],
        ["solver", { 3: null, 4: null }],
        ["volume_atoms", { 5: null }],
      ];
      return changes.reduce((changed, [name, values]) => setValues(changed, name, values), frame);
    });
    await change("native_prices", (frame) => {
      const token = String(frame.getColumn("token").get(0));
      const upper = setValues(frame, "token", { 0: `0x${token.slice(2).toUpperCase()}` });
      const again = pl.concat([upper, frame.head(1)]);
      return setValues(again, "native_price", { [frame.height]: "9".repeat(40) });
    });
    await change("lifecycle", (frame) => setValues(frame, "created_at_ms", { 0: 9e12 }));
    await change("outcomes", (frame) => setValues(frame, "outcome", { 0: "pending" }));
    await change("orders", (frame) => setValues(frame, "status", { 0: "open", 1: "open" }));

    const { findings } = await checkDataset(folder);
    const counts = findings.flatMap(({ name, count, query }) =>
      query === null ? [] : [[name, count]]
    );
    assertEquals(counts, [
      ["absurd_fee_prices", 1],
      ["suspect_fee_prices", 1],
      ["absurd_fill_prices", 1],
      ["suspect_fill_prices", 2],
      ["unpriced_fills", 1],
      ["price_jumps", 1],
      ["duplicate_prices", 1],
      ["unordered_times", 1],
      ["fills_before_creation", 1],
      ["unnamed_solvers", 4],
      ["unknown_solvers", 2],
      ["pending_wins", 1],
      ["late_fills", 2],
    ]);
    assertEquals(findings[0]?.consequence, "fee_native_atoms is unknown in this row");
    for (const { name, count, query } of findings) {
      if (query === null) continue;
      await t.step(name, async () => {
        assertEquals((await querySql(folder, query)).length, count);
      });
    }
  },
);

inFolder.test("checkDataset() finds what the manifest lacks", async (folder) => {
  await cp(`${SHIPPED_FOLDER}/market_1`, folder, { recursive: true });
  await changeManifest(folder, (manifest) => {
    const { to } = manifest.range;
    manifest.range.to = to + 3;
    manifest.ids.hidden = [[to + 1, to + 2]];
    manifest.items.order.failed = 1;
    manifest.failures = [{ kind: "order", key: "0xab", reason: "HTTP status 500" }];
    manifest.openOrders = { count: 5, statuses: { open: 5 }, askedSince: null };
    manifest.openIds = [[7, 9]];
    const drifted = { kind: "trade", path: ".price", count: 4 };
    manifest.drift.missingFields = [{ ...drifted, since: "2025-01-01" }];
    manifest.drift.unknownFields = [drifted];
    manifest.drift.unknownValues = [{ ...drifted, value: "new" }, { ...drifted, value: "newer" }];
  });
  const findings = await findByName(folder);
  const listed = ["missing_auctions", "missing_items", "late_fills", "late_auctions"]
    .concat("missing_fields", "unreadable_members", "unknown_fields", "unknown_values")
    .map((name) => [name, findings.get(name)?.count]);
  assertEquals(Object.fromEntries(listed), {
    missing_auctions: 3,
    missing_items: 1,
    late_fills: 5,
    late_auctions: 3,
    missing_fields: 1,
    unreadable_members: undefined,
    unknown_fields: 1,
    unknown_values: 2,
  });
  assertEquals(findings.get("missing_items")?.example, "order 0xab: HTTP status 500");
  assertEquals(
    findings.get("missing_fields")?.example,
    "trade .price, sent since 2025-01-01, 4 times",
  );
});

inFolder.test("checkDataset() says which checks a dataset does not allow", async (folder) => {
  const reasonsByName = async (path: string) =>
    Object.fromEntries(
      (await checkDataset(path)).skipped.map(({ name, reason }) => [name, reason]),
    );
  await writeSeededTables(`${folder}/fills`, { fills: 10 });
  const file = `${folder}/fills/fills/0000000000-0000000999.parquet`;
  setValues(pl.readParquet(file), "price_sides", {}, null).writeParquet(file);
  const reasons = await reasonsByName(`${folder}/fills`);
  assertEquals(reasons.absurd_fee_prices, "it has no table fees");
  assertEquals(reasons.absurd_fill_prices, "no row of fills has native prices of both tokens");
  assertEquals(reasons.unordered_times, undefined);

  await cp(`${SHIPPED_FOLDER}/market_1`, `${folder}/older`, { recursive: true });
  for (const shard of ["0000001000-0000001999.parquet", SHARD]) {
    await rewriteTable(`${folder}/older`, `fees/${shard}`, (frame) => frame.drop("price_sides"));
  }
  await changeManifest(`${folder}/older`, (manifest) => {
    for (const file of manifest.files) if (file.path.startsWith("fills/")) file.rows = 0;
    manifest.range = null;
  });
  const older = await reasonsByName(`${folder}/older`);
  assertEquals(
    older.absurd_fee_prices,
    "fees lacks price_sides, as of an older version: rebuild it",
  );
  assertEquals(older.unordered_times, "fills has no rows");
  assertEquals(older.partial_weeks, "it has selected orders, not a range of auctions");
  await changeManifest(`${folder}/older`, (manifest) => manifest.derived = null);
  assertStringIncludes((await reasonsByName(`${folder}/older`)).pending_wins!, "rebuild it");
});

inFolder.test("checkDataset() and describeDataset() name a table that is damaged or missing", async (folder) => {
  await cp(`${SHIPPED_FOLDER}/market_1`, folder, { recursive: true });
  const path = `solutions/${SHARD}`;
  const reject = async (type: typeof InputError, text: string) => {
    for (const read of [checkDataset, describeDataset]) {
      await assertRejects(async () => void await read(folder), type, text);
    }
  };
  const noTable = new Uint8Array(9);
  await Deno.writeFile(`${folder}/${path}`, noTable);
  await reject(DamagedError, `${path} is damaged or missing`);
  await changeManifest(folder, (manifest) => {
    for (const file of manifest.files) if (file.path === path) file.sha256 = sha256(noTable);
  });
  await reject(InputError, "Cannot ");
  await Deno.remove(`${folder}/${path}`);
  await reject(DamagedError, `${path} is damaged or missing`);
});

Deno.test("checkText() prints findings with a command that selects the rows", async () => {
  const check = await checkDataset("market_1");
  const text = checkText(check);
  assert(text.startsWith(`${check.folder}: 2 findings in 21 checks\n`));
  assertStringIncludes(
    text,
    "\nunnamed_solvers: 4 solvers without a name\n  for example  solver 0x",
  );
  assertStringIncludes(text, " 'SELECT solver, count(*) AS solutions FROM solutions WHERE ");
});
