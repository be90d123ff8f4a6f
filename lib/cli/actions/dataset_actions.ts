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
  contradictionLines,
  openLine,
  unknownIds,
  walkLines,
} from "../../datasets/state/dataset_gaps.ts";
import { driftLines } from "../../datasets/state/drift_lines.ts";
import { aboutOf, type Args, type Format } from "../arguments/command_line.ts";
import { aligned, auctionsText, counted, grouped, idRange, size } from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { countIds } from "../../datasets/layout/id_ranges.ts";

/** Rebuilds a dataset, where it is or into another folder, and tells what there is. */
export async function rebuildAction(session: Session, args: Args): Promise<void> {
  const [from, into] = [args.word(0), args.text("--into")];
  const manifest = await rebuildDataset(from, {
    ...aboutOf(args),
    into,
    signal: session.signal,
  });
  const folder = into ?? from;
  const { library } = manifest;
  if (session.isJson) return session.printJson("rebuild", { folder, library });
  const by = `rebuilt by Orderlens ${library}`;
  const what = into === undefined ? by : `${from}, ${by}`;
  session.print(`${folder}: ${what}`, ...datasetLines(manifest));
}

/** Merges datasets, and tells what there is; whether the result is complete. */
export async function mergeAction(
  session: Session,
  { folders, into }: { readonly folders: readonly string[]; readonly into: string },
): Promise<boolean> {
  using line = new ProgressLine(session);
  const manifest = await mergeDatasets(folders, into, {
    signal: session.signal,
    onProgress: ({ phase, done, total }) =>
      line.updateWork(phase === "tables" ? "Tables, files" : "Answers, files", done, total),
  });
  if (session.isJson) session.printJson("merge", { folder: into, ...datasetFacts(manifest) });
  else session.print(into, ...datasetLines(manifest), ...gapLines(manifest));
  return manifest.isComplete;
}

/** How a dataset is converted. */
interface Converting {
  /** The format. */
  readonly format: Format;
  /** Where to: beside the dataset, if it is left out. */
  readonly output?: string | undefined;
  /** Names of the tables; all if they are left out. */
  readonly tables?: readonly string[] | undefined;
}

/** Converts a dataset, and says how far it is. */
export async function convertInto(
  session: Session,
  folder: string,
  { format, output = besideOf(folder, format), tables }: Converting,
): Promise<Conversion> {
  using line = new ProgressLine(session);
  return await convertDataset(folder, output, {
    format,
    tables,
    signal: session.signal,
    onProgress: ({ table, rows, total }) => line.updateWork(`Rows, in ${table}`, rows, total),
  });
}

/** `set.sqlite` or `set-csv` beside `set`. */
function besideOf(folder: string, format: Format): string {
  const name = folder.replace(/[/\\]+$/, "");
  return format === "sqlite" ? `${name}.sqlite` : `${name}-${format}`;
}

const STATES: readonly (readonly [state: ItemState, text: string])[] = [
  ["present", "with a competition"],
  ["absent", "that will never have one"],
  ["beforeHistory", "older than what the service keeps"],
  ["hidden", "not answered yet"],
  ["failed", "failed"],
];
const MOST_RANGES = 4;

/** What is in a dataset, for people: where it is from, its ids by state, its tables. */
export function datasetLines(manifest: DatasetManifest): string[] {
  const { source, files, range, ids, openOrders, walk } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `From ${placeOf(source)}; ${counted(files.length, "file")}, ${size(bytes)}`,
    ...range === null ? [] : [auctionsText(range), ...stateLines(ids)],
    ...walk === undefined ? [] : walkLines(walk, countIds(unknownIds(manifest))),
    ...openOrders === undefined ? [] : [openLine(openOrders)],
    "Rows by table",
    ...aligned([...rowsByTable(manifest)].map(([table, rows]) => [table, grouped(rows)])),
    ...driftLines(manifest.drift),
  ];
}

/** The same for programs. */
function datasetFacts(manifest: DatasetManifest): Record<string, unknown> {
  const { library, source, request, range, ids, items, isComplete, openOrders, failures, drift } =
    manifest;
  const { contradictions = [] } = manifest;
  const rows = Object.fromEntries(rowsByTable(manifest));
  const ended = { ids, items, openOrders, rows, failures, drift, contradictions };
  return { library, source, request, range, isComplete, ...ended };
}

function placeOf({ network, environment, chainId }: DatasetSource): string {
  return [network ?? `chain ${chainId}`, ...environment === null ? [] : [environment]].join(", ");
}

function stateLines(ids: DatasetManifest["ids"]): string[] {
  const states = STATES.filter(([state]) => ids[state].length > 0);
  if (states.length === 0) return [];
  return aligned(states.map(([state, text]) => [grouped(countIds(ids[state])), text] as const));
}

/** Number of rows of each table of a dataset. */
export function rowsByTable({ request, files }: DatasetManifest): Map<string, number> {
  const rows = new Map(request.tables.map((table) => [table, 0]));
  for (const { path, rows: count } of files) {
    const table = path.split("/")[0] ?? "";
    const before = rows.get(table);
    if (before !== undefined) rows.set(table, before + count);
  }
  return rows;
}

/** What a dataset lacks of what was asked for; empty if it is complete. */
export function gapLines(manifest: DatasetManifest): string[] {
  const { ids, failures, isComplete, contradictions = [] } = manifest;
  const contradicting = contradictions.flatMap(contradictionLines).map((line) => `  ${line}`);
  if (isComplete) return contradicting.length === 0 ? [] : ["Gaps", ...contradicting];
  const unknown = manifest.walk === undefined ? unknownIds(manifest) : [];
  const lines = [
    ...(["hidden", "failed"] as const).filter((state) => ids[state].length > 0)
      .map((state) =>
        `  ${counted(countIds(ids[state]), "auction id")} ${state}: ${listed(ids[state])}`
      ),
    ...failures.slice(0, MOST_RANGES).map(({ kind, key, reason }) => `  ${kind} ${key}: ${reason}`),
    ...failures.length > MOST_RANGES
      ? [`  and ${failures.length - MOST_RANGES} more, in manifest.json`]
      : [],
    ...contradicting,
    ...unknown.length > 0
      ? [`  ${counted(countIds(unknown), "auction id")} not asked for yet: ${listed(unknown)}`]
      : [],
  ];
  // Orders and fills that are still to be asked for are counted nowhere.
  return ["Gaps", ...lines.length > 0 ? lines : ["  not everything was asked for yet"]];
}

function listed(ranges: IdRanges): string {
  const first = ranges.slice(0, MOST_RANGES).map(([from, to]) => idRange(from, to)).join(", ");
  return ranges.length > MOST_RANGES ? `${first}, …` : first;
}
