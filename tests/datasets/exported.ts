import { cp } from "node:fs/promises";
import { connect } from "orderlens";
import { exportDataset, type ExportOptions } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { withFolder } from "../sandbox/temp_folder.ts";

const ROOT = await Deno.makeTempDir();
Deno.test.afterAll(() => Deno.remove(ROOT, { recursive: true }));

const made = new Map<string, Promise<string>>();

/** What a shared export is asked for; `isWithNode` takes the node of the recording for settlements. */
export interface Wanted {
  readonly auctions: { readonly from: number; readonly to: number };
  readonly tables?: readonly string[];
  readonly isWithNode?: boolean;
}

/** An export of a shipped recording, made once for all tests of an isolate, which only read it. */
export function exported(name: string, wanted: Wanted): Promise<string> {
  return made.getOrInsertComputed(JSON.stringify([name, wanted]), async () => {
    const folder = `${ROOT}/${made.size}`;
    const { isWithNode = false, ...options } = wanted;
    const recording = await replay(name);
    const node: Partial<ExportOptions> = isWithNode ? { node: recording, blockTimes: false } : {};
    await exportDataset(connect(recording), folder, { ...options, ...node });
    return folder;
  });
}

/** Uses a copy of a folder, which the test may change. */
export async function withCopyOf(
  folder: string,
  use: (copy: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (root) => {
    await cp(folder, `${root}/copy`, { recursive: true });
    await use(`${root}/copy`);
  });
}
