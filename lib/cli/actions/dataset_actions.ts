import {
  type Conversion,
  convertDataset,
  type DatasetManifest,
  type DatasetSource,
  type IdRanges,
  type ItemState,
  mergeDatasets,
  rebuildDataset,
} from "../../datasets/mod.ts";
import {
  findUnknownIds,
  formatContradictions,
  formatOpenOrders,
  formatWalk,
} from "../../datasets/state/dataset_gaps.ts";
import { formatDrift } from "../../datasets/state/drift_lines.ts";
import { type Args, type Format, readAbout } from "../arguments/command_line.ts";
import {
  align,
  EXIT,
  type ExitCode,
  formatAuctions,
  formatCount,
  formatIds,
  formatSize,
  pluralize,
} from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { countIds } from "../../datasets/layout/id_ranges.ts";

/** Rebuilds a dataset, in place or into another folder, and prints its contents. */
export async function rebuildAction(session: Session, args: Args): Promise<ExitCode> {
  const [from, destination] = [args.word(0), args.text("--into")];
  const manifest = await rebuildDataset(from, {
    ...await readAbout(args),
    into: destination,
    signal: session.signal,
  });
  const folder = destination ?? from;
  const { library } = manifest;
  if (session.isJson) session.printJson("rebuild", { folder, library });
  else {
    const source = destination === undefined ? "" : `${from}, `;
    const line = `${folder}: ${source}rebuilt by Orderlens ${library}`;
    session.print(line, ...formatDataset(manifest));
  }
  return EXIT.done;
}

/** Merges datasets, and prints the contents of the result. Returns whether it is complete. */
export async function mergeAction(
  session: Session,
  { folders, target }: { readonly folders: readonly string[]; readonly target: string },
): Promise<boolean> {
  using line = new ProgressLine(session);
  const manifest = await mergeDatasets(folders, target, {
    signal: session.signal,
    onProgress: ({ phase, done, total }) =>
      line.updateWork(phase === "tables" ? "Tables, files" : "Responses, files", done, total),
  });
  const { library, source, request } = manifest;
  const facts = { library, source, request, ...selectFacts(manifest) };
  if (session.isJson) session.printJson("merge", { folder: target, ...facts });
  else session.print(target, ...formatDataset(manifest), ...formatGaps(manifest));
  return manifest.isComplete;
}

interface ConversionOptions {
  readonly format: Format;
  /** Path of the result. @default {beside the dataset} */
  readonly output?: string | undefined;
  /** Names of the tables. @default {all} */
  readonly tables?: readonly string[] | undefined;
  /** Whether each table gets a file per day. @default {one file per table} */
  readonly partition?: "day" | undefined;
}

/** Converts a dataset, and shows the progress. */
export async function convertInto(
  session: Session,
  folder: string,
  { format, output = defaultOutput(folder, format), tables, partition }: ConversionOptions,
): Promise<Conversion> {
  using line = new ProgressLine(session);
  return await convertDataset(folder, output, {
    format,
    tables,
    partition,
    signal: session.signal,
    onProgress: ({ table, rows, total }) => line.updateWork(`Rows, in ${table}`, rows, total),
  });
}

/** `set.sqlite` or `set-csv` beside `set`. */
function defaultOutput(folder: string, format: Format): string {
  const name = folder.replace(/[/\\]+$/, "");
  return format === "sqlite" ? `${name}.sqlite` : `${name}-${format}`;
}

const STATE_TEXTS: readonly (readonly [state: ItemState, text: string])[] = [
  ["present", "with a competition"],
  ["absent", "without one, permanently"],
  ["beforeHistory", "older than the history of the service"],
  ["hidden", "not yet served"],
  ["failed", "failed"],
];
const MAX_RANGES = 4;

/** Formats the contents of a dataset for people: its source, ids by state, and tables. */
export function formatDataset(manifest: DatasetManifest): string[] {
  const { source, files, range, ids, openOrders, walk } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `From ${formatSource(source)}; ${pluralize(files.length, "file")}, ${formatSize(bytes)}`,
    ...range === null ? [] : [formatAuctions(range), ...formatStates(ids)],
    ...walk === undefined ? [] : formatWalk(walk, countIds(findUnknownIds(manifest))),
    ...openOrders === undefined ? [] : [formatOpenOrders(openOrders)],
    "Rows by table",
    ...align([...countRows(manifest)].map(([table, rows]) => [table, formatCount(rows)])),
    ...formatDrift(manifest.drift),
  ];
}

/** Selects the contents of a dataset for JSON. */
export function selectFacts(manifest: DatasetManifest) {
  const { range, isComplete, ids, items, openOrders, failures, drift } = manifest;
  const { contradictions = [] } = manifest;
  const rows = Object.fromEntries(countRows(manifest));
  return { range, isComplete, ids, items, openOrders, rows, failures, drift, contradictions };
}

function formatSource({ network, environment, chainId }: DatasetSource): string {
  return [network ?? `chain ${chainId}`, ...environment === null ? [] : [environment]].join(", ");
}

function formatStates(ids: DatasetManifest["ids"]): string[] {
  const states = STATE_TEXTS.filter(([state]) => ids[state].length > 0);
  if (states.length === 0) return [];
  return align(states.map(([state, text]) => [formatCount(countIds(ids[state])), text] as const));
}

/** Counts the rows of each table of a dataset. */
export function countRows({ request, files }: DatasetManifest): Map<string, number> {
  const rows = new Map(request.tables.map((table) => [table, 0]));
  for (const { path, rows: count } of files) {
    const table = path.split("/")[0] ?? "";
    const sum = rows.get(table);
    if (sum !== undefined) rows.set(table, sum + count);
  }
  return rows;
}

/** Lists the requested data that a dataset lacks; empty if it is complete. */
export function formatGaps(manifest: DatasetManifest): string[] {
  const { ids, failures, isComplete, contradictions = [] } = manifest;
  const contradicting = contradictions.flatMap(formatContradictions).map((line) => `  ${line}`);
  if (isComplete) return contradicting.length === 0 ? [] : ["Gaps", ...contradicting];
  const pending = manifest.walk === undefined ? findUnknownIds(manifest) : [];
  const lines = [
    ...(["hidden", "failed"] as const).filter((state) => ids[state].length > 0)
      .map((state) => formatGap(ids[state], state)),
    ...failures.slice(0, MAX_RANGES).map(({ kind, key, reason }) => `  ${kind} ${key}: ${reason}`),
    ...failures.length > MAX_RANGES
      ? [`  and ${failures.length - MAX_RANGES} more, in manifest.json`]
      : [],
    ...contradicting,
    ...pending.length > 0 ? [formatGap(pending, "not requested yet")] : [],
  ];
  // Orders and fills that are not requested yet are counted nowhere.
  return ["Gaps", ...lines.length > 0 ? lines : ["  not everything has been requested yet"]];
}

function formatGap(ranges: IdRanges, state: string): string {
  const first = ranges.slice(0, MAX_RANGES).map(([from, to]) => formatIds(from, to)).join(", ");
  const list = ranges.length > MAX_RANGES ? `${first}, …` : first;
  return `  ${pluralize(countIds(ranges), "auction id")} ${state}: ${list}`;
}
