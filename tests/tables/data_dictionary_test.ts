import { assertEquals } from "@std/assert";
import { TABLES } from "orderlens/tables";
import { dataDictionary } from "../../tools/tables/data_dictionary.ts";

Deno.test("the data dictionary matches the declarations", async () => {
  const path = new URL("../../lib/tables/data_dictionary.md", import.meta.url);
  assertEquals(
    await Deno.readTextFile(path),
    await dataDictionary(TABLES),
    "Write it again: deno run -A tools/tables/write_dictionary.ts",
  );
});
