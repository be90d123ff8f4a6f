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
export function parameterNames(text: string): string[] {
  const cell = cellsOf(text).find(isOfParameters);
  const declared = cell === undefined ? "" : sourceOf(cell);
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
  const names = parameterNames(text);
  const isOption = (name: string) => names.includes(OPTIONS) && Object.hasOwn(MARKET_OPTIONS, name);
  const unknown = Object.keys(parameters).find((name) => !names.includes(name) && !isOption(name));
  if (unknown !== undefined) {
    throw new TaskError(`${notebook} has no parameter ${unknown}`, {
      fix: names.length === 0 ? "it has none" : `it has ${names.join(", ")}`,
    });
  }
  const content = JSON.parse(text);
  const place = content.cells.findIndex(isOfParameters);
  for (const cell of content.cells) if (cell.cell_type === "code") clear(cell);
  if (place !== -1) {
    const cell = content.cells[place];
    cell.source = withValues(sourceOf(cell), parameters, names);
  }
  content.cells.splice(place + 1, 0, note(parameters));
  return `${JSON.stringify(content, null, 1)}\n`;
}

/** The cell of parameters with other values. */
function withValues(source: string, parameters: Parameters, names: readonly string[]): string {
  const options = Object.entries(parameters).filter(([name]) => !names.includes(name));
  return source.replaceAll(DECLARATION, (declaration, name: string, own: string) => {
    const start = declaration.slice(0, -`${own};`.length);
    if (name === OPTIONS) {
      const kept = Object.hasOwn(parameters, "source") ? [] : [`...${own}`];
      const given = options.map(([option, value]) => `${option}: ${codeOf(value)}`);
      return `${start}{ ${[...kept, ...given].join(", ")} };`;
    }
    return Object.hasOwn(parameters, name) ? `${start}${codeOf(parameters[name])};` : declaration;
  });
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
  const given = Object.entries(parameters).map(([name, value]) => `\`${name}: ${codeOf(value)}\``);
  return {
    cell_type: "markdown",
    id: `${INJECTED}-note`,
    metadata: { tags: [INJECTED] },
    source:
      `**Executed with other parameters**: ${given.join(", ")}. Figures and answers describe ` +
      "these; what the text says of a recording describes the page as it is published.",
  };
}

function codeOf(value: unknown): string {
  return value instanceof Code ? value.text : JSON.stringify(value);
}
