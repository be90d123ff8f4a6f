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
import { formatCommand } from "../../errors/shell_words.ts";
import {
  type Args,
  FORMATS,
  type IdRange,
  readAbout,
  TABLE_NAMES,
  WALKS,
} from "../arguments/command_line.ts";
import {
  formatTarget,
  isLive,
  openBook,
  readRpcUrl,
  readTextFile,
  requireTarget,
  type Target,
} from "../deployment.ts";
import {
  align,
  EXIT,
  type ExitCode,
  formatAuctions,
  formatCount,
  formatDuration,
  formatSize,
  pluralize,
} from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { convertInto, formatDataset, formatGaps, selectFacts } from "./dataset_actions.ts";
import { toPath } from "./new_notebook.ts";

/** Runs that take longer print their plan first. */
const LONG_MINUTES = 30;

const PHASES: Readonly<Record<ExportProgress["phase"], string>> = {
  account: "Orders of the account",
  competition: "Auctions",
  instance: "Instances",
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

/** Exports, or resumes an export, and prints the contents of the dataset. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const folder = args.word(0);
  const target = requireTarget(args);
  const format = args.choice("--format", FORMATS);
  const selection = await readExportOptions(session, args);
  const node = await readRpcUrl(session, args, { isLive: isLive(target) });
  const book = await openBook(session, args, target);
  const options: ExportOptions = { ...selection, node, signal: session.signal };
  if (args.has("--dry-run")) {
    const plan = await planExport(book, options);
    if (session.isJson) session.printJson("export-plan", plan);
    else session.print(formatPlan(plan));
    return EXIT.done;
  }
  await printLongPlan(session, book, { folder, options });
  if (options.follow === true) {
    const text = "Finishing pending requests; press Ctrl+C again to exit immediately";
    session.signal.addEventListener("abort", () => session.say(text));
  }
  const line = new ProgressLine(session);
  const onProgress = ({ phase, ...progress }: ExportProgress) =>
    line.update({ ...progress, phase: PHASES[phase] });
  const result = await exportDataset(book, folder, { ...options, onProgress })
    .finally(() => line[Symbol.dispose]());
  const isParquet = format === undefined || format === "parquet";
  const converted = isParquet ? null : await convertInto(session, folder, { format });
  printResult(session, result, { target, args, converted });
  if (result.stopped !== null) return EXIT.comeBackLater;
  return formatGaps(result.manifest).length === 0 ? EXIT.done : EXIT.gaps;
}

/** Prints the plan of a long run before it starts; in-process deployments are quick. */
async function printLongPlan(
  session: Session,
  book: OrderBook,
  { folder, options }: { readonly folder: string; readonly options: ExportOptions },
): Promise<void> {
  if (session.verbosity === "quiet") return;
  if (book.network === null && options.rate === undefined) return;
  const earlier = await openDataset(toPath(folder)).then(({ manifest }) => manifest, () => null);
  // An earlier run has found the settlements; counting them takes many requests to the node.
  if (options.walk === "settlements" && earlier !== null) return;
  const plan = await planExport(book, replaceWithIds(options, earlier?.range ?? null));
  if (plan.minutes > LONG_MINUTES) session.say(formatPlan(plan), "");
}

/** Replaces dates, blocks or `last` by the ids that an earlier run found. */
function replaceWithIds(options: ExportOptions, range: IdRange | null): ExportOptions {
  const { dates, blocks, last, follow: _, ...otherOptions } = options;
  const isSearched = dates !== undefined || blocks !== undefined || last !== undefined;
  if (range === null || !isSearched) return options;
  return { ...otherOptions, auctions: { from: range.from, to: range.to } };
}

function printResult(
  session: Session,
  { folder, manifest, requests, stopped }: ExportResult,
  { target, args, converted }: {
    readonly target: Target;
    readonly args: Args;
    readonly converted: Conversion | null;
  },
): void {
  if (session.isJson) {
    const { isComplete, ...facts } = selectFacts(manifest);
    session.printJson("export", { folder, requests, stopped, isComplete, ...facts, converted });
  } else {
    session.print(`${folder}: ${pluralize(requests, "request")} sent`, ...formatDataset(manifest));
    session.print(formatGaps(manifest));
    if (converted !== null) session.print(`Also as ${converted.format}: ${converted.output}`);
  }
  const retryLine = `  ${formatCommand([args.command, ...args.raw])}`;
  if (stopped !== null) {
    session.say("Stopped at --max-requests. Run the same command to continue:", retryLine);
  } else if (!manifest.isComplete) {
    session.say("Run the same command to request the gaps again:", retryLine);
  }
  const verify = ["verify", folder, "--recompute"];
  session.say("To verify it:", `  ${formatCommand(verify)}`);
  if (target.kind !== "recording") {
    session.say(`  ${formatCommand([...verify, "--refetch", "20", ...formatTarget(target)])}`);
  }
}

/** Formats a plan for people. */
function formatPlan(plan: ExportPlan): string[] {
  const { range, requests, total, nodeRequests, nodeRequestsIfPassed, rate, minutes } = plan;
  const { bytes, workBytes, tables, missing: gaps } = plan;
  const ids = range === null ? 0 : range.to - range.from + 1;
  return [
    ...range === null ? [] : [`${formatAuctions(range)}, ${pluralize(ids, "id")}`],
    "Requests by route",
    ...align([
      ...requests.map(({ route, count, isEstimate }) =>
        [`${isEstimate ? "about " : ""}${formatCount(count)}`, route] as const
      ),
    ]),
    `${pluralize(total, "request")} at ${formatCount(rate)} per minute: ${
      formatDuration(minutes * 60)
    }`,
    ...minutes < 30 ? [] : [
      `Retries for up to ${formatDuration(minutes * 6)} in total if the deployment is down`,
    ],
    nodeRequests === 0
      ? `With a node: the same, plus about ${formatCount(nodeRequestsIfPassed)} to the node`
      : `About ${
        pluralize(nodeRequests, "request")
      } to the node; without a node, the others stay the same`,
    ...bytes === 0
      ? []
      : [`Disk: about ${formatSize(bytes)}, plus ${formatSize(workBytes)} while it runs`],
    `Tables: ${tables.join(", ")}`,
    ...gaps.length === 0 ? [] : ["Will be missing", ...gaps.map((gap) => `  ${gap}`)],
  ];
}

const UID_PATTERN = /(?<![0-9a-z])0x[0-9a-f]{112}(?![0-9a-f])/gi;

/** Options that select what to export; exactly one is required. */
const SELECTORS = ["--from", "--auctions", "--blocks", "--last", "--owner", "--uids"] as const;

/**
 * Reads the options of an export.
 *
 * @throws {InputError} If nothing or several things are selected, or an option is invalid.
 */
async function readExportOptions(session: Session, args: Args): Promise<ExportOptions> {
  const selected = SELECTORS.filter((option) => args.has(option));
  if (args.has("--to") && !args.has("--from")) {
    throw args.error("with --to but without --from", "Pass --from too");
  }
  if (selected.length !== 1) {
    throw args.error(
      selected.length === 0 ? "without a selection" : `with ${selected.join(" and ")}`,
      `Pass exactly one of --from and --to, ${SELECTORS.slice(1).join(", ")}`,
    );
  }
  const walk = args.choice("--discover-by", WALKS);
  const tables = args.choices("--tables", TABLE_NAMES);
  requireEnd(args);
  if (walk === "settlements") requireBlocks(args);
  const fillTable = tables?.find((name) => name === "trades" || name === "protocol_fees");
  if (fillTable !== undefined && args.has("--no-trades")) {
    throw args.error(
      `with --tables ${fillTable} and --no-trades, which leaves it empty`,
      "Leave out one of them",
    );
  }
  return {
    ...await readSelection(session, args),
    tables,
    trades: !args.has("--no-trades"),
    debugReports: !args.has("--no-debug-reports"),
    instances: args.text("--instances"),
    blockTimes: args.has("--no-block-times") ? false : undefined,
    settlements: args.has("--no-settlements") ? false : undefined,
    rate: args.whole("--rate", 1),
    maxRequests: args.whole("--max-requests", 1),
    follow: args.has("--follow"),
    ...await readAbout(args),
    walk,
  };
}

/** Requires a selection without an end for `--follow`, and one with an end otherwise. */
function requireEnd(args: Args): void {
  const auctions = args.openRange("--auctions");
  const isOpen = args.has("--from")
    ? !args.has("--to")
    : auctions !== undefined && auctions.to === undefined;
  if (args.has("--follow") && !isOpen && !args.has("--last")) {
    throw args.error(
      "with --follow and a selection that has an end",
      "Pass --last, --from without --to, or --auctions as A..",
    );
  }
  if (!args.has("--follow") && isOpen) {
    throw args.error(
      args.has("--from") ? "with --from but without --to" : "with --auctions and no end",
      "Pass the end, or --follow to continue with new auctions",
    );
  }
}

/** Requires blocks or dates: settlements are found in the logs of blocks. */
function requireBlocks(args: Args): void {
  if (!args.has("--blocks") && !args.has("--from")) {
    throw args.error(
      "with --discover-by settlements and neither blocks nor dates",
      "Pass --blocks, or --from and --to",
    );
  }
  if (args.has("--follow")) {
    throw args.error(
      "with --discover-by settlements and --follow",
      "Pass --to, or leave out --discover-by",
    );
  }
}

async function readSelection(session: Session, args: Args): Promise<ExportOptions> {
  const from = args.date("--from");
  if (from !== undefined) return { dates: { from, to: args.date("--to") } };
  const file = args.text("--uids");
  if (file !== undefined) return { uids: await readUids(session, args, file) };
  return {
    owner: args.address("--owner"),
    auctions: args.openRange("--auctions"),
    blocks: args.range("--blocks"),
    last: args.whole("--last", 1),
  };
}

async function readUids(session: Session, args: Args, file: string): Promise<string[]> {
  const text = file === "-"
    ? await session.io.readInput()
    : await readTextFile(file, `${args.cannot} with --uids`);
  const uids = new Set(Array.from(text.matchAll(UID_PATTERN), ([uid]) => uid.toLowerCase()));
  if (uids.size === 0) {
    throw args.error(
      `with --uids ${file}: it contains no UID`,
      "Pass a text with UIDs: 0x and 112 hex digits each",
    );
  }
  session.say(`${pluralize(uids.size, "distinct UID")} in ${file === "-" ? "stdin" : file}`);
  return [...uids];
}
