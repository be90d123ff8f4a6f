import { checkOptions, type OptionRules, wholeFrom } from "../../errors/option_rules.ts";
import type { DatasetDescription } from "./describe_dataset.ts";

/** Options of {@linkcode describeText}. */
export interface DescribeTextOptions {
  /** Width of the terminal in characters; longer lines are wrapped. @default {80} */
  columns?: number | undefined;
}

const OPTIONS: OptionRules<DescribeTextOptions> = { columns: wholeFrom(40) };

/**
 * The text of a description for a terminal, with a newline at its end.
 *
 * @throws {InputError} If an option is invalid.
 */
export function describeText(
  description: DatasetDescription,
  options: DescribeTextOptions = {},
): string {
  checkOptions(options, OPTIONS, "Cannot print a description");
  const { columns = 80 } = options;
  const { citation, span, source, library, tables, raw, fills, owners, solvers } = description;
  const lines = [
    citation.title,
    "",
    ...facts([
      ["version", `${citation.version} (SHA-256 of manifest.json)`],
      ["chain id", String(source.chainId)],
      ["settlement", source.settlementContract],
      ["times", span === null ? null : `${span.from} to ${span.to} (${span.of})`],
      ["made by", `Orderlens ${library}`],
      ["fills", fills],
      ["owners", owners],
      ["solvers", solvers],
      ["answers", `${grouped(raw.answers)}, ${size(raw.bytes)}`],
      ["merged", description.merged.length === 0 ? null : `${description.merged.length} datasets`],
    ], columns),
    "",
    ...tableLines(tables, columns),
    "",
    "Gaps",
    ...description.gaps.flatMap((line) => wrapped(line, columns, "  ")),
    "",
    "Verify",
    ...description.verify.flatMap((line) => wrapped(line, columns, "  ")),
    "",
    "Cite",
    ...wrapped(citation.text, columns, "  "),
  ];
  return `${lines.join("\n")}\n`;
}

function facts(
  rows: readonly (readonly [name: string, value: string | number | null])[],
  columns: number,
): string[] {
  return rows.filter(([, value]) => value !== null).flatMap(([name, value]) => {
    const text = typeof value === "number" ? grouped(value) : String(value);
    const [first = "", ...others] = wrapped(text, columns, " ".repeat(12));
    return [name.padEnd(12) + first.slice(12), ...others];
  });
}

function tableLines(tables: DatasetDescription["tables"], columns: number): string[] {
  const heads = [
    ["table", "rows", "size"],
    ...tables.map(({ name, rows, bytes }) => [
      name,
      grouped(rows),
      size(bytes),
    ]),
  ];
  const widths = [0, 1, 2].map((place) => Math.max(...heads.map((row) => row[place]!.length)));
  const used = widths.reduce((sum, width) => sum + width + 2, 0);
  return heads.map(([name, rows, bytes], place) => {
    const grain = place === 0 ? "one row" : tables[place - 1]!.grain;
    const line = `${name!.padEnd(widths[0]!)}  ${rows!.padStart(widths[1]!)}  ${
      bytes!.padStart(widths[2]!)
    }  `;
    const room = columns - used;
    const isCut = grain.length > room;
    return (line + (isCut ? `${grain.slice(0, Math.max(0, room - 1))}…` : grain)).trimEnd();
  });
}

/** Lines of at most some characters; a longer word stays whole. */
function wrapped(text: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    const isFirst = line === indent;
    if (!isFirst && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1_000;
  let place = 0;
  while (value >= 1_000 && place < units.length - 1) {
    value /= 1_000;
    place++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[place]}`;
}
