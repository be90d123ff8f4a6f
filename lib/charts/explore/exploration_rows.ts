import { copyText } from "./exploration_output.ts";
import { makeElement, selectY, type View, type ViewColumn } from "./exploration_view.ts";

/** Lists the rows in view, the picked one first, and their pages. */
export function listRows(view: View): void {
  const { data, room, scroll, pages, pinned, visibleRows, table } = view;
  scroll.hidden = pages.hidden = data.listed.length === 0;
  if (scroll.hidden) return;
  const listedColumns = data.listed.map((index) => view.columns[index]!);
  const { y } = selectY(view);
  if (!listedColumns.includes(y)) listedColumns.push(y);
  const rows = visibleRows.slice(view.page * room.rows, (view.page + 1) * room.rows);
  const first = pinned === null ? rows : [pinned, ...rows.filter((row) => row !== pinned)];
  const lines = first.map((row) =>
    makeElement(
      "tr",
      row === pinned ? { "aria-current": "true" } : {},
      ...listedColumns.map((column) => makeCell(view, column, row)),
    )
  );
  listHeadings(view, listedColumns);
  table.tBodies[0]!.replaceChildren(...lines);
  const last = Math.max(0, Math.ceil(visibleRows.length / room.rows) - 1);
  const [previous, next] = pages.querySelectorAll("button");
  previous!.disabled = view.page === 0;
  next!.disabled = view.page >= last;
  pages.querySelector("span")!.textContent = ` ${(view.page + 1).toLocaleString("en-US")} of ${
    (last + 1).toLocaleString("en-US")
  } `;
}

/** Adds the empty list and the buttons of its pages, which keep the focus. */
export function addList(view: View): void {
  const { data, pages, table } = view;
  table.append(
    makeElement("caption", {}, `The ${data.noun} in view`),
    makeElement("thead", {}, makeElement("tr")),
    makeElement("tbody"),
  );
  const [previous, next] = ["Previous", "Next"].map((text, index) => {
    const button = makeElement("button", { type: "button" }, text);
    button.addEventListener("click", () => {
      view.page += 2 * index - 1;
      listRows(view);
    });
    return button;
  });
  pages.append(previous!, makeElement("span"), next!);
}

/** Lists the headings, which sort the list; the same ones stay, with the focus. */
export function listHeadings(view: View, listedColumns: readonly ViewColumn[]): void {
  const line = view.table.tHead!.rows[0]!;
  const labels = listedColumns.map(({ column }) => column.label);
  if ([...line.cells].map((cell) => cell.textContent).join("\n") !== labels.join("\n")) {
    const headings = listedColumns.map((column) => {
      const button = makeElement("button", { type: "button" }, column.column.label);
      button.addEventListener("click", () => {
        const isDescending = view.sort?.column === column
          ? !view.sort.isDescending
          : column.column.cells.kind === "numbers";
        view.sort = { column, isDescending };
        view.page = 0;
        sortRows(view);
        listRows(view);
      });
      return makeElement("th", { scope: "col", class: pickCellClass(column) }, button);
    });
    line.replaceChildren(...headings);
  }
  for (const [index, column] of listedColumns.entries()) {
    const isSorted = view.sort?.column === column;
    line.cells[index]!.setAttribute(
      "aria-sort",
      !isSorted ? "none" : view.sort!.isDescending ? "descending" : "ascending",
    );
  }
}

/** Sorts the rows in view; those without a value are last, equal ones in the order of the frame. */
export function sortRows(view: View): void {
  if (view.sort === null) return;
  const { column, isDescending } = view.sort;
  let ranks = view.ranks.get(column);
  if (ranks === undefined) view.ranks.set(column, ranks = rankRows(column, view.data.height));
  const sign = isDescending ? -1 : 1;
  view.visibleRows.sort((a, b) => {
    const [x, y] = [ranks[a]!, ranks[b]!];
    if (Number.isNaN(x) || Number.isNaN(y)) {
      return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    }
    return sign * (x - y) || a - b;
  });
}

/** Ranks the rows by a column: numbers by themselves, texts by their characters. */
export function rankRows({ column, read, readText }: ViewColumn, height: number): Float64Array {
  const { cells, type } = column;
  const rows = Array.from({ length: height }, (_, row) => row);
  if (cells.kind === "numbers") return Float64Array.from(rows, read);
  if (type === "number") return Float64Array.from(rows, (row) => Number(readText(row) || NaN));
  const texts = rows.map(readText);
  const isWhole = type === "bigint" || texts.every((text) => /^(?:-?\d+)?$/.test(text));
  const compare = (a: string, b: string) => {
    if (!isWhole) return a < b ? -1 : 1;
    const difference = BigInt(a) - BigInt(b);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  };
  const sorted = [...new Set(texts)].filter((text) => text !== "").sort(compare);
  const indexes = new Map(sorted.map((text, index) => [text, index]));
  return Float64Array.from(texts, (text) => indexes.get(text) ?? NaN);
}

/** Numbers stand on the right. */
export function pickCellClass({ column }: ViewColumn): string {
  return column.cells.kind === "numbers" ? "number" : "text";
}

/** Whether a text is so long that its middle is not shown. */
export function isLongHex(text: string): boolean {
  return /^0x[0-9a-f]{17,}$/.test(text);
}

/** Shortens a long hex text to both of its ends. */
export function shortenHex(text: string): string {
  return isLongHex(text) ? `${text.slice(0, 10)}…${text.slice(-8)}` : text;
}

/** Makes a cell of the list: a text links to its page, and what names the row can be copied. */
export function makeCell(view: View, viewColumn: ViewColumn, row: number): HTMLElement {
  const text = viewColumn.readText(row);
  const { column } = viewColumn;
  const cell = makeElement("td", {
    class: pickCellClass(viewColumn),
    title: text,
    "data-name": column.label,
  });
  const href = text === "" ? null : findPage(view, viewColumn, text);
  const target = href?.startsWith("#") ? {} : { target: "_blank", rel: "noopener" };
  cell.append(
    href === null ? shortenHex(text) : makeElement("a", { href, ...target }, shortenHex(text)),
  );
  if (view.columns[view.data.id ?? -1] !== viewColumn || text === "") return cell;
  const name = `Copy ${column.label.toLowerCase()} ${text}`;
  const copy = makeElement(
    "button",
    { type: "button", class: "copies", "aria-label": name },
    "Copy",
  );
  copy.addEventListener("click", () => copyText(view, text, "1 copied."));
  cell.append(" ", copy);
  return cell;
}

/** Finds the address of a text's page: a report of the same order in this page, else its link. */
export function findPage({ figure }: View, { column }: ViewColumn, text: string): string | null {
  if (column.key === "order_uid" && isLongHex(text)) {
    const report = (figure.getRootNode() as Document)
      .querySelector(`[id^="report-${text.slice(2, 14)}-"]`);
    if (report !== null) return `#${report.id}`;
  }
  return column.link === null ? null : column.link + encodeURIComponent(text);
}
