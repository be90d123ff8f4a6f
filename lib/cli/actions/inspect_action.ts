import { connect } from "../../client/connect.ts";
import type { OrderBook } from "../../client/order_book.ts";
import type { Progress } from "../../endpoints/mod.ts";
import { InputError, NotFoundError } from "../../errors/mod.ts";
import { localFiles, makeTemporaryFolder } from "../../http/local_files.ts";
import type { SettlementOutlook } from "../../metrics/mod.ts";
import { type Identifier, parseIdentifier } from "../../networks/identifier.ts";
import { detectSolana, NOT_SOLANA } from "../../networks/network.ts";
import { type InspectBudget, MAX_BUDGET_MS } from "../../reports/order/inspect_order.ts";
import { resolveShortened, type WholeIdentifier } from "../../reports/resolve_shortened.ts";
import { locate, readHost } from "../../reports/locate.ts";
import { type PageContent, reportJson } from "../../reports/page/page_content.ts";
import type { Report } from "../../reports/page/report_content.ts";
import { isClosedStatus } from "../../schemas/mod.ts";
import type { TokenOptions } from "../../tables/columns/lookups.ts";
import { formatInstant } from "../../units/mod.ts";
import { adaptPage } from "../arguments/adapt_page.ts";
import { formatAdvice } from "../arguments/format_advice.ts";
import type { Args } from "../arguments/command_line.ts";
import { isLive, openBook, readRpcUrl, readTarget, TIMEOUTS } from "../deployment.ts";
import { EXIT, type ExitCode, pluralize } from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";

/** Inspects the named subjects, and prints, writes or opens the reports. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const { words: typedWords, deep } = splitDepth(args);
  const words = joinDigits(typedWords);
  const budget = readBudget(args);
  const identifiers = words.map((word) => parseSubject(args, word));
  for (const [index, identifier] of identifiers.entries()) {
    const word = words[index]!;
    if (word !== Object(identifier).key || !typedWords.includes(word)) {
      sayUnderstood(session, identifier);
    }
  }
  requireCompatible(args, identifiers);
  const target = readTarget(args);
  const node = await readRpcUrl(session, args, { isLive: target === null || isLive(target) });
  const opening = target === null ? undefined : openBook(session, args, target, TIMEOUTS);
  // It fails where it is awaited.
  opening?.catch(() => {});
  const subjects: WholeIdentifier[] = [];
  for (const identifier of identifiers) {
    subjects.push(
      identifier.kind === "shortened"
        ? await resolveWhole(session, args, identifier, opening)
        : identifier,
    );
  }
  requireCompatible(args, subjects);
  // They load while the deployment is opened.
  if (subjects.some(({ kind }) => kind === "order")) preloadOrders();
  const codes: ExitCode[] = [];
  for (const [index, subject] of subjects.entries()) {
    const book = await (opening ?? locateBook(session, args, subject));
    if (args.has("--watch")) {
      await printChanges(session, book, subject.key);
      if (!args.has("--exit-status")) return EXIT.done;
    }
    const report = await inspectSubject(session, book, subject, { deep, budget, node });
    if (!args.has("--watch")) {
      const adapt = (page: PageContent) =>
        adaptPage(page, { target, deep, budget: args.text("--budget") });
      const tokens = session.isJson ? {} : await readTokens(session, report, book, node);
      await show(session, args, report, { adapt, tokens, isFirst: index === 0, subjects });
    }
    codes.push(chooseExitCode(report, args.has("--exit-status")));
  }
  return codes.find((code) => code !== EXIT.done) ?? EXIT.done;
}

/** Prints a line for every change of an order, until it ends. */
async function printChanges(session: Session, book: OrderBook, uid: string): Promise<void> {
  const { signal, isJson } = session;
  const { trackOrder } = await import("../../client/track_order.ts");
  const { formatFilledShare } = await import("../../reports/order/format_sentence.ts");
  for await (const { order, ...change } of trackOrder(book, uid, { signal })) {
    const { seenAt, stage, executed, isFinal, outlook } = change;
    const { uid: orderUid, status } = order;
    if (isJson) {
      const mayStillSettle = outlook.mayStillSettle;
      const facts = { seenAt: formatInstant(seenAt), orderUid, status, stage, executed, isFinal };
      session.printJson("order-change", { ...facts, mayStillSettle });
      continue;
    }
    const share = executed.ofAtoms === 0n ? "" : `  ${formatFilledShare(order)} executed`;
    const isPending = isClosedStatus(status) && outlook.until !== null && !isFinal;
    const wait = isPending ? `  may still be filled until ${formatInstant(outlook.until)}` : "";
    session.print(
      `${formatInstant(seenAt)}  ${status}${stage === null ? "" : `  ${stage}`}${share}${wait}`,
    );
  }
  signal.throwIfAborted();
}

/** Separates the subjects from `--deep`, whose optional value may have taken the first of them. */
function splitDepth(
  args: Args,
): { readonly words: readonly string[]; readonly deep: boolean | number } {
  const text = args.has("--deep") ? args.text("--deep") : undefined;
  const isWord = text !== undefined && !/^\d{1,9}$/.test(text);
  const words = isWord ? [text, ...args.words] : args.words;
  if (words.length === 0) {
    throw args.error("without its <subjects...>", "Pass the UID of an order");
  }
  if (text === undefined || isWord) return { words, deep: args.has("--deep") };
  return { words, deep: args.whole("--deep", 1)! };
}

/** Reads `--budget`: a number of requests, or of seconds with an `s` behind it. */
function readBudget(args: Args): InspectBudget | undefined {
  const text = args.text("--budget");
  if (text === undefined) return undefined;
  if (args.has("--deep")) {
    throw args.error("with --budget and --deep, which has no budget", "Pass one of them");
  }
  const [, digits, unit] = /^(\d{1,6})(s?)$/.exec(text) ?? [];
  const number = Number(digits);
  const isValid = digits !== undefined && (unit === "" || number * 1_000 <= MAX_BUDGET_MS);
  if (!isValid) {
    throw args.error(
      `with --budget ${JSON.stringify(text.slice(0, 40))}`,
      `Pass a number of requests such as 40, or seconds up to ${MAX_BUDGET_MS / 1_000} such as 5s`,
    );
  }
  return unit === "s" ? { ms: number * 1_000 } : { requests: number };
}

/** Joins the lines of a UID that a shell has split into words. */
function joinDigits(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const start = joined.at(-1);
    const isContinued = start !== undefined && /^[0-9a-f]+\W*$/i.test(word) &&
      /^\W*(?:0x|\\x)?[0-9a-f]+$/i.test(start) && parseIdentifier(start) === null;
    if (isContinued) joined[joined.length - 1] = start + word;
    else joined.push(word);
  }
  return joined;
}

/** Says how a subject was read that is not spelled as a report spells it. */
function sayUnderstood(session: Session, identifier: Identifier): void {
  if (identifier.kind === "shortened") return;
  const { kind, key, network } = identifier;
  session.say(`Read as ${kind} ${key}${network === null ? "" : ` on ${network}`}`);
}

/** Resolves a shortened identifier. @throws {InputError} If no deployment is named. */
async function resolveWhole(
  session: Session,
  args: Args,
  identifier: Extract<Identifier, { readonly kind: "shortened" }>,
  opening: Promise<OrderBook> | undefined,
): Promise<WholeIdentifier> {
  if (opening === undefined) {
    throw args.error(
      `for ${identifier.begin}…${identifier.end}: it is shortened`,
      "Pass all digits, or name its recording with --recording",
    );
  }
  const whole = await resolveShortened(await opening, identifier, { signal: session.signal });
  session.say(`Read as ${whole.kind} ${whole.key}`);
  return whole;
}

/** Options that apply to orders only, with the reason. */
const ORDER_OPTIONS = [
  ["--watch", "only orders change"],
  ["--deep", "only an order has auctions to search"],
  ["--budget", "only an order has auctions to search"],
  ["--exit-status", "the exit code reports the status of orders only"],
] as const;

function requireCompatible(args: Args, subjects: readonly Identifier[]): void {
  const single = ["--html", "--open", "--watch"].find((option) => args.has(option));
  if (single !== undefined && subjects.length > 1) {
    throw args.error(`with ${single} and several subjects`, "Pass only one of them");
  }
  if (subjects.some(({ kind }) => /^(?:order|shortened)$/.test(kind))) return;
  for (const [option, reason] of ORDER_OPTIONS) {
    if (args.has(option)) throw args.error(`with ${option}: ${reason}`, "Pass the UID of an order");
  }
}

/**
 * Reads tokens that neither the deployment nor the files that ship name from the node; amounts of other
 * tokens stay in atoms.
 */
async function readTokens(
  session: Session,
  report: Report,
  book: OrderBook,
  node: string | undefined,
): Promise<TokenOptions> {
  const { chooseTokenNetwork, createTokenReader, listTokens, readDeploymentTokens } = await import(
    "../../reports/page/node_tokens.ts"
  );
  const namedTokens = readDeploymentTokens(book.transport);
  const facts = { ...namedTokens, network: chooseTokenNetwork(report.deployment, namedTokens) };
  const read = createTokenReader(node, {
    chainId: book.chainId,
    known: facts,
    signal: session.signal,
  });
  const { tokens, failure } = await read(listTokens(report));
  const isSaid = report.unknown.some(({ why: reason }) => reason === failure);
  if (failure !== null && !isSaid) session.warn(`Unknown tokens stay in atoms: ${failure}`);
  return tokens;
}

async function show(
  session: Session,
  args: Args,
  report: Report,
  { adapt, tokens, isFirst, subjects }: {
    readonly adapt: (page: PageContent) => PageContent;
    readonly tokens: TokenOptions;
    readonly isFirst: boolean;
    readonly subjects: readonly WholeIdentifier[];
  },
): Promise<void> {
  const { io } = session;
  const loadContent = async () =>
    (await import("../../reports/page/report_content.ts")).toPageContent(report, tokens);
  const file = args.text("--html");
  if (file !== undefined || args.has("--open")) {
    const path = file ?? `${await makeTemporaryFolder("orderlens-")}/page.html`;
    const { renderHtmlPage } = await import("../../reports/page/pages.ts");
    // Text needs neither charts nor tables: pages alone load them.
    const { addReportCharts } = await import("../../reports/page/notebook_report.ts");
    const page = await addReportCharts(await loadContent(), report, tokens);
    await writePage(args, path, renderHtmlPage(adapt(page)));
    session.say(`Wrote ${path}`);
    if (args.has("--open")) {
      const { openFile } = await import("./run_tool.ts");
      await openFile(path);
    }
    if (!session.isJson) return;
  }
  if (session.isJson) {
    const isPretty = io.out.isTerminal && subjects.length === 1;
    session.print(reportJson(report, isPretty ? 2 : 0));
    return;
  }
  const { isTerminal, columns } = io.out;
  const { renderTextPage } = await import("../../reports/page/text_page.ts");
  const text = renderTextPage(adapt(await loadContent()), {
    width: isTerminal ? columns : 100,
    color: isTerminal && io.isColored,
  });
  io.out.write(isFirst ? text : `\n${"─".repeat(40)}\n\n${text}`);
}

/** Writes a page. The error has no cause: a missing folder must not exit as a missing order. */
export async function writePage(args: Args, path: string, page: string): Promise<void> {
  try {
    await localFiles().writeFile(path, page);
  } catch (cause) {
    throw new InputError(`${args.cannot}: ${path} cannot be written`, {
      facts: { reason: cause instanceof Error ? cause.message.split("\n")[0]! : String(cause) },
      remedy: "Pass a file in a folder that exists and can be written, on a disk with free space",
    });
  }
}

function chooseExitCode(report: Report, isStatusWanted: boolean): ExitCode {
  if ("verdict" in report) {
    if (report.verdict === "unknown_here") return EXIT.notFound;
    return isStatusWanted ? toExitStatus(report.verdict, report.outlook) : EXIT.done;
  }
  if (!("isFound" in report) || report.isFound) return EXIT.done;
  // A node that failed may have what the deployment does not.
  const isLooked = report.unknown.every(({ what: topic }) => topic !== "programmatic_orders");
  return isLooked ? EXIT.notFound : EXIT.failed;
}

/** Verdicts of orders that may still be filled. */
const PENDING = new RegExp(
  "^(partly_filled_)?(open_.*|presignature_missing|not_valid_yet|executing)$|" +
    "_executing$|executed_not_indexed$",
);

/** Maps a verdict to the exit code of `--exit-status`. */
export function toExitStatus(
  verdict: string,
  outlook: Pick<SettlementOutlook, "mayStillSettle"> | null = null,
): ExitCode {
  if (verdict === "unknown_here") return EXIT.notFound;
  if (/^(filled|jit_)/.test(verdict)) return EXIT.done;
  if (outlook?.mayStillSettle === true || PENDING.test(verdict)) return 10;
  if (verdict.startsWith("partly_filled_")) return 13;
  return /^(cancelled|replaced|refunded)$/.test(verdict) ? 11 : 12;
}

/**
 * Locates the public deployment that has a subject: on the network that an explorer URL names, or else
 * the first deployment that has it.
 *
 * @throws {NotFoundError} If no public deployment has it.
 */
async function locateBook(
  session: Session,
  args: Args,
  subject: WholeIdentifier,
): Promise<OrderBook> {
  const { kind, key, network } = subject;
  if (kind === "auction") {
    throw args.error(
      `for auction ${key} without a deployment: auction IDs differ between deployments`,
      "Pass --network, such as --network mainnet",
    );
  }
  const { signal } = session;
  const books = network === null ? {} : {
    books: [connect(network), connect(network, { environment: "staging" })],
  };
  if (network === null) session.say("Searching the public networks, two at a time");
  const { found, asked: total, failed: failures } = await locate(key, { signal, ...books });
  const [first, ...otherPlaces] = found;
  for (const [host, hostFailures] of Map.groupBy(failures, ({ book }) => readHost(book))) {
    const { message, remedy } = hostFailures[0]!.error;
    const many = hostFailures.length === 1 ? "" : ` (${hostFailures.length} deployments)`;
    session.warn(
      `${host}${many} could not be queried: ${message.split("\n")[0]}. ${formatAdvice(remedy)}`,
    );
  }
  if (first === undefined) {
    const [failure] = failures;
    if (failure !== undefined && failures.length === total) throw failure.error;
    throw notFoundError(subject, total - failures.length, failures.length);
  }
  session.say(`Found at ${formatBook(first.book)}`);
  if (otherPlaces.length > 0) {
    const names = otherPlaces.map(({ book }) => formatBook(book)).join(", ");
    session.say(`Also found at ${names}: pass --network and --env to query them`);
  }
  return first.book;
}

function formatBook({ network, environment, baseUrl }: OrderBook): string {
  return network === null ? baseUrl : `${network.name}, ${environment}`;
}

function notFoundError(
  { kind, key }: WholeIdentifier,
  total: number,
  failures: number,
): NotFoundError {
  const suffix = failures === 0 ? "" : `, and ${failures} could not be queried`;
  return new NotFoundError(
    `Cannot find ${kind} ${key}: ${pluralize(total, "public deployment")} did not have it${suffix}`,
    {
      request: null,
      status: null,
      remedy: "Check the digits, or name your own deployment with --url",
    },
  );
}

/** Starts to load the modules of order reports. */
function preloadOrders(): void {
  const loading = [
    import("../../reports/order/inspect_order.ts"),
    import("../../reports/page/report_content.ts"),
    import("../../reports/page/text_page.ts"),
  ];
  // A failure is thrown where they are used.
  Promise.all(loading).catch(() => {});
}

async function inspectSubject(
  session: Session,
  book: OrderBook,
  { kind, key }: WholeIdentifier,
  { deep, budget, node }: {
    readonly deep: boolean | number;
    readonly budget: InspectBudget | undefined;
    readonly node: string | undefined;
  },
): Promise<Report> {
  const { signal } = session;
  switch (kind) {
    case "order": {
      const { inspectOrder } = await import("../../reports/order/inspect_order.ts");
      using line = new ProgressLine(session);
      const onProgress = ({ done, total = done }: Progress) =>
        line.updateWork("Auctions", done, total);
      return await inspectOrder(book, key, { deep, budget, node, onProgress, signal });
    }
    case "transaction": {
      const { inspectTransaction } = await import("../../reports/subjects/inspect_transaction.ts");
      return await inspectTransaction(book, key, { node, signal });
    }
    case "account": {
      const { inspectAccount } = await import("../../reports/subjects/inspect_account.ts");
      return await inspectAccount(book, key, { node, signal });
    }
    case "auction": {
      const { inspectAuction } = await import("../../reports/subjects/inspect_auction.ts");
      return await inspectAuction(book, Number(key), { node, signal });
    }
  }
}

/**
 * Parses a subject: a UID, a transaction, an account, an auction, or an explorer URL of one.
 *
 * @throws {InputError} If it is none of them.
 */
function parseSubject(args: Args, word: string): Identifier {
  const identifier = parseIdentifier(word);
  if (identifier !== null) return identifier;
  const solana = detectSolana(word);
  const [, hex] = /^(?:0x|\\x)?([0-9a-f]+)$/i.exec(word) ?? [];
  const problem = solana !== null
    ? `is ${solana}`
    : hex === undefined
    ? null
    : `has ${
      pluralize(hex.length, "hex digit")
    }, not the 112 of a UID, 64 of a transaction or 40 of an account`;
  throw args.error(
    `for ${JSON.stringify(word.slice(0, 130))}${problem === null ? "" : `: it ${problem}`}`,
    solana !== null
      ? NOT_SOLANA
      : "Pass an order UID, a transaction hash, an account, an auction ID, or an explorer URL of one of them",
  );
}
