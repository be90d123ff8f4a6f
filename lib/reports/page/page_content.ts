import type { Chart, ChartOptions } from "../../charts/mod.ts";
import { explorerUrls, isNetworkName } from "../../networks/explorer_url.ts";
import { formatInstant } from "../../units/mod.ts";
import type { OrderReport } from "../order/order_report.ts";

/** The subject of a cell, so that a page can link it and copy it whole. */
export type CellSubject =
  | { readonly uid: string }
  | { readonly transaction: string }
  | { readonly account: string }
  | { readonly token: string }
  | { readonly auction: number }
  | { readonly solver: string };

/** A piece of text on a page, never markup. */
export interface Cell {
  /** The shown text. */
  readonly text: string;
  /** The subject that it names. */
  readonly subject?: CellSubject | undefined;
  /** Text that follows and is not part of its link. @default {nothing} */
  readonly after?: string;
  /** All digits, or the whole text, where `text` is shortened. */
  readonly exact?: string | undefined;
  /** Its tone. */
  readonly tone?: Tone | undefined;
  /** Done part of a whole, from 0 to 1, which a page draws as a bar before it. @default {none} */
  readonly share?: number;
  /** Whether it is a label in the colour of its tone, such as a status. @default {false} */
  readonly isPill?: boolean;
  /** Whether all of its hex text is shown, with a button that copies it. @default {false} */
  readonly isWhole?: boolean;
  /** Whether a button copies its hex text, which is shown by its ends. @default {false} */
  readonly isCopied?: boolean;
}

/** Tone of a text: as it should be, as a warning, as a fault, or neither. */
export type Tone = "good" | "warning" | "bad" | "neutral";

/** A fact with its name. */
export interface Fact {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: Cell;
  /** Whether it is a term or a source of the subject, which a page shows smaller, below what happened. @default {false} */
  readonly isTerm?: boolean;
}

/** A column of a table. */
export interface ReportColumn {
  /** Its name, with its unit where it has one. */
  readonly name: string;
  /** Whether its values are numbers, which stand at the right. */
  readonly isNumber?: boolean | undefined;
  /** Whether narrow pages leave it out. */
  readonly isMinor?: boolean | undefined;
  /** Whether its texts, such as times, are never shortened. */
  readonly isWhole?: boolean | undefined;
}

/** A table on a page. */
export interface ReportTable {
  /** Its columns. */
  readonly columns: readonly ReportColumn[];
  /** Its rows. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows of which a page folds all but the first where several follow each other. */
  readonly minor?: {
    /** Their indices. */
    readonly rows: ReadonlySet<number>;
    /** Their name, such as `bids that lost`. */
    readonly name: string;
  } | undefined;
}

/** A picture on a page. */
interface PagePicture {
  /** The drawing for pages from 640 pixels on, a standalone `<svg>` document with its name. */
  readonly svg: string;
  /** The drawing for narrower pages. */
  readonly narrow: string;
}

/** A part of a page. */
export interface Section {
  /** Its name in links, in kebab-case. */
  readonly id: string;
  /** Its heading. */
  readonly title: string;
  /** A sentence below it. */
  readonly note?: string | undefined;
  /** Facts. */
  readonly facts?: readonly Fact[] | undefined;
  /** A table. */
  readonly table?: ReportTable | undefined;
  /** A picture. */
  readonly chart?: PagePicture | undefined;
  /** Text as it is, such as an app data document. */
  readonly raw?: string | undefined;
  /** Texts to copy whole, such as calldata, each with its name. */
  readonly code?: readonly { readonly name: string; readonly text: string }[] | undefined;
}

/** The present state of the subject of a page, while it can change. */
interface PageNow {
  /** Time of the report; `null` if unknown. */
  readonly asOf: Cell | null;
  /** The state, as one sentence. */
  readonly sentence: string;
  /** Name and time of its end, with the time left behind it; `null` without one. */
  readonly end: Fact | null;
}

/** A report as text and as a page show it: words and cells, without any markup. */
export interface PageContent {
  /** Its subject in words. */
  readonly title: string;
  /** Its subject, to link and to copy. @default {nothing that has a link, such as a week} */
  readonly subject?: CellSubject;
  /** A label beside the title, such as a status. @default {none} */
  readonly label?: Cell;
  /** Its subject in one line above the answer, such as the amounts of an order. @default {none} */
  readonly lead?: readonly Cell[];
  /** Its present state, which a page shows first. @default {it is final} */
  readonly now?: PageNow | undefined;
  /** The result, as one sentence. */
  readonly sentence: string;
  /** Next steps, as sentences; what is between backticks is code. @default {nothing is said} */
  readonly next?: readonly string[];
  /** Tone of the sentence. */
  readonly tone: Tone;
  /** Facts beside the sentence. */
  readonly facts: readonly Fact[];
  /** The parts, most important first. */
  readonly sections: readonly Section[];
  /** Name of the network for links; `null` without one. */
  readonly network: string | null;
  /** The command that makes the page again. */
  readonly command: string;
  /** The report as data, which the page embeds as JSON. */
  readonly data: unknown;
}

/** Plain text as a cell. */
export function cell(text: string | number | null | undefined): Cell {
  return { text: text === null || text === undefined ? "–" : String(text) };
}

/** Facts by their names, in order; without those that have no value. */
export function toFacts(values: Readonly<Record<string, Cell | null>>): Fact[] {
  return Object.entries(values).flatMap(([name, value]) => value === null ? [] : [{ name, value }]);
}

/** A column of a table with what it shows of a row. */
interface RowColumn<Row> extends ReportColumn {
  /** The cell of a row. */
  readonly toCell: (row: Row) => Cell;
}

/** A column of words. */
export function textColumn<Row>(
  name: string,
  toCell: (row: Row) => Cell,
  options: Omit<ReportColumn, "name"> = {},
): RowColumn<Row> {
  return { name, toCell, ...options };
}

/** A column of numbers, which stand at the right. */
export function numberColumn<Row>(name: string, toCell: (row: Row) => Cell): RowColumn<Row> {
  return { name, toCell, isNumber: true };
}

/** A table of rows. */
export function buildTable<Row>(
  rows: readonly Row[],
  columns: readonly RowColumn<Row>[],
): ReportTable {
  return {
    columns: columns.map(({ toCell: _, ...column }) => column),
    rows: rows.map((row) => columns.map(({ toCell }) => toCell(row))),
  };
}

/** A section with a table; `null` without rows. */
export function listSection<Row>(
  { rows, ...section }: Pick<Section, "id" | "title" | "note"> & { readonly rows: readonly Row[] },
  columns: readonly RowColumn<Row>[],
): Section | null {
  return rows.length === 0 ? null : { ...section, table: buildTable(rows, columns) };
}

const ENCODER = new TextEncoder();

/** The bytes that a page may still take, so that no report makes it longer than its limit. */
export class PageRoom {
  #left: number;

  /** Begins with all bytes. */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#left;
  }

  /** Takes the room of a text; `false`, and nothing taken, if there is too little. */
  take(text: string): boolean {
    // No text has fewer bytes than UTF-16 units; most texts of a page have exactly as many.
    if (text.length > this.#left) return false;
    const bytes = countBytes(text);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Length of a text in UTF-8. */
export function countBytes(text: string): number {
  return ENCODER.encode(text).length;
}

/** A link to what a cell names; `null` where there is none. */
export type ToLink = (subject: CellSubject) => string | null;

const HEX = { uid: 112, transaction: 64, account: 40, token: 40, solver: 40 } as const;

/** Links to the explorers of a public network; none for other deployments. */
export function createExplorerLinks(network: string | null): ToLink {
  return (subject) => listExplorerPages(network, subject)[0] ?? null;
}

/** Lists the pages of a subject at the explorers of a public network; none for other deployments. */
export function listExplorerPages(network: string | null, subject: CellSubject): readonly string[] {
  if (network === null || !isNetworkName(network)) return [];
  if ("auction" in subject || !isHex(subject)) return [];
  return explorerUrls(network, "solver" in subject ? { account: subject.solver } : subject);
}

/** A report may come from anywhere: what is not an address or hash is text, never a part of a link. */
function isHex(subject: Exclude<CellSubject, { auction: number }>): boolean {
  const [[kind, hex] = []] = Object.entries(subject);
  const digits = HEX[kind as keyof typeof HEX];
  return typeof hex === "string" && hex.length === digits + 2 && /^0x[0-9a-f]+$/i.test(hex);
}

/** Whether a text is a hex text by its ends, and nothing else. */
export function isShortHex(text: string): boolean {
  return /^0x[0-9a-f]+…[0-9a-f]+$/i.test(text);
}

/** A symbol between isolates, which keep its direction to itself. */
const ISOLATED = String.raw`\u2068[^\p{Cc}\p{Bidi_Control}\u2028\u2029]{1,60}\u2069`;
const INVISIBLE = new RegExp(String.raw`${ISOLATED}|[\p{Cc}\p{Bidi_Control}\u2028\u2029]`, "gu");
const INVISIBLE_IN_LINES = new RegExp(
  String.raw`${ISOLATED}|[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]`,
  "gu",
);

/**
 * Other people's words as a reader can see them: characters that control or that turn the direction
 * of writing as their escapes, such as `\u202e`, but for the isolates around a symbol; and long text
 * cut with the number of characters left out.
 *
 * @param maxLength Characters that are kept.
 * @param options Whether line breaks and tabs stay.
 */
export function sanitizeText(
  text: string,
  maxLength: number,
  { hasLines = false }: { readonly hasLines?: boolean } = {},
): string {
  const omitted = text.length - maxLength;
  // The last character may be half of one.
  const start = omitted > 0 ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "") : text;
  const visible = start.replace(hasLines ? INVISIBLE_IN_LINES : INVISIBLE, escapeCharacter);
  return omitted > 0 ? `${visible}… (${omitted.toLocaleString("en-US")} more characters)` : visible;
}

/**
 * All of a text for a terminal: characters that move its cursor, change it, or turn the direction of
 * writing as their escapes; line breaks and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(INVISIBLE_IN_LINES, escapeCharacter);
}

function escapeCharacter(character: string): string {
  // What is isolated stays: a control is one character.
  if (character.length > 1) return character;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * A report as JSON text: amounts as decimal text, times in RFC 3339, ratios as objects of two texts.
 *
 * @param indent Spaces for each level; 0 for one line.
 */
export function reportJson(report: unknown, indent: number = 2): string {
  return JSON.stringify(report, toPlainValue, indent);
}

function toPlainValue(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Map) return Object.fromEntries(value);
  // The value of a time is the text of its own `toJSON`, which can have fewer digits.
  const original = Object(this)[key];
  return original instanceof Temporal.Instant ? formatInstant(original) : value;
}

/** The pictures of a report, by the section of its page; `null` where one would say nothing. */
export interface OrderCharts {
  /** Its life: events, auctions, attempts to settle, fills. */
  readonly timeline: Chart | null;
  /** Offers of solvers, over its limit. */
  readonly auctions: Chart | null;
  /** Market prices over its limit in the auctions in which nobody bid on it. */
  readonly distance: Chart | null;
  /** Parts of the difference between its fills and the quote. */
  readonly fills: Chart | null;
}

/**
 * Draws the report of an order: the pictures of its page, as charts that show themselves in a
 * notebook.
 *
 * What draws is loaded by the first call.
 *
 * @param report What {@linkcode inspectOrder} returns.
 * @param options Options of every chart, such as its width.
 * @throws {InputError} If an option is unknown or out of range.
 *
 * @example An order that was in auctions, and that nobody bid on
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectOrder, orderCharts } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const report = await inspectOrder(connect(recording), recording.recorded.orderUids[0]!);
 * const { timeline, auctions, fills } = await orderCharts(report);
 *
 * assertEquals([timeline === null, auctions, fills], [false, null, null]);
 * ```
 */
export async function orderCharts(
  report: OrderReport,
  options: ChartOptions = {},
): Promise<OrderCharts> {
  const { drawOrder } = await import("./draw_order.ts");
  return drawOrder(report, options);
}
