import { extname, join } from "node:path";
import { walkFiles } from "./files_below.ts";
import { findExamples } from "./find_examples.ts";

/**
 * Finds the Markdown files with examples, which are type-checked only if named.
 *
 * @param root The project's folder.
 * @param paths Folders and files with documentation, relative to it.
 */
export async function findPages(root: string, paths: readonly string[]): Promise<string[]> {
  const pages: string[] = [];
  for await (const path of walkFiles(root, paths)) {
    if (extname(path) !== ".md") continue;
    const text = await Deno.readTextFile(join(root, path));
    if (findExamples(path, text).length > 0) pages.push(path);
  }
  return pages;
}
