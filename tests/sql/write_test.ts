import { InputError } from "orderlens";
import { openSql, parseResultManifest, type ResultManifest } from "orderlens/sql";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { DuckDBInstance } from "@duckdb/node-api";
import { createHash } from "node:crypto";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const QUERY = "SELECT solver, auctions_won, score_won, score_share FROM leaderboard; -- all";

Deno.test("a result in a file has its manifest beside it, and no other file is written", async () => {
  await withFolder(async (folder) => {
    const output = `${folder}/it's.parquet`;
    using sql = await openSql("market_1", { output, memoryLimit: "500MB", rulesOf: "mainnet" });
    const manifest = await sql.write(QUERY, output);
    assertEquals(namesIn(folder), ["it's.parquet", "it's.parquet.manifest.json"]);
    assertEquals(await readManifest(`${output}.manifest.json`), manifest);

    const bytes = await Deno.readFile(output);
    const dataset = await Deno.readFile(`${SHIPPED_FOLDER}/market_1/manifest.json`);
    const { engine, library: _, viewsSha256, ...facts } = manifest;
    assertEquals(facts, {
      schema: "orderlens/result@1",
      query: QUERY,
      rulesOf: "mainnet",
      inputs: [{
        network: null,
        environment: null,
        chainId: 1,
        manifestSha256: hashOf(dataset),
      }],
      columns: [
        { name: "solver", type: "String" },
        { name: "auctions_won", type: "Int64" },
        { name: "score_won", type: "String" },
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
});

Deno.test("a result in a folder is as Spark writes it, and replaces an earlier one only", async () => {
  await withFolder(async (folder) => {
    const output = `${folder}/result`;
    using sql = await openSql("market_1", { output });
    await sql.write("SELECT 1 AS one", output, { format: "csv" });
    const manifest = await sql.write(QUERY, output);
    assertEquals(namesIn(output), ["manifest.json", "part-00000.parquet"]);
    assertEquals(await readManifest(`${output}/manifest.json`), manifest);
    assertEquals(manifest.files.map(({ sha256 }) => sha256), [
      hashOf(await Deno.readFile(`${output}/part-00000.parquet`)),
    ]);
    await Deno.remove(`${output}/manifest.json`);
    await assertRejects(() => sql.write(QUERY, output), InputError, "something else is there");
    assertEquals(namesIn(output), ["part-00000.parquet"]);
    assertEquals(namesIn(folder), ["result"]);
  });
});

Deno.test("equal rows are equal bytes, in the order of the query or of their columns", async () => {
  await withFolder(async (folder) => {
    const output = `${folder}/rows.parquet`;
    const write = async (query: string, threads: number) => {
      using sql = await openSql("market_1", { output, threads });
      return (await sql.write(query, output)).files;
    };
    const unordered =
      "SELECT order_uid, status, surplus FROM fills JOIN lifecycle USING (order_uid)";
    const first = await write(unordered, 1);
    for (const threads of [2, 3]) assertEquals(await write(unordered, threads), first);
    assertEquals(await rowsIn(output, "order_uid"), (await rowsIn(output, "order_uid")).toSorted());

    await write("SELECT * FROM (VALUES (2), (3), (1)) AS v(n) ORDER BY (n + 1) % 3", 2);
    assertEquals(await rowsIn(output, "n"), [2, 3, 1]);
  });
});

Deno.test("a query that fails leaves an earlier result as it was", async () => {
  await withFolder(async (folder) => {
    const output = `${folder}/rows.csv`;
    using sql = await openSql("market_1", { output });
    const manifest = await sql.write("SELECT 7 AS n", output);
    for (
      const query of ["SELECT u_add('1.5', '1')", "SELECT", "DROP VIEW fills", "SELECT 1; SELECT 2"]
    ) {
      await assertRejects(() => sql.write(query, output), InputError, "Cannot run the query");
    }
    await assertRejects(() => sql.write("SELECT 8", output, { signal: AbortSignal.abort() }));
    await assertRejects(
      () => sql.write("SELECT 8", output, { format: "json" }),
      InputError,
      ".json",
    );
    assertEquals(await Deno.readTextFile(output), "n\n7\n");
    assertEquals(await readManifest(`${output}.manifest.json`), manifest);
    assertEquals(namesIn(folder), ["rows.csv", "rows.csv.manifest.json"]);
  });
});

Deno.test("a folder is no place for a file", async () => {
  await withFolder(async (folder) => {
    const output = `${folder}/rows.parquet`;
    await Deno.mkdir(output);
    using sql = await openSql("market_1", { output });
    await assertRejects(() => sql.write(QUERY, output), InputError, "a folder is there");
  });
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function readManifest(file: string): Promise<ResultManifest> {
  return parseResultManifest(await Deno.readTextFile(file));
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
