import {
  type Cell,
  type Fact,
  isShortHex,
  type PageContent,
  type ReportColumn,
  type ReportTable,
  type Section,
} from "./page_content.ts";

/** Layout of a report in a terminal. */
export interface TextOptions {
  /** Characters of a line, at least 40. @default {80} */
  width?: number | undefined;
  /** Whether headings and tones are coloured. @default {false} */
  color?: boolean | undefined;
}

const MIN_WIDTH = 40;
const GAP = 2;

/** A report as text that fits a terminal; other people's words cannot control it. */
export function renderTextPage(page: PageContent, options: TextOptions = {}): string {
  const width = Math.max(MIN_WIDTH, options.width ?? 80);
  const makeBold = (text: string) => options.color === true ? `\x1b[1m${text}\x1b[0m` : text;
  const { label, lead = [], next = [], now } = page;
  const title = label === undefined ? page.title : `${page.title}  [${label.text}]`;
  const head = [makeBold(replaceControls(title))];
  if (now !== undefined) {
    head.push("", makeBold(now.asOf === null ? "Now" : `Now, ${now.asOf.text}`));
    head.push(wrapText(formatNow(now), width), "");
  }
  if (lead.length > 0) {
    head.push(wrapText(lead.map(({ text, after = "" }) => text + after).join(" "), width));
  }
  const steps = next.map((text) => wrapText(text, width, "  "));
  const parts = [
    head.join("\n"),
    wrapText(page.sentence, width),
    steps.length === 0 ? "" : [makeBold("What to do next"), ...steps].join("\n"),
    formatFacts(page.facts.filter(({ isTerm }) => isTerm !== true), width),
    formatFacts(page.facts.filter(({ isTerm }) => isTerm), width),
    ...page.sections.map((section) => formatSection(section, width, makeBold)),
    // Never broken, so that it can be copied.
    `Data: add --json. Again:\n${replaceControls(page.command)}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Formats what an order is doing, and until when. */
export function formatNow({ sentence, end }: NonNullable<PageContent["now"]>): string {
  return end === null
    ? sentence
    : `${sentence} ${end.name} ${end.value.text}${end.value.after ?? ""}.`;
}

function formatSection(
  section: Section,
  width: number,
  makeBold: (text: string) => string,
): string {
  const { title, note, facts, table, raw, code = [] } = section;
  return [
    makeBold(replaceControls(title)),
    note === undefined ? "" : wrapText(note, width, "  "),
    facts === undefined ? "" : formatFacts(facts, width),
    table === undefined ? "" : formatTable(table, width),
    raw === undefined
      ? ""
      : raw.split("\n").flatMap((line) => splitLine(line, width - 2)).join("\n"),
    // Never broken, so that it can be copied.
    ...code.map(({ name, text }) =>
      `${wrapText(`${name}:`, width, "  ")}\n${replaceControls(text)}`
    ),
  ].filter((part) => part !== "").join("\n");
}

function formatFacts(facts: readonly Fact[], width: number): string {
  const names = Math.max(0, ...facts.map(({ name }) => name.length));
  return facts.map(({ name, value }) => {
    const indent = " ".repeat(names + GAP + 2);
    const text = wrapText(expandText(value, width - indent.length), width, indent).trimStart();
    return `  ${name.padEnd(names + GAP)}${text}`;
  }).join("\n");
}

/** All of what a cell stands for, where a line has room for it, or it is always shown whole. */
function expandText(
  { text, exact, subject, after: suffix = "", isWhole }: Cell,
  room: number,
): string {
  const isShort = exact === undefined || subject === undefined || !isShortHex(text);
  const isLong = isWhole === true || !isShort && (exact.length <= room || "uid" in subject);
  return (isLong ? exact ?? text : text) + suffix;
}

/** Lines of fewer characters leave minor columns out. */
const MIN_WIDE = 100;

/** A table; where a line has no room for its columns, each row as a list of its cells. */
function formatTable(table: ReportTable, width: number): string {
  const indexes = table.columns.flatMap(({ isMinor }, index) =>
    isMinor === true && width < MIN_WIDE ? [] : index
  );
  const columns = indexes.map((index) => table.columns[index]!);
  const rows = table.rows.map((row) => indexes.map((index) => row[index]!));
  const texts = [
    columns.map(({ name }) => name),
    ...rows.map((row) => row.map(({ text }) => replaceControls(text))),
  ];
  const fullWidths = columns.map((_, index) =>
    texts.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), 0)
  );
  const widths = fitWidths(fullWidths, { columns, texts, width });
  if (widths === null) return rows.map((row) => formatRowAsList(columns, row, width)).join("\n\n");
  return texts.flatMap((row) => formatRow(row, { columns, widths })).join("\n");
}

/** A row; words that do not fit go on in the lines below. */
function formatRow(
  row: readonly string[],
  { columns, widths }: {
    readonly columns: ReportTable["columns"];
    readonly widths: readonly number[];
  },
): string[] {
  const cells = columns.map(({ isNumber }, index) => {
    const text = row[index] ?? "";
    return isNumber === true ? [text] : wrapText(text, widths[index]!).split("\n");
  });
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const texts = columns.map((column, index) =>
      pad(cells[index]![line] ?? "", column, widths[index]!)
    );
    return `  ${texts.join(" ".repeat(GAP))}`.trimEnd();
  });
}

function pad(text: string, { isNumber }: ReportColumn, width: number): string {
  const space = " ".repeat(Math.max(0, width - text.length));
  return isNumber === true ? space + text : text + space;
}

function formatRowAsList(
  columns: ReportTable["columns"],
  row: readonly Cell[],
  width: number,
): string {
  const facts = columns.flatMap(({ name }, index) => {
    const value = row[index];
    return value === undefined || value.text === "–" ? [] : [{ name, value }];
  });
  return formatFacts(facts, width);
}

/** Columns of words give their room, the widest first; numbers and hex text are never cut. */
const MIN_TEXT_WIDTH = 12;
const SHORTENED = /^0x[0-9a-f]+…/i;

function fitWidths(
  fullWidths: readonly number[],
  { columns, texts, width }: {
    readonly columns: ReportTable["columns"];
    readonly texts: readonly (readonly string[])[];
    readonly width: number;
  },
): number[] | null {
  const widths = [...fullWidths];
  const room = width - 2 - GAP * (widths.length - 1);
  let sum = widths.reduce((total, columnWidth) => total + columnWidth, 0);
  const shrinkable = columns.flatMap(({ isNumber, isWhole }, index) =>
    isNumber === true || isWhole === true || texts.some((row) => SHORTENED.test(row[index] ?? ""))
      ? []
      : [index]
  );
  const minWidths = columns.map((_, index) =>
    texts.flatMap((row) => row[index]!.split(" ")).filter((word) => HEX.test(word))
      .reduce((width, { length }) => Math.max(width, length), MIN_TEXT_WIDTH)
  );
  while (sum > room) {
    const [widest] = shrinkable.filter((index) => widths[index]! > minWidths[index]!)
      .toSorted((a, b) => widths[b]! - widths[a]!);
    if (widest === undefined) return null;
    widths[widest]!--;
    sum--;
  }
  return widths;
}

/**
 * A line of other people's text in pieces that fit: JSON before a key, and no hex text, so that a copy
 * can be read.
 */
function splitLine(line: string, width: number): string[] {
  const characters = [...replaceControls(line)];
  const isKey = (character: string, index: number) =>
    character === '"' && characters[index - 1] === ",";
  const parts: string[] = [];
  while (characters.length > width) {
    const head = characters.slice(0, width + 1);
    const isHex = HEX.test(characters.slice(0, width + HEX_LENGTH).join(""));
    const key = Math.max(head.findLastIndex(isKey), isHex ? characters.findIndex(isKey) : 0);
    parts.push(`  ${characters.splice(0, key > 0 ? key : isHex ? Infinity : width).join("")}`);
  }
  return [...parts, `  ${characters.join("")}`];
}

/** Hex text is never broken, so that it can be copied. */
const HEX = /0x[0-9a-f]{40}/i;
const HEX_LENGTH = 42;
const MIN_ROOM = 8;

/** A word in pieces that fit: a path behind a slash, if it can be. */
function splitWord(word: string, room: number): string[] {
  if (word.length <= room || HEX.test(word)) return [word];
  const end = word.lastIndexOf("/", room - 1) + 1 || room;
  return [word.slice(0, end), ...splitWord(word.slice(end), room)];
}

/** A text in lines that fit, each behind an indent; words that are too long are broken. */
export function wrapText(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  const room = Math.max(MIN_ROOM, width - indent.length);
  for (const word of replaceControls(text).split(" ").flatMap((word) => splitWord(word, room))) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join("\n");
}

/** Text without characters that a terminal obeys, or that turn the direction of writing. */
export function replaceControls(text: string): string {
  return text.replaceAll(
    /(\u2068[^\p{Cc}\p{Bidi_Control}]{1,60}\u2069)|[\p{Cc}\p{Bidi_Control}]/gu,
    (_, isolated?: string) => isolated ?? "�",
  );
}
