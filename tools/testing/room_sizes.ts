import { join } from "node:path";
import type { RunResult } from "../terminal/run_quietly.ts";
import { walkFiles } from "./files_below.ts";

/** Languages of `lib` by file ending, each with the start of a one-line comment. */
const COMMENT: Readonly<Record<string, RegExp>> = {
  ts: /^\/\//,
  js: /^\/\//,
  sql: /^--/,
  py: /^#/,
};
/** A row of the table of budgets: a room, its lines of code, its files. */
const BUDGET = /^\| `([a-z]+)` +\| +([\d,]+) \| +([\d,]+) \|$/gm;

/** Size of a room, or its budget. */
export interface RoomSize {
  /** Lines of code: without blank lines, and without lines that are only a comment. */
  readonly lines: number;
  /** Files of code. */
  readonly files: number;
}

/** Lines of code of a text in the language of a file's ending. */
export function linesOfCode(text: string, ending: string): number {
  const comment = COMMENT[ending]!;
  const bare = ending === "ts" || ending === "js"
    ? text.replaceAll(/^\s*\/\*[^]*?\*\//gm, "")
    : text;
  return bare.split("\n").filter((line) => line.trim() !== "" && !comment.test(line.trim())).length;
}

/** The budgets that a page states, by room. */
export function parseBudgets(page: string): ReadonlyMap<string, RoomSize> {
  const number = (text = "") => Number(text.replaceAll(",", ""));
  return new Map(
    Array.from(page.matchAll(BUDGET), ([, room = "", lines, files]) => [
      room,
      { lines: number(lines), files: number(files) },
    ]),
  );
}

/** Counts the rooms of `lib`; a room over the budget of `docs/architecture.md` fails, and is named. */
export async function checkSizes(root: string): Promise<RunResult> {
  const budgets = parseBudgets(await Deno.readTextFile(join(root, "docs", "architecture.md")));
  const said: string[] = [];
  for (const { name: room, isDirectory } of Deno.readDirSync(join(root, "lib"))) {
    if (!isDirectory) continue;
    const size = await measureRoom(root, `lib/${room}`);
    const budget = budgets.get(room);
    for (const unit of ["lines", "files"] as const) {
      const most = budget?.[unit] ?? 0;
      if (size[unit] > most) {
        said.push(`${room} has ${size[unit]} ${unit}, and its budget is ${most}`);
      }
    }
  }
  const fix =
    "Make it smaller, or raise the budget in docs/architecture.md in a commit that says why";
  return { success: said.length === 0, output: [...said, fix].join("\n") };
}

async function measureRoom(root: string, folder: string): Promise<RoomSize> {
  let [lines, files] = [0, 0];
  for await (const file of walkFiles(root, [folder])) {
    const ending = readEnding(file);
    if (!(ending in COMMENT)) continue;
    lines += linesOfCode(await Deno.readTextFile(join(root, file)), ending);
    files++;
  }
  return { lines, files };
}

function readEnding(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1);
}
