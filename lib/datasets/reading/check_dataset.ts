import { formatCommand } from "../../errors/shell_words.ts";
import {
  concatFrames,
  type LazyFrame,
  listFrameColumns,
  queryFrames,
  scanFile,
  selectColumns,
} from "../../tables/columns/frame_files.ts";
import { pluralize } from "../../units/format.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { createFolderError } from "../layout/folders.ts";
import { type DatasetManifest, readManifest, selectFiles } from "../layout/manifest.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { verifyTables } from "../layout/verify_file.ts";
import { DERIVED, lacksDerived } from "../shards/published_tables.ts";
import { freeFrames } from "../shards/file_columns.ts";
import { readTimeSpan } from "../state/citation.ts";
import { CHECKS, type PlausibilityCheck, type RowCheck } from "./plausibility_checks.ts";

/** Something in a dataset that may make results wrong. */
export interface DatasetFinding {
  /** Name of the check. */
  readonly name: string;
  /** The question of the check. */
  readonly question: string;
  /** Number of rows, items or ids. */
  readonly count: number;
  /** Facts with their number, as a sentence without a verb. */
  readonly text: string;
  /** One of them. */
  readonly example: string;
  /** Effect on results, certain or possible. */
  readonly consequence: string;
  /** SQL that selects the rows, for `orderlens sql`; `null` where the manifest has it. */
  readonly query: string | null;
}

/** Result of {@linkcode checkDataset}. */
export interface DatasetCheck {
  /** The folder. */
  readonly folder: string;
  /** Findings, in the order of checks. */
  readonly findings: readonly DatasetFinding[];
  /** Checks that found nothing, and how many rows they read; `null` for the manifest. */
  readonly passed: readonly {
    readonly name: string;
    readonly question: string;
    readonly rows: number | null;
  }[];
  /** Checks that this dataset does not allow, and why. */
  readonly skipped: readonly {
    readonly name: string;
    readonly question: string;
    readonly reason: string;
  }[];
}

/** Outcome of one check. */
type Outcome =
  | Omit<DatasetFinding, "name" | "question">
  | { readonly rows: number | null }
  | { readonly reason: string };

/**
 * Checks whether a dataset is plausible: native prices that do not agree, fields that vanished from
 * responses, gaps, fills that may still come, times out of order, solvers without names, weeks of
 * which it has a part. Each finding has its number, an example and its consequence for results.
 *
 * Reads the manifest and the columns that the checks name; requests nothing, and compares no hashes:
 * {@linkcode verifyDataset} does. A finding is a reason to look, no proof of an error. Shares of
 * amounts are computed with doubles and rounded down to 0.01 %.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @throws {InputError} If it is not a dataset, or its tables cannot be read.
 *
 * @example A dataset of some minutes is a part of its week
 * ```ts
 * import { checkDataset } from "orderlens/datasets";
 * import { assertEquals } from "@std/assert";
 *
 * const { findings } = await checkDataset("market_1");
 * const week = findings.find(({ name }) => name === "partial_weeks");
 *
 * assertEquals(week?.text, "1 accounting week of which the dataset has a part");
 * assertEquals(week?.consequence, "rewards and totals are of that part, not of the week");
 * ```
 */
export async function checkDataset(folder: string | URL): Promise<DatasetCheck> {
  const paths = await findDataset(folder);
  const manifest = await readManifest(paths);
  const facts = { manifest, span: readTimeSpan(paths, manifest) };
  const findings: DatasetFinding[] = [];
  const passed: DatasetCheck["passed"][number][] = [];
  const skipped: DatasetCheck["skipped"][number][] = [];
  try {
    for (const check of CHECKS) {
      const { name, question } = check;
      const outcome = await runCheck(paths, check, facts);
      if ("reason" in outcome) skipped.push({ name, question, ...outcome });
      else if ("rows" in outcome) passed.push({ name, question, ...outcome });
      else findings.push({ name, question, ...outcome });
    }
  } catch (cause) {
    await verifyTables(paths, manifest.files);
    throw createFolderError("Cannot check", paths.folder, cause);
  } finally {
    await freeFrames();
  }
  return { folder: paths.folder, findings, passed, skipped };
}

async function runCheck(
  paths: DatasetPaths,
  { rows, find }: PlausibilityCheck,
  facts: Parameters<NonNullable<PlausibilityCheck["find"]>>[0],
): Promise<Outcome> {
  const finding = rows ?? find!(facts);
  if (typeof finding === "string") return { reason: finding };
  if ("table" in finding) return await checkRows(paths, facts.manifest, finding);
  return finding.count === 0 ? { rows: null } : { ...finding, query: null };
}

/** Runs the query of a check over the files of its table. */
async function checkRows(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  check: RowCheck,
): Promise<Outcome> {
  const { table, columns, known, query, order, consequence } = check;
  if (!manifest.request.tables.includes(table)) return { reason: `it has no table ${table}` };
  if (DERIVED.includes(table) && lacksDerived(manifest)) {
    return { reason: "its derived tables are missing: run the same export again, or rebuild it" };
  }
  const files = selectFiles(manifest, table).filter(({ rows }) => rows > 0);
  if (files.length === 0) return { reason: `${table} has no rows` };
  const frames: LazyFrame[] = [];
  for (const { path } of files) {
    const frame = scanFile(paths.file(path));
    const fileColumns = listFrameColumns(frame);
    const absentColumns = columns.filter((name) => !fileColumns.includes(name));
    if (absentColumns.length > 0) {
      return {
        reason: `${table} lacks ${absentColumns.join(", ")}, as of an older version: rebuild it`,
      };
    }
    frames.push(selectColumns(frame, columns));
  }
  const rows = concatFrames(frames, []);
  const run = async (text: string): Promise<Readonly<Record<string, unknown>>> =>
    (await queryFrames({ [table]: rows }, text).collect()).toRecords()[0] ?? {};
  const [condition, valueName] = known ?? ["true", ""];
  const checked = await run(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`);
  if (Number(checked.n) === 0) return { reason: `no row of ${table} has ${valueName}` };
  const count = Number((await run(`SELECT count(*) AS n FROM (${query}) AS q`)).n);
  if (count === 0) return { rows: Number(checked.n) };
  const example = await run(`SELECT * FROM (${query}) AS q ORDER BY ${order} LIMIT 1`);
  const consequences = [
    ...consequence === undefined ? [] : [consequence],
    ...check.amount === undefined ? [] : [await formatShare(check.amount, count)],
  ];
  return {
    count,
    text: check.count(count),
    example: Object.entries(example).map(([name, value]) => `${name} ${value ?? "unknown"}`)
      .join(", "),
    consequence: consequences.join("; "),
    query,
  };

  async function formatShare(amount: string, count: number): Promise<string> {
    const sums = `sum(CAST(${amount} AS DOUBLE)) AS atoms, count(${amount}) AS known`;
    const part = await run(`SELECT ${sums} FROM (${query}) AS q`);
    const total = Number((await run(`SELECT ${sums} FROM ${table}`)).atoms);
    const knownCount = Number(part.known);
    if (knownCount === 0) {
      return `${amount} is unknown in ${count === 1 ? "this row" : "these rows"}`;
    }
    const rows = count === 1 ? "this row" : `these ${count} rows`;
    const words = `sum(${amount}) over ${rows}` +
      (knownCount < count ? `, of which ${count - knownCount} have no amount,` : "");
    const share = Number(part.atoms) / total;
    return total > 0 ? `${words} is ${formatPercent(share)} of the total` : `${words} is 0`;
  }
}

/** Formats a share, rounded down to 0.01 %; the error of doubles is below the added part. */
function formatPercent(share: number): string {
  const hundredths = Math.floor(share * 10_000 + 1e-6);
  if (hundredths === 0 && share > 0) return "less than 0.01 %";
  return `${(hundredths / 100).toFixed(2)} %`;
}

/** Formats findings and the number of checks that were not possible, in lines. */
export function formatFindings({ findings, passed, skipped }: DatasetCheck): string[] {
  const checks = pluralize(findings.length + passed.length + skipped.length, "check");
  return [
    ...findings.map(({ text, consequence }) => `${text}: ${consequence}`),
    `${pluralize(findings.length, "finding")} in ${checks}` +
    (skipped.length === 0 ? "" : `, ${skipped.length} of them not possible`),
  ];
}

/** Formats a check for a terminal, with a newline at its end. */
export function checkText(check: DatasetCheck): string {
  const { folder, findings, passed, skipped } = check;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
  return [
    `${folder}: ${formatFindings(check).at(-1)}`,
    ...findings.flatMap(({ name, text, example, consequence, query }) => [
      "",
      `${name}: ${text}`,
      `  for example  ${example}`,
      `  consequence  ${consequence}`,
      ...query === null ? [] : [`  rows         ${formatCommand(["sql", folder, query])}`],
    ]),
    ...section("Not possible", skipped.map(({ name, reason }) => `${name}: ${reason}`)),
    ...section(
      "Nothing found",
      passed.map(({ name, rows }) => rows === null ? name : `${name}: ${pluralize(rows, "row")}`),
    ),
    "",
  ].join("\n");
}
