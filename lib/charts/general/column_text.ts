import { InputError } from "../../errors/orderlens_error.ts";
import { COLORS, type LegendEntry, SERIES_COLORS } from "../looks.ts";
import { groupLargest, isNumber, readRows, readText, type RowKind, type Rows } from "../rows.ts";
import { pluralize } from "../texts/count_text.ts";
import { bpsText, formatNumber, formatSigned } from "../texts/label_text.ts";
import { nameGroup, shortenNames } from "../texts/short_names.ts";

/** Name and unit of a column in a picture. */
export interface ColumnText {
  /** Its name in words, beginning with a capital: `Slippage net`. */
  readonly name: string;
  /** Unit of its values; `null` if it has none. */
  readonly unit: string | null;
}

/** Units by the last word of a column. */
const UNITS: Readonly<Record<string, string>> = {
  native: "native tokens",
  usd: "USD",
  bps: "bps",
  seconds: "s",
  ms: "ms",
  atoms: "atoms",
  percent: "%",
  blocks: "blocks",
  gas: "gas",
};

/**
 * A column in words, with the unit that its name ends with.
 *
 * @param unit Said instead of that unit.
 */
export function describeColumn(column: string, unit?: string): ColumnText {
  const words = column.split("_").filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  const knownUnit = words.length > 1 && Object.hasOwn(UNITS, last) ? UNITS[last]! : null;
  const nameWords = knownUnit === null ? words : words.slice(0, -1);
  const name = nameWords.join(" ") || column;
  return { name: name.slice(0, 1).toUpperCase() + name.slice(1), unit: unit ?? knownUnit };
}

/** Formats the label of an axis: `Slippage net (bps)`. */
export function formatColumnLabel({ name, unit }: ColumnText, more = ""): string {
  return `${name}${more}${unit === null ? "" : ` (${unit})`}`;
}

export function addUnit(text: string, { unit }: ColumnText): string {
  if (unit === null) return text;
  return unit === "%" ? `${text}%` : `${text} ${unit}`;
}

/** Formats a value for titles and legends, with its unit; basis points have one decimal. */
export function formatValue(value: number, text: ColumnText): string {
  return text.unit === "bps" ? bpsText(value) : addUnit(formatNumber(value), text);
}

/** Formats a difference of values, with its sign and unit. */
export function formatDifference(value: number, text: ColumnText): string {
  return text.unit === "bps" ? bpsText(value) : addUnit(formatSigned(value), text);
}

type OpenRow = Readonly<Record<string, unknown>>;

interface OpenColumns {
  /** Required columns: of numbers, or of anything else. */
  readonly required: Readonly<Record<string, "number" | "text">>;
  /** Columns that are read if they are there. @default {none} */
  readonly optional?: readonly string[];
}

/**
 * The rows of a chart for any table, checked to have the columns that the caller names.
 *
 * @param action Beginning of error messages, such as `Cannot draw timeSeries`.
 * @throws {InputError} If they are no rows, a column is missing, or one of numbers is text.
 */
export function readOpenRows<Row extends object>(
  input: Rows<Row>,
  { required, optional = [] }: OpenColumns,
  action: string,
): readonly Row[] {
  const columns = {
    ...Object.fromEntries(optional.map((name) => [name, "text?"])),
    ...required,
  } as RowKind<OpenRow>["columns"];
  const rows = readRows(input as Rows<OpenRow>, { table: null, columns }, { action });
  for (const [name, holds] of Object.entries(required)) {
    const odd = ["string", "boolean"];
    const text = holds === "number" && rows.find((row) => odd.includes(typeof row[name]));
    if (!text) continue;
    const kind = typeof text[name] === "string" ? "text" : "true or false";
    throw new InputError(`${action}: the column ${name} is ${kind}`, {
      facts: { first: String(text[name]).slice(0, 80) },
      remedy: "Take a column of numbers, such as the one next to it",
    });
  }
  return rows as readonly object[] as readonly Row[];
}

/** Reads a number of a row as axes take it; `null` if there is none. */
export function readNumber(row: object, column: string): number | null {
  const value: unknown = Reflect.get(row, column);
  const number = typeof value === "bigint" ? Number(value) : value;
  return isNumber(number) ? number : null;
}

export interface Series<Point> {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly points: readonly Point[];
  /** Whether it is the rest, without a colour of its own. @default {false} */
  readonly isRest?: boolean;
}

/** Maximum number of series with a colour of their own. */
export const MAX_SERIES = SERIES_COLORS.length;

interface SeriesOptions<Point> {
  /** Returns the series of a point; `null` for one series of all. */
  readonly readKey: ((point: Point) => string | null) | null;
  readonly measure: (points: readonly Point[]) => number;
  /** Maximum number of series; the others share one more. */
  readonly limit: number;
  readonly noun: string;
}

/** Groups rows into series by a column of texts, largest first; into one without a column. */
export function groupRows<Row extends object>(
  rows: readonly Row[],
  column: string | undefined,
  limit: number,
): readonly Series<Row>[] {
  return groupSeries(rows, {
    readKey: column === undefined ? null : (row) => readText(row, column),
    measure: (members) => members.length,
    limit,
    noun: nameGroup(column ?? ""),
  });
}

/** Groups points into series, largest first (equal ones by name); the smallest share the last. */
export function groupSeries<Point>(
  points: readonly Point[],
  { readKey, measure, limit, noun }: SeriesOptions<Point>,
): readonly Series<Point>[] {
  if (readKey === null) return [{ name: "", label: "", color: SERIES_COLORS[0]!, points }];
  const { groups, restGroup } = groupLargest(points, readKey, { limit, noun, measure });
  const labels = shortenNames(groups.map(({ key }) => key));
  const series = groups.map(({ key, rows }, index) => ({
    name: key,
    label: labels[index]!,
    color: SERIES_COLORS[index] ?? COLORS.muted,
    points: rows,
  }));
  return restGroup === null ? series : [...series, {
    name: restGroup.key,
    label: restGroup.key,
    color: COLORS.muted,
    points: restGroup.rows,
    isRest: true,
  }];
}

export function createSeriesLegend<Point>(
  series: readonly Series<Point>[],
  { shape, formatLabel = ({ label }) => label }: {
    shape: LegendEntry["shape"] & string;
    formatLabel?: (entry: Series<Point>) => string;
  },
): LegendEntry[] {
  return series.filter(({ name }) => name !== "").map((entry) => ({
    label: formatLabel(entry),
    name: entry.name,
    shape,
    ...(shape === "line" ? { fill: "none", stroke: entry.color } : { fill: entry.color }),
  }));
}

/** Describes series that share one, for a caption; `null` where none do. */
export function describeRest<Point>(
  series: readonly Series<Point>[],
  { limit, noun, measure }: { limit: number; noun: string; measure: string },
): string | null {
  const last = series.at(-1);
  if (last?.isRest !== true) return null;
  const listedSeries = limit === 1 ? `The ${noun}` : `The ${limit} ${pluralize(noun)}`;
  return `${listedSeries} with the most ${measure} ${limit === 1 ? "is" : "are"} shown; ` +
    `${last.name} are the last series`;
}
