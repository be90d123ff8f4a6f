import { csvRows } from "../../datasets/converting/row_texts.ts";
import type { ListColumn } from "./list_columns.ts";

const ROWS_AT_ONCE = 200;

/**
 * Rows as CSV (RFC 4180), written as they are read: text that a spreadsheet would take for a formula
 * begins with `'`.
 *
 * @param complete Adds to some rows what they need, such as their verdicts.
 */
export function listCsv<Row, Complete extends Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Complete>[],
  complete: (rows: readonly Row[]) => Promise<readonly Complete[]>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let at = -1;
  return new ReadableStream({
    async pull(controller) {
      if (at < 0) {
        at = 0;
        const names = columns.map(({ name }) => name).join(",");
        return controller.enqueue(encoder.encode(`${names}\r\n`));
      }
      const some = await complete(rows.slice(at, at + ROWS_AT_ONCE));
      at += ROWS_AT_ONCE;
      if (some.length === 0) return controller.close();
      controller.enqueue(encoder.encode(csvOf(some, columns)));
    },
  }, { highWaterMark: 0 });
}

function csvOf<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[]): string {
  return csvRows({
    rows: rows.length,
    columns: columns.map(({ name, of }) => ({ name, dtype: "String", cells: rows.map(of) })),
  }, { guardFormulas: true });
}
