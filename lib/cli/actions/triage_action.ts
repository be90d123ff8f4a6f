import type { OrderBook } from "../../client/order_book.ts";
import { withFile } from "../../datasets/layout/files.ts";
import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { publicBooks } from "../../reports/locate.ts";
import { formatCommand } from "../../errors/shell_words.ts";
import { printable } from "../../reports/page/text_page.ts";
import { triageOrders } from "../../reports/triage/triage_orders.ts";
import { TRIAGE_COLUMNS, type TriageRow } from "../../reports/triage/triage_row.ts";
import { csvCell } from "../../tables/columns/csv_cell.ts";
import type { Args } from "../arguments/command_line.ts";
import { openBook, targetOf } from "../deployment.ts";
import { aligned, counted, decoded, EXIT, type ExitCode, grouped } from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { RowsFile } from "../terminal/rows_file.ts";
import { findUids } from "./find_uids.ts";

/** Where rows go, and what an earlier run has of them. */
interface Sink extends AsyncDisposable {
  /** UIDs that have a row. */
  readonly known: ReadonlySet<string>;
  /** Writes a row; `false` if it is left to the next run. */
  write(row: TriageRow): Promise<boolean>;
}

/** Judges every order whose UID is in a text, prints a row for each, and counts them. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const format = formatOf(session, args);
  // Before anything is written for it.
  const isParquet = await isParquetFile(args, args.word(0));
  const books = await booksOf(session, args);
  const tally = new TriageTally();
  const misses = new NearMisses();
  let failed = 0;
  await using sink = await sinkOf(session, args, { format, tally });
  try {
    using line = new ProgressLine(session);
    const rows = triageOrders(
      books[0]!,
      unknownUids(session, args, { known: sink.known, isParquet, misses }),
      {
        elsewhere: books.slice(1),
        settlements: args.has("--settlements"),
        signal: session.signal,
        onProgress: ({ done, total }) => line.updateWork("Orders", done, total ?? done),
      },
    );
    for await (const row of rows) {
      if (row.verdict === "not_read") failed++;
      if (await sink.write(row)) tally.add(row);
    }
  } finally {
    session.say(misses.lines(), tally.lines());
    const isResumable = args.has("--resume");
    if (failed > 0) session.warn(`${counted(failed, "order")} could not be read`);
    if (isResumable && (failed > 0 || session.signal.aborted)) {
      session.say(
        "Run the same command to continue:",
        `  ${formatCommand([args.command, ...args.raw])}`,
      );
    }
  }
  // Only a text that was read to its end has none.
  if (misses.found === 0) {
    session.say("No UID was found");
    return EXIT.failed;
  }
  return failed > 0 ? EXIT.gaps : EXIT.done;
}

/** Most near misses that are named. */
const MOST_NAMED = 5;

/** What a text has of UIDs, and of what is nearly one. */
class NearMisses {
  /** UIDs that were found, repeated ones too. */
  found = 0;
  readonly #texts = new Set<string>();

  /** Takes one. */
  add(text: string): void {
    this.#texts.add(text);
  }

  /** How many there are, and the first of them. */
  lines(): string[] {
    const { size } = this.#texts;
    if (size === 0) return [];
    const rest = size - MOST_NAMED;
    return [
      `${counted(size, "near miss", "near misses")}, which ${size === 1 ? "is" : "are"} no UID`,
      ...[...this.#texts].slice(0, MOST_NAMED).map((text) => `  ${text}`),
      ...rest > 0 ? [`  and ${grouped(rest)} more`] : [],
    ];
  }
}

function formatOf(session: Session, args: Args): TriageFormat {
  const isTable = args.has("--table");
  const clash = session.isJson ? "--json" : args.has("--resume") ? "--resume" : null;
  if (isTable && clash !== null) {
    throw args.error(`with --table and ${clash}`, "Pass one of them");
  }
  return session.isJson ? "ndjson" : isTable ? "table" : "csv";
}

/** The deployment that is named; without one, all public ones, most orders first. */
async function booksOf(session: Session, args: Args): Promise<readonly OrderBook[]> {
  const target = targetOf(args);
  if (target !== null) return [await openBook(session, args, target)];
  session.say("Asking the public networks one after the other: --network asks one alone");
  return publicBooks();
}

async function* unknownUids(
  session: Session,
  args: Args,
  { known, isParquet, misses }: {
    readonly known: ReadonlySet<string>;
    readonly isParquet: boolean;
    readonly misses: NearMisses;
  },
): AsyncGenerator<string, void, undefined> {
  const pieces = textPieces(session, args, isParquet);
  for await (const uid of findUids(pieces, (text) => misses.add(text))) {
    misses.found++;
    if (!known.has(uid.toLowerCase())) yield uid;
  }
}

async function sinkOf(
  session: Session,
  args: Args,
  { format, tally }: { readonly format: TriageFormat; readonly tally: TriageTally },
): Promise<Sink> {
  const { out } = session.io;
  const columns = out.isTerminal ? out.columns : Infinity;
  const path = args.text("--resume");
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

const PARQUET_MAGIC = "PAR1";

/**
 * The text of a file or of stdin, in pieces. A Parquet file, which is known by its first bytes, is the
 * texts in its columns, row by row.
 *
 * @throws {InputError} If the file cannot be read.
 */
async function* textPieces(
  session: Session,
  args: Args,
  isParquet: boolean,
): AsyncGenerator<string, void, undefined> {
  const file = args.word(0);
  if (file === "-") return yield* session.io.readPieces();
  try {
    if (isParquet) return yield* await parquetTexts(file);
    yield* decoded((await localFiles().open(file)).createReadStream());
  } catch (cause) {
    if (cause instanceof InputError || session.signal.aborted) throw cause;
    throw unreadable(args, file, cause);
  }
}

function unreadable(args: Args, file: string, cause: unknown): InputError {
  return new InputError(`${args.cannot}: ${file} cannot be read`, {
    facts: { reason: cause instanceof Error ? cause.message.split("\n")[0]! : String(cause) },
    remedy: isMissing(cause)
      ? "Pass the path of a file, or - for stdin"
      : "Pass a file that can be read; Parquet needs a name that ends with .parquet",
    cause,
  });
}

/** Whether a file is one of Parquet. @throws {InputError} If it cannot be read. */
async function isParquetFile(args: Args, file: string): Promise<boolean> {
  if (file === "-") return false;
  try {
    return await withFile(file, "r", async (open) => {
      const { bytesRead, buffer } = await open.read(new Uint8Array(PARQUET_MAGIC.length));
      return new TextDecoder().decode(buffer.subarray(0, bytesRead)) === PARQUET_MAGIC;
    });
  } catch (cause) {
    throw unreadable(args, file, cause);
  }
}

async function parquetTexts(file: string): Promise<Generator<string>> {
  const { readParquet } = await import("../../tables/columns/frame_files.ts");
  const frame = readParquet(file);
  return (function* () {
    for (const record of frame.toRecords()) yield `${JSON.stringify(Object.values(record))}\n`;
  })();
}

/**
 * A line of CSV (RFC 4180) that stays one line: control characters, which a terminal obeys, are
 * replaced.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  const texts = cells.map((cell) => csvCell(typeof cell === "string" ? printable(cell) : cell));
  return `${texts.join()}\r\n`;
}

/** The cells of one line that {@linkcode csvLine} wrote; `null` if it is none. */
export function csvCells(line: string): string[] | null {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  for (;;) {
    const match = cell.exec(line);
    if (match === null) return null;
    const [, quoted, plain, end] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") return cell.lastIndex === line.length ? cells : null;
    if (end === "") return null;
  }
}

/** How rows are written. */
type TriageFormat = "csv" | "ndjson" | "table";

const SCHEMA = "orderlens/triage@1";
const HEADER = csvLine(TRIAGE_COLUMNS);
const WIDTHS = { order: 17, verdict: 36, quoter: 18 };

/** The lines before the first row. */
function headOf(format: TriageFormat): string {
  if (format === "csv") return HEADER;
  return format === "table" ? tableLine("order", "verdict", "quoter", "sentence") : "";
}

/** A row as a line, with its end. */
function lineOf(row: TriageRow, format: TriageFormat, columns: number): string {
  switch (format) {
    case "csv":
      return csvLine(TRIAGE_COLUMNS.map((name) => row[name]));
    case "ndjson":
      return `${JSON.stringify({ schema: SCHEMA, ...row })}\n`;
    case "table": {
      const { order_id: uid, verdict, quoter, quoter_name, sentence } = row;
      const order = `${uid.slice(0, 10)}…${uid.slice(-6)}`;
      const line = tableLine(order, verdict, quoter_name ?? quoter ?? "", sentence).trimEnd();
      return `${line.length > columns ? `${line.slice(0, columns - 1)}…` : line}\n`;
    }
  }
}

function tableLine(order: string, verdict: string, quoter: string, sentence: string): string {
  const { length } = quoter;
  const short = length > WIDTHS.quoter ? `${quoter.slice(0, WIDTHS.quoter - 1)}…` : quoter;
  const cells = [
    order.padEnd(WIDTHS.order),
    verdict.padEnd(WIDTHS.verdict),
    short.padEnd(WIDTHS.quoter),
    sentence,
  ];
  return `${printable(cells.join("  "))}\n`;
}

/** What is counted of a row, whose cells are text where it was read from CSV. */
type TalliedRow = Record<"order_id" | "verdict" | "expired" | "did_bid", string> & {
  readonly quoter: string | null;
  readonly quoter_name: string | null;
};

/** What an earlier run wrote, of one line; `null` if it is no row, and `head` for the first line. */
function readRow(line: string, format: TriageFormat): TalliedRow | "head" | null {
  if (line === HEADER && format === "csv") return "head";
  const row = format === "csv" ? fromCsv(line) : fromJson(line);
  return row !== null && /^0x[0-9a-f]{112}$/.test(row.order_id) ? row : null;
}

function fromCsv(line: string): TalliedRow | null {
  const cells = csvCells(line);
  if (cells?.length !== TRIAGE_COLUMNS.length) return null;
  const entries = TRIAGE_COLUMNS.map((name, place) => [name, cells[place]]);
  const row: TalliedRow = Object.fromEntries(entries);
  return { ...row, quoter: row.quoter || null, quoter_name: row.quoter_name || null };
}

function fromJson(line: string): TalliedRow | null {
  try {
    const row = JSON.parse(line);
    return row?.schema === SCHEMA && typeof row.order_id === "string" ? row : null;
  } catch {
    return null;
  }
}

/** Counts the rows of a triage by verdict and by quoter. */
class TriageTally {
  readonly #verdicts = new Map<string, number>();
  readonly #quoters = new Map<
    string,
    { name: string; orders: number; expired: number; bid: number }
  >();

  /** Counts a row. */
  add({ verdict, quoter, quoter_name, expired, did_bid }: TalliedRow): void {
    this.#verdicts.set(verdict, (this.#verdicts.get(verdict) ?? 0) + 1);
    const key = quoter ?? (expired === "unknown" ? "(unknown)" : "(no quote)");
    const name = quoter_name ?? key;
    const count = this.#quoters.get(key) ?? { name, orders: 0, expired: 0, bid: 0 };
    count.orders++;
    if (expired === "yes") count.expired++;
    if (did_bid === "yes") count.bid++;
    this.#quoters.set(key, count);
  }

  /** The counts as lines, most first. */
  lines(): string[] {
    const verdicts = [...this.#verdicts].sort(([, a], [, b]) => b - a);
    const quoters = [...this.#quoters.values()].sort((a, b) => b.orders - a.orders);
    if (verdicts.length === 0) return [];
    return [
      "By verdict",
      ...aligned(verdicts.map(([verdict, count]) => [verdict, grouped(count)])),
      "By quoter",
      ...aligned(quoters.map(({ name, orders, expired, bid }) => [
        name,
        `${counted(orders, "order")}, ${grouped(expired)} expired, bid on ${grouped(bid)}`,
      ])),
    ];
  }
}
