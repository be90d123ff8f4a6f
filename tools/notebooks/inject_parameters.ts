import { TaskError } from "../terminal/task_error.ts";

/** Parameters by name, as JSON. They stand in the executed copy: none may be a secret. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Tag of the cell that holds a notebook's parameters, as papermill has it. */
const PARAMETERS = "parameters";
/** Tag of the cells that are put after it. */
const INJECTED = "injected-parameters";

const DECLARATION = /^const parameters = \{$([^]*?)^\};$/m;
const NAME = /^ {2}(\w+):/gm;

/** The names of a notebook's parameters; empty if it has no cell of parameters. */
export function parameterNames(text: string): string[] {
  const cell = cellsOf(text).find(isOfParameters);
  const declared = cell === undefined ? undefined : DECLARATION.exec(sourceOf(cell))?.[1];
  return Array.from((declared ?? "").matchAll(NAME), ([, name = ""]) => name);
}

/**
 * Puts parameters into the text of a notebook: a cell after that of its own parameters, which then
 * have the new values, and a sentence that says so to its readers. Its outputs are dropped, since
 * they are of its own parameters.
 *
 * @throws {TaskError} If the notebook has no parameter of one of these names.
 */
export function injectParameters(
  text: string,
  { notebook, parameters }: { notebook: string; parameters: Parameters },
): string {
  const names = parameterNames(text);
  const unknown = Object.keys(parameters).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new TaskError(`${notebook} has no parameter ${unknown}`, {
      fix: names.length === 0 ? "it has none" : `it has ${names.join(", ")}`,
    });
  }
  const content = JSON.parse(text);
  const place = content.cells.findIndex(isOfParameters);
  for (const cell of content.cells) if (cell.cell_type === "code") clear(cell);
  content.cells.splice(place + 1, 0, note(parameters), assignment(parameters));
  return `${JSON.stringify(content, null, 1)}\n`;
}

interface RawCell {
  readonly metadata?: { readonly tags?: readonly string[] };
  readonly source: string | readonly string[];
}

function cellsOf(text: string): RawCell[] {
  return JSON.parse(text).cells;
}

function isOfParameters({ metadata }: RawCell): boolean {
  return metadata?.tags?.includes(PARAMETERS) === true;
}

function sourceOf({ source }: RawCell): string {
  return typeof source === "string" ? source : source.join("");
}

function clear(cell: { outputs: unknown; execution_count: unknown }): void {
  cell.outputs = [];
  cell.execution_count = null;
}

function note(parameters: Parameters): unknown {
  const given = entries(parameters).map(([name, code]) => `\`${name}: ${code}\``);
  return {
    cell_type: "markdown",
    id: `${INJECTED}-note`,
    metadata: { tags: [INJECTED] },
    source:
      `**Executed with other parameters**: ${given.join(", ")}. Figures and answers describe ` +
      "these; what the text says of a recording describes the page as it is published.",
  };
}

function assignment(parameters: Parameters): unknown {
  const lines = entries(parameters).map(([name, code]) => `  ${name}: ${code},\n`);
  return {
    cell_type: "code",
    execution_count: null,
    id: INJECTED,
    metadata: { tags: [INJECTED] },
    outputs: [],
    // An expression with a value would be shown below the cell.
    source: `void Object.assign(parameters, {\n${lines.join("")}});`,
  };
}

function entries(parameters: Parameters): [name: string, code: string][] {
  return Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]);
}
