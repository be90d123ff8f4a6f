import { lowerFirst } from "../../units/format.ts";
import { describeColumn, formatColumnLabel, readNumber } from "../general/column_text.ts";
import { COLORS, SERIES_COLORS } from "../looks.ts";
import { isNumber, readText } from "../rows.ts";
import { max, min, quantile } from "../statistics.ts";
import { createScale, type ExploredScale } from "./explored_scale.ts";

/** Cells of one column, in base64. */
type ExploredCells =
  /** Doubles of 8 bytes, or of 4 where there are many rows; NaN where there is none. */
  | { readonly kind: "numbers"; readonly width: 4 | 8; readonly bytes: string }
  /** Places in `texts`, of 1 or 4 bytes each. */
  | {
    readonly kind: "texts";
    readonly width: 1 | 4;
    readonly bytes: string;
    readonly texts: readonly string[];
  }
  /** Hex texts of one length, `width` bytes each. */
  | { readonly kind: "hex"; readonly width: number; readonly bytes: string };

export interface ExploredColumn {
  /** Name in the frame. */
  readonly key: string;
  /** Type of its values in the frame. */
  readonly type: "text" | "number" | "bigint" | "boolean" | "time";
  /** Whether the frame has null in it. */
  readonly hasNull: boolean;
  /** Whether the frame has the empty text in it, which is in view with null. */
  readonly hasEmpty: boolean;
  /** Whether the frame has numbers in it that are not drawn: NaN, infinite ones, and above 10^100. */
  readonly hasOdd: boolean;
  /** Whether the last of its texts stands for all rare ones. */
  readonly isMerged: boolean;
  /** Name for use inside a sentence. */
  readonly name: string;
  readonly unit: string | null;
  readonly label: string;
  /** Whether its numbers are unix milliseconds. */
  readonly isTime: boolean;
  /** Address before the cell's text in a link; `null` without links. */
  readonly link: string | null;
  readonly cells: ExploredCells;
}

/** Data for the page: columns by index, and the scales of the axes. */
export interface ExploredData {
  /** Number of rows, or of bins. */
  readonly height: number;
  /** Plural noun for the rows. */
  readonly noun: string;
  readonly note: string;
  /** Advice for links to reports; empty where rows have links. */
  readonly hint: string;
  /** Columns, which the fields below name by index. */
  readonly columns: readonly ExploredColumn[];
  /** Along the horizontal axis. */
  readonly x: number;
  readonly xScale: ExploredScale;
  /** Along the vertical axis, one at a time. */
  readonly y: readonly { readonly column: number; readonly scale: ExploredScale }[];
  /** By whose texts rows are coloured; `null` for one colour. */
  readonly color: number | null;
  /** The colours of its first texts, the last for all others. */
  readonly colors: readonly string[];
  readonly filters: readonly number[];
  readonly listed: readonly number[];
  /** The listed column that names a row, to copy it; `null` without one. */
  readonly id: number | null;
  /** Columns that say which row a dot is. */
  readonly named: readonly number[];
  /** Columns in which a text is searched. */
  readonly searched: readonly number[];
  /** The frame in copied code; `null` for none. */
  readonly frame: string | null;
  /** Its table in copied SQL; `null` for none. */
  readonly table: string | null;
  /** Conditions that all rows meet, in SQL. */
  readonly always: readonly string[];
  /** Number of rows per bin, four bytes each; `null` where rows are drawn one by one. */
  readonly weights: string | null;
}

interface ExploredChoice {
  /** Plural noun for the rows. */
  readonly noun: string;
  /** Along the horizontal axis. */
  readonly x: string;
  /** Along the vertical axis. */
  readonly y: readonly string[];
  /** By whose texts rows are coloured. */
  readonly color: string | null;
  readonly filters: readonly string[];
  readonly listed: readonly string[];
  /** The listed column that names a row. */
  readonly id: string | null;
  /** Columns that say which row a dot is. */
  readonly named: readonly string[];
  /** The frame and the table in copied code. */
  readonly code: Pick<ExploredData, "frame" | "table" | "always">;
  readonly hint: string;
  /** Returns the address before the text of a column in a link. */
  readonly findLink: (column: string) => string | null;
}

/** Maximum number of rows that have a table with links. */
const MAX_LISTED = 20_000;

/** Maximum bytes of all cells as doubles; above it, numbers have four bytes each. */
const MAX_EXACT_BYTES = 2_000_000;

/** Maximum number of rows that are drawn one by one; more are counted in bins. */
const MAX_DRAWN = 50_000;

const [X_BINS, Y_BINS] = [160, 80];

/** Maximum number of texts of a filter with their own entry, if rows are counted in bins. */
const MAX_BINNED_TEXTS = 12;

/** Values of the explored rows on the horizontal axis and the first vertical one. */
export interface ExploredPoints {
  readonly x: readonly number[];
  /** NaN for a row with a value on another axis only. */
  readonly y: readonly number[];
  /** Number of rows, with those that are not drawn. */
  readonly total: number;
}

/** Creates the page's data of the rows with a value on both axes. */
export function createExploredData(
  rows: readonly object[],
  choice: ExploredChoice,
): { readonly data: ExploredData; readonly points: ExploredPoints } {
  const { noun } = choice;
  const placedRows = rows.filter((row) =>
    readNumber(row, choice.x) !== null && choice.y.some((y) => readNumber(row, y) !== null)
  );
  const [isListed, isBinned] = [placedRows.length <= MAX_LISTED, placedRows.length > MAX_DRAWN];
  const readNumbers = (name: string) => placedRows.map((row) => readNumber(row, name) ?? NaN);
  const x = readNumbers(choice.x);
  const ys = (isBinned ? choice.y.slice(0, 1) : choice.y).map(readNumbers);
  const xScale = pickScale(x, isTime(choice.x));
  const yScales = ys.map((values) => pickScale(values.filter(Number.isFinite), false));
  const chosen = [...choice.filters, ...(choice.color === null ? [] : [choice.color])];
  // One text alone is no choice, and tells no rows apart.
  const coded = new Map(
    chosen.map((name) => {
      const encoded = encodeTexts(placedRows.map((row) => readText(row, name) ?? ""));
      return [name, isBinned ? mergeRare(encoded) : { ...encoded, isMerged: false }] as const;
    }).filter(([, { texts }]) => texts.length > 1),
  );
  const color = choice.color !== null && coded.has(choice.color) ? choice.color : null;
  const rowBytes = 8 * (1 + ys.length) +
    [...coded.values()].reduce((sum, { texts }) => sum + pickWidth(texts), 0);
  const isExact = isListed || rowBytes * placedRows.length <= MAX_EXACT_BYTES;
  const bins = isBinned ? countBins([x, ys[0]!], [xScale, yScales[0]!], coded) : null;

  const columns: ExploredColumn[] = [];
  const indexes = new Map<string, number>();
  const add = (name: string, cells: () => ExploredCells): number => {
    const existing = indexes.get(name);
    if (existing !== undefined) return existing;
    const text = describeColumn(
      name.replace(/_(?:name|uid)$/, ""),
      isTime(name) ? "UTC" : undefined,
    );
    columns.push({
      key: name,
      ...describeCells(rows, name),
      isMerged: coded.get(name)?.isMerged ?? false,
      name: lowerFirst(text.name),
      unit: text.unit,
      label: formatColumnLabel(text),
      isTime: isTime(name),
      link: choice.findLink(name),
      cells: cells(),
    });
    indexes.set(name, columns.length - 1);
    return columns.length - 1;
  };
  const addNumbers = (name: string, values: readonly number[]) =>
    add(name, () => encodeNumbers(values, isExact || isTime(name) ? 8 : 4));
  const addTexts = (name: string) =>
    add(name, () => encodeCodes(bins?.codes.get(name) ?? coded.get(name)!));
  const leftOut = rows.length - placedRows.length;
  const count = (value: number) => value.toLocaleString("en-US");
  const texts = color === null ? 1 : coded.get(color)!.texts.length;
  const addCells = (name: string) => add(name, () => encodeCells(placedRows, name));
  const data: ExploredData = {
    height: bins?.x.length ?? placedRows.length,
    noun,
    note: [
      leftOut > 0 &&
      `${count(leftOut)} of ${count(rows.length)} ${noun} lack a value for one of the axes.`,
      !isListed &&
      `More than ${count(MAX_LISTED)} ${noun}: filter the frame to list them with links.`,
      !isExact && !isBinned &&
      `Numbers are rounded to seven digits here; copied code compares every digit.`,
      isBinned &&
      `More than ${
          count(MAX_DRAWN)
        } ${noun} are counted in bins; medians are of bins, and copied ` +
        "code selects single rows.",
      isBinned && choice.y.length > 1 && "Filter the frame to choose another vertical axis.",
    ].filter((sentence) => sentence !== false).join(" "),
    hint: isListed ? choice.hint : "",
    x: addNumbers(choice.x, bins?.x ?? x),
    xScale,
    y: yScales.map((scale, index) => ({
      column: addNumbers(choice.y[index]!, bins?.y ?? ys[index]!),
      scale,
    })),
    filters: choice.filters.filter((name) => coded.has(name)).map(addTexts),
    color: color === null ? null : addTexts(color),
    colors: texts > SERIES_COLORS.length
      ? [...SERIES_COLORS, COLORS.muted]
      : SERIES_COLORS.slice(0, Math.max(1, texts)),
    listed: isListed ? choice.listed.map(addCells) : [],
    id: isListed && choice.id !== null ? addCells(choice.id) : null,
    named: choice.named.filter((name) => isListed || coded.has(name))
      .map((name) => coded.has(name) ? addTexts(name) : addCells(name)),
    searched: [...columns.keys()].filter((index) => !isBinned && isSearched(columns[index]!)),
    ...choice.code,
    columns,
    weights: bins === null ? null : encodeBase64(new Uint32Array(bins.weights)),
  };
  return { data, points: { x, y: ys[0]!, total: rows.length } };
}

function isTime(name: string): boolean {
  return name.endsWith("_ms");
}

/** Whether a column has texts, not texts of other values. */
function isSearched({ type, cells }: ExploredColumn): boolean {
  return type === "text" &&
    (cells.kind === "hex" || cells.kind === "texts" && cells.texts.some((text) => text !== ""));
}

/** Describes the cells of a column for code that selects rows. */
function describeCells(rows: readonly object[], name: string) {
  const cells = rows.map((row) => Reflect.get(row, name) as unknown);
  const first = cells.find((cell) => cell !== null && cell !== undefined);
  return {
    type: first instanceof Temporal.Instant
      ? "time"
      : typeof first === "number" || typeof first === "bigint" || typeof first === "boolean"
      ? (typeof first as "number" | "bigint" | "boolean")
      : "text",
    hasNull: cells.some((cell) => cell === null || cell === undefined),
    hasEmpty: cells.includes(""),
    hasOdd: cells.some((cell) => typeof cell === "number" && !isNumber(cell)),
  } as const;
}

/** Texts as codes into a list of them, the most frequent first; null is the empty text. */
interface CodedTexts {
  readonly texts: readonly string[];
  readonly codes: readonly number[];
}

function encodeTexts(cells: readonly string[]): CodedTexts {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const texts = [...counts].toSorted(([a, aCount], [b, bCount]) =>
    bCount - aCount || (a < b ? -1 : 1)
  )
    .map(([text]) => text);
  const codeByText = new Map(texts.map((text, code) => [text, code]));
  return { texts, codes: cells.map((cell) => codeByText.get(cell)!) };
}

function mergeRare({ texts, codes }: CodedTexts) {
  if (texts.length <= MAX_BINNED_TEXTS + 1) return { texts, codes, isMerged: false };
  return {
    isMerged: true,
    texts: [...texts.slice(0, MAX_BINNED_TEXTS), "others"],
    codes: codes.map((code) => Math.min(code, MAX_BINNED_TEXTS)),
  };
}

/**
 * Picks a logarithmic scale for values that differ a thousandfold, on both sides of zero for negative
 * ones.
 */
function pickScale(values: readonly number[], isLinear: boolean): ExploredScale {
  if (values.length === 0) return { kind: "linear", domain: [0, 1], constant: 1 };
  const [low, high] = [min(values)!, max(values)!];
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const constant = quantile(sizes.toSorted((a, b) => a - b), 0.25) ?? 1;
  const room = (high - low) * 0.03 || Math.abs(high) * 0.1 || 1;
  const spread = (max(sizes) ?? 0) / constant;
  if (isLinear || spread < 1_000) {
    const start = low >= 0 ? Math.max(0, low - room) : low - room;
    return { kind: "linear", domain: [start, high + room], constant };
  }
  if (low > 0) return { kind: "log", domain: [low / 1.3, high * 1.3], constant };
  return { kind: "symlog", domain: [low < 0 ? low * 1.3 : -constant, high * 1.3], constant };
}

/** Counts rows that share a bin of both axes and all texts. A bin is placed at its first row. */
function countBins(
  [x, y]: readonly [x: readonly number[], y: readonly number[]],
  scales: readonly [x: ExploredScale, y: ExploredScale],
  coded: ReadonlyMap<string, CodedTexts>,
) {
  const [xBin, yBin] = [createBinIndex(scales[0], X_BINS), createBinIndex(scales[1], Y_BINS)];
  const columns = [...coded.values()];
  const formatKey = (value: number, row: number) =>
    [xBin(value), yBin(y[row]!), ...columns.map(({ codes }) => codes[row])].join();
  const bins = [...Map.groupBy(x.keys(), (row) => formatKey(x[row]!, row)).values()];
  const rows = bins.map(([first]) => first!);
  return {
    x: rows.map((row) => x[row]!),
    y: rows.map((row) => y[row]!),
    weights: bins.map((members) => members.length),
    codes: new Map(
      [...coded].map(([name, { texts, codes }]) => [
        name,
        { texts, codes: rows.map((row) => codes[row]!) },
      ]),
    ),
  };
}

function createBinIndex(scale: ExploredScale, bins: number) {
  const { toShare } = createScale(scale);
  return (value: number) => Math.floor(toShare(value) * bins);
}

function encodeNumbers(values: readonly number[], width: 4 | 8): ExploredCells {
  const bytes = width === 8 ? new Float64Array(values) : new Float32Array(values);
  return { kind: "numbers", width, bytes: encodeBase64(bytes) };
}

function pickWidth(texts: readonly string[]): 1 | 4 {
  return texts.length <= 256 ? 1 : 4;
}

function encodeCodes({ texts, codes }: CodedTexts): ExploredCells {
  return pickWidth(texts) === 1
    ? { kind: "texts", width: 1, bytes: encodeBase64(new Uint8Array(codes)), texts }
    : { kind: "texts", width: 4, bytes: encodeBase64(new Uint32Array(codes)), texts };
}

/** Encodes a column that is only listed: numbers, hex texts of one length, or texts. */
function encodeCells(rows: readonly object[], name: string): ExploredCells {
  const cells = rows.map((row) => Reflect.get(row, name) as unknown);
  if (cells.every((cell) => typeof cell === "number" || cell === null)) {
    return encodeNumbers(cells.map((cell) => cell ?? NaN), 8);
  }
  const texts = rows.map((row) => readText(row, name) ?? "");
  const length = texts[0]?.length ?? 0;
  const isHex = length > 2 && length % 2 === 0 &&
    texts.every((text) => text.length === length && /^0x[0-9a-f]+$/.test(text));
  if (!isHex) return encodeCodes(encodeTexts(texts));
  const digits = texts.map((text) => text.slice(2)).join("");
  const bytes = Uint8Array.from(
    { length: digits.length / 2 },
    (_, index) => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
  return { kind: "hex", width: length / 2 - 1, bytes: encodeBase64(bytes) };
}

function encodeBase64(values: ArrayBufferView): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const parts: string[] = [];
  for (let index = 0; index < bytes.length; index += 8_192) {
    parts.push(String.fromCharCode(...bytes.subarray(index, index + 8_192)));
  }
  return btoa(parts.join(""));
}
