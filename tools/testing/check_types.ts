import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { joinCells, nameCells } from "../notebooks/join_cells.ts";
import { runQuietly, type RunResult } from "../terminal/run_quietly.ts";
import { readQuestions } from "./question_program.ts";

/**
 * Checks the types of a project: its code, the examples in its documentation, and its notebooks, whose
 * kernel strips types unchecked. One program checks them all, since each costs as much as the library.
 *
 * The cells of notebooks and the questions are written into `build/cells`, which `deno.json` must not exclude: Deno
 * silently skips files that it excludes.
 *
 * @param root The project's folder.
 * @param pages Markdown files with examples, relative to it; Deno reads only those that are named.
 * @param notebooks Paths of notebooks.
 * @param questions Path of the page of questions, whose blocks follow one beginning.
 */
export async function checkTypes(
  root: string,
  pages: readonly string[],
  notebooks: readonly string[] = [],
  questions?: string,
): Promise<RunResult> {
  const folder = join(root, "build", "cells");
  const modules = await joinCells(notebooks, folder);
  if (questions !== undefined) {
    const { program } = readQuestions(await Deno.readTextFile(questions));
    await Deno.writeTextFile(join(folder, "questions.ts"), program);
  }
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    args: ["check", "--quiet", "--doc", ".", ...pages],
    folder: root,
  });
  if (success) return { success, output };
  return { success, output: nameCells(stripVTControlCharacters(output), modules) };
}
