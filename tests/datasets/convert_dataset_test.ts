import pl from "nodejs-polars";
import { connect, InputError } from "orderlens";
import { convertDataset, exportDataset } from "orderlens/datasets";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { readCells } from "../../lib/tables/columns/frame.ts";
import { newFolder, recorded } from "./exported.ts";
import { rewriteTable } from "./rewrite_table.ts";

const folder = await newFolder();
const DATASET = `${folder}/dataset`;
const FILE = "0000002000-0000002999.parquet";

/** 2^64, 10^38 ± 1, 2^256 − 1 and −5, as digits. */
const EXTREME = [
  "18446744073709551616",
  "99999999999999999999999999999999999999",
  "100000000000000000000000000000000000001",
  "115792089237316195423570985008687907853269984665640564039457584007913129639935",
  "-5",
];
const DOCUMENTS = ["", '=HYPERLINK("http://x","y")', "-1+2", "'quoted", 'a "b",\r\nc'];

await exportDataset(connect(await recorded("market_1")), DATASET, {
  auctions: { from: 2610, to: 2624 },
  tables: ["solutions", "orders", "trades", "app_data"],
  debugReports: false,
});
await replaceColumn("trades", "sell_amount_atoms", [...EXTREME, null]);
await replaceColumn("app_data", "document", DOCUMENTS);

/** Gives a table as many rows as there are values, with these in one column. */
async function replaceColumn(table: string, column: string, values: (string | null)[]) {
  await rewriteTable(DATASET, `${table}/${FILE}`, (frame) => {
    const keys = values.map((_, place) => place);
    const key = table === "trades"
      ? pl.Series("log_index", keys, pl.Int64)
      : pl.Series("app_data_hash", keys.map(String), pl.String);
    return pl.concat(values.map(() => frame.slice(0, 1)))
      .withColumns(pl.Series(column, values, pl.String), key).select(...frame.columns);
  });
}

const READ_IN_PYTHON = `
import csv, json, sqlite3, sys
folder = sys.argv[1]
with open(folder + "/csv/trades.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
found = {"csv": [row["sell_amount_atoms"] for row in rows],
         "csv floats": [float(row["sell_amount_tokens"]) for row in rows]}
with open(folder + "/csv/app_data.csv", newline="", encoding="utf-8") as file:
    found["documents"] = [row["document"] for row in csv.DictReader(file)]
with open(folder + "/ndjson/trades.ndjson", encoding="utf-8") as file:
    rows = [json.loads(line) for line in file]
found["ndjson"] = [row["sell_amount_atoms"] for row in rows]
found["ndjson floats"] = [row["sell_amount_tokens"] for row in rows]
base = sqlite3.connect(folder + "/all.sqlite")
found["sqlite"] = [one for one, in base.execute("SELECT sell_amount_atoms FROM trades ORDER BY rowid")]
found["types"] = sorted({one for one, in base.execute("SELECT typeof(sell_amount_atoms) FROM trades")})
found["unit"] = base.execute("SELECT unit FROM columns WHERE table_name = 'trades' "
                             "AND name = 'sell_amount_atoms'").fetchone()[0]
found["key"] = [name for _, name, _, _, _, key in
                sorted(base.execute("PRAGMA table_info(trades)"), key=lambda row: row[5]) if key]
found["plan"] = base.execute("EXPLAIN QUERY PLAN SELECT * FROM trades WHERE order_uid = 'a'").fetchone()[3]
found["integrity"] = base.execute("PRAGMA integrity_check").fetchone()[0]
json.dump(found, sys.stdout)
`;
async function readInPython() {
  const python = new Deno.Command("python3", { args: ["-I", "-c", READ_IN_PYTHON, folder] });
  const { stdout, stderr } = await python.output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("convertDataset() loses no digit in any format, as Python reads them", async () => {
  for (const format of ["csv", "ndjson", "parquet"] as const) {
    await convertDataset(DATASET, `${folder}/${format}`, { format });
  }
  const { tables } = await convertDataset(DATASET, `${folder}/all.sqlite`, { format: "sqlite" });
  assertEquals(
    tables.find(({ table }) => table === "trades"),
    { table: "trades", file: "all.sqlite", rows: 6 },
  );
  const found = await readInPython();
  assertEquals(found.csv, [...EXTREME, ""]);
  assertEquals(found.ndjson, [...EXTREME, null]);
  assertEquals(found.sqlite, [...EXTREME, null]);
  assertEquals(found.types, ["null", "text"]);
  assertEquals(found["csv floats"], found["ndjson floats"]);
  assertEquals([found.unit, found.integrity], ["sell token atoms", "ok"]);
  assertEquals(found.key, ["chain_id", "block_number", "log_index"]);
  assertStringIncludes(found.plan, "trades_by_order_uid");
  const joined = pl.readParquet(`${folder}/parquet/trades.parquet`);
  assertEquals<unknown>(joined.getColumn("sell_amount_atoms").toArray(), [...EXTREME, null]);
  assertEquals(joined.getColumn("log_index").toArray(), [0, 1, 2, 3, 4, 5]);
  const bytes = await Deno.readFile(`${folder}/parquet/trades.parquet`);
  const said = new TextDecoder("latin1").decode(bytes);
  assertStringIncludes(said, "sell token atoms: trade.sellAmount: all fees included");
});

Deno.test("readCells() keeps whole numbers that a double does not hold", () => {
  const frame = pl.DataFrame({ text: ["300000000000000001", null, "-5"] })
    .select(pl.col("text").cast(pl.Int64));
  const [column] = readCells(frame, { start: 0, count: 3 });
  assertEquals(column?.cells, [300000000000000001n, null, -5n]);
});

Deno.test("convertDataset() keeps null and the empty text apart, and formulas harmless", async () => {
  const options = { format: "csv", tables: ["app_data", "trades"] } as const;
  await convertDataset(DATASET, `${folder}/csv`, options);
  const lines = (await Deno.readTextFile(`${folder}/csv/app_data.csv`)).split("\r\n");
  assertEquals(lines[1]?.split(",").slice(-2), ["0", '""']);
  assertEquals((await Deno.readTextFile(`${folder}/csv/trades.csv`)).includes(",-5,"), true);
  // Those of the file that was altered.
  const documents = async () => (await readInPython()).documents.slice(0, DOCUMENTS.length);
  assertEquals(await documents(), [
    "",
    `'${DOCUMENTS[1]}`,
    `'${DOCUMENTS[2]}`,
    `'${DOCUMENTS[3]}`,
    DOCUMENTS[4],
  ]);
  await convertDataset(DATASET, `${folder}/csv`, { ...options, guardFormulas: false });
  assertEquals(await documents(), DOCUMENTS);
});

Deno.test("convertDataset() replaces only its own result", async () => {
  await Deno.mkdir(`${folder}/mine`);
  await Deno.writeTextFile(`${folder}/mine/notes.txt`, "kept");
  for (const [place, format] of [["mine", "csv"], ["mine/notes.txt", "sqlite"]] as const) {
    await assertRejects(
      () => convertDataset(DATASET, `${folder}/${place}`, { format }),
      InputError,
      "something else is there",
    );
  }
  assertEquals(await Deno.readTextFile(`${folder}/mine/notes.txt`), "kept");
  const again = `${folder}/again`;
  await convertDataset(DATASET, again, { format: "csv" });
  await convertDataset(DATASET, again, { format: "ndjson", tables: ["orders"] });
  const names = (await Array.fromAsync(Deno.readDir(again))).map(({ name }) => name).sort();
  assertEquals(names, ["columns.csv", "conversion.json", "orders.ndjson"]);
});

Deno.test("convertDataset() leaves nothing behind when it is stopped or a file is damaged", async () => {
  const before = (await Array.fromAsync(Deno.readDir(folder))).length;
  const stop = new AbortController();
  await assertRejects(
    () =>
      convertDataset(DATASET, `${folder}/new`, {
        format: "ndjson",
        onProgress: () => stop.abort(new Error("stopped")),
        signal: stop.signal,
      }),
    Error,
    "stopped",
  );
  const file = `${DATASET}/solutions/${FILE}`;
  const bytes = await Deno.readFile(file);
  await Deno.writeFile(file, bytes.with(100, bytes[100]! ^ 1));
  for (const format of ["sqlite", "parquet"] as const) {
    const error = await assertRejects(
      () => convertDataset(DATASET, `${folder}/new`, { format }),
      InputError,
    );
    assertStringIncludes(error.message, `solutions/${FILE} is damaged`);
  }
  await Deno.writeFile(file, bytes);
  assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, before);
});

Deno.test("convertDataset() removes what a killed process left, and nothing that is in use", async () => {
  const [left, used] = [`${folder}/.fills-a1B2c3`, `${folder}/.fills-Zz09yX`];
  const others = [`${folder}/.fills-mine`, `${folder}/.bills-a1B2c3`];
  for (const place of [left, used, ...others]) {
    await Deno.mkdir(place);
    await Deno.writeTextFile(`${place}/lock`, "");
  }
  using lock = new DatabaseSync(`${used}/lock`);
  lock.exec("BEGIN EXCLUSIVE");
  await convertDataset(DATASET, `${folder}/fills`, { format: "csv", tables: ["orders"] });
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  assertEquals(names.filter((name) => name.startsWith(".")).sort(), [
    ".bills-a1B2c3",
    ".fills-Zz09yX",
    ".fills-mine",
  ]);
});

const DAYS = `${folder}/days`;

/** Shifts the times of the auctions of a file of two shards by whole days; `null` removes them. */
async function shiftAuctions(file: string, days: number | null) {
  await rewriteTable(DAYS, `auctions/${file}`, (frame) => {
    const [at, max] = ["auction_at_ms", "auction_time_max_ms"].map((name) => pl.col(name));
    const shift = (column: pl.Expr) =>
      days === null ? pl.lit(null).cast(pl.Int64) : column.plus(pl.lit(days * 86_400_000));
    return frame.withColumns(
      shift(at!).alias("auction_at_ms"),
      shift(max!).alias("auction_time_max_ms"),
    );
  });
}

Deno.test("convertDataset() by day puts each file of auction ids into the day of its first known time", async () => {
  await exportDataset(connect(await recorded("market_1")), DAYS, {
    auctions: { from: 1_990, to: 2_010 },
    tables: ["auctions", "solutions", "trades", "orders", "tokens"],
    debugReports: false,
  });
  const [first, second] = ["0000001000-0000001999.parquet", "0000002000-0000002999.parquet"];
  const output = `${folder}/by_day`;
  const listDays = (table: string) =>
    [...Deno.readDirSync(`${output}/${table}`)].map(({ name }) => name).sort();
  const convert = () => convertDataset(DAYS, output, { format: "parquet", partition: "day" });
  // The recording is of one day.
  const { tables } = await convert();
  const [day] = listDays("auctions");
  assertEquals(listDays("solutions"), [day!]);
  assertEquals(tables.map(({ file }) => file), [
    ...["auctions", "solutions", "orders", "trades"],
    "tokens.parquet",
  ]);
  const readRows = (...files: string[]) =>
    files.map((file) => pl.readParquet(file).toRecords()).flat();
  const expected = readRows(`${DAYS}/solutions/${first}`, `${DAYS}/solutions/${second}`);
  assertEquals(readRows(`${output}/solutions/${day}`), expected);

  await shiftAuctions(second!, 40);
  await convert();
  const [, later] = listDays("solutions");
  assertEquals(listDays("solutions"), [day!, later!]);
  const between = Date.parse(later!.slice(0, 10)) - Date.parse(day!.slice(0, 10));
  assertEquals(between, 40 * 86_400_000);
  assertEquals(readRows(`${output}/solutions/${later}`), readRows(`${DAYS}/solutions/${second}`));
  const { tables: written } = JSON.parse(await Deno.readTextFile(`${output}/conversion.json`));
  const named = written.map(({ file }: { file: string }) => file);
  assertEquals(named.slice(0, 2), [`auctions/${day}`, `auctions/${later}`]);

  await shiftAuctions(first!, null);
  await convert();
  assertEquals(listDays("trades"), [later!, "unknown_day.parquet"]);
  const file = `${DAYS}/auctions/${first}`;
  const bytes = await Deno.readFile(file);
  await Deno.writeFile(file, bytes.slice(0, 100));
  await assertRejects(
    () => convertDataset(DAYS, output, { format: "csv", partition: "day", tables: ["trades"] }),
    InputError,
    `auctions/${first} is damaged`,
  );
  await Deno.writeFile(file, bytes);
  await shiftAuctions(second!, null);
  await assertRejects(convert, InputError, "no auction has a time");
  await assertRejects(
    () => convertDataset(DAYS, `${folder}/a.sqlite`, { format: "sqlite", partition: "day" }),
    InputError,
    "to sqlite with a partition",
  );
});
