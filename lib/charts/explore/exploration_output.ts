import { formatCsvCell } from "../../tables/columns/csv_cell.ts";
import { formatPolars, formatSql, listConditions } from "./exploration_code.ts";
import { makeElement, type View, type ViewColumn } from "./exploration_view.ts";

/** Adds what leaves the page: code that selects the rows in view, their names, and their cells. */
export function addTools(view: View): () => void {
  const { columns, data, tools, message, output } = view;
  const addTool = (text: string, run: () => void) => {
    const button = makeElement("button", { type: "button" }, text);
    button.addEventListener("click", run);
    tools.append(button);
    return button;
  };
  const { frame, table } = data;
  if (frame !== null) {
    addTool("Copy as TypeScript", () => {
      copyText(view, formatPolars(frame, listConditions(view)), "TypeScript copied.", true);
    });
  }
  if (table !== null) {
    addTool("Copy as SQL", () => {
      const query = formatSql(table, listConditions(view), data.always);
      copyText(view, query, `SQL for all rows of ${table} copied.`, true);
    });
  }
  const id = data.id === null ? null : columns[data.id]!;
  const noun = { uid: "UIDs", id: "ids", hash: "hashes" }[id?.column.key.split("_").at(-1) ?? ""];
  const copyIds = id === null ? null : addTool("", () => {
    const ids = listTexts(view, id);
    copyText(view, ids.join("\n"), `${ids.length.toLocaleString("en-US")} copied.`);
  });
  if (data.listed.length > 0) addTool("Save as CSV", () => saveCsv(view));
  tools.append(message);
  output.hidden = true;
  return () => {
    output.hidden = true;
    message.textContent = "";
    if (copyIds === null || id === null) return;
    const count = listTexts(view, id).length;
    copyIds.textContent = `Copy ${count.toLocaleString("en-US")} ${noun ?? "values"}`;
    copyIds.disabled = count === 0;
  };
}

/** Lists the different texts of a column in the rows in view, in the order of the list. */
export function listTexts({ visibleRows }: View, { readText }: ViewColumn): string[] {
  return [...new Set(visibleRows.map(readText))].filter((text) => text !== "");
}

/**
 * Copies a text, which needs no permission on a click; where the page may not copy, a field stays with
 * the text selected.
 *
 * @param isShown Whether the field stays in any case.
 */
export function copyText(view: View, text: string, success: string, isShown = false): void {
  const { message, output } = view;
  output.hidden = !isShown;
  output.value = text;
  output.setAttribute("aria-label", "Text to copy");
  let isCopied = false;
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
    isCopied = event.clipboardData !== null;
  };
  globalThis.addEventListener("copy", fill, true);
  isCopied = document.execCommand("copy") && isCopied;
  globalThis.removeEventListener("copy", fill, true);
  message.textContent = isCopied ? success : "Not copied: press Ctrl+C or ⌘C.";
  if (isCopied) return;
  output.hidden = false;
  output.focus({ preventScroll: true });
  output.select();
}

/** Saves the rows in view as CSV, in the order of the list. */
export function saveCsv(view: View): void {
  if (view.csvUrl !== null) URL.revokeObjectURL(view.csvUrl);
  view.csvUrl = URL.createObjectURL(new Blob([formatCsv(view)], { type: "text/csv" }));
  const name = `${view.data.table ?? view.data.noun.replaceAll(" ", "_")}.csv`;
  const link = makeElement("a", { href: view.csvUrl, download: name });
  view.figure.append(link);
  link.click();
  link.remove();
  view.message.textContent = `${view.visibleRows.length.toLocaleString("en-US")} rows saved.`;
}

/** Formats the rows in view as CSV: every column of the page under its name in the frame. */
export function formatCsv({ columns, data, visibleRows }: View): string {
  const indexes = [...new Set([...data.listed, ...columns.keys()])];
  const csvColumns = indexes.map((index) => columns[index]!);
  const readCell = ({ column, read, readText }: ViewColumn, row: number) => {
    if (column.cells.kind === "numbers") return Number.isNaN(read(row)) ? null : read(row);
    const text = readText(row);
    return text === "" ? null : column.type === "number" ? Number(text) : text;
  };
  const lines = [
    csvColumns.map(({ column }) => formatCsvCell(column.key)),
    ...visibleRows.map((row) => csvColumns.map((column) => formatCsvCell(readCell(column, row)))),
  ];
  return lines.map((line) => `${line.join()}\r\n`).join("");
}
