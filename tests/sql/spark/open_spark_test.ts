import { InputError } from "orderlens";
import { openSpark } from "orderlens/sql";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { withFolder } from "../../sandbox/temp_folder.ts";

Deno.test("what Spark cannot be opened with is rejected before anything is installed", async () => {
  await withFolder(async (cacheFolder) => {
    const open = (folder: string, options: object) =>
      assertRejects(() => openSpark(folder, { cacheFolder, ...options }), InputError);
    assertStringIncludes((await open("market_1", { master: "spark:7077" })).message, "local[*]");
    assertStringIncludes((await open("s3a://bucket/set", {})).message, "under the same path");
    assertStringIncludes((await open("no/such/folder", {})).message, "manifest.json");
    assertStringIncludes((await open("market_1", { conf: { a: 1 } })).message, "texts");
    const twice = ["market_1", "market_1"];
    await assertRejects(() => openSpark(twice, { cacheFolder }), InputError, "twice");
    assertEquals([...Deno.readDirSync(cacheFolder)], []);
  });
});
