import type { OrderBook } from "../../client/order_book.ts";
import {
  type Conversion,
  exportDataset,
  type ExportOptions,
  type ExportPlan,
  type ExportProgress,
  type ExportResult,
  openDataset,
  planExport,
} from "../../datasets/mod.ts";
import {
  aboutOf,
  type Args,
  commandLine,
  type Format,
  FORMATS,
  usageError,
} from "../arguments/command_line.ts";
import { TABLE_NAMES } from "../arguments/options.ts";
import {
  isLive,
  openBook,
  readRpcUrl,
  requireTarget,
  type Target,
  targetWords,
  textFile,
} from "../deployment.ts";
import {
  aligned,
  counted,
  duration,
  EXIT,
  type ExitCode,
  grouped,
  idRange,
  size,
} from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { convertInto, datasetLines, gapLines, rowsByTable } from "./dataset_actions.ts";
import { localFolder } from "./new_notebook.ts";

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
export async function exportAction(session: Session, args: Args): Promise<ExitCode> {
  const folder = args.word(0);
  const target = requireTarget(args);
  const format = formatOf(args);
  const selection = await exportSelection(session, args);
  const node = await readRpcUrl(session, args, { isLive: isLive(target) });
  const book = await openBook(session, args, target);
  const options: ExportOptions = { ...selection, node, signal: session.signal };
  if (args.has("--dry-run")) return await tellPlan(session, book, options);
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
  tellResult(session, result, { target, args, converted });
  if (result.stopped !== null) return EXIT.comeBackLater;
  return result.manifest.isComplete ? EXIT.done : EXIT.gaps;
}

/** The format to convert to, in addition to Parquet; `null` for none. */
function formatOf(args: Args): Format | null {
  const word = args.choice("--format", "format", FORMATS);
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
  { target, args, converted }: {
    readonly target: Target;
    readonly args: Args;
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
  const again = `  ${commandLine([args.command, ...args.raw])}`;
  if (stopped !== null) session.say("Stopped at --max-requests. The same command goes on:", again);
  else if (!manifest.isComplete) session.say("The same command asks for the gaps again:", again);
  const verify = ["verify", folder, "--recompute"];
  session.say("To verify it:", `  ${commandLine(verify)}`);
  if (target.kind !== "recording") {
    session.say(`  ${commandLine([...verify, "--refetch", "20", ...targetWords(target)])}`);
  }
}

/** A plan of an export for people. */
function planLines(plan: ExportPlan): string[] {
  const { range, requests, total, nodeRequests, rate, minutes, bytes, workBytes, tables, missing } =
    plan;
  const ids = range === null ? 0 : range.to - range.from + 1;
  return [
    ...range === null ? [] : [`Auctions ${idRange(range.from, range.to)}, ${counted(ids, "id")}`],
    "Requests by route",
    ...aligned([
      ...requests.map(({ route, count, isEstimate }) =>
        [`${isEstimate ? "about " : ""}${grouped(count)}`, route] as const
      ),
    ]),
    `${counted(total, "request")} at ${grouped(rate)} a minute: ${duration(minutes * 60)}`,
    ...minutes < 30 ? [] : [
      `A deployment that is down is waited for, up to ${duration(minutes * 6)} in all`,
    ],
    ...nodeRequests === 0 ? [] : [`About ${counted(nodeRequests, "request")} to the node`],
    ...bytes === 0 ? [] : [`Disk: about ${size(bytes)}, and ${size(workBytes)} more while it runs`],
    `Tables: ${tables.join(", ")}`,
    ...missing.length === 0 ? [] : ["Will be missing", ...missing.map((each) => `  ${each}`)],
  ];
}

const UID = /(?<![0-9a-z])0x[0-9a-f]{112}(?![0-9a-f])/gi;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

const WALKS = ["ids", "settlements"] as const;

/** Options of which exactly one says what to export; two of them are one. */
const SELECTING = ["--from", "--auctions", "--blocks", "--last", "--owner", "--uids"] as const;

/**
 * What an export is asked for.
 *
 * @throws {InputError} If nothing or several things are selected, or an option is invalid.
 */
async function exportSelection(session: Session, args: Args): Promise<ExportOptions> {
  const selected = SELECTING.filter((option) => args.has(option));
  if (args.has("--to") && !args.has("--from")) {
    throw usageError(`${args.cannot} with --to and without --from`, "Pass --from too");
  }
  if (selected.length !== 1) {
    throw usageError(
      selected.length === 0
        ? `${args.cannot} without a selection`
        : `${args.cannot} with ${selected.join(" and ")}`,
      `Pass exactly one of --from and --to, ${SELECTING.slice(1).join(", ")}`,
    );
  }
  checkEnd(args);
  checkWalk(args);
  checkTables(args);
  return {
    ...await selectedBy(session, args),
    tables: args.choices("--tables", "table", TABLE_NAMES),
    trades: !args.isOff("--no-trades"),
    debugReports: !args.isOff("--no-debug-reports"),
    blockTimes: args.isOff("--no-block-times") ? false : undefined,
    settlements: args.isOff("--no-settlements") ? false : undefined,
    rate: args.whole("--rate", 1),
    maxRequests: args.whole("--max-requests", 1),
    follow: args.has("--follow"),
    ...aboutOf(args),
    walk: walkOf(args),
  };
}

/** What follows has no end, and everything else has one. */
function checkEnd(args: Args): void {
  const auctions = args.openRange("--auctions");
  const isOpen = args.has("--from")
    ? !args.has("--to")
    : auctions !== undefined && auctions.to === undefined;
  if (args.has("--follow") && !isOpen && !args.has("--last")) {
    throw usageError(
      `${args.cannot} with --follow and a selection that has an end`,
      "Pass --last, --from without --to, or --auctions as A..",
    );
  }
  if (!args.has("--follow") && isOpen) {
    throw usageError(
      args.has("--from")
        ? `${args.cannot} with --from and without --to`
        : `${args.cannot} with --auctions and no end`,
      "Pass the end, or --follow to go on with new auctions",
    );
  }
}

/** Settlements are found in blocks, by a node. */
function checkWalk(args: Args): void {
  if (walkOf(args) !== "settlements") return;
  if (!args.has("--blocks") && !args.has("--from")) {
    throw usageError(
      `${args.cannot} with --discover-by settlements and neither blocks nor dates`,
      "Pass --blocks, or --from and --to",
    );
  }
  if (args.has("--follow")) {
    throw usageError(
      `${args.cannot} with --discover-by settlements and --follow`,
      "Pass --to, or leave out --discover-by",
    );
  }
}

function walkOf(args: Args): (typeof WALKS)[number] | undefined {
  const word = args.choice("--discover-by", "way", WALKS);
  return WALKS.find((walk) => walk === word);
}

/** A table of fills is empty where fills are left out. */
function checkTables(args: Args): void {
  const tables = args.choices("--tables", "table", TABLE_NAMES) ?? [];
  const ofFills = tables.find((name) => name === "trades" || name === "protocol_fees");
  if (ofFills === undefined || !args.isOff("--no-trades")) return;
  throw usageError(
    `${args.cannot} with --tables ${ofFills} and --no-trades, which leaves it empty`,
    "Leave out one of them",
  );
}

async function selectedBy(session: Session, args: Args): Promise<ExportOptions> {
  const from = args.date("--from");
  if (from !== undefined) return { dates: { from, to: args.date("--to") } };
  const file = args.text("--uids");
  if (file !== undefined) return { uids: await uidsOf(session, args, file) };
  const owner = args.text("--owner");
  if (owner !== undefined) return { owner: addressOf(args, owner) };
  return {
    auctions: args.openRange("--auctions"),
    blocks: args.range("--blocks"),
    last: args.whole("--last", 1),
  };
}

function addressOf(args: Args, owner: string): string {
  if (ADDRESS.test(owner)) return owner;
  throw usageError(
    `${args.cannot} with --owner ${owner}: it is no address`,
    "Pass 0x and 40 hex digits",
  );
}

async function uidsOf(session: Session, args: Args, file: string): Promise<string[]> {
  const text = file === "-"
    ? await session.io.readInput()
    : await textFile(file, `${args.cannot} with --uids`);
  const uids = new Set(Array.from(text.matchAll(UID), ([uid]) => uid.toLowerCase()));
  if (uids.size === 0) {
    throw usageError(
      `${args.cannot} with --uids ${file}: there is no UID in it`,
      "Pass a text with UIDs: 0x and 112 hex digits each",
    );
  }
  session.say(`${counted(uids.size, "different UID")} in ${file === "-" ? "stdin" : file}`);
  return [...uids];
}
