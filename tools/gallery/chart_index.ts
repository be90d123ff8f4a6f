import { InputError } from "orderlens";
import * as charts from "orderlens/charts";
import { TaskError } from "../terminal/task_error.ts";
import { PROJECT_ROOT } from "../project_root.ts";

/** One entry of the index of charts. */
export interface IndexedChart {
  /** Name of the function. */
  readonly name: string;
  /** First sentence of its documentation. */
  readonly summary: string;
  /** Required columns, and optional ones. */
  readonly columns: { readonly needed: readonly string[]; readonly read: readonly string[] };
  /** The code that drew it, after the lines that all examples begin with. */
  readonly code: string;
  /** Its finding, in one to three sentences; empty for custom marks. */
  readonly finding: string;
  /** The drawing. */
  readonly svg: string;
  /** The drawing as it stands on a page. */
  readonly html: string;
}

/** The index, and the lines that every example begins with. */
export interface ChartIndex {
  readonly beginning: string;
  readonly charts: readonly IndexedChart[];
}

const EXAMPLES = new URL("./charts/", import.meta.url);
const BEGINNING = "market.ts";

/** The fields of a declaration of `deno doc --json` that are read. */
interface Declaration {
  readonly name: string;
  readonly declarations: readonly {
    readonly kind: string;
    readonly jsDoc?: { readonly doc?: string };
    // deno-lint-ignore no-explicit-any -- the rest differs by kind
    readonly def?: any;
  }[];
}

/** Names of the charts with an example, sorted. */
export async function listExamples(): Promise<string[]> {
  const files = await Array.fromAsync(Deno.readDir(EXAMPLES));
  return files.map(({ name }) => name).filter((name) => name !== BEGINNING)
    .map((name) => name.replace(/\.ts$/, "")).sort();
}

/** The file of an example. */
export function toExampleUrl(name: string): URL {
  return new URL(`${name}.ts`, EXAMPLES);
}

/**
 * Runs the example of each chart, and reads what the chart is for and which columns it takes from
 * the documentation of its function.
 *
 * @throws {TaskError} If the documentation cannot be read.
 */
export async function indexCharts(): Promise<ChartIndex> {
  const declared = await readDeclarations();
  const indexed = await Promise.all((await listExamples()).map(async (name) => {
    const { default: chart }: { default: charts.Chart | charts.Exploration } = await import(
      toExampleUrl(name).href
    );
    return {
      name,
      ...readChartDoc(name, declared),
      code: await readExampleCode(name),
      finding: "finding" in chart ? chart.finding : "",
      svg: chart.svg,
      html: chart.html,
    };
  }));
  return {
    beginning: await readExampleCode("market"),
    charts: indexed,
  };
}

/** Reads an example as a reader would type it: without the imports and exports that join examples. */
export async function readExampleCode(name: string): Promise<string> {
  const code = await Deno.readTextFile(toExampleUrl(name));
  return code
    .replace(/^import [^;]* from "\.\/market\.ts";\n/m, "")
    .replaceAll(/^export default /gm, "")
    .replaceAll(/^export /gm, "")
    .trim();
}

type ChartDoc = Pick<IndexedChart, "summary" | "columns">;

function readChartDoc(name: string, declared: ReadonlyMap<string, Declaration>): ChartDoc {
  const [drawing] = declared.get(name)?.declarations ?? [];
  if (drawing === undefined) {
    throw new TaskError(`Cannot index ${name}`, {
      fix: "name the file of an example after a chart that lib/charts/mod.ts exports",
    });
  }
  // A chart is a constant of type `Draw<Row, Options>`, or a function of rows.
  const { tsType = drawing.def.params?.[0].tsType } = drawing.def;
  const rows = tsType.value.typeParams?.[0]?.repr ?? tsType.repr;
  const properties: readonly { name: string; optional?: boolean }[] =
    declared.get(rows)?.declarations[0]?.def?.properties ?? [];
  const summary = cutFirstSentence(drawing.jsDoc?.doc ?? "");
  if (properties.length === 0) return { summary, columns: readChosenColumns(drawing, declared) };
  const needed = findNeededColumns(name) ??
    properties.filter(({ optional }) => optional !== true).map((property) => property.name);
  return {
    summary,
    columns: {
      needed,
      read: properties.map((property) => property.name).filter((column) =>
        !needed.includes(column)
      ),
    },
  };
}

/** Name of the columns of custom marks. */
const MARKS = "marks";

/** Reads the options that name a column, for a chart of any rows; marks, for one without rows. */
function readChosenColumns(
  { def }: Declaration["declarations"][number],
  declared: ReadonlyMap<string, Declaration>,
): IndexedChart["columns"] {
  const options = def.params[1]?.tsType ?? def.params[1]?.left?.tsType;
  const properties: readonly { name: string; optional?: boolean; jsDoc?: { doc?: string } }[] =
    declared.get(options?.repr)?.declarations[0]?.def?.properties ?? [];
  const naming = properties.filter(({ jsDoc }) => jsDoc?.doc?.startsWith("Column ") === true);
  if (naming.length === 0) return { needed: [MARKS], read: [] };
  return {
    needed: naming.filter(({ optional }) => optional !== true).map(({ name }) => name),
    read: naming.filter(({ optional }) => optional === true).map(({ name }) => name),
  };
}

/** A frame with a row and without a column. */
const NO_COLUMNS: charts.RowFrame = {
  columns: [],
  height: 1,
  getColumn: () => ({ toArray: () => [] }),
};

/** Finds the columns that a chart requires, from its error without them; `null` if it takes no frame. */
function findNeededColumns(name: string): string[] | null {
  const draw = charts[name as keyof typeof charts] as (rows: charts.RowFrame) => unknown;
  try {
    draw(NO_COLUMNS);
  } catch (error) {
    const columns = error instanceof InputError && / without (.+)/.exec(error.message)?.[1];
    if (columns) return columns.split(", ");
  }
  return null;
}

/** Cuts a text at its first colon, semicolon or full stop. */
function cutFirstSentence(doc: string): string {
  const text = doc.replaceAll(/\s+/g, " ").trim();
  return `${/^(?:[^.:;(]|\.(?=\S))*/.exec(text)?.[0].trim() ?? text}.`;
}

async function readDeclarations(): Promise<Map<string, Declaration>> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", "lib/charts/mod.ts"],
    cwd: PROJECT_ROOT,
    stderr: "null",
  }).output();
  if (!success) throw new TaskError("Cannot read the documentation of the charts");
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
    nodes: Record<string, { symbols: Declaration[] }>;
  };
  return new Map(
    Object.values(nodes).flatMap(({ symbols }) =>
      symbols.map((symbol) => [symbol.name, symbol] as const)
    ),
  );
}
