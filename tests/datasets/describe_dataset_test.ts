import { connect, InputError } from "orderlens";
import {
  describeDataset,
  describeText,
  exportDataset,
  mergeDatasets,
  openDataset,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import pl from "nodejs-polars";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DatasetPaths, sha256 } from "../../lib/datasets/layout/files.ts";
import type { DatasetManifest } from "../../lib/datasets/layout/manifest.ts";
import { timeSpan } from "../../lib/datasets/state/citation.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { folderBytes, LATER, recorded } from "./exported.ts";

const RECORDING = await recorded("market_1");
const TABLES = ["auctions", "solutions", "orders", "trades"];

inFolder.test(
  "a dataset is described with its rows, its time span, its gaps and how to cite it",
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
      assertStringIncludes(card, "9 auction ids were not asked for: 2613 to 2621");
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

inFolder.test("times of files are read once, and those without block times count with their latest", async (folder) => {
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
    const files = names.map((sha256) => ({
      path: `auctions/${sha256}.parquet`,
      sha256,
      rows: 1,
    }));
    return timeSpan(new DatasetPaths(folder), { files } as unknown as DatasetManifest, spans);
  };
  const of = "auctions";
  assertEquals(spanOf(["b"]), null);
  assertEquals(spanOf(["a", "b", "c"]), {
    of,
    from: "1970-01-01T00:00:01Z",
    to: "1970-01-01T00:03:20Z",
  });
  for (const name of ["a", "b", "c"]) await Deno.remove(`${folder}/auctions/${name}.parquet`);
  assertEquals(spanOf(["a", "d"]), {
    of,
    from: "1970-01-01T00:01:00Z",
    to: "1970-01-01T00:05:00Z",
  });
  assertEquals(spanOf(Object.keys(times), new Map()), null);
});

const BOOK = connect(await recorded("market_1"), { clock: LATER });
const WANTED = { auctions: { from: 2620, to: 2624 }, tables: ["auctions", "orders"] };

inFolder.test("title, license and creator stand everywhere, with sums, and are kept over rebuilds", async (parent) => {
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
    "of this edition of them: A. Researcher",
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
  await rebuildDataset(folder, { license: "CC0-1.0" });
  assertEquals((await verifyDataset(folder)).problems, []);
  await exportDataset(BOOK, folder, WANTED);
  const now = (await openDataset(folder)).manifest.about;
  assertEquals(now, { ...about, license: "CC0-1.0" });
  // As if it had been said from the start, and in another folder.
  const said = { ...WANTED, ...about, license: "CC0-1.0" };
  await exportDataset(BOOK, `${parent}/two`, said);
  assertEquals(await folderBytes(`${parent}/two`), await folderBytes(folder));
  await rebuildDataset(`${parent}/plain`, { ...about, license: "CC0-1.0", into: `${parent}/3` });
  assertEquals(await folderBytes(`${parent}/3`), await folderBytes(folder));
});

Deno.test("what would break a card or a citation is no title, license or creator", async () => {
  for (
    const wrong of [{ title: "" }, { title: "a\nb" }, { creator: "a}b" }, { license: "my own" }]
  ) {
    await assertRejects(() => exportDataset(BOOK, "nowhere", { ...WANTED, ...wrong }), InputError);
    await assertRejects(() => rebuildDataset("nowhere", wrong), InputError, "Pass ");
  }
});
