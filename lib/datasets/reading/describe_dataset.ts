import { formatCommand } from "../../errors/shell_words.ts";
import { checkOptions, defineRule, wholeNumber } from "../../errors/option_rules.ts";
import type { CowPrice } from "../../metrics/mod.ts";
import { countDistinct } from "../../tables/columns/frame_files.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { createFolderError } from "../layout/folders.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { countIds } from "../layout/id_ranges.ts";
import {
  type DatasetDrift,
  type DatasetFile,
  type DatasetManifest,
  type DatasetSource,
  type IdRanges,
  type ItemState,
  listRaws,
  readManifest,
  selectFiles,
} from "../layout/manifest.ts";
import { verifyTables } from "../layout/verify_file.ts";
import { freeFrames } from "../shards/file_columns.ts";
import { type DatasetCheck, formatFindings } from "./check_dataset.ts";
import { type DescribedRules, describeRules } from "./described_rules.ts";
import { type DatasetCitation, readTimeSpan, type TimeSpan } from "../state/citation.ts";
import { formatCowPrices } from "../state/cow_price_lines.ts";
import { buildModel } from "../state/dataset_model.ts";
import { formatDrift } from "../state/drift_lines.ts";
import { findUnknownIds, formatExportCommand, formatGaps } from "../state/dataset_gaps.ts";

/** A column of a described table. */
export interface DescribedColumn {
  /** Name of the column. */
  readonly name: string;
  /** Kind of the column: `String`, `Int64`, `Float64` or `Bool`. */
  readonly type: string;
  /** Unit of the values; `null` if there is none. */
  readonly unit: string | null;
  /** Source of the values. */
  readonly source: string;
}

/** A table of a described dataset. */
export interface DescribedTable {
  /** Name of the table. */
  readonly name: string;
  /** Content of one row. */
  readonly grain: string;
  /** Columns that together are different in every row. */
  readonly key: readonly string[];
  /** Number of rows. */
  readonly rows: number;
  /** Size of its files, in bytes. */
  readonly bytes: number;
  /** Number of its files. */
  readonly files: number;
  /** Its columns, in order. */
  readonly columns: readonly DescribedColumn[];
}

/** Description of a dataset, as plain data. */
export interface DatasetDescription {
  /** Always `orderlens/describe@1`. */
  readonly schema: "orderlens/describe@1";
  /** The folder. */
  readonly folder: string;
  /** Citation: its title, version and the SHA-256 of its manifest. */
  readonly citation: DatasetCitation;
  /** Origin of the records. */
  readonly source: DatasetSource;
  /** Version of the library that built the tables. */
  readonly library: string;
  /** The range of auction ids; `null` for an export of orders. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Times between which it lies; `null` if unknown. */
  readonly span: TimeSpan | null;
  /** Whether every requested item is present, or permanently absent. */
  readonly isComplete: boolean;
  /** Auction ids by state: how many, and which; no export requested those in `notAskedFor`. */
  readonly ids: Readonly<
    Record<ItemState | "notAskedFor", { readonly count: number; readonly ranges: IdRanges }>
  >;
  /** Contents and gaps, in sentences. */
  readonly gaps: readonly string[];
  /** Its tables. */
  readonly tables: readonly DescribedTable[];
  /** Number of stored responses, and the size of their files. */
  readonly raw: { readonly answers: number; readonly bytes: number };
  /** Number of responses by method, route and status. */
  readonly requests: Readonly<Record<string, number>>;
  /** Differences between the responses and what the library knew. */
  readonly drift: DatasetDrift;
  /** Number of fills; `null` without the table. */
  readonly fills: number | null;
  /** Number of different owners of orders; `null` without the table. */
  readonly owners: number | null;
  /** Number of different solvers that proposed solutions; `null` without the table. */
  readonly solvers: number | null;
  /** SHA-256 of the manifests that it was merged from; empty for an export. */
  readonly merged: readonly string[];
  /** The dated rules that reward its solvers; `null` if it is not known whose. */
  readonly rules: DescribedRules | null;
  /** The prices of COW by which rewards for quotes are computed; empty if none was passed. */
  readonly cowPrice: readonly CowPrice[];
  /** The command that makes it again; `null` for a merged dataset, whose card has all. */
  readonly command: string | null;
  /** Commands that verify it. */
  readonly verify: readonly string[];
}

/**
 * Describes a dataset as plain data: what it is, its rows, its gaps, how to verify and to cite it.
 * Reads the manifest and a few columns; requests nothing, and verifies nothing.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @throws {InputError} If it is not a dataset, or its tables cannot be read.
 *
 * @example Three auctions
 * ```ts
 * import { connect } from "orderlens";
 * import { describeDataset, describeText, exportDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * await exportDataset(connect(await replay("market_1")), folder, {
 *   auctions: { from: 2622, to: 2624 },
 *   tables: ["auctions", "trades"],
 * });
 * const description = await describeDataset(folder);
 *
 * assertEquals(description.ids.present.count, 2);
 * assert(describeText(description).includes("Batch auctions of chain 1: 2622 to 2624"));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function describeDataset(folder: string | URL): Promise<DatasetDescription> {
  const paths = await findDataset(folder);
  const manifest = await readManifest(paths);
  const { citation, span, tables: described } = buildModel(manifest, readTimeSpan(paths, manifest));
  const { source, library, range, isComplete, answers, merged = [] } = manifest;
  const raw = listRaws(manifest);
  const tables = described.map((
    { name, grain, key, rows, files, columns },
  ): DescribedTable => ({
    name,
    grain,
    key,
    rows,
    bytes: sumFiles(files, "bytes"),
    files: files.length,
    columns: columns.map(({ dtype, ...column }) => ({ ...column, type: dtype })),
  }));
  const counts = await countValues(paths, manifest);
  await freeFrames();
  return {
    schema: "orderlens/describe@1",
    folder: paths.folder,
    citation,
    source,
    library,
    range,
    span,
    isComplete,
    ids: describeIds(manifest),
    gaps: formatGaps(manifest),
    tables,
    raw: { answers: sumFiles(raw, "rows"), bytes: sumFiles(raw, "bytes") },
    requests: answers,
    drift: manifest.drift,
    fills: tables.find(({ name }) => name === "trades")?.rows ?? null,
    ...counts,
    merged: merged.map(({ manifestSha256 }) => manifestSha256),
    rules: describeRules(manifest, span),
    cowPrice: manifest.about?.cowPrice ?? [],
    command: merged.length === 0 ? formatExportCommand(manifest) : null,
    verify: [`sha256sum -c SHA256SUMS`, formatCommand(["verify", paths.folder])],
  };
}

function sumFiles(files: readonly DatasetFile[], field: "rows" | "bytes"): number {
  return files.reduce((sum, file) => sum + file[field], 0);
}

function describeIds(manifest: DatasetManifest): DatasetDescription["ids"] {
  const { present, absent, hidden, beforeHistory, failed } = manifest.ids;
  const ranges = {
    present,
    absent,
    hidden,
    beforeHistory,
    failed,
    notAskedFor: findUnknownIds(manifest),
  };
  const described = Object.entries(ranges)
    .map(([name, ranges]) => [name, { count: countIds(ranges), ranges }]);
  return Object.fromEntries(described);
}

async function countValues(paths: DatasetPaths, manifest: DatasetManifest) {
  const countColumn = (table: string, column: string) => {
    if (!manifest.request.tables.includes(table)) return null;
    return countDistinct(selectFiles(manifest, table).map(({ path }) => paths.file(path)), column);
  };
  try {
    return { owners: countColumn("orders", "owner"), solvers: countColumn("solutions", "solver") };
  } catch (cause) {
    await verifyTables(paths, manifest.files);
    throw createFolderError("Cannot describe", paths.folder, cause);
  }
}

/** Options of {@linkcode describeText}. */
export interface DescribeTextOptions {
  /** Width of the terminal in characters; longer lines are wrapped. @default {80} */
  columns?: number | undefined;
  /** Result of `checkDataset`, whose findings are printed too. @default {none} */
  check?: DatasetCheck | undefined;
}

const TEXT_OPTIONS = {
  columns: wholeNumber(40),
  check: defineRule<DatasetCheck>(
    "what `checkDataset` returns",
    (value) => Array.isArray(Object(value).findings),
  ),
};

/**
 * Formats a description for a terminal, with a newline at its end.
 *
 * @throws {InputError} If an option is invalid.
 */
export function describeText(
  description: DatasetDescription,
  options: DescribeTextOptions = {},
): string {
  checkOptions(options, TEXT_OPTIONS, "Cannot print a description");
  const { columns = 80, check } = options;
  const { citation, span, source, library, tables, raw, fills, owners, solvers } = description;
  const lines = [
    citation.title,
    "",
    ...formatFacts([
      ["version", `${citation.version} (SHA-256 of manifest.json)`],
      ["chain id", String(source.chainId)],
      ["settlement", source.settlementContract],
      ["times", span === null ? null : `${span.from} to ${span.to} (${span.of})`],
      ["made by", `Orderlens ${library}`],
      ["fills", fills],
      ["owners", owners],
      ["solvers", solvers],
      ["responses", `${formatCount(raw.answers)}, ${formatSize(raw.bytes)}`],
      ["merged", description.merged.length === 0 ? null : `${description.merged.length} datasets`],
    ], columns),
    "",
    ...formatTables(tables, columns),
    "",
    "Rules of rewards",
    ...[...formatRules(description), ...formatPrices(description)]
      .flatMap((line) => wrapText(line, columns, "  ")),
    "",
    "Gaps",
    ...description.gaps.flatMap((line) => wrapText(line, columns, "  ")),
    ...formatSection("Plausibility", check === undefined ? [] : formatFindings(check), columns),
    ...formatSection("Drift", formatDrift(description.drift), columns),
    "",
    "Verify",
    ...description.verify.flatMap((line) => wrapText(line, columns, "  ")),
    "",
    "Cite",
    ...wrapText(citation.text, columns, "  "),
  ];
  return `${lines.join("\n")}\n`;
}

function formatRules({ rules }: DatasetDescription): string[] {
  if (rules === null) {
    return [
      "None are known of this deployment: rebuild it with --rewards-of and a public network.",
    ];
  }
  const { network, sets } = rules;
  if (sets.length === 0) return [`None are known of ${network} in these weeks.`];
  return sets.map(({ since, span, sure, text }) => {
    const day = span === null ? `since ${since}` : `since a day from ${span[0]} to ${span[1]}`;
    return `${network}, ${day}${sure === null ? "" : ` (${sure})`}: ${text}.`;
  });
}

function formatPrices({ cowPrice, source }: DatasetDescription): string[] {
  return cowPrice.length === 0
    ? [
      "No price of COW was passed: rewards for quotes are bounds. Rebuild it with --cow-price.",
    ]
    : formatCowPrices(cowPrice, source).map((line) => `${line}.`);
}

function formatFacts(
  rows: readonly (readonly [name: string, value: string | number | null])[],
  columns: number,
): string[] {
  return rows.filter(([, value]) => value !== null).flatMap(([name, value]) => {
    const text = typeof value === "number" ? formatCount(value) : String(value);
    const [first = "", ...lines] = wrapText(text, columns, " ".repeat(12));
    return [name.padEnd(12) + first.slice(12), ...lines];
  });
}

function formatTables(tables: DatasetDescription["tables"], columns: number): string[] {
  const heads = [
    ["table", "rows", "size"],
    ...tables.map(({ name, rows, bytes }) => [name, formatCount(rows), formatSize(bytes)]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...heads.map((row) => row[column]!.length)));
  const usedColumns = widths.reduce((sum, width) => sum + width + 2, 0);
  return heads.map(([name, rows, bytes], index) => {
    const grain = index === 0 ? "one row" : tables[index - 1]!.grain;
    const line = `${name!.padEnd(widths[0]!)}  ${rows!.padStart(widths[1]!)}  ${
      bytes!.padStart(widths[2]!)
    }  `;
    const room = columns - usedColumns;
    const isCut = grain.length > room;
    return (line + (isCut ? `${grain.slice(0, Math.max(0, room - 1))}…` : grain)).trimEnd();
  });
}

/** Formats a section after an empty line; nothing without lines. */
function formatSection(title: string, lines: readonly string[], columns: number): string[] {
  if (lines.length === 0) return [];
  return ["", title, ...lines.flatMap((line) => wrapText(line, columns, "  "))];
}

/** Wraps a text to a number of columns; a longer word stays whole. */
function wrapText(text: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    const isFirst = line === indent;
    if (!isFirst && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}

function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const unit = [1e6, 1e9, 1e12].filter((limit) => bytes >= limit).length;
  const value = bytes / 1_000 ** (unit + 1);
  return `${value.toFixed(value < 10 ? 1 : 0)} ${["kB", "MB", "GB", "TB"][unit]}`;
}
