/**
 * `deno task pack`: the library as a tarball for npm, in `build/package/`.
 *
 * @module
 */
import { join } from "node:path";
import { packPackage } from "./package/pack_package.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { report } from "./terminal/say.ts";
import { runTask } from "./terminal/run_task.ts";

if (import.meta.main) {
  await runTask(async () => {
    const allowDirty = Deno.args.includes("--allow-dirty");
    report(await packPackage({ folder: join(PROJECT_ROOT, "build", "package"), allowDirty }));
  });
}
