import { type CellOutput, codeCells, type Notebook, type NotebookCell } from "./notebook.ts";

const CONTEXT = 60;

/**
 * Describes the first difference between the outputs of `executed` and `committed`, byte for byte;
 * `undefined` if they are equal.
 */
export function firstDifference(committed: Notebook, executed: Notebook): string | undefined {
  const after = codeCells(executed);
  for (const [index, cell] of codeCells(committed).entries()) {
    const difference = cellDifference(cell, after[index]);
    if (difference !== undefined) return `cell [${index + 1}]: ${difference}`;
  }
  return undefined;
}

function cellDifference(
  committed: NotebookCell,
  executed: NotebookCell | undefined,
): string | undefined {
  if (executed === undefined) return "it was not executed";
  if (committed.execution_count === null) return "it was committed without being executed";
  if (committed.execution_count !== executed.execution_count) {
    return `committed as [${committed.execution_count}], not executed in order`;
  }
  if (committed.outputs.length !== executed.outputs.length) {
    return `${outputs(committed.outputs)} committed, ${outputs(executed.outputs)} now`;
  }
  for (const [index, output] of committed.outputs.entries()) {
    const difference = textDifference(flat(output), flat(executed.outputs[index]));
    if (difference !== undefined) return `output ${index + 1}, ${difference}`;
  }
  return undefined;
}

function outputs(found: readonly CellOutput[]): string {
  if (found.length === 0) return "no output";
  const kinds = found.map(({ data, output_type }) => Object.keys(data ?? {})[0] ?? output_type);
  return `${found.length} output${found.length === 1 ? "" : "s"} (${kinds.join(", ")})`;
}

/** The texts of an output by their path. */
function flat(output: CellOutput | undefined): Map<string, string> {
  const { data = {}, ...rest } = output ?? {};
  const entries = [...Object.entries(data), ...Object.entries(rest)];
  return new Map(
    entries.map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

function textDifference(
  committed: ReadonlyMap<string, string>,
  executed: ReadonlyMap<string, string>,
): string | undefined {
  for (const key of new Set([...committed.keys(), ...executed.keys()])) {
    const before = committed.get(key);
    const now = executed.get(key);
    if (before === now) continue;
    if (before === undefined) return `${key}: not committed, there now`;
    if (now === undefined) return `${key}: committed, not there now`;
    const at = firstUnequal(before, now);
    return `${key}, character ${at + 1}:\n  committed  ${excerpt(before, at)}\n  now        ${
      excerpt(now, at)
    }`;
  }
  return undefined;
}

function firstUnequal(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** The text around `at`, on one line. */
function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - CONTEXT / 2);
  const to = from + CONTEXT;
  const shown = JSON.stringify(text.slice(from, to)).slice(1, -1);
  return `${from > 0 ? "…" : ""}${shown}${to < text.length ? "…" : ""}`;
}
