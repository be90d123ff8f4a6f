/**
 * Writes the datasets of `data/datasets` again, from the recordings that they are exported from:
 * `deno run -A tools/datasets/write_shipped.ts`. Equal recordings and an equal library give equal
 * bytes.
 *
 * @module
 */
import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { join } from "node:path";
import { PROJECT_ROOT } from "../project_root.ts";

/** Auctions of both files of 1,000 ids, with each kind of fee, gaps and an unsettled winner. */
const SHIPPED = { market_1: { from: 1990, to: 2049 } } as const;

/** Folder of the datasets that ship. */
export const SHIPPED_FOLDER: string = join(PROJECT_ROOT, "data", "datasets");

/** Exports the datasets that ship into a folder, without what only the export uses. */
export async function writeShipped(folder: string): Promise<void> {
  for (const [name, auctions] of Object.entries(SHIPPED)) {
    const target = join(folder, name);
    const recording = await replay(name);
    // Recorded chains have the settlements, and no timestamps of blocks.
    await exportDataset(connect(recording), target, {
      auctions,
      node: recording,
      blockTimes: false,
    });
    await Deno.remove(join(target, ".orderlens"), { recursive: true });
  }
}

if (import.meta.main) {
  await Deno.remove(SHIPPED_FOLDER, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  await writeShipped(SHIPPED_FOLDER);
}
