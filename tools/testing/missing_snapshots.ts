import { basename, dirname, join } from "node:path";
import { filesBelow } from "./files_below.ts";

const COMPARES = /^\s*(?:await |return )\w+\.assertSnapshot\(/m;

/**
 * Finds the tests that compare with a snapshot and have no file of snapshots yet.
 *
 * @param root The project's folder.
 * @param paths Folders and files with tests, relative to it.
 * @returns Their files, relative to the project's folder.
 */
export async function missingSnapshots(root: string, paths: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for await (const path of filesBelow(root, paths)) {
    if (!path.endsWith("_test.ts")) continue;
    const file = join(root, path);
    if (!COMPARES.test(await Deno.readTextFile(file))) continue;
    const kept = join(dirname(file), "__snapshots__", `${basename(file)}.snap`);
    if (await Deno.stat(kept).catch(() => null) === null) missing.push(path);
  }
  return missing;
}
