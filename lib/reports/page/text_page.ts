import type {
  Cell,
  Fact,
  PageContent,
  ReportColumn,
  ReportTable,
  Section,
} from "./page_content.ts";

/** How a report looks in a terminal. */
export interface TextOptions {
  /** Characters of a line, at least 40. @default {80} */
  width?: number | undefined;
  /** Whether headings and tones are coloured. @default {false} */
  color?: boolean | undefined;
}

const NARROWEST = 40;
const GAP = 2;

/** A report as text that fits a terminal; other people's words cannot control it. */
export function textPage(page: PageContent, options: TextOptions = {}): string {
  const width = Math.max(NARROWEST, options.width ?? 80);
  const bold = (text: string) => options.color === true ? `\x1b[1m${text}\x1b[0m` : text;
  const { label, lead = [], next = [] } = page;
  const title = label === undefined ? page.title : `${page.title}  [${label.text}]`;
  const head = [bold(printable(title))];
  if (lead.length > 0) head.push(wrapped(lead.map(({ text }) => text).join(" "), width));
  const steps = next.map((text) => wrapped(text, width, "  "));
  const parts = [
    head.join("\n"),
    wrapped(page.sentence, width),
    steps.length === 0 ? "" : [bold("What to do next"), ...steps].join("\n"),
    factLines(page.facts, width),
    ...page.sections.map((section) => sectionText(section, width, bold)),
    wrapped(`Data: add --json. Again: ${page.command}`, width),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function sectionText(section: Section, width: number, bold: (text: string) => string): string {
  const { title, note, facts, table, raw } = section;
  return [
    bold(printable(title)),
    note === undefined ? "" : wrapped(note, width, "  "),
    facts === undefined ? "" : factLines(facts, width),
    table === undefined ? "" : tableLines(table, width),
    raw === undefined ? "" : raw.split("\n").flatMap((line) => pieces(line, width - 2)).join("\n"),
  ].filter((part) => part !== "").join("\n");
}

function factLines(facts: readonly Fact[], width: number): string {
  const names = Math.max(0, ...facts.map(({ name }) => name.length));
  return facts.map(({ name, value }) => {
    const indent = " ".repeat(names + GAP + 2);
    const text = wrapped(longText(value, width - indent.length), width, indent).trimStart();
    return `  ${name.padEnd(names + GAP)}${text}`;
  }).join("\n");
}

/** All of what a cell stands for, where a line has room for it, or it is always shown whole. */
function longText({ text, exact, subject, after = "", isWhole }: Cell, room: number): string {
  const isShort = exact === undefined || subject === undefined || !text.includes("…");
  const isLong = isWhole === true || !isShort && (exact.length <= room || "uid" in subject);
  return (isLong ? exact ?? text : text) + after;
}

/** Lines of fewer characters leave minor columns out. */
const WIDE_FROM = 100;

/** A table; where a line has no room for its columns, each row as a list of its cells. */
function tableLines(table: ReportTable, width: number): string {
  const shown = table.columns.flatMap(({ isMinor }, at) =>
    isMinor === true && width < WIDE_FROM ? [] : at
  );
  const columns = shown.map((at) => table.columns[at]!);
  const rows = table.rows.map((row) => shown.map((at) => row[at]!));
  const texts = [
    columns.map(({ name }) => name),
    ...rows.map((row) => row.map(({ text }) => printable(text))),
  ];
  const wanted = columns.map((_, at) =>
    texts.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), 0)
  );
  const widths = fitted(wanted, { columns, texts, width });
  if (widths === null) return rows.map((row) => rowAsList(columns, row, width)).join("\n\n");
  return texts.flatMap((row) => rowLines(row, { columns, widths })).join("\n");
}

/** A row; words in its last column, and sentences in any, go on in the lines below. */
function rowLines(
  row: readonly string[],
  { columns, widths }: {
    readonly columns: ReportTable["columns"];
    readonly widths: readonly number[];
  },
): string[] {
  const last = columns.length - 1;
  const cells = columns.map(({ isNumber, isSentence }, at) => {
    const text = row[at] ?? "";
    const goesOn = isSentence === true || (at === last && isNumber !== true);
    return goesOn ? wrapped(text, widths[at]!).split("\n") : [text];
  });
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const texts = columns.map((column, at) => padded(cells[at]![line] ?? "", column, widths[at]!));
    return `  ${texts.join(" ".repeat(GAP))}`.trimEnd();
  });
}

function padded(text: string, { isNumber }: ReportColumn, width: number): string {
  const shown = text.length <= width ? text : `${text.slice(0, width - 1)}…`;
  const space = " ".repeat(width - shown.length);
  return isNumber === true ? space + shown : shown + space;
}

function rowAsList(columns: ReportTable["columns"], row: readonly Cell[], width: number): string {
  const facts = columns.flatMap(({ name }, at) => {
    const value = row[at];
    return value === undefined || value.text === "–" ? [] : [{ name, value }];
  });
  return factLines(facts, width);
}

/** Columns of words give their room, the widest first; numbers and shortened hex text are never cut. */
const NARROWEST_WORDS = 12;
const SHORTENED = /^0x[0-9a-f]+…/i;

function fitted(
  wanted: readonly number[],
  { columns, texts, width }: {
    readonly columns: ReportTable["columns"];
    readonly texts: readonly (readonly string[])[];
    readonly width: number;
  },
): number[] | null {
  const widths = [...wanted];
  const room = width - 2 - GAP * (widths.length - 1);
  let sum = widths.reduce((total, each) => total + each, 0);
  const words = columns.flatMap(({ isNumber, isWhole }, at) =>
    isNumber === true || isWhole === true || texts.some((row) => SHORTENED.test(row[at] ?? ""))
      ? []
      : [at]
  );
  while (sum > room) {
    const widest = words.reduce((a, b) => widths[a]! >= widths[b]! ? a : b, words[0] ?? -1);
    if (widest === -1 || widths[widest]! <= NARROWEST_WORDS) return null;
    widths[widest]!--;
    sum--;
  }
  return widths;
}

/** A line of other people's text in pieces that fit. */
function pieces(line: string, width: number): string[] {
  const characters = [...printable(line)];
  const parts = [];
  for (let at = 0; at === 0 || at < characters.length; at += width) {
    parts.push(`  ${characters.slice(at, at + width).join("")}`);
  }
  return parts;
}

/** Hex text is never broken, so that it can be copied. */
const HEX = /0x[0-9a-f]{40}/i;
const NARROWEST_ROOM = 8;

/** A word in pieces that fit. */
function broken(word: string, room: number): string[] {
  if (word.length <= room || HEX.test(word)) return [word];
  const pieces = [];
  for (let at = 0; at < word.length; at += room) pieces.push(word.slice(at, at + room));
  return pieces;
}

/** A text in lines that fit, each behind an indent; words that are too long are broken. */
export function wrapped(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  const room = Math.max(NARROWEST_ROOM, width - indent.length);
  for (const word of printable(text).split(" ").flatMap((word) => broken(word, room))) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join("\n");
}

/** Text without characters that a terminal obeys, or that turn the direction of writing. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "�");
}
