/**
 * Writes the help of notebooks into `lib/notebook/help.json`, from the documentation of the library.
 *
 * @module
 */
import { PROJECT_ROOT } from "../project_root.ts";
import { runTask } from "../terminal/run_task.ts";
import { formatHelp } from "./collect_help.ts";

if (import.meta.main) {
  await runTask(async () => {
    await Deno.writeTextFile(`${PROJECT_ROOT}/lib/notebook/help.json`, await formatHelp());
  });
}
