import type { Cell, Fact, PageContent, ReportTable, Section } from "./page_content.ts";

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
  const parts = [
    bold(printable(page.title)),
    wrapped(page.sentence, width, ""),
    factLines(page.facts, width),
    ...page.sections.map((section) => sectionText(section, width, bold)),
    `Data: add --json. Again: ${printable(page.command)}`,
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
    raw === undefined ? "" : raw.split("\n").map((line) => `  ${printable(line)}`).join("\n"),
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

/** All of what a cell stands for, where a line has room for it. */
function longText({ text, exact, subject }: Cell, room: number): string {
  if (exact === undefined || subject === undefined || !text.includes("…")) return text;
  return exact.length <= room || "uid" in subject ? exact : text;
}

/** A table whose widest text columns are cut where a line has no room. */
function tableLines({ columns, rows }: ReportTable, width: number): string {
  const texts = [
    columns.map(({ name }) => name),
    ...rows.map((row) => row.map(({ text }) => printable(text))),
  ];
  const widths = fitted(
    columns.map((_, at) => Math.max(...texts.map((row) => size(row[at])))),
    width,
  );
  return texts.map((row) =>
    `  ${
      columns.map(({ isNumber }, at) => {
        const text = cut(row[at] ?? "", widths[at]!);
        const space = " ".repeat(widths[at]! - text.length);
        return isNumber === true ? space + text : text + space;
      }).join(" ".repeat(GAP)).trimEnd()
    }`
  ).join("\n");
}

/** Widths of columns that fit a line: the widest gives first. */
function fitted(wanted: number[], width: number): number[] {
  const widths = [...wanted];
  const room = width - 2 - GAP * (widths.length - 1);
  let sum = widths.reduce((total, each) => total + each, 0);
  while (sum > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= 4) break;
    widths[widest]!--;
    sum--;
  }
  return widths;
}

function size(text: string | undefined): number {
  return text?.length ?? 0;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function wrapped(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of printable(text).split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join("\n");
}

/** Text without characters that a terminal obeys, or that turn the direction of writing. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "�");
}
