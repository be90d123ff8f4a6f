/**
 * Writes the data dictionary of the SQL views into `lib/sql/data_dictionary.md`, formatted.
 *
 * @module
 */
import { readViews } from "orderlens/sql";
import { PROJECT_ROOT } from "../project_root.ts";
import { runTask } from "../terminal/run_task.ts";
import { formatSqlDictionary } from "./sql_dictionary.ts";

if (import.meta.main) {
  await runTask(async () => {
    const path = `${PROJECT_ROOT}/lib/sql/data_dictionary.md`;
    await Deno.writeTextFile(path, await formatSqlDictionary(await readViews()));
  });
}
