import { connect, InputError } from "orderlens";
import {
  describeDataset,
  exportDataset,
  openDataset,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { recorded } from "./exported.ts";
import { folderBytes, LATER } from "./folder_bytes.ts";

const BOOK = connect(await recorded("market_1"), { clock: LATER });
const WANTED = { auctions: { from: 2620, to: 2624 }, tables: ["auctions", "orders"] };

Deno.test("title, license and creator stand everywhere, with sums, and are kept over rebuilds", async () => {
  await withFolder(async (parent) => {
    const folder = `${parent}/one`;
    const about = { title: "A week's auctions", license: "CC-BY-4.0", creator: "A. Researcher" };
    const plain = await exportDataset(BOOK, `${parent}/plain`, WANTED);
    assertEquals("about" in plain.manifest, false);
    const { manifest } = await exportDataset(BOOK, folder, { ...WANTED, ...about });
    assertEquals(manifest.about, about);
    assertEquals((await verifyDataset(folder)).problems, []);
    const card = await Deno.readTextFile(`${folder}/README.md`);
    for (
      const line of [
        'pretty_name: "A week\'s auctions"',
        "license: cc-by-4.0",
        "# A week's auctions",
        "of this edition of them: A. Researcher",
        "- License: CC-BY-4.0",
        "author = {{A. Researcher} and {Order book service of CoW Protocol}}",
        "--title 'A week'\\''s auctions' --license 'CC-BY-4.0' --creator 'A. Researcher'",
      ]
    ) assertStringIncludes(card, line);
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
});

Deno.test("what would break a card or a citation is no title, license or creator", async () => {
  for (
    const wrong of [{ title: "" }, { title: "a\nb" }, { creator: "a}b" }, { license: "my own" }]
  ) {
    await assertRejects(() => exportDataset(BOOK, "nowhere", { ...WANTED, ...wrong }), InputError);
    await assertRejects(() => rebuildDataset("nowhere", wrong), InputError, "Pass ");
  }
});
