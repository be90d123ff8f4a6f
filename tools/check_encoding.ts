/**
 * `deno task check-encoding`: reads the dataset that ships, and amounts that are hard to encode, with
 * pyarrow and DuckDB, and compares them and their sums with Python's integers; publishes the dataset for
 * each repository, and validates it with `datasets`, `mlcroissant` and `frictionless`. Installs them into
 * `.venv`, once.
 *
 * @module
 */
import { join } from "node:path";
import { SHIPPED_FOLDER } from "./datasets/write_shipped.ts";
import { checkPublications } from "./encoding/check_publications.ts";
import { ensureReaders } from "./encoding/ensure_readers.ts";
import { formatLimbSums } from "./encoding/exact_sum.ts";
import { HARD_AMOUNTS, writeHardAmounts } from "./encoding/hard_amounts.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { runTask } from "./terminal/run_task.ts";
import { runWithInput } from "./terminal/run_with_input.ts";
import { report } from "./terminal/say.ts";
import { TaskError } from "./terminal/task_error.ts";

if (import.meta.main) await runTask(checkEncoding);

async function checkEncoding(): Promise<void> {
  const { python, variables } = await ensureReaders();
  const folder = await Deno.makeTempDir();
  try {
    const hard = join(folder, "hard.parquet");
    writeHardAmounts(hard);
    const { success, stdout, stderr } = await runWithInput({
      program: python,
      args: [join(PROJECT_ROOT, "tools", "encoding", "read_amounts.py")],
      variables,
      input: JSON.stringify({
        hard,
        amounts: HARD_AMOUNTS.map((value) => value?.toString() ?? null),
        dataset: join(SHIPPED_FOLDER, "market_1"),
        sums: formatLimbSums("COLUMN"),
      }),
    });
    report(stdout.trim());
    if (!success) {
      throw new TaskError("Another reader reads other amounts", {
        fix: stderr.trim() || "see above",
      });
    }
    await checkPublications(python, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
