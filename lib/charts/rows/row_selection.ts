import { axisText } from "../texts/axis_text.ts";

/** Rows that can be drawn, and how many cannot. */
export interface Selection<Row> {
  /** Rows with a number in each column asked for, in their order. */
  rows: readonly Row[];
  /** How many rows have none. */
  leftOut: number;
  /** The same as a sentence for the caption; `null` when no row is left out. */
  note: string | null;
}

/** No amount is larger; sums of larger doubles could overflow. */
const LARGEST = 1e100;

/** Whether a value can be put on an axis: a finite number, at most 10^100 in size. */
export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= LARGEST;
}

/** Whether a value can be a number of things: finite, and not below 0. */
export function isCount(value: unknown): value is number {
  return isNumber(value) && value >= 0;
}

/** Selects the rows that have a number in each of some columns, and counts the others. */
export function rowsWithNumbers<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): Selection<Row> {
  const kept = rows.filter((row) => columns.every((column) => isNumber(row[column])));
  const leftOut = rows.length - kept.length;
  const note = leftOut === 0
    ? null
    : `${count(leftOut, "row")} without a number in ${columns.join(" or ")} left out`;
  return { rows: kept, leftOut, note };
}

/**
 * Fills in texts: a missing or empty one becomes `unknown`, and any other value its text. Rows that
 * need no change stay the same objects.
 */
export function rowsWithTexts<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): readonly Row[] {
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  return rows.map((row) => {
    const missing = columns.filter((column) => !isText(row[column]));
    if (missing.length === 0) return row;
    const texts = missing.map((column): [string, string] => [column, textOf(row[column])]);
    return { ...row, ...Object.fromEntries(texts) };
  });
}

function textOf(value: unknown): string {
  return value === null || value === undefined || value === "" ? "unknown" : String(value);
}

/**
 * Sorts rows by a column, descending where its name has a `-` before it; rows without a value last.
 * Rows that are equal keep their order.
 *
 * @param valuesOf Values to sort by of columns that have others than their own, such as names of
 *   solvers for their addresses. @default {none}
 */
export function sortRows<Row extends object>(
  rows: readonly Row[],
  sort: string,
  valuesOf: Readonly<Record<string, (row: Row) => unknown>> = {},
): readonly Row[] {
  const descending = sort.startsWith("-");
  const column = descending ? sort.slice(1) : sort;
  const valueOf = Object.hasOwn(valuesOf, column)
    ? valuesOf[column]!
    : (row: Row): unknown => row[column as keyof Row];
  return rows.toSorted((a, b) => {
    const [x, y]: [unknown, unknown] = [valueOf(a), valueOf(b)];
    if (!isComparable(x) || !isComparable(y)) {
      return Number(isComparable(y)) - Number(isComparable(x));
    }
    const order = x < y ? -1 : x > y ? 1 : 0;
    return descending ? -order : order;
  });
}

function isComparable(value: unknown): value is number | string | boolean {
  return isNumber(value) || typeof value === "string" || typeof value === "boolean";
}

/** A number of things, such as `1 fill` or `12,345 fills`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${wholeText(number)} ${number === 1 ? noun : plural}`;
}

/** From this size on, doubles do not hold every whole number. */
const LEAST_INEXACT = 2 ** 53;

/**
 * A whole number with a comma between thousands; with an exponent where its last digits are not
 * known.
 */
export function wholeText(number: number): string {
  if (Math.abs(number) >= LEAST_INEXACT) return axisText(number);
  return number.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** The caption of a figure: its sentences, then the source of the data. */
export function captionText(
  sentences: readonly (string | null | undefined | false)[],
  source: string | undefined,
): string {
  const said = sentences.filter((one): one is string => typeof one === "string" && one !== "");
  if (source !== undefined) said.push(`Source: ${source}`);
  return said.join(". ");
}
