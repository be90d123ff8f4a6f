import { describeValue } from "../errors/option_rules.ts";
import { findNearestText, InputError } from "../errors/orderlens_error.ts";
import { escapeHtml, outlineHtml, type TableOutline } from "./outline_html.ts";
import { display, type MimeBundle } from "./outline_value.ts";
import { isFrame, outlineText, render } from "./render.ts";

/** A function of the library, from its documentation. */
export interface FunctionHelp {
  /** Its name. */
  readonly name: string;
  /** Entry point that exports it, such as `charts`. */
  readonly room: string;
  /** Its call, such as `winMargin(rows, options?)`. */
  readonly call: string;
  /** Its first paragraph. */
  readonly summary: string;
  /** Its parameters, columns of rows as `rows.solver`, and options as `options.limit`. */
  readonly parameters: readonly ParameterHelp[];
  /** An example that runs. */
  readonly example: string | null;
}

/** A parameter or an option: its name, its type, the values allowed, its default and its meaning. */
export type ParameterHelp = readonly [
  name: string,
  type: string,
  allowed: string,
  fallback: string,
  meaning: string,
];

/** A class of the library, from its documentation. */
export interface ClassHelp extends Pick<FunctionHelp, "name" | "room" | "summary" | "example"> {
  /** Its members: the call or the name, the kind (table, view, method or property), the meaning. */
  readonly members: readonly (readonly [member: string, kind: string, meaning: string])[];
}

/** The documentation of functions and classes, as `tools/notebooks/write_help.ts` writes it. */
export interface HelpFile {
  readonly functions: readonly FunctionHelp[];
  readonly classes: readonly ClassHelp[];
}

/** The parts of a table or view that are read. */
interface Relation {
  readonly name: string;
  readonly grain: string;
  readonly key: readonly string[];
  readonly columns: readonly Readonly<Record<string, unknown>>[];
}

const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as typeof DISPLAY;

/** A page of help, which notebooks display. */
interface HelpPage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly example?: string | null;
}

/**
 * Shows the documentation of a table, function or market below the running notebook cell; the kernel
 * shows none on hover.
 *
 * - A table (`FILLS`), its name, or a frame of it: columns with type, unit, meaning and source; the
 *   same of a view by its name (`"leaderboard"`).
 * - A function (`winMargin`) or its name: parameters and options with type, allowed values, default
 *   and meaning, and an example.
 * - A market, or another object or class of the library: its methods and properties; of a market,
 *   tables and views with their grain.
 *
 * Without an argument, it lists all of these. For anything else, it shows an error that lists them.
 *
 * @param subject The table, function, object or name; a promise is awaited first. @default {the list}
 * @throws {InputError} Outside a notebook.
 * @example Outside a notebook, it throws
 * ```ts
 * import { help } from "orderlens/notebook";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => help("fills"), Error, "outside a notebook");
 * ```
 */
export async function help(subject?: unknown): Promise<void> {
  await display(() => render(findHelp(subject)));
}

/**
 * Finds the documentation of a subject, in a form that renders itself.
 *
 * @throws {InputError} If there is none; lists all subjects.
 */
export async function findHelp(subject?: unknown): Promise<{ [DISPLAY](): MimeBundle }> {
  const file = await readHelpFile();
  const value = await subject;
  const page = value === undefined
    ? await listSubjects(file)
    : await describeRelation(value, file) ?? await describeFunction(value, file) ??
      describeClass(value, file);
  if (page === null) throw await createUnknownError(value, file);
  return { [DISPLAY]: () => writePage(page) };
}

/** Reads the file beside this one. */
async function readHelpFile(): Promise<HelpFile> {
  const { default: file } = await import("./help.json", { with: { type: "json" } });
  return file as unknown as HelpFile;
}

/** Lists tables and views, with the names of each in code; loads polars, as most notebooks do. */
async function listRelations({ classes }: HelpFile): Promise<
  readonly { readonly relation: Relation; readonly kind: string; readonly from: string }[]
> {
  const { TABLES } = await import("../tables/mod.ts");
  const { readViews } = await import("../sql/catalogue.ts");
  const market = classes.find(({ name }) => name === "Market")!;
  const formatMethod = (method: string) =>
    market.members.some(([member]) => member === `${method}()`) ? `market.${method}()` : "";
  return [
    ...Object.entries(TABLES).map(([method, table]) => ({
      relation: table as unknown as Relation,
      kind: "table",
      from: [`${toConstant(table.name)} of orderlens/tables`, formatMethod(method)],
    })),
    ...(await readViews()).map((view) => ({
      relation: view as unknown as Relation,
      kind: "view",
      from: [formatMethod(view.name.replace(/_\w/g, (end) => end.slice(1).toUpperCase()))],
    })),
  ].map(({ from, ...facts }) => ({ ...facts, from: from.filter(Boolean).join(", ") }));
}

function toConstant(table: string): string {
  return table.toUpperCase();
}

/** Describes a table, a view, or the table of a frame. */
async function describeRelation(value: unknown, file: HelpFile): Promise<HelpPage | null> {
  const isDeclared = isRelation(value);
  const columns = isFrame(value) ? Reflect.get(value, "columns") as string[] : null;
  if (!isDeclared && columns === null && typeof value !== "string") return null;
  const relations = await listRelations(file);
  const match = relations.find(({ relation }) =>
    relation === value || relation.name === value || toConstant(relation.name) === value ||
    columns?.length === relation.columns.length &&
      relation.columns.every(({ name }, index) => name === columns[index])
  );
  const relation = match?.relation ?? (isDeclared ? value : null);
  if (relation === null) return null;
  return {
    title: match ? `${relation.name}: ${match.kind}, ${match.from}` : `${relation.name}: table`,
    lines: [`${relation.grain}.`, `Key: ${relation.key.join(", ")}`],
    headings: ["column", "type", "unit", "meaning and source"],
    rows: relation.columns.map(({ name, dtype, unit, source, text }) =>
      [name, dtype, unit ?? "", source ?? text].map(String)
    ),
  };
}

function isRelation(value: unknown): value is Relation {
  return typeof value === "object" && value !== null && "grain" in value && "columns" in value &&
    Array.isArray(value.columns);
}

async function describeFunction(
  value: unknown,
  { functions }: HelpFile,
): Promise<HelpPage | null> {
  const name = typeof value === "function" ? value.name : value;
  const [first, second] = functions.filter((each) => each.name === name);
  if (first === undefined) return null;
  const { room, call, summary, parameters, example } =
    second === undefined || typeof value === "string" || await isChart(value, first.name)
      ? first
      : second;
  return {
    title: `${call}, from ${toEntryPoint(room)}`,
    lines: [summary],
    headings: ["parameter", "type", "allowed", "default", "meaning"],
    rows: parameters,
    example,
  };
}

/** Whether a function is the chart of this name, since a chart may have the name of its metric. */
async function isChart(value: unknown, name: string): Promise<boolean> {
  const charts: object = await import("../charts/mod.ts");
  return Reflect.get(charts, name) === value;
}

/** Describes a class, by itself, by its name or by an object of it. */
function describeClass(value: unknown, { classes }: HelpFile): HelpPage | null {
  const names = typeof value === "string" ? [value] : listClassNames(value);
  const described = classes.find(({ name }) => names.includes(name));
  if (described === undefined) return null;
  const { name, room, summary, members, example } = described;
  return {
    title: `${name}, from ${toEntryPoint(room)}`,
    lines: [summary],
    headings: ["member", "kind", "meaning"],
    rows: members,
    example,
  };
}

function listClassNames(value: unknown): string[] {
  if (typeof value === "function") return [value.name];
  const names: string[] = [];
  for (
    let prototype = typeof value === "object" && value !== null
      ? Object.getPrototypeOf(value)
      : null;
    prototype !== null;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    names.push(String(prototype.constructor?.name));
  }
  return names;
}

function toEntryPoint(room: string): string {
  return `orderlens/${room}`;
}

/** All subjects, in the order of the list. */
async function listSubjects(file: HelpFile): Promise<HelpPage> {
  const toRows = (kind: string, entries: readonly (FunctionHelp | ClassHelp)[]) =>
    entries.map(({ name, room, summary }) => [
      name,
      kind,
      toEntryPoint(room),
      cutSentence(summary),
    ]);
  return {
    title: "help(subject)",
    lines: ['Tables and views by their name too: help("fills").'],
    headings: ["subject", "kind", "from", "meaning"],
    rows: [
      ...(await listRelations(file)).map(({ relation, kind, from }) => [
        kind === "view" ? relation.name : toConstant(relation.name),
        kind,
        from,
        `${relation.grain}.`,
      ]),
      ...toRows("class", file.classes),
      ...toRows("function", file.functions),
    ],
  };
}

function cutSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

async function createUnknownError(value: unknown, file: HelpFile): Promise<InputError> {
  const { rows } = await listSubjects(file);
  const names = rows.map(([name = ""]) => name);
  const nearest = typeof value === "string" ? findNearestText(value, names) : undefined;
  const bySource = Object.groupBy(
    rows,
    ([, kind = "", from = ""]) => kind === "table" || kind === "view" ? `${kind}s` : from,
  );
  return new InputError(`There is no help for ${describeValue(value)}`, {
    facts: Object.fromEntries(
      Object.entries(bySource).map((
        [source, rows = []],
      ) => [source, rows.map(([name]) => name).join(", ")]),
    ),
    remedy: nearest === undefined
      ? "Pass one of these, or its name as a text"
      : `Pass ${nearest}, or another one of these`,
  });
}

function writePage({ title, lines, headings, rows, example }: HelpPage): MimeBundle {
  const table: TableOutline = {
    kind: "table",
    columns: headings.map((name) => ({ name, numeric: false, isProse: true })),
    rows: rows.map((row) => row.map((text) => ({ kind: "leaf", text }))),
    hidden: 0,
  };
  const parts = rows.length === 0 ? [] : [table];
  const code = example ? [example] : [];
  return {
    "text/plain": [[title, ...lines].join("\n"), ...parts.map(outlineText), ...code].join("\n\n"),
    "text/html": [
      `<div><b>${escapeHtml(title)}</b></div>`,
      ...lines.map((line) => `<div>${escapeHtml(line)}</div>`),
      ...parts.map(outlineHtml),
      ...code.map((text) => `<pre>${escapeHtml(text)}</pre>`),
    ].join(""),
  };
}
