/** Characters that begin a formula in spreadsheets, and the mark that prevents it. */
export const BEGINS_FORMULA = /^[=+\-@\t\r']/;
/** Decimal text, which no spreadsheet takes for a formula. */
export const IS_DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;
/** Text that is quoted in CSV. */
export const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Formats a cell of CSV (RFC 4180): null is empty, and the empty text is `""`. Text that a spreadsheet would
 * take for a formula begins with `'`.
 */
export function formatCsvCell(cell: string | number | bigint | boolean | null): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = BEGINS_FORMULA.test(cell) && !IS_DECIMAL.test(cell) ? `'${cell}` : cell;
  return text === "" || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
