import { InputError } from "../../errors/mod.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { reportJson } from "../../reports/page/report_json.ts";
import { readRpcUrl } from "../deployment/read_secret.ts";
import { targetWords } from "../deployment/open_book.ts";
import { isLive, type Target, targetOf } from "../deployment/target.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import type { Session } from "../terminal/session.ts";
import { commandLine } from "../words/command_line.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { BookFinder } from "./book_of_subject.ts";
import { inspect, type Inspected, preloadOrders } from "./inspect_kinds.ts";
import { type Subject, subjectOf } from "./inspect_subject.ts";
import { exitOfVerdict } from "./verdict_exit.ts";

/** Inspects what the words name, and prints, writes or opens the reports. */
export async function inspectAction(session: Session, given: Given): Promise<ExitCode> {
  const { words, deep } = wordsAndDepth(given);
  const subjects = words.map((word) => subjectOf(given, word));
  requireTogether(given, subjects);
  const target = targetOf(given);
  const node = await readRpcUrl(session, given, { isLive: target === null || isLive(target) });
  const books = new BookFinder(session, given);
  // They load while the deployment is opened.
  if (subjects.some(({ kind }) => kind === "order")) preloadOrders();
  const codes: ExitCode[] = [];
  for (const [index, subject] of subjects.entries()) {
    const book = await books.of(subject);
    if (given.has("--watch")) {
      const { printChanges } = await import("./order_changes.ts");
      await printChanges(session, book, subject.key);
      if (!given.has("--exit-status")) return EXIT.done;
    }
    using line = new ProgressLine(session);
    const inspected = await inspect(book, subject, {
      deep,
      node,
      onProgress: ({ done, total }) => line.updateWork("Auctions", done, total ?? done),
      signal: session.signal,
    });
    line[Symbol.dispose]();
    const isSilent = given.has("--watch");
    const again = (page: PageContent) => ({ ...page, command: commandOf(page, target, deep) });
    const isFirst = index === 0;
    if (!isSilent) await show(session, given, inspected, { again, isFirst, of: subjects });
    codes.push(exitOf(inspected, given.has("--exit-status")));
  }
  return codes.find((code) => code !== EXIT.done) ?? EXIT.done;
}

/** `--deep` takes a number or none, so that it may have taken the first word. */
function wordsAndDepth(
  given: Given,
): { readonly words: readonly string[]; readonly deep: boolean | number } {
  const text = given.has("--deep") ? given.text("--deep") : undefined;
  const isWord = text !== undefined && !/^\d{1,9}$/.test(text);
  const words = isWord ? [text, ...given.words] : given.words;
  if (words.length === 0) {
    throw usageError(`${given.cannot} without its <subjects...>`, "Pass the UID of an order");
  }
  if (text === undefined || isWord) return { words, deep: given.has("--deep") };
  return { words, deep: given.whole("--deep", 1)! };
}

function requireTogether(given: Given, subjects: readonly Subject[]): void {
  const single = ["--html", "--open", "--watch"].find((option) => given.has(option));
  if (single !== undefined && subjects.length > 1) {
    throw usageError(`${given.cannot} with ${single} and several words`, "Pass one of them");
  }
  if (single === "--watch" && subjects[0]?.kind !== "order") {
    throw usageError(
      `${given.cannot} with --watch: only orders change`,
      "Pass the UID of an order",
    );
  }
}

async function show(
  session: Session,
  given: Given,
  inspected: Inspected,
  { again, isFirst, of }: {
    readonly again: (page: PageContent) => PageContent;
    readonly isFirst: boolean;
    readonly of: readonly Subject[];
  },
): Promise<void> {
  const { io } = session;
  const file = given.text("--html");
  if (file !== undefined || given.has("--open")) {
    const path = file ?? await Deno.makeTempFile({ prefix: "orderlens-", suffix: ".html" });
    const { htmlPage } = await import("../../reports/page/html_page.ts");
    const drawn = await (inspected.drawn?.() ?? inspected.content());
    await writePage(given, path, htmlPage(again(drawn)));
    session.say(`Wrote ${path}`);
    if (given.has("--open")) {
      const { openFile } = await import("./open_file.ts");
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
async function writePage(given: Given, path: string, page: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, page);
  } catch (cause) {
    throw new InputError(`${given.cannot}: ${path} cannot be written`, {
      facts: { reason: cause instanceof Error ? cause.message.split("\n")[0]! : String(cause) },
      remedy: "Pass --html with a file in a folder that exists and can be written",
    });
  }
}

function exitOf({ verdict, isFound }: Inspected, isStatusWanted: boolean): ExitCode {
  if (!isFound) return EXIT.notFound;
  return verdict !== null && isStatusWanted ? exitOfVerdict(verdict) : EXIT.done;
}
