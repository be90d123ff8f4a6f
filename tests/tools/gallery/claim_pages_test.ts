import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { claimPages } from "../../../tools/gallery/claim_pages.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import { withFiles } from "../../sandbox/temp_folder.ts";

const FILES = { "there.html": "old", "pages/two.html": "old", "folder.html/x": "", "plain": "" };
const ONE = ["/notebooks/one.ipynb"];
const TWO = [...ONE, "/own/two.ipynb"];

/** Resolves a path in a folder with {@linkcode FILES}. */
async function claim(path: string, sources: readonly string[], isOverwriting = false) {
  return await withFiles(FILES, async (folder) => {
    const hide = (text: string) => text.replaceAll(folder, "HERE");
    const target = await claimPages(join(folder, path), sources, { isOverwriting })
      .then((claimed) => ({ ...claimed, folder: hide(claimed.folder) }), (error: TaskError) => {
        throw new TaskError(hide(error.message));
      });
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    const left = names.filter((name) =>
      !["there.html", "pages", "folder.html", "plain"].includes(name)
    );
    return { ...target, left, old: await Deno.readTextFile(join(folder, "there.html")) };
  });
}

/** Where pages go: what else is in the folder then, before any is written. */
const CLAIMED = [
  ["mine.html", ONE, false, { folder: "HERE", alone: "mine.html", left: [], old: "old" }],
  ["there.html", ONE, true, { folder: "HERE", alone: "there.html", left: [], old: "old" }],
  ["new/deep", TWO, false, { folder: "HERE/new/deep", alone: null, left: ["new"], old: "old" }],
  ["pages", ONE, false, { folder: "HERE/pages", alone: null, left: [], old: "old" }],
  ["pages", TWO, true, { folder: "HERE/pages", alone: null, left: [], old: "old" }],
] as const;

for (const [path, sources, isOverwriting, expected] of CLAIMED) {
  const title = `${path} for ${sources.length}${isOverwriting ? ", to replace" : ""}`;
  Deno.test(`claimPages() resolves ${title}, and writes no page`, async () => {
    assertEquals<unknown>(await claim(path, sources, isOverwriting), expected);
  });
}

const REFUSED = [
  ["there.html", ONE, "HERE/there.html already exists: pass another name, or --overwrite to"],
  ["pages", TWO, "HERE/pages/two.html already exists: pass another name, or --overwrite to"],
  ["folder.html", ONE, "HERE/folder.html is a folder: pass the name of a file"],
  ["mine.html", TWO, "HERE/mine.html is one file for 2 notebooks: pass a folder as --html"],
  ["none/mine.html", ONE, "Cannot write HERE/none/mine.html (No such file or directory): pass a"],
  ["plain/mine.html", ONE, "Cannot write HERE/plain/mine.html (Not a directory): pass a path"],
  ["plain", ONE, "Cannot write HERE/plain ("],
  ["pages", [...ONE, "/own/one.ipynb"], "Two pages would be called one.html: rename a notebook"],
  ["pages", [...ONE, "/own/index.ipynb"], "Two pages would be called index.html: rename a"],
] as const;

for (const [path, sources, message] of REFUSED) {
  Deno.test(`claimPages() refuses ${path} for ${sources.length}: ${message.slice(0, 40)}`, async () => {
    const error = await assertRejects(() => claim(path, sources), TaskError);
    assertEquals(error.message.slice(0, message.length), message);
  });
}
