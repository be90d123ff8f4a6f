import {
  exportDataset,
  type ExportOptions,
  type ExportProgress,
  type ExportResult,
  planExport,
} from "../../datasets/mod.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { openBook, targetWords } from "../deployment/open_book.ts";
import { readRpcUrl } from "../deployment/read_secret.ts";
import { requireTarget, type Target } from "../deployment/target.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { commandLine } from "../words/command_line.ts";
import { counted } from "../terminal/in_words.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import type { Session } from "../terminal/session.ts";
import { FORMATS } from "../words/formats.ts";
import type { Given } from "../words/given.ts";
import { datasetLines, gapLines, rowsByTable } from "./dataset_lines.ts";
import { exportSelection } from "./export_selection.ts";
import { planLines } from "./plan_lines.ts";

/** Runs that take longer tell their plan first. */
const LONG_MINUTES = 30;

const PHASES: Readonly<Record<ExportProgress["phase"], string>> = {
  account: "Orders of the account",
  competition: "Auctions",
  order: "Orders",
  trades: "Fills",
  transaction: "Settlements",
  app_data: "App data",
  report: "Debug reports",
  tables: "Tables",
};

/** Exports, or resumes an export, and tells what there is. */
export async function exportAction(session: Session, given: Given): Promise<ExitCode> {
  const folder = given.word(0);
  const target = requireTarget(given);
  given.choice("--format", "format", FORMATS);
  const selection = await exportSelection(session, given);
  await readRpcUrl(session, given);
  const book = await openBook(session, given, target);
  const options: ExportOptions = { ...selection, signal: session.signal };
  if (given.has("--dry-run")) return await tellPlan(session, book, options);
  await tellLongPlan(session, book, options);
  const result = await withProgress(
    session,
    (onProgress) => exportDataset(book, folder, { ...options, onProgress }),
  );
  tellResult(session, result, { target, given });
  return result.manifest.isComplete ? EXIT.done : EXIT.gaps;
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
  options: ExportOptions,
): Promise<void> {
  if (session.verbosity === "quiet") return;
  if (book.network === null && options.rate === undefined) return;
  const plan = await planExport(book, options);
  if (plan.minutes > LONG_MINUTES) session.say(...planLines(plan), "");
}

async function withProgress<Result>(
  session: Session,
  work: (onProgress: (progress: ExportProgress) => void) => Promise<Result>,
): Promise<Result> {
  using line = new ProgressLine(session);
  return await work(({ phase, done, total, requests }) =>
    line.update({ phase: PHASES[phase], done, total, requests })
  );
}

function tellResult(
  session: Session,
  { folder, manifest, requests }: ExportResult,
  { target, given }: { readonly target: Target; readonly given: Given },
): void {
  const verify = `orderlens verify ${folder} --recompute`;
  if (session.isJson) {
    const { range, ids, items, isComplete, failures } = manifest;
    session.printJson("export", {
      folder,
      requests,
      isComplete,
      range,
      ids,
      items,
      rows: Object.fromEntries(rowsByTable(manifest)),
      failures,
    });
  } else {
    session.print(`${folder}: ${counted(requests, "request")} sent`, ...datasetLines(manifest));
    session.print(...gapLines(manifest));
  }
  if (!manifest.isComplete) {
    session.say(
      "To ask for the gaps again: the same command",
      `  ${commandLine([given.command, ...given.raw])}`,
    );
  }
  session.say("To verify it", `  ${verify}`);
  if (target.kind !== "recording") session.say(`  ${verify} --refetch 20 ${targetWords(target)}`);
}
