import type { OrderBook } from "../../client/order_book.ts";
import { publicBooks } from "../../reports/places/locate.ts";
import { triageOrders } from "../../reports/triage/triage_orders.ts";
import type { TriageRow } from "../../reports/triage/triage_row.ts";
import { openBook } from "../deployment/open_book.ts";
import { targetOf } from "../deployment/target.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { counted } from "../terminal/in_words.ts";
import { ProgressLine } from "../terminal/progress_line.ts";
import { RowsFile } from "../terminal/rows_file.ts";
import type { Session } from "../terminal/session.ts";
import { commandLine } from "../words/command_line.ts";
import { findUids } from "../words/find_uids.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { requireReadable, textPieces } from "./triage_input.ts";
import { headOf, lineOf, readRow, type TriageFormat } from "./triage_rows.ts";
import { TriageTally } from "./triage_tally.ts";

/** Where rows go, and what an earlier run has of them. */
interface Sink extends AsyncDisposable {
  /** UIDs that have a row. */
  readonly known: ReadonlySet<string>;
  /** Writes a row; `false` if it is left to the next run. */
  write(row: TriageRow): Promise<boolean>;
}

/** Judges every order whose UID is in a text, prints a row for each, and counts them. */
export async function triageAction(session: Session, given: Given): Promise<ExitCode> {
  const format = formatOf(session, given);
  await requireReadable(given, given.word(0));
  const books = await booksOf(session, given);
  const tally = new TriageTally();
  let failed = 0;
  await using sink = await sinkOf(session, given, { format, tally });
  try {
    using line = new ProgressLine(session);
    const rows = triageOrders(books[0]!, unknownUids(session, given, sink.known), {
      elsewhere: books.slice(1),
      settlements: given.has("--settlements"),
      signal: session.signal,
      onProgress: ({ done, total }) => line.updateWork("Orders", done, total ?? done),
    });
    for await (const row of rows) {
      if (row.verdict === "not_read") failed++;
      if (await sink.write(row)) tally.add(row);
    }
  } finally {
    session.say(...tally.lines());
    const isResumable = given.has("--resume");
    if (failed > 0) session.warn(`${counted(failed, "order")} could not be read`);
    if (isResumable && (failed > 0 || session.signal.aborted)) {
      session.say("The same command goes on:", `  ${commandLine([given.command, ...given.raw])}`);
    }
  }
  return failed > 0 ? EXIT.gaps : EXIT.done;
}

function formatOf(session: Session, given: Given): TriageFormat {
  const isTable = given.has("--table");
  const clash = session.isJson ? "--json" : given.has("--resume") ? "--resume" : null;
  if (isTable && clash !== null) {
    throw usageError(`${given.cannot} with --table and ${clash}`, "Pass one of them");
  }
  return session.isJson ? "ndjson" : isTable ? "table" : "csv";
}

/** The deployment that is named; without one, all public ones, most orders first. */
async function booksOf(session: Session, given: Given): Promise<readonly OrderBook[]> {
  const target = targetOf(given);
  if (target !== null) return [await openBook(session, given, target)];
  session.say("Asking the public networks one after the other: --network asks one alone");
  return publicBooks();
}

async function* unknownUids(
  session: Session,
  given: Given,
  known: ReadonlySet<string>,
): AsyncGenerator<string, void, undefined> {
  for await (const uid of findUids(textPieces(session, given, given.word(0)))) {
    if (!known.has(uid.toLowerCase())) yield uid;
  }
}

async function sinkOf(
  session: Session,
  given: Given,
  { format, tally }: { readonly format: TriageFormat; readonly tally: TriageTally },
): Promise<Sink> {
  const { out } = session.io;
  const columns = out.isTerminal ? out.columns : Infinity;
  const path = given.text("--resume");
  if (path === undefined) {
    session.write(headOf(format));
    return {
      known: new Set(),
      write(row) {
        session.write(lineOf(row, format, columns));
        return Promise.resolve(true);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const known = new Set<string>();
  let hasHead = false;
  const file = await RowsFile.open(path, (line) => {
    const row = readRow(line, format);
    if (row === null) return false;
    hasHead = true;
    if (row === "head") return true;
    known.add(row.order_id);
    tally.add(row);
    return true;
  });
  if (!hasHead) await file.append(headOf(format));
  if (known.size > 0) session.say(`${counted(known.size, "row")} of ${path} are there already`);
  return {
    known,
    async write(row) {
      // A row that could not be read is asked for again by the next run.
      if (row.verdict === "not_read") return false;
      await file.append(lineOf(row, format, columns));
      return true;
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}
