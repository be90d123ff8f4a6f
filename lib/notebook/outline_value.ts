import { describeValue } from "../errors/option_rules.ts";
import { InputError } from "../errors/orderlens_error.ts";
import { hideSecrets } from "../errors/secrets.ts";
import { formatInstant } from "../units/mod.ts";
import type { Leaf, ListOutline, Outline, RecordOutline, TableOutline } from "./outline_html.ts";

/** Limits of the outline of a long value. */
interface OutlineLimits {
  /** Elements of a list, rows of a table. */
  readonly rows: number;
  /** Entries of a record. */
  readonly entries: number;
}

const MAX_DEPTH = 24;

/** Outlines any value. */
export function outlineValue(value: unknown, limits: OutlineLimits): Outline {
  return outlineNested(value, limits, []);
}

function outlineNested(
  value: unknown,
  limits: OutlineLimits,
  ancestors: readonly object[],
): Outline {
  const line = outlineLeaf(value);
  if (line !== undefined) return line;
  const object = value as object;
  if (ancestors.includes(object)) return createFaintLeaf("[the same object again]");
  if (ancestors.length >= MAX_DEPTH) return createFaintLeaf("[nested too deeply to show]");
  const path = [...ancestors, object];
  const outlineChild = (child: unknown) => outlineNested(child, limits, path);
  const elements = listElements(object);
  if (elements !== undefined) return outlineList(elements, limits, outlineChild);
  return outlineRecord(object, limits, outlineChild);
}

/** Lists the elements of arrays, sets and typed arrays; `undefined` for other objects. */
function listElements(object: object): readonly unknown[] | undefined {
  if (Array.isArray(object)) return object;
  if (object instanceof Set) return [...object];
  if (ArrayBuffer.isView(object) && Symbol.iterator in object) {
    return [...object as Iterable<unknown>];
  }
  return undefined;
}

function outlineList(
  elements: readonly unknown[],
  limits: OutlineLimits,
  outlineChild: (child: unknown) => Outline,
): Leaf | ListOutline | TableOutline {
  if (elements.length === 0) return createFaintLeaf("[]");
  const visible = elements.slice(0, limits.rows);
  const hidden = elements.length - visible.length;
  const items = visible.map(outlineChild);
  const table = outlineTable(items, hidden);
  return table ?? { kind: "list", items, hidden };
}

function outlineRecord(
  object: object,
  limits: OutlineLimits,
  outlineChild: (child: unknown) => Outline,
): Leaf | RecordOutline {
  const name = readClassName(object);
  const entries = object instanceof Map
    ? [...object].map(([key, child]) => [outlineLeaf(key)?.text ?? "[an object]", child] as const)
    : Object.entries(object);
  if (entries.length === 0) return createFaintLeaf(name === undefined ? "{}" : `${name} {}`);
  const visible = entries.slice(0, limits.entries);
  return {
    kind: "record",
    ...(name === undefined ? {} : { name }),
    entries: visible.map(([key, child]) => [key, outlineChild(child)]),
    hidden: entries.length - visible.length,
  };
}

function createFaintLeaf(text: string): Leaf {
  return { kind: "leaf", text, faint: true };
}

/** Outlines flat records as a table; `undefined` for other items. */
function outlineTable(items: readonly Outline[], hidden: number): TableOutline | undefined {
  const records = items.filter(isFlatRecord);
  if (records.length === 0 || records.length < items.length) return undefined;
  const cells = records.map((record) => new Map(record.entries));
  const names = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  return {
    kind: "table",
    columns: names.map((name) => ({
      name,
      numeric: isNumericColumn(cells.map((row) => row.get(name))),
    })),
    rows: cells.map((row) => names.map((name) => row.get(name))),
    hidden,
  };
}

type FlatRecord = RecordOutline & { readonly entries: readonly (readonly [string, Leaf])[] };

function isFlatRecord(item: Outline): item is FlatRecord {
  return item.kind === "record" && item.hidden === 0 &&
    item.entries.every(([, value]) => value.kind === "leaf");
}

/** Whether all present cells are numbers; `false` for a column without any. */
export function isNumericColumn(cells: readonly (Leaf | undefined)[]): boolean {
  const present = cells.filter((cell) => cell !== undefined && cell.faint !== true);
  return present.length > 0 && present.every((cell) => cell?.numeric === true);
}

/** Reads the class name of `object`; `undefined` for plain objects and anonymous classes. */
export function readClassName(object: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const constructor: unknown = object.constructor;
  return typeof constructor === "function" && constructor.name !== ""
    ? constructor.name
    : undefined;
}

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;
const INTEGER = /^-?[0-9]+$/;
/** Text that is ambiguous or invisible without quotes. */
const NEEDS_QUOTES = /^$|^\s|\s$|\p{Cc}|^(?:null|undefined|true|false)$/u;
const CONTROL = /[^\P{Cc}\n\t]/gu;
const MAX_TEXT_CHARS = 1000;
const MAX_BYTES = 500;

/** Outlines `value` if it fits on one line, otherwise `undefined`. */
export function outlineLeaf(value: unknown): Leaf | undefined {
  switch (typeof value) {
    case "string":
      return outlineString(value);
    case "bigint":
      return { kind: "leaf", text: String(value), numeric: true, isExact: true };
    case "number":
      return { kind: "leaf", text: Object.is(value, -0) ? "-0" : String(value), numeric: true };
    case "undefined":
      return createFaintLeaf("undefined");
    case "function":
      return createFaintLeaf(`[function ${value.name || "without a name"}]`);
    case "boolean":
    case "symbol":
      return { kind: "leaf", text: String(value) };
  }
  return value === null ? createFaintLeaf("null") : outlineObject(value as object);
}

/**
 * Escapes control characters, so that terminal codes have no effect, and hides the keys of
 * transports, because notebooks are shared with their outputs.
 */
export function escapeControls(text: string): string {
  return hideSecrets(text).replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Formats an object with its own `toString`, such as a Decimal or an Instant. */
export function formatObject(object: object): string | undefined {
  if (object instanceof Date) return Number.isNaN(+object) ? String(object) : object.toISOString();
  if (object instanceof Temporal.Instant) return formatInstant(object);
  if (Array.isArray(object) || ArrayBuffer.isView(object)) return undefined;
  const { toString } = object;
  if (typeof toString !== "function" || toString === Object.prototype.toString) return undefined;
  return String(toString.call(object));
}

/** Formats an error on one line; semicolons separate its facts and remedy. */
export function formatFailure(error: Error): string {
  return escapeControls(`${error.name}: ${error.message}`.replaceAll(/\s*\n\s*/g, "; "));
}

function outlineString(value: string): Leaf {
  const text = hideSecrets(value);
  const cut = text.length > MAX_TEXT_CHARS
    ? `${text.slice(0, MAX_TEXT_CHARS)}… ${text.length - MAX_TEXT_CHARS} more characters`
    : text;
  return {
    kind: "leaf",
    text: NEEDS_QUOTES.test(text) ? escapeControls(JSON.stringify(cut)) : cut,
    ...(DECIMAL.test(text) ? { numeric: true } : {}),
    ...(INTEGER.test(text) ? { isExact: true } : {}),
  };
}

function outlineObject(value: object): Leaf | undefined {
  if (value instanceof Error) return { kind: "leaf", text: formatFailure(value) };
  if (value instanceof Uint8Array) return { kind: "leaf", text: formatBytes(value) };
  if (value instanceof Promise) {
    return createFaintLeaf("[a promise: await it first]");
  }
  if (Symbol.asyncIterator in value) {
    return createFaintLeaf("[an async iterable: collect it first with await Array.fromAsync(…)]");
  }
  const text = formatObject(value);
  return text === undefined ? undefined : outlineString(text);
}

function formatBytes(bytes: Uint8Array): string {
  const hex = Array.from(
    bytes.subarray(0, MAX_BYTES),
    (byte) => byte.toString(16).padStart(2, "0"),
  );
  const more = bytes.length > MAX_BYTES ? `… ${bytes.length - MAX_BYTES} more bytes` : "";
  return `0x${hex.join("")}${more}`;
}

/**
 * Displays the answer to a section's question below the running cell: prose with numbers from the data.
 *
 * The text is Markdown, so `**14 of 20**` is bold. HTML in it is escaped, since token and solver
 * names are untrusted text. The hyphen of a negative number becomes a minus sign (U+2212), as in
 * charts; code in backticks stays unchanged.
 *
 * @param text Sentences, as Markdown; several texts are a list.
 * @throws {InputError} Outside a notebook, or if a text is not a string.
 * @example Outside a notebook, it throws
 * ```ts
 * import { answer } from "orderlens/notebook";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => answer("In **14 of 20** auctions"), Error, "outside a notebook");
 * ```
 */
export async function answer(text: string | readonly string[]): Promise<void> {
  await display(() => Promise.resolve(createAnswerBundle(text)));
}

/** Code in backticks, which is left alone, or the hyphen before a number, which is its sign. */
const CODE_OR_SIGN = /`[^`]*`|(?<![\w.,-])-(?=\d)/g;
/** Code in Markdown, which needs no escapes, or a character that needs one. */
const CODE_OR_MARKUP = /(?<![`\\])`[^`\n]+`(?!`)|[&<]/g;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;" };

/** Creates the formats that {@linkcode answer} shows. */
export function createAnswerBundle(input: string | readonly string[]): MimeBundle {
  const text = Array.isArray(input) ? input.map((sentence) => `- ${sentence}`).join("\n") : input;
  if (typeof text !== "string") {
    throw new InputError(`Cannot answer with ${describeValue(text)}`, {
      remedy: "Pass the sentences as one string; `show` displays other values",
    });
  }
  const visible = escapeControls(text).replace(CODE_OR_SIGN, (code) => code === "-" ? "−" : code);
  const markdown = visible.replace(CODE_OR_MARKUP, (match) => ESCAPES[match] ?? match);
  return { "text/plain": visible, "text/markdown": markdown };
}

/**
 * Deno's kernel may report a cell as done up to 0.8 ms before its last output is sent, and front
 * ends drop later output. A cell that waits this long loses none.
 */
const SETTLE_MS = 10;

/**
 * Displays a bundle below the running notebook cell, and resolves once it has been sent.
 *
 * The kernel is looked up before the bundle is created: outside a notebook, nothing is computed.
 *
 * @throws {InputError} Outside a notebook.
 */
export async function display(bundle: () => Promise<MimeBundle>): Promise<void> {
  const jupyter = requireKernel();
  await jupyter.display(await bundle(), { raw: true });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

function requireKernel(): typeof Deno.jupyter {
  try {
    return Deno.jupyter;
  } catch (cause) {
    throw new InputError("Cannot show a value outside a notebook", {
      remedy: "Call it in a notebook cell on the Deno kernel, or use console.log",
      cause,
    });
  }
}

/** One output of a value in several formats; the front end shows the richest one it supports. */
export interface MimeBundle {
  /** Content by media type, such as `text/plain` or `image/svg+xml`. */
  [mediaType: string]: string | object | undefined;
}

/** Whether `value` is a bundle: at least one entry, each under a media type. */
export function isMimeBundle(value: unknown): value is MimeBundle {
  if (typeof value !== "object" || value === null) return false;
  const mediaTypes = Object.keys(value);
  return mediaTypes.length > 0 && mediaTypes.every((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type));
}
