import { createScale, type ExploredColumn, type ExploredData } from "./explored_data.ts";

export interface ViewColumn {
  readonly column: ExploredColumn;
  /** Reads the number of a row; its code where cells are texts. */
  readonly read: (row: number) => number;
  readonly readText: (row: number) => string;
}

/** Both ends of the range in view on an axis; `null` is everything. */
export type ViewRange = readonly [low: number, high: number] | null;

/** The reader's choice: a vertical axis, a code for each filter, and a range for each axis. */
interface Choice {
  y: number;
  readonly codes: (number | null)[];
  x: ViewRange;
  yRange: ViewRange;
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
  if (cells.kind === "hex") {
    const bytes = decodeBytes(cells.bytes);
    const readText = (row: number) => {
      const digits = bytes.subarray(row * cells.width, (row + 1) * cells.width);
      return "0x" + Array.from(digits, (byte) => byte.toString(16).padStart(2, "0")).join("");
    };
    return { column, read: (row) => row, readText };
  }
  const { buffer } = decodeBytes(cells.bytes);
  if (cells.kind === "texts") {
    const codes = cells.width === 1 ? new Uint8Array(buffer) : new Uint32Array(buffer);
    const read = (row: number) => codes[row] ?? 0;
    return { column, read, readText: (row) => cells.texts[read(row)] ?? "" };
  }
  const numbers = cells.width === 4 ? new Float32Array(buffer) : new Float64Array(buffer);
  const read = (row: number) => numbers[row] ?? NaN;
  return { column, read, readText: (row) => formatNumber(read(row), column.isTime) };
}

/** Formats a number in six digits, or a time in UTC. */
export function formatNumber(value: number, isTime: boolean): string {
  if (Number.isNaN(value)) return "";
  if (isTime) return new Date(value).toISOString().slice(0, 19).replace("T", " ");
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e9)
    ? value.toExponential(3)
    : Number(value.toPrecision(6)).toLocaleString("en-US", { maximumSignificantDigits: 6 });
  return text.replace("-", "−");
}

/** Formats a number of a sentence or an axis, in four digits at most. */
export function formatShort(value: number, isTime: boolean): string {
  return formatNumber(isTime ? value : Number(value.toPrecision(4)), isTime);
}

/**
 * Opens the view of a figure: all rows, the first vertical axis, and its empty elements. `room` has
 * margins and heights in pixels, of both drawings, and how many bins and listed rows they have.
 */
export function openView(figure: HTMLElement, data: ExploredData) {
  const columns = data.columns.map(openColumn);
  const choice: Choice = { y: 0, codes: data.filters.map(() => null), x: null, yRange: null };
  const table = makeElement("table");
  const [canvas, box] = [
    makeElement("canvas", { role: "img" }),
    makeElement("div", { class: "brush" }),
  ];
  const tip = makeElement("div", { class: "tip", "aria-hidden": "true" });
  const list = { class: "rows", tabindex: "0", role: "group" };
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
    filters: data.filters.map((index) => columns[index]!),
    colored: data.color === null ? null : columns[data.color]!,
    /** Number of rows per bin; `null` where rows are drawn one by one. */
    weights: data.weights === null ? null : new Uint32Array(decodeBytes(data.weights).buffer),
    /** 1 for each row in view. */
    inView: new Uint8Array(data.height),
    visibleRows: [] as number[],
    /** The row that was picked. */
    pinned: null as number | null,
    /** The page of the list, from 0. */
    page: 0,
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
  };
}

export function selectY({ ys, yScales, choice }: View) {
  return { y: ys[choice.y]!, yScale: yScales[choice.y]! };
}

/** Returns the number of rows that a row stands for. */
export function weigh({ weights }: View, row: number): number {
  return weights === null ? 1 : weights[row] ?? 0;
}

/** Selects the rows in view; a row without a value on an axis is not. */
export function filterRows(view: View): void {
  const { choice, data, filters, inView, x } = view;
  const { y } = selectY(view);
  const isWithin = (value: number, range: ViewRange) =>
    range === null || (value >= range[0] && value <= range[1]);
  view.visibleRows = [];
  for (let row = 0; row < data.height; row++) {
    const value = y.read(row);
    const isIn = !Number.isNaN(value) && isWithin(value, choice.yRange) &&
      isWithin(x.read(row), choice.x) &&
      choice.codes.every((code, index) => code === null || filters[index]!.read(row) === code);
    inView[row] = isIn ? 1 : 0;
    if (isIn) view.visibleRows.push(row);
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
