import { connect } from "../../client/connect.ts";
import type { OrderBook } from "../../client/order_book.ts";
import type { Progress } from "../../endpoints/mod.ts";
import { InputError, NotFoundError } from "../../errors/mod.ts";
import { parseExplorerUrl } from "../../networks/explorer_url.ts";
import type { NetworkName } from "../../networks/network.ts";
import { hostOf, locate } from "../../reports/locate.ts";
import { type PageContent, reportJson } from "../../reports/page/page_content.ts";
import { type Args, commandLine, usageError } from "../arguments/command_line.ts";
import {
  isLive,
  openBook,
  PROMPT,
  readRpcUrl,
  type Target,
  targetOf,
  targetWords,
} from "../deployment.ts";
import { counted, EXIT, type ExitCode } from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";

/** Inspects what the words name, and prints, writes or opens the reports. */
export async function inspectAction(session: Session, args: Args): Promise<ExitCode> {
  const { words, deep } = wordsAndDepth(args);
  const subjects = words.map((word) => subjectOf(args, word));
  requireTogether(args, subjects);
  const target = targetOf(args);
  const node = await readRpcUrl(session, args, { isLive: target === null || isLive(target) });
  const books = new BookFinder(session, args);
  // They load while the deployment is opened.
  if (subjects.some(({ kind }) => kind === "order")) preloadOrders();
  const codes: ExitCode[] = [];
  for (const [index, subject] of subjects.entries()) {
    const book = await books.of(subject);
    if (args.has("--watch")) {
      const { printChanges } = await import("./order_changes.ts");
      await printChanges(session, book, subject.key);
      if (!args.has("--exit-status")) return EXIT.done;
    }
    using line = new ProgressLine(session);
    const inspected = await inspect(book, subject, {
      deep,
      node,
      onProgress: ({ done, total }) => line.updateWork("Auctions", done, total ?? done),
      signal: session.signal,
    });
    line[Symbol.dispose]();
    const isSilent = args.has("--watch");
    const again = (page: PageContent) => ({ ...page, command: commandOf(page, target, deep) });
    const isFirst = index === 0;
    if (!isSilent) await show(session, args, inspected, { again, isFirst, of: subjects });
    codes.push(exitOf(inspected, args.has("--exit-status")));
  }
  return codes.find((code) => code !== EXIT.done) ?? EXIT.done;
}

/** `--deep` takes a number or none, so that it may have taken the first word. */
function wordsAndDepth(
  args: Args,
): { readonly words: readonly string[]; readonly deep: boolean | number } {
  const text = args.has("--deep") ? args.text("--deep") : undefined;
  const isWord = text !== undefined && !/^\d{1,9}$/.test(text);
  const words = isWord ? [text, ...args.words] : args.words;
  if (words.length === 0) {
    throw usageError(`${args.cannot} without its <subjects...>`, "Pass the UID of an order");
  }
  if (text === undefined || isWord) return { words, deep: args.has("--deep") };
  return { words, deep: args.whole("--deep", 1)! };
}

function requireTogether(args: Args, subjects: readonly Subject[]): void {
  const single = ["--html", "--open", "--watch"].find((option) => args.has(option));
  if (single !== undefined && subjects.length > 1) {
    throw usageError(`${args.cannot} with ${single} and several words`, "Pass one of them");
  }
  if (single === "--watch" && subjects[0]?.kind !== "order") {
    throw usageError(
      `${args.cannot} with --watch: only orders change`,
      "Pass the UID of an order",
    );
  }
}

async function show(
  session: Session,
  args: Args,
  inspected: Inspected,
  { again, isFirst, of }: {
    readonly again: (page: PageContent) => PageContent;
    readonly isFirst: boolean;
    readonly of: readonly Subject[];
  },
): Promise<void> {
  const { io } = session;
  const file = args.text("--html");
  if (file !== undefined || args.has("--open")) {
    const path = file ?? await Deno.makeTempFile({ prefix: "orderlens-", suffix: ".html" });
    const { htmlPage } = await import("../../reports/page/html_page.ts");
    const drawn = await (inspected.drawn?.() ?? inspected.content());
    await writePage(args, path, htmlPage(again(drawn)));
    session.say(`Wrote ${path}`);
    if (args.has("--open")) {
      const { openFile } = await import("./new_notebook.ts");
      await openFile(path);
    }
    if (!session.isJson) return;
  }
  if (session.isJson) {
    const isPretty = io.out.isTerminal && of.length === 1;
    session.print(reportJson(inspected.report, isPretty ? 2 : 0));
    return;
  }
  const { isTerminal, columns } = io.out;
  const { textPage } = await import("../../reports/page/text_page.ts");
  const text = textPage(again(await inspected.content()), {
    width: isTerminal ? columns : 100,
    color: isTerminal && io.isColored,
  });
  io.out.write(isFirst ? text : `\n${"─".repeat(40)}\n\n${text}`);
}

/**
 * The command that makes a page again: of a recording or a sandbox with the words that named it, which a
 * report does not have, otherwise as the report says, without the credentials of a URL.
 */
function commandOf(
  { command, subject }: PageContent,
  target: Target | null,
  deep: boolean | number,
): string {
  const isWritten = target?.kind === "recording" || target?.kind === "sandbox";
  const named = isWritten
    ? commandLine(["inspect", `${Object.values(subject)[0]}`, ...targetWords(target)])
    : command;
  return `${named}${deep === false ? "" : deep === true ? " --deep" : ` --deep ${deep}`}`;
}

/** Writes a page. An error has no cause: a missing folder must not end as an order that was not found. */
async function writePage(args: Args, path: string, page: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, page);
  } catch (cause) {
    throw new InputError(`${args.cannot}: ${path} cannot be written`, {
      facts: { reason: cause instanceof Error ? cause.message.split("\n")[0]! : String(cause) },
      remedy: "Pass --html with a file in a folder that exists and can be written",
    });
  }
}

function exitOf({ verdict, isFound }: Inspected, isStatusWanted: boolean): ExitCode {
  if (!isFound) return EXIT.notFound;
  return verdict !== null && isStatusWanted ? exitOfVerdict(verdict) : EXIT.done;
}

/** Exit codes of `--exit-status`, by what became of the order. */
export const VERDICT_EXITS = {
  filled: 0,
  notFound: EXIT.notFound,
  open: 10,
  cancelled: 11,
  expired: 12,
  partlyFilled: 13,
} as const;

/** The exit code for a verdict. */
export function exitOfVerdict(verdict: string): ExitCode {
  if (verdict === "unknown_here") return VERDICT_EXITS.notFound;
  if (/^(filled|jit_)/.test(verdict)) return VERDICT_EXITS.filled;
  if (/(^|_)open_/.test(verdict) || PENDING.has(verdict)) return VERDICT_EXITS.open;
  if (verdict.startsWith("partly_filled_")) return VERDICT_EXITS.partlyFilled;
  if (/^(cancelled|replaced|refunded)$/.test(verdict)) return VERDICT_EXITS.cancelled;
  return VERDICT_EXITS.expired;
}

/** Verdicts of orders that are neither open nor over by their status. */
const PENDING = new Set(["presignature_missing", "not_valid_yet", "executing"]);

/** Finds deployments for subjects; one that was named is opened once. */
class BookFinder {
  readonly #session: Session;
  readonly #args: Args;
  #named: Promise<OrderBook> | undefined;

  /** Reads the deployment from the options. */
  constructor(session: Session, args: Args) {
    this.#session = session;
    this.#args = args;
    const target = targetOf(args);
    if (target !== null) this.#named = openBook(session, args, target, PROMPT);
    // It is awaited where it is needed, and fails there.
    this.#named?.catch(() => {});
  }

  /**
   * The deployment that has something: the one that the options name, one of the network that an
   * explorer's address names, or the first public one that has it.
   *
   * @throws {NotFoundError} If no public deployment has it.
   */
  async of(subject: Subject): Promise<OrderBook> {
    const { kind, key, network } = subject;
    if (this.#named !== undefined) return await this.#named;
    if (kind === "auction") {
      throw usageError(
        `${this.#args.cannot} for auction ${key} without a deployment: each has its own ids`,
        "Pass --network, such as --network mainnet",
      );
    }
    const { signal } = this.#session;
    const books = network === null ? {} : {
      books: [connect(network), connect(network, { environment: "staging" })],
    };
    if (network === null) this.#session.say("Asking the public networks, two at a time");
    const { found: [first, ...others], asked, failed } = await locate(key, { signal, ...books });
    for (const [host, all] of Map.groupBy(failed, ({ book }) => hostOf(book))) {
      const { message, remedy } = all[0]!.error;
      const many = all.length === 1 ? "" : ` (${all.length} deployments)`;
      this.#session.warn(`${host}${many} could not be asked: ${message.split("\n")[0]}. ${remedy}`);
    }
    const [failure] = failed;
    if (first === undefined && failure !== undefined && failed.length === asked) {
      throw failure.error;
    }
    if (first === undefined) throw notFound(subject, asked - failed.length, failed.length);
    this.#session.say(`Found at ${nameOf(first.book)}`);
    if (others.length > 0) {
      const names = others.map(({ book }) => nameOf(book)).join(", ");
      this.#session.say(`Also at ${names}: pass --network and --env for them`);
    }
    return first.book;
  }
}

function nameOf({ network, environment, baseUrl }: OrderBook): string {
  return network === null ? baseUrl : `${network.name}, ${environment}`;
}

function notFound({ kind, key }: Subject, asked: number, failed: number): NotFoundError {
  const others = failed === 0 ? "" : `, and ${failed} could not be asked`;
  return new NotFoundError(
    `Cannot find ${kind} ${key}: ${counted(asked, "public deployment")} did not have it${others}`,
    {
      request: "locate",
      status: 404,
      body: "",
      remedy: "Check the digits; a deployment of your own is named with --url",
    },
  );
}

/** How a report is made. */
export interface InspectHow {
  /** Auction ids to walk at most; `true` for the usual number. */
  readonly deep: boolean | number;
  /** URL of a node. */
  readonly node: string | undefined;
  /** Called for each auction that is walked. */
  readonly onProgress: (progress: Progress) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** A report; what its forms need is loaded when they are asked for. */
interface Inspected {
  /** Plain data. */
  readonly report: object;
  /** The verdict, of an order. */
  readonly verdict: string | null;
  /** Whether the deployment has what the report is about; an account may have nothing. */
  readonly isFound: boolean;
  /** Its page in words. */
  content(): Promise<PageContent>;
  /** The same with pictures, where it has some. */
  drawn?(): Promise<PageContent>;
}

/** Begins to load what reports of orders need. */
function preloadOrders(): void {
  const loading = [
    import("../../reports/order/inspect_order.ts"),
    import("../../reports/page/order_content.ts"),
    import("../../reports/page/text_page.ts"),
  ];
  // Who uses them meets the failure.
  Promise.all(loading).catch(() => {});
}

/** Inspects what a word names. Text needs neither charts nor tables: they are loaded by pages alone. */
async function inspect(
  book: OrderBook,
  { kind, key }: Subject,
  { deep, node, onProgress, signal }: InspectHow,
): Promise<Inspected> {
  switch (kind) {
    case "order": {
      const { inspectOrder } = await import("../../reports/order/inspect_order.ts");
      const report = await inspectOrder(book, key, { deep, node, onProgress, signal });
      const content = async () =>
        (await import("../../reports/page/order_content.ts")).orderContent(report);
      return {
        report,
        verdict: report.verdict,
        isFound: report.verdict !== "unknown_here",
        content,
        drawn: async () => {
          const { withOrderCharts } = await import("../../reports/page/shown_report.ts");
          return await withOrderCharts(await content(), report);
        },
      };
    }
    case "transaction": {
      const { inspectTransaction } = await import("../../reports/subjects/inspect_transaction.ts");
      const report = await inspectTransaction(book, key, { signal });
      return {
        report,
        verdict: null,
        isFound: report.isFound,
        content: async () =>
          (await import("../../reports/page/subject_contents.ts")).transactionContent(report),
      };
    }
    case "account": {
      const { inspectAccount } = await import("../../reports/subjects/inspect_account.ts");
      const report = await inspectAccount(book, key, { signal });
      return {
        report,
        verdict: null,
        isFound: true,
        content: async () =>
          (await import("../../reports/page/subject_contents.ts")).accountContent(report),
      };
    }
    case "auction": {
      const { inspectAuction } = await import("../../reports/subjects/inspect_auction.ts");
      const report = await inspectAuction(book, Number(key), { signal });
      return {
        report,
        verdict: null,
        isFound: report.isFound,
        content: async () =>
          (await import("../../reports/page/auction_content.ts")).auctionContent(report),
      };
    }
  }
}

/** What a report can be about. */
export type SubjectKind = "order" | "transaction" | "account" | "auction";

/** What a word of the command line names. */
interface Subject {
  /** What it is. */
  readonly kind: SubjectKind;
  /** UID, hash or address in lower case, or the id. */
  readonly key: string;
  /** The network that an explorer's address names; `null` without one. */
  readonly network: NetworkName | null;
}

const KINDS: Readonly<Record<number, SubjectKind>> = {
  112: "order",
  64: "transaction",
  40: "account",
};

/**
 * What a word names: a UID, a transaction, an account, an auction, or the page of one.
 *
 * @throws {InputError} If it is none of them.
 */
function subjectOf(args: Args, word: string): Subject {
  if (/^\d{1,15}$/.test(word)) return { kind: "auction", key: word, network: null };
  const page = parseExplorerUrl(word);
  if (page !== null) {
    const { network, subject } = page;
    if ("uid" in subject) return { kind: "order", key: subject.uid, network };
    if ("transaction" in subject) return { kind: "transaction", key: subject.transaction, network };
    return { kind: "account", key: subject.account, network };
  }
  const digits = /^0x([0-9a-f]+)$/i.exec(word)?.[1]?.length ?? 0;
  const kind = KINDS[digits];
  if (kind !== undefined) return { kind, key: word.toLowerCase(), network: null };
  throw usageError(
    `${args.cannot} for ${JSON.stringify(word.slice(0, 130))}`,
    "Pass the UID of an order, a transaction, an account, the id of an auction, or an address of an explorer",
  );
}
