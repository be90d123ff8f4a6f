import { TRIAGE_COLUMNS, type TriageRow } from "../../reports/triage/triage_row.ts";
import { csvCells, csvLine, withoutControls } from "../words/csv.ts";
import type { TalliedRow } from "./triage_tally.ts";

/** How rows are written. */
export type TriageFormat = "csv" | "ndjson" | "table";

const SCHEMA = "orderlens/triage@1";
const HEADER = csvLine(TRIAGE_COLUMNS);
const WIDTHS = { order: 17, verdict: 36, quoter: 18 };

/** The lines before the first row. */
export function headOf(format: TriageFormat): string {
  if (format === "csv") return HEADER;
  return format === "table" ? tableLine("order", "verdict", "quoter", "sentence") : "";
}

/** A row as a line, with its end. */
export function lineOf(row: TriageRow, format: TriageFormat, columns: number): string {
  switch (format) {
    case "csv":
      return csvLine(TRIAGE_COLUMNS.map((name) => row[name]));
    case "ndjson":
      return `${JSON.stringify({ schema: SCHEMA, ...row })}\n`;
    case "table": {
      const { order_id: uid, verdict, quoter, quoter_name, sentence } = row;
      const order = `${uid.slice(0, 10)}…${uid.slice(-6)}`;
      const line = tableLine(order, verdict, quoter_name ?? quoter ?? "", sentence).trimEnd();
      return `${line.length > columns ? `${line.slice(0, columns - 1)}…` : line}\n`;
    }
  }
}

function tableLine(order: string, verdict: string, quoter: string, sentence: string): string {
  const { length } = quoter;
  const short = length > WIDTHS.quoter ? `${quoter.slice(0, WIDTHS.quoter - 1)}…` : quoter;
  const cells = [
    order.padEnd(WIDTHS.order),
    verdict.padEnd(WIDTHS.verdict),
    short.padEnd(WIDTHS.quoter),
    sentence,
  ];
  return `${withoutControls(cells.join("  "))}\n`;
}

/** What an earlier run wrote, of one line; `null` if it is no row, and `head` for the first line. */
export function readRow(
  line: string,
  format: TriageFormat,
): (TalliedRow & { readonly order_id: string }) | "head" | null {
  if (line === HEADER && format === "csv") return "head";
  const row = format === "csv" ? fromCsv(line) : fromJson(line);
  return row !== null && /^0x[0-9a-f]{112}$/.test(row.order_id) ? row : null;
}

function fromCsv(line: string): (TalliedRow & { readonly order_id: string }) | null {
  const cells = csvCells(line);
  if (cells?.length !== TRIAGE_COLUMNS.length) return null;
  const cellOf = (name: keyof TriageRow) => cells[TRIAGE_COLUMNS.indexOf(name)] ?? "";
  return {
    order_id: cellOf("order_id"),
    verdict: cellOf("verdict"),
    quoter: cellOf("quoter") || null,
    quoter_name: cellOf("quoter_name") || null,
    expired: cellOf("expired"),
    did_bid: cellOf("did_bid"),
  };
}

function fromJson(line: string): (TalliedRow & { readonly order_id: string }) | null {
  try {
    const row = JSON.parse(line);
    return row?.schema === SCHEMA && typeof row.order_id === "string" ? row : null;
  } catch {
    return null;
  }
}
