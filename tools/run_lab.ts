/**
 * `deno task lab [options…]`: opens JupyterLab in `notebooks/` with the Deno kernel. Options are those
 * of JupyterLab, such as `--no-browser` or `--port 9000`. Its root is the clone, so that links from
 * notebooks to other files of it open.
 *
 * @module
 */
import { join } from "node:path";
import { cachePackages } from "./jupyter/cache_packages.ts";
import { ensureJupyter } from "./jupyter/ensure_jupyter.ts";
import { runModule } from "./jupyter/run_module.ts";
import { writeLabSettings } from "./jupyter/lab_settings.ts";
import { trustNotebooks } from "./jupyter/trust_notebooks.ts";
import { findNotebooks } from "./notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { passSignals } from "./terminal/pass_signals.ts";
import { runTask } from "./terminal/run_task.ts";
import { say } from "./terminal/say.ts";
import { TaskError } from "./terminal/task_error.ts";

if (import.meta.main) await runTask(() => runLab(Deno.args));

async function runLab(args: readonly string[]): Promise<void> {
  const jupyter = await ensureJupyter();
  await cachePackages();
  await writeLabSettings(jupyter);
  const notebooks = join(PROJECT_ROOT, "notebooks");
  await trustNotebooks(jupyter, await findNotebooks(notebooks));
  // The user of a container is often root, which Jupyter rejects by default.
  const asRoot = Deno.build.os !== "windows" && Deno.uid() === 0 ? ["--allow-root"] : [];
  const folders = [
    `--ServerApp.root_dir=${PROJECT_ROOT}`,
    `--FileContentsManager.preferred_dir=${notebooks}`,
  ];
  say("Opening JupyterLab on notebooks/; Ctrl-C ends it");
  const lab = new Deno.Command(jupyter.python, {
    args: [...runModule("jupyterlab"), ...folders, ...asRoot, ...args],
    cwd: notebooks,
    env: { ...jupyter.variables },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  // JupyterLab exits after its kernels.
  using signals = passSignals(lab);
  const { success, code } = await lab.status;
  if (!success && !signals.isEnding) throw new TaskError(`JupyterLab ended with exit code ${code}`);
}
