import { reportJson } from "../../reports/page/report_json.ts";
import { readRpcUrl } from "../deployment/read_secret.ts";
import { isLive, targetOf } from "../deployment/target.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import type { Session } from "../terminal/session.ts";
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
    if (!isSilent) await show(session, given, inspected, { isFirst: index === 0, of: subjects });
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
  { isFirst, of }: { readonly isFirst: boolean; readonly of: readonly Subject[] },
): Promise<void> {
  const { io } = session;
  const file = given.text("--html");
  if (file !== undefined || given.has("--open")) {
    const path = file ?? await Deno.makeTempFile({ prefix: "orderlens-", suffix: ".html" });
    await Deno.writeTextFile(path, await inspected.page());
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
  const text = await inspected.text({
    width: isTerminal ? columns : 100,
    color: isTerminal && io.isColored,
  });
  io.out.write(isFirst ? text : `\n${"─".repeat(40)}\n\n${text}`);
}

function exitOf({ verdict }: Inspected, isStatusWanted: boolean): ExitCode {
  if (verdict === null) return EXIT.done;
  if (isStatusWanted) return exitOfVerdict(verdict);
  return verdict === "unknown_here" ? EXIT.notFound : EXIT.done;
}
