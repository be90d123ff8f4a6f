import { MARKET_OPTIONS } from "../../lib/market/market_options.ts";
import { TaskError } from "../terminal/task_error.ts";

/**
 * Parameters by name, as JSON or as {@linkcode Code}. They stand in the executed copy: none may be a
 * secret.
 */
export type Parameters = Readonly<Record<string, unknown>>;

/** An expression, where JSON cannot say a value. */
export class Code {
  /** Its text. */
  readonly text: string;

  /** An expression by its text. */
  constructor(text: string) {
    this.text = text;
  }
}

/** Tag of the cell that holds a notebook's parameters, as papermill has it. */
const PARAMETERS = "parameters";
/** Tag of the cell that says so after it. */
const INJECTED = "injected-parameters";
/** The parameter whose properties are options of `openMarket`. */
const OPTIONS = "options";

/** A parameter: its name and, behind its type, its value. */
const DECLARATION = /^const (\w+)(?::[^=]+)? =\s+([^]*?);$/gm;

/** The names of a notebook's parameters; empty if it has no cell of parameters. */
export function listParameters(text: string): string[] {
  const cell = parseCells(text).find(hasParameters);
  const declared = cell === undefined ? "" : joinSource(cell);
  return Array.from(declared.matchAll(DECLARATION), ([, name = ""]) => name);
}

/**
 * Puts parameters into the text of a notebook: in place of the values that its own have, with a
 * sentence that says so to its readers. Its outputs are dropped, since they are of its own parameters.
 *
 * What is no parameter is an option of the market. Options are added to those of the notebook, which
 * are of its own source: with another source they are left out.
 *
 * @throws {TaskError} If the notebook has neither a parameter nor an option of one of these names.
 */
export function injectParameters(
  text: string,
  { notebook, parameters }: { notebook: string; parameters: Parameters },
): string {
  const names = listParameters(text);
  const isOption = (name: string) => names.includes(OPTIONS) && Object.hasOwn(MARKET_OPTIONS, name);
  const unknownName = Object.keys(parameters).find((name) =>
    !names.includes(name) && !isOption(name)
  );
  if (unknownName !== undefined) {
    throw new TaskError(`${notebook} has no parameter ${unknownName}`, {
      fix: names.length === 0 ? "it has none" : `it has ${names.join(", ")}`,
    });
  }
  const content = JSON.parse(text);
  const index = content.cells.findIndex(hasParameters);
  for (const cell of content.cells) if (cell.cell_type === "code") clear(cell);
  if (index !== -1) {
    const cell = content.cells[index];
    cell.source = replaceValues(joinSource(cell), parameters, names);
  }
  content.cells.splice(index + 1, 0, createNote(parameters));
  return `${JSON.stringify(content, null, 1)}\n`;
}

/** The cell of parameters with other values. */
function replaceValues(source: string, parameters: Parameters, names: readonly string[]): string {
  const options = Object.entries(parameters).filter(([name]) => !names.includes(name));
  return source.replaceAll(DECLARATION, (declaration, name: string, currentValue: string) => {
    const start = declaration.slice(0, -`${currentValue};`.length);
    if (name === OPTIONS) {
      const spread = Object.hasOwn(parameters, "source") ? [] : [`...${currentValue}`];
      const assignments = options.map(([option, value]) => `${option}: ${formatCode(value)}`);
      return `${start}{ ${[...spread, ...assignments].join(", ")} };`;
    }
    return Object.hasOwn(parameters, name)
      ? `${start}${formatCode(parameters[name])};`
      : declaration;
  });
}

interface RawCell {
  readonly metadata?: { readonly tags?: readonly string[] };
  readonly source: string | readonly string[];
}

function parseCells(text: string): RawCell[] {
  return JSON.parse(text).cells;
}

function hasParameters({ metadata }: RawCell): boolean {
  return metadata?.tags?.includes(PARAMETERS) === true;
}

function joinSource({ source }: RawCell): string {
  return typeof source === "string" ? source : source.join("");
}

function clear(cell: { outputs: unknown; execution_count: unknown }): void {
  cell.outputs = [];
  cell.execution_count = null;
}

function createNote(parameters: Parameters): unknown {
  const assignments = Object.entries(parameters).map(([name, value]) =>
    `\`${name}: ${formatCode(value)}\``
  );
  return {
    cell_type: "markdown",
    id: `${INJECTED}-note`,
    metadata: { tags: [INJECTED] },
    source:
      `**Executed with other parameters**: ${
        assignments.join(", ")
      }. Figures and answers describe ` +
      "these; what the text says of a recording describes the page as it is published.",
  };
}

function formatCode(value: unknown): string {
  return value instanceof Code ? value.text : JSON.stringify(value);
}
