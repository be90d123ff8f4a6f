import { join } from "node:path";
import { readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };

/** Cells of a row by column, as texts. */
export type Cells = Readonly<Record<string, string>>;

/** What a committed notebook says. */
export async function committed(name: string) {
  const { cells } = await readNotebook(join(PROJECT_ROOT, "notebooks", `${name}.ipynb`));
  const outputs: Readonly<Record<string, unknown>>[] = cells.flatMap(({ outputs }) =>
    outputs.flatMap(({ data }) => data === undefined ? [] : [data])
  );
  const ofType = (type: string) =>
    outputs.flatMap((data) => data[type] === undefined ? [] : [[data[type]].flat().join("")]);
  return saidIn(ofType("text/plain"), ofType("image/svg+xml"));
}

/**
 * What some texts say: sentences, findings and tables, in order; all of them as one line, without
 * emphasis; and the rows of the first table that has some columns, where a record is one row.
 */
export function saidIn(texts: readonly string[], drawings: readonly string[] = []) {
  return {
    texts,
    said: texts.join(" ").replaceAll("**", "").replaceAll(/\s+/g, " "),
    drawings,
    table: (...columns: readonly string[]) => {
      for (const text of texts) {
        const rows = rowsOf(text);
        if (rows.length > 0 && columns.every((column) => column in rows[0]!)) return rows;
      }
      throw new Error(`no table has ${columns}`);
    },
  };
}

function rowsOf(text: string): Cells[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^… \d+ more/.test(line));
  const pairs = lines.map((line) => /^(\S[^:]*): (.*)$/.exec(line));
  if (lines.length > 0 && pairs.every((pair) => pair !== null)) {
    return [Object.fromEntries(pairs.map(([, name, value]) => [name!, value!]))];
  }
  const [header = "", ...rows] = lines.map((line) => line.trim().split(/\s{2,}/));
  return rows.filter(({ length }) => length === header.length)
    .map((row) => Object.fromEntries(row.map((cell, at) => [header[at]!, cell])));
}

/** What stands in a sentence where a number is missing. */
export const BROKEN = /\bNaN\b|undefined|Infinity|\bnull\b|(?<!\d)-0\b(?!\.)/;

/** The sentences of a page's answer in short, which is the last text that it shows. */
export function sentencesInShort(texts: readonly string[]): string[] {
  const points = texts.at(-1)?.split(/^(?=- )/m) ?? [];
  return points.filter((point) => /^- \S[^]*\.\s*$/.test(point));
}

/** Name of a solver of `market_1`. */
export function nameOf(solver: string): string {
  const found = deployment.solvers.find(({ address }) => address === solver);
  if (found === undefined) throw new Error(`nobody has named ${solver}`);
  return found.name;
}
