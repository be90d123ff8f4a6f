import { basename } from "node:path";
import { PROJECT_ROOT } from "../project_root.ts";
import type { CellFailure } from "./execute_notebook.ts";
import { readNotebook } from "./notebook.ts";
import { findSourceLine, transpileCell } from "./transpile_cell.ts";

const CELL_FRAME = /<anonymous>:([0-9]+):[0-9]+/;
const MAX_FRAMES = 5;

/**
 * Describes a failed cell: notebook, cell, line, the source of that line, the error, and where in the
 * project it was thrown.
 */
export async function formatFailure(path: string, failure: CellFailure): Promise<string> {
  const { number, index, name, traceback } = failure;
  const frames = filterFrames(traceback);
  if (number === undefined || index === undefined) {
    return [
      `${basename(path)} did not start`,
      ...indent(formatError(name, failure.message)),
      ...traceback.slice(-MAX_FRAMES).map((line) => `    ${line}`),
    ].join("\n");
  }
  const source = (await readNotebook(path)).cells[index]?.source ?? "";
  const { message, line } = await locate(source, failure);
  const sourceText = line === undefined ? undefined : source.split("\n")[line - 1];
  return [
    `${basename(path)}, cell [${number}]${line === undefined ? "" : `, line ${line}`}`,
    ...(sourceText === undefined ? [] : [`    ${sourceText.trim()}`]),
    ...indent(message),
    ...frames.map((frame) => `    ${frame}`),
  ].join("\n");
}

/** Line and error text of a failure; the kernel reports neither for a syntax error. */
async function locate(
  source: string,
  { name, message, traceback }: CellFailure,
): Promise<{ message: string; line: number | undefined }> {
  const transpiled = await transpileCell(source);
  if (transpiled !== undefined && "syntaxError" in transpiled) {
    return { message: transpiled.syntaxError, line: transpiled.line };
  }
  const emitted = traceback.map((frame) => CELL_FRAME.exec(frame)?.[1]).findLast((line) =>
    line !== undefined
  );
  return {
    message: formatError(name, message),
    line: emitted === undefined || transpiled === undefined
      ? undefined
      : findSourceLine(transpiled.map, Number(emitted)),
  };
}

function formatError(name: string, message: string): string {
  return `${name}: ${message}`;
}

/** Stack frames in files of the project, with relative paths. */
function filterFrames(traceback: readonly string[]): string[] {
  const root = `file://${PROJECT_ROOT}/`;
  return traceback
    .filter((line) => line.trimStart().startsWith("at ") && line.includes(root))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim().replace(root, ""));
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
