import { draw } from "./exploration_canvas.ts";
import { addTools } from "./exploration_output.ts";
import { listRows, sortRows } from "./exploration_rows.ts";
import {
  filterRows,
  findMedian,
  formatEnd,
  formatShort,
  makeElement,
  nameText,
  searchRows,
  selectY,
  type View,
  type ViewColumn,
  type ViewRange,
  weigh,
} from "./exploration_view.ts";

/** Updates the controls to the current choice. */
type SyncControls = () => void;

/** Shows the rows that the current choice selects. */
export function update(view: View, syncControls: SyncControls): void {
  view.page = 0;
  filterRows(view);
  sortRows(view);
  if (view.pinned !== null && view.inView[view.pinned] === 0) view.pinned = null;
  updateStatus(view);
  syncControls();
  draw(view);
  listRows(view);
}

/** Writes how many rows are in view, of how many, by what, and their median. */
export function updateStatus(view: View): void {
  const { choice, data, filters, weights } = view;
  const { y } = selectY(view);
  let total = 0;
  for (let row = 0; row < data.height; row++) total += weigh(view, row);
  const count = view.visibleRows.reduce((sum, row) => sum + weigh(view, row), 0);
  const chosen = [
    ...choice.codes.flatMap((code, index) => {
      const { column } = filters[index]!;
      return code === null || column.cells.kind !== "texts"
        ? []
        : [`${column.name} ${nameText(column.cells.texts[code]!)}`];
    }),
    ...(choice.search === "" ? [] : [`“${choice.search}”`]),
    ...(choice.x === null ? [] : [formatRange(view.x, choice.x)]),
    ...(choice.yRange === null ? [] : [formatRange(y, choice.yRange)]),
  ];
  const middle = findMedian(view);
  const prefix = weights === null ? "" : "about ";
  view.status.textContent =
    `${count.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} ${data.noun}` +
    (chosen.length === 0 ? "" : `: ${chosen.join(", ")}`) +
    (middle === null
      ? "."
      : `. Median ${y.column.name}: ${prefix}${addUnit(y, formatShort(middle, false))}.`);
}

export function addUnit({ column: { unit } }: ViewColumn, text: string): string {
  return unit === null ? text : `${text} ${unit}`;
}

/** Formats a range of a column, of which an end may be open. */
export function formatRange(viewColumn: ViewColumn, [low, high]: NonNullable<ViewRange>): string {
  const format = (value: number) => formatEnd(value, viewColumn.column.isTime);
  const ends = low === -Infinity
    ? `up to ${format(high)}`
    : high === Infinity
    ? `from ${format(low)}`
    : `${format(low)} to ${format(high)}`;
  return `${viewColumn.column.name} ${addUnit(viewColumn, ends)}`;
}

/** Fills the controls and the legend, which change the choice. */
export function addControls(view: View): SyncControls {
  const { choice, controls, filters, x, ys } = view;
  const refresh = () => update(view, syncControls);
  if (ys.length > 1) {
    addSelect(view, "Vertical axis", ys.map(({ column }) => column.label), (index) => {
      choice.y = index;
      choice.yRange = null;
      refresh();
    });
  }
  const filterTexts = filters.map(({ column: { cells } }) =>
    cells.kind === "texts" ? cells.texts.map(nameText) : []
  );
  const selects = filters.map(({ column }, filter) => {
    const texts = filterTexts[filter]!;
    return addSelect(view, column.label, [`all ${texts.length}`, ...texts], (index) => {
      choice.codes[filter] = index === 0 ? null : index - 1;
      refresh();
    });
  });
  const xEnds = makeEnds(view, "x", refresh);
  const yEnds = makeEnds(view, "yRange", refresh);
  const yName = makeElement("span");
  controls.append(
    makeElement("div", { role: "group" }, makeElement("span", {}, x.column.label), ...xEnds),
    makeElement("div", { role: "group" }, yName, ...yEnds),
  );
  const search = makeElement("input", { type: "search", placeholder: "Text in a row" });
  search.addEventListener("input", () => {
    choice.search = search.value;
    searchRows(view);
    refresh();
  });
  if (view.searched.length > 0) {
    controls.append(makeElement("label", {}, makeElement("span", {}, "Search"), search));
  }
  const reset = makeElement("button", { type: "button" }, "Show all");
  reset.addEventListener("click", () => {
    choice.codes.fill(null);
    choice.x =
      choice.yRange =
      view.pinned =
      view.matches =
        null;
    search.value = choice.search = "";
    refresh();
  });
  controls.append(reset);
  const syncLegend = addLegend(view, refresh);
  const syncTools = addTools(view);
  function syncControls(): void {
    for (const [filter, input] of selects.entries()) {
      input.selectedIndex = (choice.codes[filter] ?? -1) + 1;
      for (const [code, text] of filterTexts[filter]!.entries()) {
        const option = input.options[code + 1]!;
        const count = view.counts[filter]![code]!;
        option.text = `${text} (${count.toLocaleString("en-US")})`;
        option.disabled = count === 0 && choice.codes[filter] !== code;
      }
    }
    writeEnds(xEnds, choice.x, x.column.isTime);
    writeEnds(yEnds, choice.yRange, false);
    yName.textContent = selectY(view).y.column.label;
    syncLegend();
    syncTools();
  }
  return syncControls;
}

export function addSelect(
  { controls }: View,
  text: string,
  options: readonly string[],
  choose: (index: number) => void,
): HTMLSelectElement {
  const choices = options.map((option) => makeElement("option", { value: option }, option));
  const input = makeElement("select", { "aria-label": text }, ...choices);
  input.addEventListener("change", () => choose(input.selectedIndex));
  controls.append(makeElement("label", {}, makeElement("span", {}, text), input));
  return input;
}

/** Makes the inputs for both ends of an axis. */
export function makeEnds(
  view: View,
  axis: "x" | "yRange",
  refresh: () => void,
): HTMLInputElement[] {
  const isTime = axis === "x" && view.x.column.isTime;
  return ["from", "to"].map((name, end) => {
    const kind = isTime
      ? { type: "datetime-local", step: "any" }
      : { type: "number", step: "any", placeholder: name };
    const input = makeElement("input", { ...kind, "aria-label": name });
    input.addEventListener("change", () => {
      const range = view.choice[axis] ?? [-Infinity, Infinity];
      const typed = isTime ? Date.parse(`${input.value}Z`) : Number.parseFloat(input.value);
      const value = Number.isNaN(typed) ? [-Infinity, Infinity][end]! : typed;
      const next: [number, number] = end === 0 ? [value, range[1]] : [range[0], value];
      view.choice[axis] = next.some(Number.isFinite) ? next : null;
      refresh();
    });
    return input;
  });
}

export function writeEnds(
  inputs: readonly HTMLInputElement[],
  range: ViewRange,
  isTime: boolean,
): void {
  for (const [end, input] of inputs.entries()) {
    const value = range?.[end] ?? NaN;
    input.value = !Number.isFinite(value)
      ? ""
      : isTime
      ? new Date(value).toISOString().replace(/(?:\.000)?Z$/, "")
      : String(value);
  }
}

/** Adds the legend, whose entries filter if the colours are a filter. */
export function addLegend(
  { choice, colored, data, legend }: View,
  refresh: () => void,
): SyncControls {
  const texts = colored?.column.cells.kind === "texts" ? colored.column.cells.texts : [];
  const filter = data.color === null ? -1 : data.filters.indexOf(data.color);
  const entries = data.colors.map((_, index) => {
    const isRest = index === data.colors.length - 1 && texts.length > data.colors.length;
    const text = isRest ? "others" : nameText(texts[index] ?? "");
    const swatch = makeElement("i", { style: `background:var(--color${index})` });
    const entry = makeElement("button", { type: "button", "aria-pressed": "false" }, swatch, text);
    if (isRest || filter === -1) entry.disabled = true;
    entry.addEventListener("click", () => {
      choice.codes[filter] = choice.codes[filter] === index ? null : index;
      refresh();
    });
    return entry;
  });
  if (colored !== null) legend.append(`${colored.column.label}: `, ...entries);
  return () => {
    for (const [index, entry] of entries.entries()) {
      if (!entry.disabled) entry.ariaPressed = String(choice.codes[filter] === index);
    }
  };
}
