import { InputError } from "orderlens";
import { openSql, type ResultManifest } from "orderlens/sql";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { DuckDBInstance } from "@duckdb/node-api";
import { createHash } from "node:crypto";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { writeResultFile } from "../../lib/sql/write_result.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

const QUERY = "SELECT solver, auctions_won, score_won_atoms, score_share FROM leaderboard; -- all";

inFolder.test("a result in a file has its manifest beside it, and no other file is written", async (folder) => {
  const output = `${folder}/it's.parquet`;
  using sql = await openSql("market_1", { output, memoryLimit: "500MB" });
  const manifest = await sql.write(QUERY, output);
  assertEquals(namesIn(folder), ["it's.parquet", "it's.parquet.manifest.json"]);
  assertEquals(await readManifest(`${output}.manifest.json`), manifest);

  const bytes = await Deno.readFile(output);
  const dataset = await Deno.readFile(`${SHIPPED_FOLDER}/market_1/manifest.json`);
  const { engine, library: _, viewsSha256, ...facts } = manifest;
  assertEquals(facts, {
    schema: "orderlens/result@1",
    query: QUERY,
    inputs: [{
      network: null,
      environment: null,
      chainId: 1,
      manifestSha256: hashOf(dataset),
    }],
    tables: [],
    columns: [
      { name: "solver", type: "String" },
      { name: "auctions_won", type: "Int64" },
      { name: "score_won_atoms", type: "String" },
      { name: "score_share", type: "Float64" },
    ],
    rows: 4,
    files: [{ path: "it's.parquet", sha256: hashOf(bytes), bytes: bytes.length }],
  });
  assertEquals(engine.name, "duckdb");
  assertMatch(engine.version, /^\d+\.\d+\.\d+$/);
  assertMatch(viewsSha256, /^[0-9a-f]{64}$/);

  await assertRejects(() => sql.write(QUERY, `${folder}/other.parquet`), InputError);
  assertEquals(namesIn(folder), ["it's.parquet", "it's.parquet.manifest.json"]);
});

inFolder.test("a result that cannot be put in its place leaves no manifest of other rows", async (folder) => {
  const output = `${folder}/rows.parquet`;
  using sql = await openSql("market_1", { output });
  const { columns, files: _, rows, ...facts } = await sql.write("SELECT 1 AS one", output);
  const writing = writeResultFile(output, facts, async (unfinished) => {
    await Deno.rename(output, unfinished);
    await Deno.mkdir(output);
    return { columns, rows };
  });
  await assertRejects(() => writing, Error, "EISDIR");
  assertEquals(namesIn(folder), ["rows.parquet"]);
});

inFolder.test("equal rows are equal bytes, in the order of the query or of their columns", async (folder) => {
  const output = `${folder}/rows.parquet`;
  const write = async (query: string, threads: number) => {
    using sql = await openSql("market_1", { output, threads });
    return (await sql.write(query, output)).files;
  };
  const unordered =
    "SELECT order_uid, status, surplus_atoms FROM fills JOIN lifecycle USING (order_uid)";
  const first = await write(unordered, 1);
  assertEquals(await write(unordered, 3), first);
  assertEquals(await rowsIn(output, "order_uid"), (await rowsIn(output, "order_uid")).toSorted());

  await write("SELECT * FROM (VALUES (2), (3), (1)) AS v(n) ORDER BY (n + 1) % 3", 2);
  assertEquals(await rowsIn(output, "n"), [2, 3, 1]);
});

inFolder.test("a query that fails leaves an earlier result as it was", async (folder) => {
  const output = `${folder}/rows.csv`;
  using sql = await openSql("market_1", { output });
  const manifest = await sql.write("SELECT 7 AS n", output);
  for (
    const query of ["SELECT 'x'::BIGNUM", "SELECT", "DROP VIEW fills", "SELECT 1; SELECT 2"]
  ) {
    await assertRejects(() => sql.write(query, output), InputError, "Cannot run the query");
  }
  await assertRejects(() => sql.write("SELECT 8", output, { signal: AbortSignal.abort() }));
  assertEquals(await Deno.readTextFile(output), "n\n7\n");
  assertEquals(await readManifest(`${output}.manifest.json`), manifest);
  assertEquals(namesIn(folder), ["rows.csv", "rows.csv.manifest.json"]);
});

inFolder.test("files have every digit: amounts and sums of counts, and null for what JSON cannot say", async (folder) => {
  const most = String(2n ** 256n - 1n);
  const query =
    `SELECT sum(x) AS x_atoms, sum(9223372036854775807) AS n, 0e0 / 0e0 AS nan, -1e0 / 0e0 AS minus
    FROM (SELECT '${most}'::BIGNUM AS x UNION ALL SELECT 1) AS t`;
  for (const format of ["json", "csv", "parquet"] as const) {
    const output = `${folder}/rows.${format}`;
    using sql = await openSql("market_1", { output });
    await sql.write(query, output);
    const sum = String(2n ** 256n);
    if (format === "parquet") {
      assertEquals(await rowsIn(output, "x_atoms"), [sum]);
      assertEquals((await rowsIn(output, "n")).map(String), ["18446744073709551614"]);
    } else {
      assertEquals(
        await Deno.readTextFile(output),
        format === "json"
          ? `{"x_atoms":"${sum}","n":"18446744073709551614","nan":null,"minus":null}\n`
          : `x_atoms,n,nan,minus\n${sum},18446744073709551614,NaN,-Infinity\n`,
      );
    }
  }
});

inFolder.test("the ending of a file decides its format, or is refused; tables of one's own are in the manifest", async (folder) => {
  await Deno.writeTextFile(`${folder}/own.csv`, "a\n1\n");
  const output = `${folder}/rows.xlsx`;
  using sql = await openSql("market_1", { output, with: { own: `${folder}/own.csv` } });
  await assertRejects(() => sql.write(QUERY, output), InputError, "Cannot write a result to");
  using other = await openSql("market_1", {
    output: `${folder}/rows.CSV`,
    with: { own: `${folder}/own.csv` },
  });
  const { tables } = await other.write("SELECT a FROM own", `${folder}/rows.CSV`);
  assertEquals(tables, [{ name: "own", sha256: hashOf(new TextEncoder().encode("a\n1\n")) }]);
});

inFolder.test("a folder is no place for a file", async (folder) => {
  const output = `${folder}/rows.parquet`;
  await Deno.mkdir(output);
  using sql = await openSql("market_1", { output });
  await assertRejects(() => sql.write(QUERY, output), InputError, "a folder is there");
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function readManifest(file: string): Promise<ResultManifest> {
  return JSON.parse(await Deno.readTextFile(file));
}

/** One column of a Parquet file, in its order. */
async function rowsIn(file: string, column: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`SELECT ${column} FROM '${file}'`);
  connection.closeSync();
  instance.closeSync();
  return found.getRows().map(([value]) => value);
}
