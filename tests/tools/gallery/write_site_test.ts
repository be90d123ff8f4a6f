import { assert, assertEquals } from "@std/assert";
import { writeSite } from "../../../tools/gallery/write_site.ts";
import { inFolder } from "../../sandbox/temp_folder.ts";
import { SilentScreen } from "../silent_screen.ts";

inFolder.test("writeSite() writes the site of the shipped dataset in the place of an older one", async (folder) => {
  await Deno.mkdir(`${folder}/site`);
  await Deno.writeTextFile(`${folder}/site/older.html`, "");
  await Deno.writeTextFile(`${folder}/index.html`, "the gallery");
  const { page, name, pages } = await writeSite(folder, new SilentScreen());
  assertEquals([page, name], ["site/index.html", "market_1"]);
  const text = await Deno.readTextFile(`${folder}/${page}`);
  assert(text.includes("orderlens serve --recording data"), "commands name the data beside it");
  const { pages: counted, orders } = JSON.parse(
    await Deno.readTextFile(`${folder}/site/site.json`),
  );
  assertEquals([counted, orders], [pages, { written: 41, total: 41 }]);
  const names = await Array.fromAsync(Deno.readDir(`${folder}/site`), ({ name }) => name);
  assert(!names.includes("older.html"));
  assertEquals(await Deno.readTextFile(`${folder}/index.html`), "the gallery");
});
