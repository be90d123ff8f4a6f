import { basename } from "node:path";
import { runWithInput } from "../terminal/run_with_input.ts";
import { formatNotebook } from "./format_notebook.ts";
import { formatLocation, joinCells, type JoinedCells } from "./join_cells.ts";

/**
 * Reports what the linter and the formatter find in notebooks, which `deno lint` does not read. Their
 * types are checked with those of the project, by `checkTypes()`.
 *
 * @param folder Folder for the joined cells, emptied first.
 */
export async function checkCells(paths: readonly string[], folder: string): Promise<string[]> {
  const problems: string[] = [];
  for (const notebook of await joinCells(paths, folder)) {
    problems.push(...await lintErrors(notebook));
    const text = await Deno.readTextFile(notebook.path);
    if (await formatNotebook(text) !== text) {
      problems.push(
        `${basename(notebook.path)} is not formatted: deno task notebooks --update does that`,
      );
    }
  }
  return problems;
}

async function lintErrors(notebook: JoinedCells): Promise<string[]> {
  const { stdout } = await runWithInput({
    program: Deno.execPath(),
    args: ["lint", "--json", "--ext=ts", "-"],
    input: await Deno.readTextFile(notebook.file),
  });
  const { diagnostics }: {
    diagnostics: { code: string; message: string; range: { start: { line: number } } }[];
  } = JSON.parse(stdout);
  return diagnostics.map(({ code, message, range }) =>
    `${formatLocation(notebook, range.start.line)}: ${message} (${code})`
  );
}
