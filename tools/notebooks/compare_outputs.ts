import { type CellOutput, listCodeCells, type Notebook, type NotebookCell } from "./notebook.ts";

const CONTEXT = 60;

/**
 * Describes the first difference between the outputs of `executed` and `committed`, byte for byte;
 * `undefined` if they are equal.
 */
export function findDifference(committed: Notebook, executed: Notebook): string | undefined {
  const executedCells = listCodeCells(executed);
  for (const [index, cell] of listCodeCells(committed).entries()) {
    const difference = compareCells(cell, executedCells[index]);
    if (difference !== undefined) return `cell [${index + 1}]: ${difference}`;
  }
  return undefined;
}

function compareCells(
  committed: NotebookCell,
  executed: NotebookCell | undefined,
): string | undefined {
  if (executed === undefined) return "it was not executed";
  if (committed.execution_count === null) return "it was committed without being executed";
  if (committed.execution_count !== executed.execution_count) {
    return `committed as [${committed.execution_count}], not executed in order`;
  }
  if (committed.outputs.length !== executed.outputs.length) {
    return `${describeOutputs(committed.outputs)} committed, ${
      describeOutputs(executed.outputs)
    } now`;
  }
  for (const [index, output] of committed.outputs.entries()) {
    const difference = compareTexts(flattenOutput(output), flattenOutput(executed.outputs[index]));
    if (difference !== undefined) return `output ${index + 1}, ${difference}`;
  }
  return undefined;
}

function describeOutputs(cellOutputs: readonly CellOutput[]): string {
  if (cellOutputs.length === 0) return "no output";
  const kinds = cellOutputs.map(({ data, output_type }) =>
    Object.keys(data ?? {})[0] ?? output_type
  );
  return `${cellOutputs.length} output${cellOutputs.length === 1 ? "" : "s"} (${kinds.join(", ")})`;
}

/** The texts of an output by their path. */
function flattenOutput(output: CellOutput | undefined): Map<string, string> {
  const { data = {}, ...fields } = output ?? {};
  const entries = [...Object.entries(data), ...Object.entries(fields)];
  return new Map(
    entries.map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

function compareTexts(
  committed: ReadonlyMap<string, string>,
  executed: ReadonlyMap<string, string>,
): string | undefined {
  for (const key of new Set([...committed.keys(), ...executed.keys()])) {
    const committedText = committed.get(key);
    const executedText = executed.get(key);
    if (committedText === executedText) continue;
    if (committedText === undefined) return `${key}: not committed, there now`;
    if (executedText === undefined) return `${key}: committed, not there now`;
    const index = findUnequal(committedText, executedText);
    return `${key}, character ${index + 1}:\n  committed  ${
      cutExcerpt(committedText, index)
    }\n  now        ${cutExcerpt(executedText, index)}`;
  }
  return undefined;
}

function findUnequal(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  return index;
}

/** The text around `at`, on one line. */
function cutExcerpt(text: string, index: number): string {
  const from = Math.max(0, index - CONTEXT / 2);
  const to = from + CONTEXT;
  const snippet = JSON.stringify(text.slice(from, to)).slice(1, -1);
  return `${from > 0 ? "…" : ""}${snippet}${to < text.length ? "…" : ""}`;
}
