import { cp } from "node:fs/promises";
import { connect, InputError } from "orderlens";
import {
  describeDataset,
  describeText,
  exportDataset,
  mergeDatasets,
  openDataset,
  rebuildDataset,
  shippedDatasets,
  verifyDataset,
} from "orderlens/datasets";
import pl from "nodejs-polars";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { DatasetPaths, sha256 } from "../../lib/datasets/layout/files.ts";
import type { DatasetManifest } from "../../lib/datasets/layout/manifest.ts";
import { readTimeSpan } from "../../lib/datasets/state/citation.ts";
import { SHIPPED_FOLDER, writeShipped } from "../../tools/datasets/write_shipped.ts";
import { formatLimbSums, joinLimbs } from "../../tools/encoding/exact_sum.ts";
import { HARD_AMOUNTS, writeHardAmounts } from "../../tools/encoding/hard_amounts.ts";
import { openDuckDb } from "../benchmarks/seeded_fills.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { folderBytes, LATER, recorded } from "./exported.ts";

const RECORDING = await recorded("market_1");
const TABLES = ["auctions", "solutions", "orders", "trades"];

inFolder.test(
  "describeDataset() returns rows, time span, gaps and citation",
  async (folder, t) => {
    const options = { tables: TABLES, debugReports: false };
    for (const [from, to] of [[2610, 2612], [2622, 2624]] as const) {
      await exportDataset(connect(RECORDING), `${folder}/${from}`, {
        ...options,
        auctions: { from, to },
      });
    }
    const place = `${folder}/all`;
    await mergeDatasets([`${folder}/2610`, `${folder}/2622`], place);
    const description = await describeDataset(place);
    const card = await Deno.readTextFile(`${place}/README.md`);
    const hash = sha256(await Deno.readFile(`${place}/manifest.json`));

    await t.step("numbers", () => {
      const { ids, isComplete, merged, range } = description;
      // Of the six ids that were asked for, the recording has 2611, 2612, 2623 and 2624.
      assertEquals(ids.present.ranges, [[2611, 2612], [2623, 2624]]);
      assertEquals(ids.notAskedFor, { count: 9, ranges: [[2613, 2621]] });
      assertEquals([range?.from, range?.to, isComplete, merged.length], [2610, 2624, false, 2]);
      assertEquals(
        description.fills,
        description.tables.find(({ name }) => name === "trades")?.rows,
      );
      assert((description.owners ?? 0) > 0 && (description.solvers ?? 0) > 0);
      assertEquals(description.span?.of, "auctions");
      assertEquals(JSON.parse(JSON.stringify(description)), description);
    });

    await t.step("the citation names the bytes, and the card cites the same", () => {
      assertEquals(description.citation.manifestSha256, hash);
      assertStringIncludes(card, description.citation.text);
      assertStringIncludes(card, description.citation.bibtex);
      assertStringIncludes(card, "9 auction ids were not requested: 2613 to 2621");
      assertStringIncludes(card, "--auctions 2610..2612 --tables auctions,solutions,orders,trades");
      assertStringIncludes(card, 'config_name: trades\n  data_files: "trades/*.parquet"');
    });

    await t.step("the text fits its terminal", () => {
      const lines = describeText(description, { columns: 100 }).split("\n");
      assertEquals(lines.filter((line) => line.length > 100), []);
      assertEquals(lines[0], "Batch auctions of chain 1: 2610 to 2624");
    });
  },
);

inFolder.test("readTimeSpan() reads each file once, and takes the latest time without block times", async (folder) => {
  await Deno.mkdir(`${folder}/auctions`);
  const times: Record<string, [at: number | null, latest: number | null][]> = {
    a: [[60_000, null], [null, 90_500]],
    b: [[null, 200_900], [null, null]],
    c: [[1_000, null]],
    d: [[300_000, null]],
  };
  for (const [name, rows] of Object.entries(times)) {
    const columns = ["auction_at_ms", "auction_time_max_ms"].map((column, place) =>
      pl.Series(column, rows.map((row) => row[place]!), pl.Int64)
    );
    pl.DataFrame(columns).writeParquet(`${folder}/auctions/${name}.parquet`);
  }
  const known = new Map();
  const spanOf = (names: string[], spans = known) => {
    const files = names.map((sha256) => ({ path: `auctions/${sha256}.parquet`, sha256, rows: 1 }));
    const manifest = { files } as unknown as DatasetManifest;
    const { of, from, to } = readTimeSpan(new DatasetPaths(folder), manifest, spans) ?? {};
    return [of, from?.slice(11), to?.slice(11)];
  };
  const none = [undefined, undefined, undefined];
  assertEquals(spanOf(["b"]), none);
  assertEquals(spanOf(["a", "b", "c"]), ["auctions", "00:00:01Z", "00:03:20Z"]);
  for (const name of ["a", "b", "c"]) await Deno.remove(`${folder}/auctions/${name}.parquet`);
  assertEquals(spanOf(["a", "d"]), ["auctions", "00:01:00Z", "00:05:00Z"]);
  assertEquals(spanOf(Object.keys(times), new Map()), none);
});

const BOOK = connect(RECORDING, { clock: LATER });
const WANTED = { auctions: { from: 2620, to: 2624 }, tables: ["auctions", "orders"] };

inFolder.test("title, license and creator are in all files, with sums, and survive rebuilds", async (parent) => {
  const folder = `${parent}/one`;
  const about = { title: "A week's auctions", license: "CC-BY-4.0", creator: "A. Researcher" };
  const plain = await exportDataset(BOOK, `${parent}/plain`, WANTED);
  assertEquals("about" in plain.manifest, false);
  const { manifest } = await exportDataset(BOOK, folder, { ...WANTED, ...about });
  assertEquals(manifest.about, about);
  assertEquals((await verifyDataset(folder)).problems, []);
  const card = await Deno.readTextFile(`${folder}/README.md`);
  const cases = [
    'pretty_name: "A week\'s auctions"',
    "license: cc-by-4.0",
    "# A week's auctions",
    "of this edition: A. Researcher",
    "- License: CC-BY-4.0",
    "author = {{A. Researcher} and {Order book service of CoW Protocol}}",
    "--title 'A week'\\''s auctions' --license 'CC-BY-4.0' --creator 'A. Researcher'",
  ];
  for (const line of cases) assertStringIncludes(card, line);
  const described = JSON.parse(await Deno.readTextFile(`${folder}/datapackage.json`));
  assertEquals(described.title, about.title);
  assertEquals(described.licenses, [{ name: "CC-BY-4.0" }]);
  assertEquals(described.contributors, [{ title: "A. Researcher", role: "publisher" }]);
  assertEquals((await describeDataset(folder)).citation.title, about.title);

  const before = await folderBytes(folder);
  await exportDataset(BOOK, folder, WANTED);
  assertEquals(await folderBytes(folder), before);
  await rebuildDataset(folder);
  assertEquals(await folderBytes(folder), before);
  const { about: now } = await rebuildDataset(folder, { license: "CC0-1.0" });
  assertEquals(now, { ...about, license: "CC0-1.0" });
  assertEquals((await verifyDataset(folder)).problems, []);
  // As if it had been said from the start.
  await rebuildDataset(`${parent}/plain`, { ...about, license: "CC0-1.0", into: `${parent}/3` });
  assertEquals(await folderBytes(`${parent}/3`), await folderBytes(folder));
});

Deno.test("exportDataset() rejects a title, license or creator that would break a card or a citation", async () => {
  for (
    const wrong of [{ title: "" }, { title: "a\nb" }, { creator: "a}b" }, { license: "my own" }]
  ) {
    await assertRejects(() => exportDataset(BOOK, "nowhere", { ...WANTED, ...wrong }), InputError);
    await assertRejects(() => rebuildDataset("nowhere", wrong), InputError, "Pass ");
  }
});

inFolder.test("shipped datasets are exports of their recordings, byte for byte", async (folder) => {
  await writeShipped(folder);
  for (const name of shippedDatasets()) {
    const [made, shipped] = await Promise.all(
      [folder, SHIPPED_FOLDER].map((parent) => folderBytes(`${parent}/${name}`)),
    );
    assertEquals(made, shipped, "Write them again: deno run -A tools/datasets/write_shipped.ts");
  }
});

const DATASET = await openDataset("market_1");

Deno.test("Dataset.table() is lazy, and reads only the selected columns and rows", async () => {
  const frame = DATASET.table("trades")
    .filter(pl.col("block_number").gt(pl.lit(0).cast(pl.Int64)))
    .select("order_uid", "sell_amount_atoms");
  const plan = frame.describeOptimizedPlan();
  assertStringIncludes(plan, "Parquet SCAN [");
  assertStringIncludes(plan, 'SELECTION: [(col("block_number")) > (0)]');
  assertEquals(/PROJECT (\d+)\/\d+ COLUMNS/.exec(plan)?.[1], "3");
  assertEquals((await frame.collect()).columns, ["order_uid", "sell_amount_atoms"]);
});

inFolder.test("Dataset.table() never reads rows that the statistics of a file rule out", async (folder) => {
  await cp(`${SHIPPED_FOLDER}/market_1`, folder, { recursive: true });
  const damaged = `${folder}/auctions/0000001000-0000001999.parquet`;
  const bytes = await Deno.readFile(damaged);
  // The pages between the first bytes and the footer, which has the statistics, are destroyed.
  const footer = new DataView(bytes.buffer).getUint32(bytes.length - 8, true) + 8;
  bytes.fill(0xff, 4, bytes.length - footer);
  await Deno.writeFile(damaged, bytes);
  const dataset = await openDataset(folder);
  const late = { auctions: { from: 2000, to: 2004 } };
  const [rows] = (await dataset.sql("SELECT * FROM auctions WHERE auction_id >= 2000").collect())
    .toRecords();
  assertEquals(rows, (await dataset.table("auctions", late).collect()).toRecords()[0]);
  assertEquals(Number(rows?.auction_id) >= 2000, true);
  await assertRejects(async () => await dataset.table("auctions").collect(), Error);
  const early = { auctions: { from: 1995, to: 1999 } };
  await assertRejects(async () => await dataset.table("auctions", early).collect(), Error);
  assertThrows(() => dataset.table("orders", late), InputError, "no auction_id");
});

/** Runs queries in DuckDB, one after another. */
async function query(...statements: readonly string[]): Promise<unknown[][][]> {
  using duckDb = await openDuckDb();
  return await Array.fromAsync(
    statements,
    async (sql) => (await duckDb.connection.runAndReadAll(sql)).getRows(),
  );
}

inFolder.test("DuckDB reads every amount to the digit, and sums 2^256 - 1 exactly", async (folder) => {
  writeHardAmounts(`${folder}/hard.parquet`);
  const from = `FROM '${folder}/hard.parquet'`;
  const [rows, [limbs]] = await query(
    `SELECT amount_atoms ${from}`,
    `SELECT ${formatLimbSums("amount_atoms")} ${from}`,
  ) as [(string | null)[][], string[][]];
  assertEquals(
    rows.map(([text]) => text),
    HARD_AMOUNTS.map((value) => value?.toString() ?? null),
  );
  const known = HARD_AMOUNTS.filter((value) => value !== null);
  assertEquals(joinLimbs(limbs!), known.reduce((sum, value) => sum + value, 0n));
});

Deno.test("tables have timestamps in microseconds beside each exact time", async () => {
  const { tables } = await describeDataset(`${SHIPPED_FOLDER}/market_1`);
  const times = tables.flatMap(({ name, columns }) =>
    columns.filter(({ type }) => type === "Datetime").map((column) => [name, column.name] as const)
  );
  assertEquals(times.length > 20, true);
  const queries = times.map(([table, name]) => {
    const text = name.replace(/_utc$/, "");
    return `SELECT DISTINCT typeof(${name}), (${text} IS NULL) = (${name} IS NULL),
      coalesce(epoch_us(${name}) // 1000 = ${text}_ms, true)
      FROM '${SHIPPED_FOLDER}/market_1/${table}/*.parquet'`;
  });
  const [[first] = [], ...found] = await query(
    `SELECT epoch_us(created_at_utc) FROM '${SHIPPED_FOLDER}/market_1/lifecycle/*.parquet'
     WHERE created_at = '2026-11-21T15:12:05.008321Z'`,
    ...queries,
  );
  assertEquals(first, [1795273925008321n]);
  for (const rows of found) {
    for (const row of rows) assertEquals(row, ["TIMESTAMP WITH TIME ZONE", true, true]);
  }
});

inFolder.test("rewardsOf selects the network whose rules reward the solvers", async (folder) => {
  const options = { auctions: { from: 2622, to: 2624 }, rewardsOf: "mainnet" } as const;
  await exportDataset(connect(RECORDING), `${folder}/one`, options);
  const caps = async () => {
    const rows = await (await openDataset(`${folder}/one`)).table("rewards").collect();
    return new Set(rows.getColumn("lower_cap_native").toArray());
  };
  assertEquals(await caps(), new Set([0.01]));
  const described = await describeDataset(`${folder}/one`);
  assertEquals(described.rules?.network, "mainnet");
  const [set] = described.rules!.sets;
  assertEquals([set?.since, set?.sure], ["2026-08-25", "C"]);
  assertStringIncludes(
    describeText(described),
    "mainnet, since 2026-08-25 (C): rewards up to 50% of protocol fees, penalties",
  );
  assertStringIncludes(described.command!, "--rewards-of mainnet");
  assertEquals((await verifyDataset(`${folder}/one`, { recompute: true })).isWhole, true);
  await rebuildDataset(`${folder}/one`, { rewardsOf: "xdai" });
  assertEquals(await caps(), new Set([10]));
  // A dataset without a network has none by itself, and is no part of one by other rules.
  await exportDataset(connect(RECORDING), `${folder}/two`, { auctions: { from: 2610, to: 2612 } });
  const plain = await describeDataset(`${folder}/two`);
  assertEquals(plain.rules, null);
  assertStringIncludes(describeText(plain), "--rewards-of");
  const merged = () => mergeDatasets([`${folder}/one`, `${folder}/two`], `${folder}/both`);
  await assertRejects(merged, InputError, "they differ in rewardsOf");
});
