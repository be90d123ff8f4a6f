/**
 * Writes the data dictionary of all tables into `lib/tables/data_dictionary.md`.
 *
 * @module
 */
import { TABLES } from "orderlens/tables";
import { describeTables } from "./describe_tables.ts";

if (import.meta.main) {
  const path = new URL("../../lib/tables/data_dictionary.md", import.meta.url);
  await Deno.writeTextFile(path, describeTables(TABLES));
}
