import { html as markup, raw } from "hono/html";
import { cellMarkup, type Markup } from "./html_cell.ts";
import type { Cell, ReportTable } from "./page_content.ts";
import type { LinkOf } from "./page_links.ts";
import type { PageRoom } from "./page_room.ts";

/** What a table is drawn with. */
export interface TableFrame {
  /** Its caption. */
  readonly title: string;
  /** Where names lead. */
  readonly linkOf: LinkOf;
  /** What the page has room for. */
  readonly room: PageRoom;
}

/** Rows that are shown before the rest is folded. */
const ROWS_SHOWN = 60;
/** As many minor rows in a row are folded at least. */
const RUN = 3;
/** From so many characters on, a column has a line of its own on narrow pages. */
const WIDE = 24;

interface Column {
  readonly at: number;
  readonly name: string;
  readonly kind: string;
}

/** A table without its empty columns; runs of minor rows, and the rows of a long one, are folded. */
export function tableMarkup(table: ReportTable, frame: TableFrame): Markup {
  const columns = columnsOf(table);
  const isTitled = table.columns[0]?.name === "";
  const { title, linkOf, room } = frame;
  const lines: string[] = [];
  for (const row of table.rows) {
    const line = String(rowMarkup(row, { columns, isTitled, linkOf }));
    if (!room.take(line)) break;
    lines.push(line);
  }
  const head = String(headMarkup(columns));
  const part = (body: string, name: string) =>
    markup`<div class="scroll" role="group" tabindex="0" aria-label="Table: ${name}"><table><caption>${name}</caption>${
      raw(head)
    }<tbody>${raw(body)}</tbody></table></div>`;
  const folded = foldedRuns(lines, table, (body, name) => part(body, `${title}, ${name}`));
  const rest = folded.slice(ROWS_SHOWN);
  const left = table.rows.length - lines.length;
  return markup`${part(folded.slice(0, ROWS_SHOWN).join(""), title)}${
    rest.length === 0
      ? ""
      : markup`<details><summary>${rest.length} more rows</summary>${
        part(rest.join(""), `${title}, continued`)
      }</details>`
  }${left === 0 ? "" : markup`<p>${left} more rows are left out of this page.</p>`}`;
}

/** Columns that say something, with the classes of their cells. */
function columnsOf({ columns, rows }: ReportTable): Column[] {
  return columns.flatMap(({ name, isNumber, isMinor }, at) => {
    let longest = 0;
    for (const row of rows) {
      const text = row[at]?.text ?? "–";
      if (text !== "–") longest = Math.max(longest, text.length);
    }
    if (longest === 0) return [];
    const kinds = [
      isNumber === true && "number",
      isMinor === true && "minor",
      longest >= WIDE && (isNumber === true ? "long" : "wide"),
    ].filter((kind) => kind !== false);
    return { at, name, kind: kinds.join(" ") };
  });
}

function headMarkup(columns: readonly Column[]): Markup {
  const heads = columns.map(({ name, kind }) =>
    name === "" ? markup`<td></td>` : markup`<th scope="col"${classOf(kind)}>${name}</th>`
  );
  return markup`<thead><tr>${heads}</tr></thead>`;
}

function rowMarkup(
  row: readonly Cell[],
  { columns, isTitled, linkOf }: {
    readonly columns: readonly Column[];
    readonly isTitled: boolean;
    readonly linkOf: LinkOf;
  },
): Markup {
  const cells = columns.map(({ at, name, kind }, place) => {
    const cell = row[at];
    if (cell === undefined || cell.text === "–" && cell.exact === undefined) {
      return markup`<td class="none ${kind}">–</td>`;
    }
    const shown = cellMarkup(cell, linkOf);
    return isTitled && place === 0
      ? markup`<th scope="row" class="wide">${shown}</th>`
      : markup`<td${classOf(kind)} data-name="${name}">${shown}</td>`;
  });
  return markup`<tr>${cells}</tr>`;
}

function classOf(kind: string): Markup | "" {
  return kind === "" ? "" : markup` class="${kind}"`;
}

/** Rows with every run of minor ones, after its first, folded into one. */
function foldedRuns(
  lines: readonly string[],
  { minor, columns }: ReportTable,
  part: (body: string, name: string) => Markup,
): string[] {
  if (minor === undefined) return [...lines];
  const rows: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    rows.push(lines[at]!);
    if (!minor.rows.has(at)) continue;
    let end = at + 1;
    while (end < lines.length && minor.rows.has(end)) end++;
    const run = lines.slice(at + 1, end);
    if (run.length < RUN) continue;
    const name = `${run.length} more ${minor.name}`;
    rows.push(String(
      markup`<tr class="folded"><td colspan="${columns.length}"><details><summary>${name}</summary>${
        part(run.join(""), name)
      }</details></td></tr>`,
    ));
    at = end - 1;
  }
  return rows;
}
