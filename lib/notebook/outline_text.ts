import { listLine, moreText } from "./list_line.ts";
import type { ListOutline, Outline, RecordOutline, TableOutline } from "./outline.ts";

/** Writes an outline as plain text. */
export function outlineText(outline: Outline): string {
  return linesOf(outline).join("\n");
}

function linesOf(outline: Outline): string[] {
  switch (outline.kind) {
    case "leaf":
      return [outline.text];
    case "record":
      return recordLines(outline);
    case "list":
      return listLines(outline);
    case "table":
      return tableLines(outline);
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

function recordLines({ name, entries, hidden }: RecordOutline): string[] {
  return [
    ...(name === undefined ? [] : [name]),
    ...entries.flatMap(([key, value]) => labelled(`${key}:`, value)),
    ...moreLine(hidden),
  ];
}

function listLines(list: ListOutline): string[] {
  const line = listLine(list);
  if (line !== undefined) return [line];
  return [
    ...list.items.flatMap((item, index) => labelled(`[${index}]`, item)),
    ...moreLine(list.hidden),
  ];
}

/** A single line follows its label; longer values start below it. */
function labelled(label: string, value: Outline): string[] {
  const [first = "", ...rest] = linesOf(value);
  if (rest.length === 0 && value.kind !== "record") return [`${label} ${first}`];
  return [label, ...[first, ...rest].map((line) => `  ${line}`)];
}

function tableLines({ columns, rows, hidden, warnings = [] }: TableOutline): string[] {
  const cells = rows.map((row) => row.map((cell) => cell?.text ?? ""));
  const widths = columns.map(({ name }, column) =>
    Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0))
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) =>
        columns[column]?.numeric === true
          ? text.padStart(widths[column] ?? 0)
          : text.padEnd(widths[column] ?? 0)
      )
      .join("  ")
      .trimEnd();
  const head = line(columns.map(({ name }) => name));
  return [head, ...cells.map(line), ...moreLine(hidden), ...warnings];
}

function moreLine(hidden: number): string[] {
  return hidden === 0 ? [] : [moreText(hidden)];
}
