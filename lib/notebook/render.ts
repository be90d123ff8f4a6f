import {
  checkOptions,
  defineRule,
  describeValue,
  oneOf,
  type OptionRules,
  wholeNumber,
} from "../errors/option_rules.ts";
import { InputError, OrderlensError } from "../errors/orderlens_error.ts";
import { isNetworkName } from "../networks/explorer_url.ts";
import type { NetworkName } from "../networks/network.ts";
import { NETWORKS } from "../networks/networks.ts";
import { TokenAmounts, type TokenOptions } from "../tables/columns/lookups.ts";
import { annotate, type ReadingFacts } from "./annotate.ts";
import {
  type ErrorOutline,
  formatListLine,
  formatMore,
  type Leaf,
  type ListOutline,
  type Outline,
  outlineHtml,
  type RecordOutline,
  type TableOutline,
} from "./outline_html.ts";
import {
  display,
  escapeControls,
  formatFailure,
  formatObject,
  isMimeBundle,
  isNumericColumn,
  type MimeBundle,
  outlineLeaf,
  outlineValue,
  readClassName,
} from "./outline_value.ts";

/** Limits of rendered values, and their network and tokens. */
export interface RenderOptions extends Pick<TokenOptions, "decimals" | "symbols"> {
  /**
   * Maximum number of frame rows or list elements, including nested ones; omitted ones are counted.
   * A record shows this many entries, at least 100.
   *
   * @default {20}
   */
  rows?: number;
  /**
   * Network of the value: links lead to its explorers, and tokens that ship are looked up for it.
   * `local` is the network of the shipped recordings, which has no explorer.
   *
   * @default {none, where tokens count on which all networks that list the address agree}
   */
  network?: NetworkName | "local";
}

const LOOKUP = "a Map by address or a function of the address";
const isLookup = (value: unknown) => value instanceof Map || typeof value === "function";

const OPTIONS: OptionRules<RenderOptions> = {
  rows: wholeNumber(1),
  network: oneOf("local", ...Object.keys(NETWORKS) as NetworkName[]),
  decimals: defineRule(LOOKUP, isLookup),
  symbols: defineRule(LOOKUP, isLookup),
};

const DEFAULT_ROWS = 20;

const MIN_ENTRIES = 100;

/**
 * Renders any value as a notebook would display it, without displaying it.
 *
 * - A frame is a table cut to `rows`, with numbers and decimal text on the right, and a warning below
 * where a column of amounts or shares was computed so that polars cut digits off.
 * - A value with a `Symbol.for("Jupyter.display")` method is the result of that method: a chart is its
 * picture, and below it its finding.
 * - A report of `orderlens/reports` is its page, in one element whose style stays in it.
 * - An SVG or HTML element is drawn.
 * - `bigint`, numbers, times, decimals and anything else with its own `toString` are their text,
 *   with every digit; `null` and `undefined` say so.
 * - Records and lists are tables: keys and values, or columns where all elements are flat records.
 * - Errors are message, code, remedy and causes, never a stack; so is the reason of a promise that
 * was rejected.
 *
 * In HTML, UIDs, hashes and addresses are shortened, copied whole with one click and, where the
 * network is given, linked to their pages; amounts of tokens whose decimals are known are in whole
 * tokens with their unit, their atoms one click away. The plain text has every digit.
 *
 * HTML and control characters are escaped. Text inside a record is truncated after 1,000 characters,
 * with a note. Never throws because of the value: an unreadable value renders as an error.
 *
 * @param value Anything; a promise is awaited first, and shown as an error if it is rejected.
 * @returns Media types to their texts; `text/plain` alone for what is one text.
 * @throws {InputError} If an option is unknown or has an invalid value.
 * @example A record keeps every digit, as text and as an HTML table
 * ```ts
 * import { render } from "orderlens/notebook";
 * import { assertEquals } from "@std/assert";
 *
 * const bundle = await render({ kind: "sell", sellAmount: 10n ** 24n + 1n });
 *
 * assertEquals(bundle["text/plain"], "kind: sell\nsellAmount: 1000000000000000000000001");
 * ```
 */
export async function render(value: unknown, options: RenderOptions = {}): Promise<MimeBundle> {
  checkOptions(options, OPTIONS, "Cannot show a value");
  const [settled] = await Promise.allSettled([value]);
  if (settled.status === "rejected") return await createBundle(toError(settled.reason), options);
  try {
    return await createBundle(settled.value, options);
  } catch (error) {
    return writeBundle(outlineError(createShowError(settled.value, error)));
  }
}

/** Turns the reason of a rejection into an error, which it need not be. */
function toError(reason: unknown): Error {
  return reason instanceof Error
    ? reason
    : new Error(`A promise was rejected with ${describeValue(reason)}`);
}

async function createBundle(
  value: unknown,
  { rows = DEFAULT_ROWS, ...tokens }: RenderOptions,
): Promise<MimeBundle> {
  if (typeof value === "string") return { "text/plain": escapeControls(value) };
  if (value instanceof Error) return writeBundle(outlineError(value));
  if (isFrame(value)) {
    return writeBundle(annotate(outlineFrame(value, rows), toReadingFacts(tokens)));
  }
  if (hasDisplay(value)) return await renderDisplayable(value);
  const report = await renderReport(value, tokens);
  if (report !== null) return report;
  const element = renderElement(value);
  if (element !== undefined) return element;
  const text = typeof value === "object" && value !== null ? formatObject(value) : undefined;
  if (text !== undefined) return { "text/plain": escapeControls(text) };
  const line = outlineLeaf(value);
  if (line !== undefined) return { "text/plain": line.text };
  const outline = outlineValue(value, { rows, entries: Math.max(rows, MIN_ENTRIES) });
  return writeBundle(annotate(outline, toReadingFacts(tokens)));
}

/** Renders a report as its page; the code for pages is loaded on first use. */
async function renderReport(value: unknown, tokens: TokenOptions): Promise<MimeBundle | null> {
  if (typeof value !== "object" || value === null || !("schema" in value)) return null;
  const { schema } = value;
  if (typeof schema !== "string" || !schema.startsWith("orderlens/inspect")) return null;
  const { renderForNotebook } = await import("../reports/page/notebook_report.ts");
  const page = await renderForNotebook(value, tokens);
  return page === null ? null : { ...page };
}

function toReadingFacts(tokens: TokenOptions): ReadingFacts {
  const { network } = tokens;
  const isPublic = network !== undefined && isNetworkName(network);
  return {
    network: isPublic ? network : undefined,
    nativeSymbol: isPublic ? NETWORKS[network].nativeToken.symbol : "native tokens",
    amounts: new TokenAmounts(tokens),
  };
}

function renderElement(value: unknown): MimeBundle | undefined {
  if (typeof value !== "object" || value === null || !("outerHTML" in value)) return undefined;
  const markup = value.outerHTML;
  if (typeof markup !== "string") return undefined;
  return { [markup.startsWith("<svg") ? "image/svg+xml" : "text/html"]: markup };
}

function writeBundle(outline: Outline): MimeBundle {
  return { "text/plain": outlineText(outline), "text/html": outlineHtml(outline) };
}

function createShowError(value: unknown, cause: unknown): InputError {
  const name = typeof value === "object" && value !== null ? readClassName(value) : undefined;
  return new InputError(`Cannot show this ${name ?? typeof value}: reading it failed`, {
    remedy: "Show a part of it, e.g. one field or column",
    cause,
  });
}

const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as typeof DISPLAY;

/** A value that renders itself. */
interface Displayable {
  /** Returns the output. */
  [DISPLAY](): unknown;
}

/** Whether `value` renders itself. */
function hasDisplay(value: unknown): value is Displayable {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    DISPLAY in value && typeof value[DISPLAY] === "function";
}

/**
 * Renders `value` by its own method.
 *
 * @throws {TypeError} If it renders nothing, or output that cannot be sent.
 */
async function renderDisplayable(value: Displayable): Promise<MimeBundle> {
  const bundle: unknown = await value[DISPLAY]();
  if (!isMimeBundle(bundle)) {
    throw new TypeError("Symbol.for('Jupyter.display') returned no media types");
  }
  JSON.stringify(bundle);
  return bundle;
}

const MAX_CAUSES = 8;

/** Outlines an error: message, remedy and causes, without stack and file paths. */
function outlineError(error: Error): ErrorOutline {
  const remedy = error instanceof OrderlensError ? escapeControls(error.remedy) : undefined;
  const lines = escapeControls(error.message).split("\n");
  return {
    kind: "error",
    name: error.name,
    ...(error instanceof OrderlensError ? { code: error.code } : {}),
    lines: remedy === undefined ? lines : lines.filter((line) => line !== `Fix: ${remedy}`),
    ...(remedy === undefined ? {} : { remedy }),
    causes: listCauses(error),
  };
}

/** Lists what caused an error, without causes whose first line its message repeats. */
function listCauses(error: Error): string[] {
  const causes: string[] = [];
  let cause = error.cause;
  while (cause !== undefined && causes.length < MAX_CAUSES) {
    const [line = ""] = cause instanceof Error ? cause.message.split("\n") : [];
    if (line === "" || !error.message.includes(line)) {
      causes.push(cause instanceof Error ? formatFailure(cause) : escapeControls(String(cause)));
    }
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

/** The used part of a polars frame, declared without polars. */
interface Frame {
  /** Number of rows. */
  readonly height: number;
  /** Its first rows. */
  head(rows: number): Frame;
  /** Its rows and columns in the form that notebooks exchange (frictionless tabular data). */
  toDataResource(): {
    readonly data: readonly Readonly<Record<string, unknown>>[];
    readonly schema: {
      readonly fields: readonly { readonly name: string; readonly type: string }[];
    };
  };
}

/** Whether `value` is a frame; they are proxies that deny `"height" in frame`. */
export function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null &&
    typeof Reflect.get(value, "height") === "number" &&
    typeof Reflect.get(value, "head") === "function" &&
    typeof Reflect.get(value, "toDataResource") === "function";
}

/**
 * Outlines a frame's first rows as a table. polars' own output is silently cut at 50 rows, is not aligned,
 * and contains `bigint`s that cannot be sent.
 */
export function outlineFrame(frame: Frame, limit: number): TableOutline {
  const { data, schema } = frame.head(limit).toDataResource();
  const rows = data.map((record) => schema.fields.map(({ name }) => outlineCell(record[name])));
  return {
    kind: "table",
    columns: schema.fields.map(({ name, type }, column) => ({
      name,
      // Amounts are decimal text in frames, but readers expect numbers.
      numeric: /^(?:integer|number)$/.test(type) || isNumericColumn(rows.map((row) => row[column])),
    })),
    rows,
    hidden: frame.height - data.length,
    warnings: schema.fields.flatMap(({ name, type }) => findMisuse(name, type) ?? []),
  };
}

/** Explains why a column has wrong digits, which two operations of polars silently give. */
function findMisuse(name: string, type: string): string | null {
  if (/_atoms$/.test(name) && (type === "integer" || type === "number")) {
    const reason = type === "integer" ? "whole numbers of 64 bits, which wrap" : "doubles";
    return `${name} has lost digits: it is of ${reason}. Keep amounts as text, and add with sumAtoms.`;
  }
  return /(?:^|_)(?:share|rate|ratio|fraction)$/.test(name) && type === "integer"
    ? `${name} is cut to whole numbers, as polars divides them. Divide with divideColumns.`
    : null;
}

function outlineCell(value: unknown): Leaf {
  const line = outlineLeaf(value);
  if (line !== undefined) return line;
  const text = outlineText(outlineValue(value, { rows: 5, entries: 20 }));
  return { kind: "leaf", text: text.replaceAll(/\s*\n\s*/g, ", ") };
}

/** Writes an outline as plain text. */
export function outlineText(outline: Outline): string {
  return formatLines(outline).join("\n");
}

function formatLines(outline: Outline): string[] {
  switch (outline.kind) {
    case "leaf":
      return [outline.text];
    case "record":
      return formatRecord(outline);
    case "list":
      return formatList(outline);
    case "table":
      return formatTable(outline);
    case "error":
      return [
        `${outline.name}${outline.code === undefined ? "" : ` (${outline.code})`}: ${
          outline.lines.join("\n")
        }`,
        ...(outline.remedy === undefined ? [] : [`Fix: ${outline.remedy}`]),
        ...outline.causes.map((cause) => `Caused by ${cause}`),
      ];
  }
}

function formatRecord({ name, entries, hidden }: RecordOutline): string[] {
  return [
    ...(name === undefined ? [] : [name]),
    ...entries.flatMap(([key, value]) => formatEntry(`${key}:`, value)),
    ...formatMoreLine(hidden),
  ];
}

function formatList(list: ListOutline): string[] {
  const line = formatListLine(list);
  if (line !== undefined) return [line];
  return [
    ...list.items.flatMap((item, index) => formatEntry(`[${index}]`, item)),
    ...formatMoreLine(list.hidden),
  ];
}

/** A single line follows its label; longer values start below it. */
function formatEntry(label: string, value: Outline): string[] {
  const [first = "", ...moreLines] = formatLines(value);
  if (moreLines.length === 0 && value.kind !== "record") return [`${label} ${first}`];
  return [label, ...[first, ...moreLines].map((line) => `  ${line}`)];
}

function formatTable({ columns, rows, hidden, warnings = [] }: TableOutline): string[] {
  const cells = rows.map((row) => row.map((cell) => cell?.text ?? ""));
  const widths = columns.map(({ name }, column) =>
    Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0))
  );
  const formatRow = (texts: readonly string[]) =>
    texts
      .map((text, column) =>
        columns[column]?.numeric === true
          ? text.padStart(widths[column] ?? 0)
          : text.padEnd(widths[column] ?? 0)
      )
      .join("  ")
      .trimEnd();
  const head = formatRow(columns.map(({ name }) => name));
  return [head, ...cells.map(formatRow), ...formatMoreLine(hidden), ...warnings];
}

function formatMoreLine(hidden: number): string[] {
  return hidden === 0 ? [] : [formatMore(hidden)];
}

/**
 * Shows any value below the running notebook cell, and resolves once it has been sent.
 *
 * Shows the output of {@linkcode render}. End cells with `await show(value)`: the kernel shows
 * nothing for a bare `bigint`, and loses some final expressions.
 *
 * A promise that is rejected is shown as its error, and the cell goes on: a rejection that nothing
 * handles ends the kernel, with all variables of the notebook. `await` the promise itself where the
 * cell must stop.
 *
 * @param value Anything; a promise is awaited first, and shown as an error if it is rejected.
 * @throws {InputError} Outside a notebook, or if an option is unknown or has an invalid value.
 * @example Outside a notebook, it throws
 * ```ts
 * import { show } from "orderlens/notebook";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => show(2n ** 255n), Error, "outside a notebook");
 * ```
 */
export async function show(value: unknown, options: RenderOptions = {}): Promise<void> {
  await display(() => render(value, options));
}
