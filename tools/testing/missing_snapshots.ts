import { join } from "node:path";
import { walkFiles } from "./files_below.ts";
import { toSnapshotPath } from "./room_snapshots.ts";

const COMPARES = /^\s*(?:await |return )\w+\.assertSnapshot\(/m;

/**
 * Finds the tests that compare with a snapshot and have no file of snapshots yet.
 *
 * @param root The project's folder.
 * @param paths Folders and files with tests, relative to it.
 * @returns Their files, relative to the project's folder.
 */
export async function findMissingSnapshots(
  root: string,
  paths: readonly string[],
): Promise<string[]> {
  const modules: string[] = [];
  for await (const path of walkFiles(root, paths)) {
    if (!path.endsWith("_test.ts")) continue;
    const file = join(root, path);
    if (!COMPARES.test(await Deno.readTextFile(file))) continue;
    if (await Deno.stat(toSnapshotPath(file)).catch(() => null) === null) modules.push(path);
  }
  return modules;
}
