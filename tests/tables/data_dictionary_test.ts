import { assertEquals } from "@std/assert";
import { TABLES } from "orderlens/tables";
import { describeTables } from "../../tools/tables/describe_tables.ts";

Deno.test("the data dictionary matches the declarations", async () => {
  const path = new URL("../../lib/tables/data_dictionary.md", import.meta.url);
  assertEquals(
    await Deno.readTextFile(path),
    describeTables(TABLES),
    "Write it again: deno run -A tools/tables/write_dictionary.ts",
  );
});
