/**
 * Writes the data dictionary of all tables into `lib/tables/data_dictionary.md`, formatted.
 *
 * @module
 */
import { TABLES } from "orderlens/tables";
import { PROJECT_ROOT } from "../project_root.ts";
import { runTask } from "../terminal/run_task.ts";
import { formatDataDictionary } from "./data_dictionary.ts";

if (import.meta.main) {
  await runTask(async () => {
    const path = `${PROJECT_ROOT}/lib/tables/data_dictionary.md`;
    await Deno.writeTextFile(path, await formatDataDictionary(Object.values(TABLES)));
  });
}
