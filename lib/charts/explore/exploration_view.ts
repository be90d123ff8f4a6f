import type { ExploredColumn, ExploredData } from "./explored_data.ts";
import { createScale } from "./explored_scale.ts";

export interface ViewColumn {
  readonly column: ExploredColumn;
  /** Reads the number of a row; its code where cells are texts. */
  readonly read: (row: number) => number;
  /** Reads the whole text of a row, as the page shows it; empty without a value. */
  readonly readText: (row: number) => string;
}

/** Both ends of the range in view on an axis; `null` is everything. */
export type ViewRange = readonly [low: number, high: number] | null;

/**
 * The reader's choice: a vertical axis, a code for each filter, a range for each axis, and a text that
 * rows contain.
 */
interface Choice {
  y: number;
  readonly codes: (number | null)[];
  x: ViewRange;
  yRange: ViewRange;
  search: string;
}

/** An interactive figure: its columns, the choice, and the rows in view. */
export type View = ReturnType<typeof openView>;

export function makeElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function decodeBytes(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

export function openColumn(column: ExploredColumn): ViewColumn {
  const { cells } = column;
  const bytes = decodeBytes(cells.bytes);
  if (cells.kind === "hex") {
    let digits: string | null = null;
    const readText = (row: number) => {
      digits ??= Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return `0x${digits.slice(2 * row * cells.width, 2 * (row + 1) * cells.width)}`;
    };
    return { column, read: (row) => row, readText };
  }
  if (cells.kind === "texts") {
    const codes = cells.width === 1 ? bytes : new Uint32Array(bytes.buffer);
    const read = (row: number) => codes[row] ?? 0;
    return { column, read, readText: (row) => cells.texts[read(row)] ?? "" };
  }
  const numbers = cells.width === 4
    ? new Float32Array(bytes.buffer)
    : new Float64Array(bytes.buffer);
  const read = (row: number) => numbers[row] ?? NaN;
  return { column, read, readText: (row) => formatCell(column, read(row)) };
}

/** Formats a number of the list: whole numbers with all digits, ids as they are searched for. */
export function formatCell({ key, isTime }: ExploredColumn, value: number): string {
  if (isTime || !Number.isSafeInteger(value)) return formatNumber(value, isTime);
  return /(?:^|_)(?:id|block|number|index)$/.test(key)
    ? String(value)
    : formatNumber(value, false, 16);
}

/** Formats a number in some digits, or a time in UTC. */
export function formatNumber(value: number, isTime: boolean, digits = 6): string {
  if (Number.isNaN(value)) return "";
  if (isTime) {
    return new Date(value).toISOString().replace("T", " ").slice(0, digits < 12 ? 19 : 23)
      .replace(/\.000$/, "");
  }
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-6 || size >= 1e9) && digits < 16
    ? Number(value.toPrecision(digits)).toExponential(digits > 6 ? undefined : 3)
    : Number(value.toPrecision(digits))
      .toLocaleString("en-US", { maximumSignificantDigits: digits });
  return text.replace("-", "−");
}

/** Formats a number of a sentence, in four digits at most. */
export function formatShort(value: number, isTime: boolean): string {
  return formatNumber(isTime ? value : Number(value.toPrecision(4)), isTime);
}

/** Formats a tick or an end of a range, which has few digits, with all of them. */
export function formatEnd(value: number, isTime: boolean): string {
  return formatNumber(value, isTime, 12);
}

/** Names a text: without one it is unknown. */
export function nameText(text: string): string {
  return text || "unknown";
}

/**
 * Opens the view of a figure: all rows, the first vertical axis, and its empty elements. `room` has
 * margins and heights in pixels, of both drawings, and how many bins and listed rows they have.
 */
export function openView(figure: HTMLElement, data: ExploredData) {
  const columns = data.columns.map(openColumn);
  const codes = data.filters.map(() => null);
  const choice: Choice = { y: 0, codes, x: null, yRange: null, search: "" };
  const table = makeElement("table");
  const [canvas, box] = [
    makeElement("canvas", { role: "img" }),
    makeElement("div", { class: "brush" }),
  ];
  const tip = makeElement("div", { class: "tip", "aria-hidden": "true" });
  const list = { class: "rows", tabindex: "0", role: "group" };
  const filters = data.filters.map((index) => columns[index]!);
  return {
    figure,
    data,
    columns,
    choice,
    x: columns[data.x]!,
    xScale: createScale(data.xScale),
    /** Columns of the axis upwards, one at a time. */
    ys: data.y.map(({ column }) => columns[column]!),
    yScales: data.y.map(({ scale }) => createScale(scale)),
    filters,
    /** Rows by code for each filter, of those that the other filters select. */
    counts: filters.map(({ column: { cells } }) =>
      new Float64Array(cells.kind === "texts" ? cells.texts.length : 0)
    ),
    /** Columns in which a text is searched. */
    searched: data.searched.map((index) => columns[index]!),
    /** 1 for each row that contains the searched text; `null` without one. */
    matches: null as Uint8Array | null,
    colored: data.color === null ? null : columns[data.color]!,
    /** Number of rows per bin; `null` where rows are drawn one by one. */
    weights: data.weights === null ? null : new Uint32Array(decodeBytes(data.weights).buffer),
    /** 1 for each row in view. */
    inView: new Uint8Array(data.height),
    visibleRows: [] as number[],
    /** The row that was picked. */
    pinned: null as number | null,
    /** Address of the last saved CSV. */
    csvUrl: null as string | null,
    /** The page of the list, from 0. */
    page: 0,
    /** The column that sorts the list, descending or not; `null` for the order of the frame. */
    sort: null as { readonly column: ViewColumn; readonly isDescending: boolean } | null,
    /** Ranks of rows by the columns that sorted the list before. */
    ranks: new Map<ViewColumn, Float64Array>(),
    /** Positions of dots and bars, for one width and one axis upwards. */
    drawing: {
      width: 0,
      paint: {} as Readonly<Record<string, string>>,
      laidOut: { width: 0, y: -1 },
      bins: new Uint8Array(data.height),
      px: new Float32Array(data.height),
      py: new Float32Array(data.height),
    },
    /** Pixels around and in both drawings, and how many bins and listed rows there are. */
    room: { left: 56, right: 12, top: 8, bottom: 40, height: 340, bars: 90, bins: 48, rows: 8 },
    status: makeElement("p", { role: "status" }),
    controls: makeElement("div", { class: "controls" }),
    legend: makeElement("div", { class: "legend", role: "group", "aria-label": "Colours" }),
    stage: makeElement("div", { class: "stage" }, canvas, box, tip),
    canvas,
    box,
    tip,
    bars: makeElement("canvas", { role: "img" }),
    scroll: makeElement("div", { ...list, "aria-label": `The ${data.noun} in view` }, table),
    table,
    pages: makeElement("div", { class: "pages" }),
    tools: makeElement("div", { class: "tools", role: "group", "aria-label": "Copy and save" }),
    message: makeElement("span", { "aria-live": "polite" }),
    output: makeElement("textarea", { rows: "3", spellcheck: "false", wrap: "soft" }),
  };
}

export function selectY({ ys, yScales, choice }: View) {
  return { y: ys[choice.y]!, yScale: yScales[choice.y]! };
}

/** Returns the number of rows that a row stands for. */
export function weigh({ weights }: View, row: number): number {
  return weights === null ? 1 : weights[row] ?? 0;
}

/**
 * Selects the rows in view, and counts those of each filter's texts that all other filters select. A
 * row without a value on an axis is not in view.
 */
export function filterRows(view: View): void {
  const { choice, data, filters, inView, x, counts, matches } = view;
  const { y } = selectY(view);
  const isWithin = (value: number, range: ViewRange) =>
    range === null || (value >= range[0] && value <= range[1]);
  for (const texts of counts) texts.fill(0);
  view.visibleRows = [];
  for (let row = 0; row < data.height; row++) {
    inView[row] = 0;
    const value = y.read(row);
    if (Number.isNaN(value) || !isWithin(value, choice.yRange)) continue;
    if (!isWithin(x.read(row), choice.x) || matches?.[row] === 0) continue;
    let [misses, missed] = [0, 0];
    for (let index = 0; index < filters.length; index++) {
      const code = choice.codes[index]!;
      if (code === null || filters[index]!.read(row) === code) continue;
      misses++;
      missed = index;
    }
    if (misses > 1) continue;
    for (let index = 0; index < filters.length; index++) {
      if (misses === 0 || index === missed) {
        counts[index]![filters[index]!.read(row)]! += weigh(view, row);
      }
    }
    if (misses > 0) continue;
    inView[row] = 1;
    view.visibleRows.push(row);
  }
}

/** The pattern of a text that cells contain, in letters of either case, for this page and for code. */
export function writePattern(text: string): string {
  return text.toWellFormed().replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Finds the rows that contain the searched text. */
export function searchRows(view: View): void {
  const { choice, data, searched } = view;
  view.matches = choice.search === "" ? null : new Uint8Array(data.height);
  if (view.matches === null) return;
  const pattern = new RegExp(writePattern(choice.search), "iu");
  for (const { column: { cells }, read, readText } of searched) {
    const texts = cells.kind === "texts" ? cells.texts.map((text) => pattern.test(text)) : null;
    for (let row = 0; row < data.height; row++) {
      if (texts === null ? pattern.test(readText(row)) : texts[read(row)]) view.matches[row] = 1;
    }
  }
}

/** Finds the median of the rows in view; each bin counts as often as it has rows. */
export function findMedian(view: View): number | null {
  const { visibleRows, weights } = view;
  const { read } = selectY(view).y;
  if (weights === null) {
    const values = Float64Array.from(visibleRows, read).sort();
    const [low, high] = [values[(values.length - 1) >> 1], values[values.length >> 1]];
    return low === undefined || high === undefined ? null : (low + high) / 2;
  }
  const sortedRows = visibleRows.toSorted((a, b) => read(a) - read(b));
  const total = sortedRows.reduce((sum, row) => sum + weigh(view, row), 0);
  let weightBelow = 0;
  for (const [index, row] of sortedRows.entries()) {
    weightBelow += weigh(view, row);
    if (weightBelow * 2 > total) return read(row);
    if (weightBelow * 2 === total) return (read(row) + read(sortedRows[index + 1] ?? row)) / 2;
  }
  return null;
}
