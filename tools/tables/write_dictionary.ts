/**
 * Writes the data dictionary of all tables into `lib/tables/README.md`.
 *
 * @module
 */
import { TABLES } from "orderlens/tables";
import { describeTables } from "./describe_tables.ts";

if (import.meta.main) {
  const path = new URL("../../lib/tables/README.md", import.meta.url);
  await Deno.writeTextFile(path, describeTables(TABLES));
}
