import { makeElement, selectY, type View, type ViewColumn } from "./exploration_view.ts";

/** Lists the rows in view, the picked one first, and their pages. */
export function listRows(view: View): void {
  const { data, room, scroll, pages, pinned, visibleRows, table } = view;
  scroll.hidden = pages.hidden = data.listed.length === 0;
  if (scroll.hidden) return;
  const listedColumns = data.listed.map((index) => view.columns[index]!);
  const { y } = selectY(view);
  if (!listedColumns.includes(y)) listedColumns.push(y);
  const headings = listedColumns.map((column) =>
    makeElement("th", { scope: "col", class: pickCellClass(column) }, column.column.label)
  );
  const rows = visibleRows.slice(view.page * room.rows, (view.page + 1) * room.rows);
  const first = pinned === null ? rows : [pinned, ...rows.filter((row) => row !== pinned)];
  const lines = first.map((row) =>
    makeElement(
      "tr",
      row === pinned ? { "aria-current": "true" } : {},
      ...listedColumns.map((column) => makeCell(column, row)),
    )
  );
  table.replaceChildren(
    makeElement("caption", {}, `The ${data.noun} in view`),
    makeElement("thead", {}, makeElement("tr", {}, ...headings)),
    makeElement("tbody", {}, ...lines),
  );
  const last = Math.max(0, Math.ceil(visibleRows.length / room.rows) - 1);
  const makeTurn = (text: string, page: number) => {
    const button = makeElement("button", { type: "button" }, text);
    button.disabled = page < 0 || page > last;
    button.addEventListener("click", () => {
      view.page = page;
      listRows(view);
    });
    return button;
  };
  pages.replaceChildren(
    makeTurn("Previous", view.page - 1),
    ` ${(view.page + 1).toLocaleString("en-US")} of ${(last + 1).toLocaleString("en-US")} `,
    makeTurn("Next", view.page + 1),
  );
}

/** Numbers stand on the right. */
export function pickCellClass({ column }: ViewColumn): string {
  return column.cells.kind === "numbers" ? "number" : "text";
}

/** Makes a cell of the list: long digits are cut, and a text links to its page. */
export function makeCell(viewColumn: ViewColumn, row: number): HTMLElement {
  const text = viewColumn.readText(row);
  const { label, link } = viewColumn.column;
  const short = /^0x[0-9a-f]{17,}$/.test(text) ? `${text.slice(0, 10)}…${text.slice(-8)}` : text;
  const kind = { class: pickCellClass(viewColumn), title: text, "data-name": label };
  if (link === null || text === "") return makeElement("td", kind, short);
  const href = link + encodeURIComponent(text);
  return makeElement(
    "td",
    kind,
    makeElement("a", { href, target: "_blank", rel: "noopener" }, short),
  );
}
