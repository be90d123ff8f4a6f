import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { tableLines } from "../../lib/cli/actions/sql_action.ts";
import { orderlens } from "./memory_io.ts";

const QUERY =
  "SELECT auctions_won, score_won_atoms FROM leaderboard ORDER BY auctions_won DESC LIMIT 2";

Deno.test("orderlens sql prints rows as a table, as CSV and as JSON, with every digit", async () => {
  const table = await orderlens(["sql", "market_1", QUERY]);
  assertEquals(table, {
    code: 0,
    out: "auctions_won     score_won_atoms\n" +
      "------------  ------------------\n" +
      "          29  206870159477692212\n" +
      "           5    6637906001677701\n" +
      "(2 rows)\n",
    err: "",
  });
  const csv = await orderlens(["sql", "market_1", QUERY, "--csv"]);
  assertEquals(
    csv.out,
    "auctions_won,score_won_atoms\n29,206870159477692212\n5,6637906001677701\n",
  );
  const json = await orderlens(["sql", "market_1", QUERY, "--json"]);
  assertEquals(JSON.parse(json.out).rows[0], {
    auctions_won: 29,
    score_won_atoms: "206870159477692212",
  });
});

Deno.test("orderlens sql takes a query from a file, and writes a file of each format", async () => {
  await withFolder(async (folder) => {
    const query = `${folder}/query.sql`;
    await Deno.writeTextFile(query, `-- The leaders\n${QUERY};\n`);
    const write = async (name: string) => {
      const output = `${folder}/${name}`;
      const { code, err } = await orderlens(["sql", "market_1", query, "--output", output]);
      assertEquals([code, err], [0, `${output}: 2 rows\n`]);
      return await Deno.readFile(output);
    };
    assertEquals(new TextDecoder().decode((await write("rows.parquet")).subarray(0, 4)), "PAR1");
    assertEquals(
      new TextDecoder().decode(await write("rows.csv")),
      "auctions_won,score_won_atoms\n29,206870159477692212\n5,6637906001677701\n",
    );
    assertEquals(
      new TextDecoder().decode(await write("rows.json")),
      '{"auctions_won":29,"score_won_atoms":"206870159477692212"}\n' +
        '{"auctions_won":5,"score_won_atoms":"6637906001677701"}\n',
    );
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
      "query.sql",
      ...["csv", "json", "parquet"].flatMap((end) => [`rows.${end}`, `rows.${end}.manifest.json`]),
    ]);
  });
});

Deno.test("orderlens sql lists tables, views and columns, and explains errors", async () => {
  const list = await orderlens(["sql", "market_1", "--list"]);
  assertMatch(list.out, /^fills \(answer\): One fill of one order/m);
  assertStringIncludes(list.out, "  surplus_atoms  String, surplus token atoms: ");
  const none = await orderlens(["sql", "market_1"]);
  assertEquals(none.code, 2);
  const wrong = await orderlens(["sql", "market_1", "SELECT surplu FROM fills"]);
  assertEquals(wrong.code, 1);
  assertStringIncludes(wrong.err, "LINE 1: SELECT surplu FROM fills");
});

Deno.test("orderlens sql says which options are of which engine", async () => {
  const cases = [
    ["--master local[2]", "--master in duckdb", "--engine spark"],
    ["--engine spark --output x.parquet", "--output x.parquet in spark", "name of a folder"],
    ["--output rows", "its name says no format", ".parquet"],
    ["--engine sprk", "--engine sprk", "spark"],
    ["--engine spark --with a=b.csv", "--with in spark", "--engine duckdb"],
    ["--output rows.xlsx", "its name says no format", ".parquet"],
    ["--engine spark --conf novalue", "--conf that is not name=value", "spark.executor.memory=4g"],
  ];
  for (const [words = "", what = "", fix = ""] of cases) {
    const { code, err } = await orderlens(["sql", "market_1", QUERY, ...words.split(" ")]);
    assertEquals(code, 2, err);
    assertStringIncludes(err, what);
    assertStringIncludes(err, fix);
  }
});

Deno.test("orderlens sql reads the query from stdin, joins a table of one's own and shows plans", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/own.csv`, "kind,weight\nsell,2\nbuy,3\n");
    const query = "SELECT sum(weight) AS s, 0e0 / 0e0 AS n FROM fills JOIN own USING (kind)\n";
    const words = ["sql", "market_1", "-", "--with", `own=${folder}/own.csv`];
    const json = await orderlens([...words, "--json"], { input: query });
    assertEquals(JSON.parse(json.out).rows, [{ s: 84, n: null }]);
    assertEquals(JSON.parse(json.out).warnings, []);
    const plan = await orderlens(["sql", "market_1", "EXPLAIN SELECT count(*) FROM fills"]);
    assertStringIncludes(plan.out, "│");
    assertEquals(plan.out.includes("…"), false);
    const wrong = await orderlens(["sql", "market_1", QUERY, "--with", "own.csv"]);
    assertEquals(wrong.code, 2);
    assertStringIncludes(wrong.err, "--with prices=prices.csv");
  });
});

Deno.test("cells are cut only where a line is wider than the terminal, and amounts never", () => {
  const uid = `0x${"ab".repeat(56)}`;
  const rows = [{ order_uid: uid, atoms: "1".repeat(78) }];
  const at = (width?: number) => tableLines(["order_uid", "atoms"], rows, width)[2]!;
  assertEquals(at(), `${uid}  ${"1".repeat(78)}`);
  assertEquals(at(uid.length + 80), `${uid}  ${"1".repeat(78)}`);
  assertEquals(at(uid.length + 79), `${uid.slice(0, 43)}…  ${"1".repeat(78)}`);
});

Deno.test("orderlens sql refuses all but one query of the dataset, and says why", async () => {
  await withFolder(async (folder) => {
    const [file, secret] = [`${folder}/stray`, `${folder}/secret.csv`];
    await Deno.writeTextFile(secret, "hidden\n1\n");
    for (
      const [query, expected, ...said] of [
        [`COPY (SELECT 1) TO '${file}'`, 2, "it is COPY", "Pass one SELECT"],
        [`SELECT * FROM read_text('${secret}')`, 1, "does not belong to the dataset"],
      ] as const
    ) {
      const { code, out, err } = await orderlens(["sql", "market_1", query]);
      assertEquals([code, out], [expected, ""], `${query}: ${err}`);
      for (const part of said) assertStringIncludes(err, part);
    }
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["secret.csv"]);
  });
});
