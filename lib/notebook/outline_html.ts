/** Inline, because notebook front ends drop style sheets of outputs and override cell alignment. */
const LEFT = "text-align:left";

const RIGHT = "text-align:right";

const TOP_LEFT = "text-align:left;vertical-align:top";

const PROSE = `${TOP_LEFT};white-space:normal;overflow-wrap:break-word`;

const FAINT = "opacity:0.6";

/** Style of an amount in whole tokens, whose atoms are one click away. */
const READABLE = "list-style:none;cursor:pointer;white-space:nowrap;border-bottom:1px dotted";

const ALL = "user-select:all;-webkit-user-select:all";

/**
 * Writes an outline as HTML without style sheets or ids; all text is escaped, and nothing needs a
 * script.
 */
export function outlineHtml(outline: Outline): string {
  return addCopyHandler(writeOutline(outline));
}

function writeOutline(outline: Outline): string {
  switch (outline.kind) {
    case "leaf":
      return writeLeaf(outline);
    case "record":
      return writeRecord(outline);
    case "list":
      return writeList(outline);
    case "table":
      return writeTable(outline);
    case "error":
      return writeError(outline);
  }
}

function writeLeaf({ text, faint, hex, href, readable }: Leaf): string {
  if (hex !== undefined) return writeHex(text, href);
  const escaped = escapeHtml(text);
  if (readable !== undefined) return writeAmount(escaped, escapeHtml(readable));
  return faint === true ? `<span style="${FAINT}">${escaped}</span>` : escaped;
}

function writeAmount(atoms: string, readable: string): string {
  if (readable === `${atoms} atoms`) return readable;
  return `<details style="display:inline-block"><summary title="${atoms} atoms" style="${READABLE}">${readable}</summary>` +
    `<span style="${ALL}">${atoms}</span> atoms</details>`;
}

function writeRecord({ name, entries, hidden }: RecordOutline): string {
  const caption = name === undefined
    ? ""
    : `<caption style="${LEFT}">${escapeHtml(name)}</caption>`;
  const rows = entries.map(([key, value]) => writeEntry(key, value)).join("");
  return `<table>${caption}<tbody>${rows}</tbody></table>${writeMore(hidden)}`;
}

function writeList(list: ListOutline): string {
  const line = formatListLine(list);
  const { items, hidden } = list;
  const isRich = items.some((item) => item.kind === "leaf" && item.hex !== undefined);
  if (line !== undefined && !isRich) return escapeHtml(line);
  const rows = items.map((item, index) => writeEntry(String(index), item)).join("");
  return `<table><tbody>${rows}</tbody></table>${writeMore(hidden)}`;
}

function writeEntry(label: string, value: Outline): string {
  const name = classifyHex("", label) === undefined ? escapeHtml(label) : writeHex(label);
  return `<tr><th style="${TOP_LEFT}">${name}</th><td style="${TOP_LEFT}">${
    writeOutline(value)
  }</td></tr>`;
}

function writeTable({ columns, rows, hidden, warnings = [] }: TableOutline): string {
  const chooseStyle = (column: number) => {
    const { numeric, isProse } = columns[column] ?? {};
    return numeric === true ? RIGHT : isProse === true ? PROSE : LEFT;
  };
  const head = columns.map(({ name }, column) =>
    `<th style="${chooseStyle(column)}">${escapeHtml(name)}</th>`
  ).join("");
  const body = rows.map((row) =>
    `<tr>${
      row.map((cell, column) =>
        `<td style="${chooseStyle(column)}">${cell === undefined ? "" : writeLeaf(cell)}</td>`
      ).join("")
    }</tr>`
  ).join("");
  const warningLines = warnings.map((text) => `<div style="${WARNING}">${escapeHtml(text)}</div>`)
    .join(
      "",
    );
  const table = `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  return `${table}${writeMore(hidden)}${warningLines}`;
}

const WARNING = "border-left:4px solid #d33;padding:0 0 0 1em";

function writeError({ name, code, lines, remedy, causes }: ErrorOutline): string {
  const badge = code === undefined ? "" : ` <code>${escapeHtml(code)}</code>`;
  const fix = remedy === undefined ? "" : `<div><b>Fix:</b> ${escapeHtml(remedy)}</div>`;
  const causeLines = causes.map((cause) =>
    `<div style="${FAINT}">Caused by ${escapeHtml(cause)}</div>`
  )
    .join("");
  return `<div style="${WARNING}"><div><b>${
    escapeHtml(name)
  }</b>${badge}</div><div style="white-space:pre-wrap">${
    escapeHtml(lines.join("\n"))
  }</div>${fix}${causeLines}</div>`;
}

function writeMore(hidden: number): string {
  return hidden === 0 ? "" : `<div style="${FAINT}">${formatMore(hidden)}</div>`;
}

/** Digits of the end that stay visible. */
const TAIL = 4;

/** A click selects the whole text, also where only its ends are seen. */
const WHOLE = "font-family:monospace;white-space:nowrap;user-select:all;-webkit-user-select:all";

/** Cuts the beginning to `0x` and four digits; nothing of the text is left out. */
const HEAD = "display:inline-block;max-width:4.5em;overflow:hidden;text-overflow:ellipsis;" +
  "vertical-align:bottom";

/**
 * Copies the whole text where the front end runs handlers; elsewhere, the click selects it. It contains
 * no `>` and `&`, which simple HTML parsers cannot read.
 */
const COPY = "const hex=event.target.closest('[data-hex]');" +
  "if(hex)navigator.clipboard?.writeText(hex.textContent).catch(function(){})";

/**
 * Writes hex text that shows its ends, is selected and copied whole with one click, and links to its page
 * where it has one.
 *
 * The text of the element is the whole hex text, and only styles shorten it: readers without styles show
 * more, and copying gets all of it.
 */
function writeHex(hex: string, href?: string): string {
  const [head, tail] = [hex.slice(0, -TAIL), hex.slice(-TAIL)].map(escapeHtml);
  const element = `<span data-hex title="${escapeHtml(hex)}" style="${WHOLE}">` +
    `<span style="${HEAD}">${head}</span>${tail}</span>`;
  if (href === undefined) return element;
  const { host } = new URL(href);
  return `${element}&nbsp;<a href="${
    escapeHtml(href)
  }" target="_blank" rel="noopener noreferrer" ` +
    `title="Open on ${escapeHtml(host)}" style="text-decoration:none">↗</a>`;
}

/** Lets clicks on the hex texts of an output copy them; an output without any stays unchanged. */
function addCopyHandler(html: string): string {
  return html.includes("<span data-hex ") ? `<div onclick="${COPY}">${html}</div>` : html;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const MAX_LINE_CHARS = 80;

/** Formats a short list of texts on one line; `undefined` if it is longer. */
export function formatListLine({ items, hidden }: ListOutline): string | undefined {
  if (!items.every((item): item is Leaf => item.kind === "leaf")) return undefined;
  const texts = items.map((item) => item.text);
  const line = `[${[...texts, ...(hidden === 0 ? [] : [formatMore(hidden)])].join(", ")}]`;
  return line.length <= MAX_LINE_CHARS ? line : undefined;
}

/** Formats the note that elements were omitted. */
export function formatMore(hidden: number): string {
  return `… ${hidden} more`;
}

/** A value before it is written as text or as HTML. */
export type Outline = Leaf | RecordOutline | ListOutline | TableOutline | ErrorOutline;

/** A value on one line. */
export interface Leaf {
  readonly kind: "leaf";
  /** The whole text. */
  readonly text: string;
  /** A number of any kind, including decimal text: right-aligned in a column. */
  readonly numeric?: true;
  /** An absent value (`null`, `undefined`, an empty list). */
  readonly faint?: true;
  /** An integer of which no digit can be missing: a `bigint`, or text. */
  readonly isExact?: true;
  /** Kind of a UID, hash or address. */
  readonly hex?: HexKind;
  /** The page of that in an explorer. */
  readonly href?: string;
  /** The amount in whole tokens, rounded for reading, with its unit. */
  readonly readable?: string;
}

/** Named values. */
export interface RecordOutline {
  readonly kind: "record";
  /** Class of the object; absent for plain objects. */
  readonly name?: string;
  readonly entries: readonly (readonly [key: string, value: Outline])[];
  /** Number of omitted entries. */
  readonly hidden: number;
}

/** Values by position. */
export interface ListOutline {
  readonly kind: "list";
  readonly items: readonly Outline[];
  /** Number of omitted elements. */
  readonly hidden: number;
}

/** Flat records under common columns. */
export interface TableOutline {
  readonly kind: "table";
  readonly columns: readonly TableColumn[];
  /** One cell per column; `undefined` where the record has no such key. */
  readonly rows: readonly (readonly (Leaf | undefined)[])[];
  /** Number of omitted rows. */
  readonly hidden: number;
  /** Certain faults of columns, as sentences. */
  readonly warnings?: readonly string[];
}

/** A column of a {@linkcode TableOutline}. */
interface TableColumn {
  readonly name: string;
  /** Whether all its cells are numbers. */
  readonly numeric: boolean;
  /** Whether its cells are sentences, whose lines break. */
  readonly isProse?: boolean;
}

/** A failure: message, facts and remedy; never a stack. */
export interface ErrorOutline {
  readonly kind: "error";
  readonly name: string;
  /** Code of the library's own errors, for programs. */
  readonly code?: string;
  /** The failure, one line per fact. */
  readonly lines: readonly string[];
  /** Remedy of the library's own errors. */
  readonly remedy?: string;
  /** The failures behind it, the nearest first. */
  readonly causes: readonly string[];
}

/** Kind of a hex text, by its length and the name of its field. */
type HexKind = "uid" | "transaction" | "hash" | "account" | "token";

const UID_DIGITS = 112;
const HASH_DIGITS = 64;
const ADDRESS_DIGITS = 40;

/**
 * Classifies a hex text, if it is a UID, a hash or an address.
 *
 * A hash is that of a transaction only if its field says so: it may be of app data, or a secret.
 *
 * @param name Name of its field in snake_case; empty where it has none.
 */
export function classifyHex(name: string, text: string): HexKind | undefined {
  if (!/^0x[0-9a-f]+$/i.test(text)) return undefined;
  switch (text.length - 2) {
    case UID_DIGITS:
      return "uid";
    case HASH_DIGITS:
      return /(?:^|_)(?:tx|transaction)(?:_hash(?:es)?|s)?$/.test(name) ? "transaction" : "hash";
    case ADDRESS_DIGITS:
      return /(?:^|_)(?:tokens?|prices)$/.test(name) ? "token" : "account";
  }
  return undefined;
}

/** Converts the name of a field to that of a column: `txHash` is `tx_hash`. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
