import {
  type Conversion,
  exportDataset,
  type ExportOptions,
  type ExportProgress,
  type ExportResult,
  openDataset,
  planExport,
} from "../../datasets/mod.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { openBook, targetWords } from "../deployment/open_book.ts";
import { readRpcUrl } from "../deployment/read_secret.ts";
import { isLive, requireTarget, type Target } from "../deployment/target.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { commandLine } from "../words/command_line.ts";
import { counted } from "../terminal/in_words.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import type { Session } from "../terminal/session.ts";
import { type Format, FORMATS } from "../words/formats.ts";
import type { Given } from "../words/given.ts";
import { convertInto } from "./convert_into.ts";
import { datasetLines, gapLines, rowsByTable } from "./dataset_lines.ts";
import { exportSelection } from "./export_selection.ts";
import { localFolder } from "./local_folder.ts";
import { planLines } from "./plan_lines.ts";

/** Runs that take longer tell their plan first. */
const LONG_MINUTES = 30;

const PHASES: Readonly<Record<ExportProgress["phase"], string>> = {
  account: "Orders of the account",
  competition: "Auctions",
  order: "Orders",
  trades: "Fills",
  transaction: "Auctions of fills",
  app_data: "App data",
  report: "Debug reports",
  block: "Blocks",
  receipt: "Settlements",
  settlement: "Settlements of the chain",
  tables: "Tables",
};

/** Exports, or resumes an export, and tells what there is. */
export async function exportAction(session: Session, given: Given): Promise<ExitCode> {
  const folder = given.word(0);
  const target = requireTarget(given);
  const format = formatOf(given);
  const selection = await exportSelection(session, given);
  const node = await readRpcUrl(session, given, { isLive: isLive(target) });
  const book = await openBook(session, given, target);
  const options: ExportOptions = { ...selection, node, signal: session.signal };
  if (given.has("--dry-run")) return await tellPlan(session, book, options);
  await tellLongPlan(session, book, { folder, options });
  if (options.follow === true) {
    session.signal.addEventListener(
      "abort",
      () =>
        session.say(
          "Asks once more for what was open, and ends. The same signal again ends at once.",
        ),
    );
  }
  const result = await withProgress(
    session,
    (onProgress) => exportDataset(book, folder, { ...options, onProgress }),
  );
  const converted = format === null ? null : await convertInto(session, folder, { format });
  tellResult(session, result, { target, given, converted });
  if (result.stopped !== null) return EXIT.comeBackLater;
  return result.manifest.isComplete ? EXIT.done : EXIT.gaps;
}

/** The format to convert to, in addition to Parquet; `null` for none. */
function formatOf(given: Given): Format | null {
  const word = given.choice("--format", "format", FORMATS);
  return FORMATS.find((format) => format === word && format !== "parquet") ?? null;
}

async function tellPlan(
  session: Session,
  book: OrderBook,
  options: ExportOptions,
): Promise<ExitCode> {
  const plan = await planExport(book, options);
  if (session.isJson) session.printJson("export-plan", plan);
  else session.print(...planLines(plan));
  return EXIT.done;
}

/** Tells the plan of a long run before it starts; what is in this machine is quick. */
async function tellLongPlan(
  session: Session,
  book: OrderBook,
  { folder, options }: { readonly folder: string; readonly options: ExportOptions },
): Promise<void> {
  if (session.verbosity === "quiet") return;
  if (book.network === null && options.rate === undefined) return;
  if (options.walk === "settlements" && await isBegun(folder)) return;
  const plan = await planExport(book, await withKnownRange(folder, options));
  if (plan.minutes > LONG_MINUTES) session.say(...planLines(plan), "");
}

/** Whether an earlier run has found settlements, whose number takes many requests to the node. */
function isBegun(folder: string): Promise<boolean> {
  return openDataset(localFolder(folder)).then(() => true, () => false);
}

/** Ids in place of dates, blocks or the newest, where an earlier run has found them. */
async function withKnownRange(folder: string, options: ExportOptions): Promise<ExportOptions> {
  const { dates, blocks, last, follow: _, ...others } = options;
  if (dates === undefined && blocks === undefined && last === undefined) return options;
  const range = await openDataset(localFolder(folder)).then(
    ({ manifest }) => manifest.range,
    () => null,
  );
  return range === null ? options : { ...others, auctions: { from: range.from, to: range.to } };
}

async function withProgress<Result>(
  session: Session,
  work: (onProgress: (progress: ExportProgress) => void) => Promise<Result>,
): Promise<Result> {
  using line = new ProgressLine(session);
  return await work((progress) => line.update({ ...progress, phase: PHASES[progress.phase] }));
}

function tellResult(
  session: Session,
  { folder, manifest, requests, stopped }: ExportResult,
  { target, given, converted }: {
    readonly target: Target;
    readonly given: Given;
    readonly converted: Conversion | null;
  },
): void {
  if (session.isJson) {
    const { range, ids, items, isComplete, openOrders, failures } = manifest;
    const rows = Object.fromEntries(rowsByTable(manifest));
    const facts = { range, ids, items, openOrders, rows, failures };
    session.printJson("export", { folder, requests, stopped, isComplete, ...facts, converted });
  } else {
    session.print(`${folder}: ${counted(requests, "request")} sent`, ...datasetLines(manifest));
    session.print(...gapLines(manifest));
    if (converted !== null) session.print(`Also as ${converted.format}: ${converted.output}`);
  }
  const again = `  ${commandLine([given.command, ...given.raw])}`;
  if (stopped !== null) session.say("Stopped at --max-requests. The same command goes on:", again);
  else if (!manifest.isComplete) session.say("The same command asks for the gaps again:", again);
  const verify = ["verify", folder, "--recompute"];
  session.say("To verify it:", `  ${commandLine(verify)}`);
  if (target.kind !== "recording") {
    session.say(`  ${commandLine([...verify, "--refetch", "20", ...targetWords(target)])}`);
  }
}
