/** Characters with which spreadsheets begin a formula. */
const BEGINS_FORMULA = /^[=+\-@\t\r']/;
const NEEDS_QUOTES = /[",\r\n]/;

/** A cell of a table. */
export type CsvCell = string | number | null;

/**
 * A line of CSV (RFC 4180): null is empty. Text that a spreadsheet would take for a formula begins
 * with `'`; control characters, which a terminal obeys, are replaced.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvText).join()}\r\n`;
}

function csvText(cell: CsvCell): string {
  if (cell === null) return "";
  const plain = withoutControls(String(cell));
  const text = typeof cell === "string" && BEGINS_FORMULA.test(plain) ? `'${plain}` : plain;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text without characters that a terminal obeys, or that turn the direction of writing. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "�");
}

/** The cells of one line that {@linkcode csvLine} wrote; `null` if it is none. */
export function csvCells(line: string): string[] | null {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  for (;;) {
    const match = cell.exec(line);
    if (match === null) return null;
    const [, quoted, plain, end] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") return cell.lastIndex === line.length ? cells : null;
    if (end === "") return null;
  }
}
