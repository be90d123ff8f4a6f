import { DuckDBInstance } from "@duckdb/node-api";
import pl from "nodejs-polars";
import { InputError } from "orderlens";
import { type MarketQueryOptions, openMarket } from "orderlens/market";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";

const recording = await openMarket("market_1", { last: 60 });
const dataset = await openMarket("dataset://market_1");

/** Values of every kind: 2^256, a sum of counts, a formula, quotes, the empty text, nulls. */
const VALUES = `SELECT * FROM (VALUES
  (1, ${2n ** 256n}::BIGNUM, 'a"b,c', true, 0.1::DOUBLE, DATE '2026-11-21'),
  (2, -7::BIGNUM, '=1+2', NULL, -2.5e-9, NULL),
  (3, NULL, '', false, NULL, NULL),
  (4, NULL, NULL, NULL, NULL, NULL)) AS v(n, x_atoms, name, is_it, share, day)`;

/** Rows and types of a Parquet file, as DuckDB alone reads them. */
async function readParquet(file: string) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
  const types = found.columnTypes().map(String);
  const rows = found.getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return { types, rows };
}

inFolder.test("Market.write keeps every digit, null and type in each format", async (folder) => {
  const columns = [
    { name: "n", type: "Int32" },
    { name: "x_atoms", type: "String" },
    { name: "name", type: "String" },
    { name: "is_it", type: "Bool" },
    { name: "share", type: "Float64" },
    { name: "day", type: "Date" },
  ];
  const most = String(2n ** 256n);
  for (const format of ["csv", "json", "parquet"]) {
    const path = `${folder}/rows.${format}`;
    const written = await recording.write(VALUES, path);
    const { size } = await Deno.stat(path);
    assertEquals(written, { path, rows: 4, columns, bytes: size });
  }
  assertEquals(
    await Deno.readTextFile(`${folder}/rows.csv`),
    `n,x_atoms,name,is_it,share,day
1,${most},"a""b,c",true,0.1,2026-11-21
2,-7,'=1+2,,-2.5e-9,
3,,"",false,,
4,,,,,
`,
  );
  assertEquals(
    await Deno.readTextFile(`${folder}/rows.json`),
    `{"n":1,"x_atoms":"${most}","name":"a\\"b,c","is_it":true,"share":0.1,"day":"2026-11-21"}
{"n":2,"x_atoms":"-7","name":"=1+2","is_it":null,"share":-2.5e-9,"day":null}
{"n":3,"x_atoms":null,"name":"","is_it":false,"share":null,"day":null}
{"n":4,"x_atoms":null,"name":null,"is_it":null,"share":null,"day":null}
`,
  );
  const { types, rows } = await readParquet(`${folder}/rows.parquet`);
  assertEquals(types, ["INTEGER", "VARCHAR", "VARCHAR", "BOOLEAN", "DOUBLE", "DATE"]);
  assertEquals(rows, [
    [1, most, 'a"b,c', true, 0.1, "2026-11-21"],
    [2, "-7", "=1+2", null, -2.5e-9, null],
    [3, null, "", false, null, null],
    [4, null, null, null, null, null],
  ]);
  // Nothing but the files, and no manifest.
  assertEquals(namesIn(folder), ["rows.csv", "rows.json", "rows.parquet"]);
});

inFolder.test("Market.write writes tables of a recording and a dataset with the caller's own", async (folder) => {
  const own = [{ kind: "sell", label: "sold" }, { kind: "buy", label: "bought" }];
  const query =
    "SELECT label, count(*) AS fills, sum(surplus_native_atoms) AS atoms FROM fills JOIN own USING (kind) " +
    "GROUP BY label ORDER BY label";
  for (const market of [recording, dataset]) {
    const path = new URL(`file://${folder}/sums.parquet`);
    await market.write(query, path, { with: { own }, overwrite: true });
    const rows = await market.sql<{ label: string; fills: number; atoms: string }>(query, {
      with: { own },
    });
    assertEquals(
      (await readParquet(path.pathname)).rows,
      rows.map(({ label, fills, atoms }) => [label, String(fills), atoms]),
    );
    assertEquals(rows.length, 2);
  }
});

inFolder.test("Market.write replaces a file only if it may, and leaves nothing of what fails", async (folder) => {
  const path = `${folder}/rows.csv`;
  await recording.write("SELECT 1 AS n", path);
  await Deno.writeTextFile(`${path}.manifest.json`, "of an earlier result");
  const write = (query: string, to: string, options = {}) => () =>
    recording.write(query, to, options);
  for (
    const [failing, words] of [
      [write("SELECT 2 AS n", path), `Cannot write rows to ${path}: the file exists`],
      [write("SELECT 2 AS n", `${folder}/rows.xlsx`), "ends with .parquet, .csv or .json"],
      [
        write("SELECT 2 AS n", `${folder}/none/rows.csv`),
        `the folder ${folder}/none does not exist`,
      ],
      [write("SELECT 2 AS n", path, { overwrit: true }), 'with "overwrit": unknown option'],
      [write("SELEC 2 AS n", path, { overwrite: true }), "Cannot run the query"],
      [write("SELECT 2 AS n FROM fils", path, { overwrite: true }), 'Did you mean "fills"?'],
    ] as const
  ) {
    const { message } = await assertRejects(failing, InputError);
    assertMatch(message, new RegExp(words.replaceAll(/[.?]/g, "\\$&")));
    assertEquals(await Deno.readTextFile(path), "n\n1\n");
    assertEquals(namesIn(folder), ["rows.csv", "rows.csv.manifest.json"]);
  }
  const aborted = write("SELECT 2 AS n", path, { overwrite: true, signal: AbortSignal.abort() });
  await assertRejects(aborted);
  await Deno.mkdir(`${folder}/folder.csv`);
  const intoFolder = write("SELECT 2 AS n", `${folder}/folder.csv`, { overwrite: true });
  await assertRejects(intoFolder, InputError, "a folder is there");
  assertEquals(await Deno.readTextFile(path), "n\n1\n");

  assertEquals((await recording.write("SELECT 2 AS n", path, { overwrite: true })).rows, 1);
  assertEquals(await Deno.readTextFile(path), "n\n2\n");
  assertEquals(namesIn(folder), ["folder.csv", "rows.csv"]);
});

Deno.test("Market.frame has the rows of Market.sql, also of several queries at once", async () => {
  const query = `SELECT *, [n, 2] AS list, TIMESTAMPTZ '2026-11-21 15:13:00.5+00' AS at,
    CAST(1.50 AS DECIMAL(9, 2)) AS price, sum(n) OVER () AS total FROM (${VALUES}) ORDER BY n DESC`;
  const frame = await recording.frame(query);
  const rows = await recording.sql(query);
  assertEquals(frame.toRecords(), rows);
  assertEquals(frame.columns.map((name) => frame.getColumn(name).dtype.variant), [
    "Int64",
    "String",
    "String",
    "Bool",
    "Float64",
    "String",
    "String",
    "String",
    "String",
    "Int64",
  ]);
  const counts = [0, 1, 5_000, 3];
  const frames = await Promise.all(
    counts.map((count) =>
      recording.frame(`SELECT range AS n, 'x' AS "a ""b" FROM range(${count})`)
    ),
  );
  assertEquals(
    frames.map(({ height, columns }) => [height, columns]),
    counts.map((count) => [
      count,
      ["n", 'a "b'],
    ]),
  );
  for (
    const [value, words] of [
      ["9007199254740992", "Cannot put 9007199254740992 into the column n of a frame"],
      ["-170141183460469231731687303715884105727::HUGEINT", "Cannot put -1701411834604692317"],
      ["0e0 / 0e0", "Cannot put NaN into the column n"],
    ]
  ) {
    const asked = recording.frame(`SELECT ${value} AS n UNION ALL SELECT 1`);
    await assertRejects(() => asked, InputError, words);
  }
  assertEquals(
    (await recording.frame("SELECT 9007199254740991 AS n, $x AS x", {
      values: { x: "y" },
    })).toRecords(),
    [{ n: 9007199254740991, x: "y" }],
  );
});

const ask = (tables: MarketQueryOptions["with"], query = "FROM own") =>
  recording.sql(query, { with: tables });

inFolder.test("Market.sql joins addresses of the caller's tables in any letter case", async (folder) => {
  const [{ owner, uid } = { owner: "", uid: "" }] = await recording.sql<Record<string, string>>(
    "SELECT owner, min(order_uid) AS uid FROM orders GROUP BY owner ORDER BY owner LIMIT 1",
  );
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  const [expected] = await recording.sql(
    `SELECT count(*) AS n FROM orders WHERE owner = '${owner}'`,
  );
  const row = { owner: upper(owner!), order_uid: upper(uid!), name: "0xABC", code: "Bot" };
  const names = Object.keys(row);
  await Deno.writeTextFile(
    `${folder}/partners.csv`,
    `${names.join()}\n${Object.values(row).join()}\n`,
  );
  await Deno.writeTextFile(`${folder}/partners.json`, JSON.stringify([row]));
  pl.DataFrame([row]).writeParquet(`${folder}/partners.parquet`);
  for (
    const own of [
      `${folder}/partners.csv`,
      `${folder}/partners.json`,
      `${folder}/partners.parquet`,
      pl.DataFrame([row]),
      [row],
    ]
  ) {
    assertEquals(await ask({ own }), [{ ...row, owner, order_uid: uid }]);
    const counted = await ask({ own }, "SELECT count(*) AS n FROM orders JOIN own USING (owner)");
    assertEquals(counted, [expected]);
    const joined = await ask(
      { own },
      "SELECT count(*) AS n FROM orders JOIN own USING (order_uid)",
    );
    assertEquals(joined, [{ n: 1 }]);
  }
});

inFolder.test("Market.sql takes rows and JSON with every digit", async (folder) => {
  const big = 2n ** 200n;
  const rows = [
    { app: "Bot", x_atoms: big, n: 5, share: 1, is_it: true, id: 2n ** 62n },
    { app: null, x_atoms: "7", n: null, share: 0.5, note: "only here" },
  ];
  assertEquals(
    await ask({ own: rows }, "SELECT *, sum(x_atoms) OVER () AS sum FROM own ORDER BY n"),
    [
      {
        app: null,
        x_atoms: "7",
        n: null,
        share: 0.5,
        is_it: null,
        id: null,
        note: "only here",
        sum: `${big + 7n}`,
      },
      {
        app: "Bot",
        x_atoms: `${big}`,
        n: 5,
        share: 1,
        is_it: true,
        id: 2n ** 62n,
        note: null,
        sum: `${big + 7n}`,
      },
    ],
  );
  await Deno.writeTextFile(`${folder}/own.ndjson`, `{"x_atoms":${big},"n":1}\n{"x_atoms":"7"}\n`);
  assertEquals(await ask({ own: `${folder}/own.ndjson` }, "FROM own ORDER BY n"), [
    { x_atoms: "7", n: null },
    { x_atoms: `${big}`, n: 1 },
  ]);
});

inFolder.test("Market.sql names what is wrong with the caller's table", async (folder) => {
  const files: Readonly<Record<string, string>> = {
    "empty.csv": "",
    "blank.csv": "\n\n",
    "ragged.csv": "owner,share\na,1\nb\nc,3\n",
    "long.csv": "owner,share\na,1\nb,2,3\n",
    "title.csv": "partners of 2026\nowner,share\na,1\n",
    "quote.csv": 'owner,share\n"a,1\nb,2\n',
    "unnamed.csv": "a,1\nb,2\n",
    "broken.json": '{"a":1',
    "no.parquet": "owner,share\na,1\n",
    "own.txt": "a\n",
  };
  const ragged = "its rows have different numbers of columns, or a quote is not closed";
  const reasons: Readonly<Record<string, string>> = {
    "empty.csv": "it is empty",
    "blank.csv": "it is empty",
    "ragged.csv": ragged,
    "long.csv": ragged,
    "title.csv": ragged,
    "quote.csv": ragged,
    "unnamed.csv": "its first line does not name its columns",
    "broken.json": "Malformed JSON",
    "no.parquet": "No magic bytes found",
    "own.txt": "it is not a .csv, .parquet, .json or .ndjson file",
    "none.csv": "it does not exist",
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  for (const [name, reason] of Object.entries(reasons)) {
    const path = `${folder}/${name}`;
    const { message } = await assertRejects(() => ask({ own: path }), InputError);
    const [first, second = ""] = message.split("\n");
    assertEquals(first, `Cannot query ${path} as the table own`);
    assertEquals(second.includes(reason), true, `${name}: ${second}`);
  }
  await Deno.writeTextFile(`${folder}/own.csv`, "x_atoms,n\n1.5,1\n");
  const own = `${folder}/own.csv`;
  for (
    const [tables, words] of [
      [{ own }, '"1.5" in own.x_atoms is not a whole number in decimal digits'],
      [{ fills: own }, "a table or view of the dataset has this name"],
      [{ fills: [{ a: 1 }] }, "Cannot query the frame fills: the name is invalid or taken"],
      [{ own: [{ a: 1 }, { a: "x" }] }, "rows as the table own: values of a are of several kinds"],
      [{ own: [{ a: new Date(0) }] }, "rows as the table own: a of row 0 is a Date"],
      [{ own: [5] }, "rows as the table own: row 0 is 5"],
      [{ own: [] }, "rows as the table own: there are none"],
      [{ own: [{ a: 2 ** 53 }] }, "Make it a whole number below 2^53"],
      [{ own: [{ x_atoms: "1.5" }] }, "Make it digits in the frame"],
      [{ own: [{ x_atoms: 2 ** 53 }] }, "9007199254740992, a number that may have lost digits"],
      [{ own: [{ a: 0.5 }, { a: 2n ** 53n + 1n }] }, "a has 9007199254740993 beside numbers"],
    ] as const
  ) await assertRejects(() => ask(tables as never), InputError, words);
  // Hex is no number, and digits that a double lacks are text.
  await Deno.writeTextFile(own, "hex,n,share,wei\n0xABC,1,0.5,1\n12,2,1,12345678901234567890123\n");
  assertEquals(await ask({ own }), [
    { hex: "0xABC", n: 1, share: 0.5, wei: "1" },
    { hex: "12", n: 2, share: 1, wei: "12345678901234567890123" },
  ]);
  // The separator of the first line is that of all, and the types of all rows decide.
  const rows = Array.from({ length: 30_000 }, (_, at) => at).join("\n");
  await Deno.writeTextFile(`${folder}/later.csv`, `code;n\n"a;b";1\n`);
  assertEquals(await ask({ own: `${folder}/later.csv` }), [{ code: "a;b", n: 1 }]);
  await Deno.writeTextFile(`${folder}/later.csv`, `code\n${rows}\nx\n`);
  const [last] = await ask({ own: `${folder}/later.csv` }, "SELECT max(code) AS code FROM own");
  assertEquals(last, { code: "x" });
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
