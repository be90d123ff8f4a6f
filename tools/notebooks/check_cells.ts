import { basename, join } from "node:path";
import { PROJECT_ROOT } from "../project_root.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { runWithInput } from "../terminal/run_with_input.ts";
import { formatNotebook } from "./format_notebook.ts";
import { codeCells, type NotebookCell, readNotebook } from "./notebook.ts";

/**
 * Reports the errors of the type checker, the linter and the formatter in notebooks: the kernel strips
 * types unchecked, and `deno check` and `deno lint` do not read notebooks.
 *
 * @param folder Folder for the joined cells; inside the project, so that imports resolve.
 */
export async function checkCells(paths: readonly string[], folder: string): Promise<string[]> {
  const problems: string[] = [];
  const joined = await Promise.all(paths.map((path) => joinCells(path, folder)));
  problems.push(...await typeErrors(joined));
  for (const notebook of joined) {
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

const NO_NEWS = /\n\n(?:Found [0-9]+ errors?\.|Type checking failed|Stack backtrace)[^]*$/;

/** The cells of a notebook as one module. */
interface JoinedCells {
  readonly path: string;
  /** The module's file. */
  readonly file: string;
  readonly cells: readonly NotebookCell[];
}

async function joinCells(path: string, folder: string): Promise<JoinedCells> {
  const cells = codeCells(await readNotebook(path));
  const file = join(folder, `${basename(path, ".ipynb")}.ts`);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(file, `${cells.map(({ source }) => source).join(";\n")};\nexport {};\n`);
  return { path, file, cells };
}

/** `deno check` silently skips files that `deno.json` excludes; `deno cache` does not. */
async function typeErrors(notebooks: readonly JoinedCells[]): Promise<string[]> {
  if (notebooks.length === 0) return [];
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    args: ["cache", "--check", ...notebooks.map(({ file }) => file)],
    variables: { NO_COLOR: "1" },
    folder: PROJECT_ROOT,
  });
  if (success) return [];
  const text = notebooks.reduce(
    (text, notebook) =>
      text.replace(
        new RegExp(`file://\\S*/${RegExp.escape(basename(notebook.file))}:([0-9]+):[0-9]+`, "g"),
        (_, line) => place(notebook, Number(line)),
      ),
    output.replace(/^Check .*\n|^error: /gm, "").replace(NO_NEWS, ""),
  );
  return [text];
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
    `${place(notebook, range.start.line)}: ${message} (${code})`
  );
}

/** Maps a line of the module to a cell and its line; all count from 1. */
function place({ path, cells }: JoinedCells, line: number): string {
  let above = 0;
  for (const [index, { source }] of cells.entries()) {
    const lines = source.split("\n").length;
    if (line <= above + lines) {
      return `${basename(path)}, cell [${index + 1}], line ${line - above}`;
    }
    above += lines;
  }
  return basename(path);
}
