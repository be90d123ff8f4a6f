import type { OrderBook } from "../../client/order_book.ts";
import { useFile } from "../../datasets/layout/files.ts";
import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { publicBooks } from "../../reports/locate.ts";
import { formatCommand } from "../../errors/shell_words.ts";
import { printable } from "../../reports/page/text_page.ts";
import { triageOrders } from "../../reports/triage/triage_orders.ts";
import { TRIAGE_COLUMNS, type TriageRow } from "../../reports/triage/triage_row.ts";
import { formatCsvCell } from "../../tables/columns/csv_cell.ts";
import type { Args } from "../arguments/command_line.ts";
import { openBook, readTarget } from "../deployment.ts";
import {
  alignPairs,
  decodeText,
  EXIT,
  type ExitCode,
  formatCount,
  pluralize,
} from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { RowsFile } from "../terminal/rows_file.ts";
import { findUids } from "./find_uids.ts";

/** Where rows go, and what an earlier run has of them. */
interface Sink extends AsyncDisposable {
  /** UIDs that have a row. */
  readonly writtenUids: ReadonlySet<string>;
  /** Writes a row; `false` if it is left to the next run. */
  write(row: TriageRow): Promise<boolean>;
}

/** Judges every order whose UID is in a text, prints a row for each, and counts them. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const format = chooseFormat(session, args);
  // Before anything is written for it.
  const isParquet = await isParquetFile(args, args.word(0));
  const books = await openBooks(session, args);
  const tally = new TriageTally();
  const misses = new NearMisses();
  let failedCount = 0;
  await using sink = await openSink(session, args, { format, tally });
  try {
    using line = new ProgressLine(session);
    const rows = triageOrders(
      books[0]!,
      readNewUids(session, args, { writtenUids: sink.writtenUids, isParquet, misses }),
      {
        elsewhere: books.slice(1),
        settlements: args.has("--settlements"),
        signal: session.signal,
        onProgress: ({ done, total }) => line.updateWork("Orders", done, total ?? done),
      },
    );
    for await (const row of rows) {
      if (row.verdict === "not_read") failedCount++;
      if (await sink.write(row)) tally.add(row);
    }
  } finally {
    session.say(misses.format(), tally.format());
    const isResumable = args.has("--resume");
    if (failedCount > 0) session.warn(`${pluralize(failedCount, "order")} could not be read`);
    if (isResumable && (failedCount > 0 || session.signal.aborted)) {
      session.say(
        "Run the same command to continue:",
        `  ${formatCommand([args.command, ...args.raw])}`,
      );
    }
  }
  // Only a text that was read to its end has none.
  if (misses.uidCount === 0) {
    session.say("No UID found");
    return EXIT.failed;
  }
  return failedCount > 0 ? EXIT.gaps : EXIT.done;
}

/** Most near misses that are named. */
const MAX_NAMED = 5;

/** What a text has of UIDs, and of what is nearly one. */
class NearMisses {
  /** UIDs that were found, repeated ones too. */
  uidCount = 0;
  readonly #texts = new Set<string>();

  /** Takes one. */
  add(text: string): void {
    this.#texts.add(text);
  }

  /** How many there are, and the first of them. */
  format(): string[] {
    const { size } = this.#texts;
    if (size === 0) return [];
    const moreCount = size - MAX_NAMED;
    return [
      size === 1
        ? "1 string looks like a UID but is not valid"
        : `${formatCount(size)} strings look like UIDs but are not valid`,
      ...[...this.#texts].slice(0, MAX_NAMED).map((text) => `  ${text}`),
      ...moreCount > 0 ? [`  and ${formatCount(moreCount)} more`] : [],
    ];
  }
}

function chooseFormat(session: Session, args: Args): TriageFormat {
  const isTable = args.has("--table");
  const clash = session.isJson ? "--json" : args.has("--resume") ? "--resume" : null;
  if (isTable && clash !== null) {
    throw args.error(`with --table and ${clash}`, "Pass one of them");
  }
  return session.isJson ? "ndjson" : isTable ? "table" : "csv";
}

/** The deployment that is named; without one, all public ones, most orders first. */
async function openBooks(session: Session, args: Args): Promise<readonly OrderBook[]> {
  const target = readTarget(args);
  if (target !== null) return [await openBook(session, args, target)];
  session.say("Querying the public networks one after another: pass --network to query only one");
  return publicBooks();
}

async function* readNewUids(
  session: Session,
  args: Args,
  { writtenUids, isParquet, misses }: {
    readonly writtenUids: ReadonlySet<string>;
    readonly isParquet: boolean;
    readonly misses: NearMisses;
  },
): AsyncGenerator<string, void, undefined> {
  const pieces = readTexts(session, args, isParquet);
  for await (const uid of findUids(pieces, (text) => misses.add(text))) {
    misses.uidCount++;
    if (!writtenUids.has(uid.toLowerCase())) yield uid;
  }
}

async function openSink(
  session: Session,
  args: Args,
  { format, tally }: { readonly format: TriageFormat; readonly tally: TriageTally },
): Promise<Sink> {
  const { out } = session.io;
  const columns = out.isTerminal ? out.columns : Infinity;
  const path = args.text("--resume");
  if (path === undefined) {
    session.write(formatHead(format));
    return {
      writtenUids: new Set(),
      write(row) {
        session.write(formatRow(row, format, columns));
        return Promise.resolve(true);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const writtenUids = new Set<string>();
  let hasHead = false;
  const file = await RowsFile.open(path, (line) => {
    const row = readRow(line, format);
    if (row === null) return false;
    hasHead = true;
    if (row === "head") return true;
    writtenUids.add(row.order_id);
    tally.add(row);
    return true;
  });
  if (!hasHead) await file.append(formatHead(format));
  if (writtenUids.size > 0) {
    session.say(`${path} already has ${pluralize(writtenUids.size, "row")}`);
  }
  return {
    writtenUids,
    async write(row) {
      // A row that could not be read is asked for again by the next run.
      if (row.verdict === "not_read") return false;
      await file.append(formatRow(row, format, columns));
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
async function* readTexts(
  session: Session,
  args: Args,
  isParquet: boolean,
): AsyncGenerator<string, void, undefined> {
  const file = args.word(0);
  if (file === "-") return yield* session.io.readPieces();
  try {
    if (isParquet) return yield* await readParquetTexts(file);
    yield* decodeText((await localFiles().open(file)).createReadStream());
  } catch (cause) {
    if (cause instanceof InputError || session.signal.aborted) throw cause;
    throw unreadableError(args, file, cause);
  }
}

function unreadableError(args: Args, file: string, cause: unknown): InputError {
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
    return await useFile(file, "r", async (open) => {
      const { bytesRead, buffer } = await open.read(new Uint8Array(PARQUET_MAGIC.length));
      return new TextDecoder().decode(buffer.subarray(0, bytesRead)) === PARQUET_MAGIC;
    });
  } catch (cause) {
    throw unreadableError(args, file, cause);
  }
}

async function readParquetTexts(file: string): Promise<Generator<string>> {
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
export function formatCsvLine(cells: readonly (string | number | null)[]): string {
  const texts = cells.map((cell) =>
    formatCsvCell(typeof cell === "string" ? printable(cell) : cell)
  );
  return `${texts.join()}\r\n`;
}

/** The cells of one line that {@linkcode csvLine} wrote; `null` if it is none. */
export function parseCsvLine(line: string): string[] | null {
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
const HEADER = formatCsvLine(TRIAGE_COLUMNS);
const WIDTHS = { order: 17, verdict: 36, quoter: 18 };

/** The lines before the first row. */
function formatHead(format: TriageFormat): string {
  if (format === "csv") return HEADER;
  return format === "table" ? formatTableLine("order", "verdict", "quoter", "sentence") : "";
}

/** A row as a line, with its end. */
function formatRow(row: TriageRow, format: TriageFormat, columns: number): string {
  switch (format) {
    case "csv":
      return formatCsvLine(TRIAGE_COLUMNS.map((name) => row[name]));
    case "ndjson":
      return `${JSON.stringify({ schema: SCHEMA, ...row })}\n`;
    case "table": {
      const { order_id: uid, verdict, quoter, quoter_name, sentence } = row;
      const order = `${uid.slice(0, 10)}…${uid.slice(-6)}`;
      const line = formatTableLine(order, verdict, quoter_name ?? quoter ?? "", sentence).trimEnd();
      return `${line.length > columns ? `${line.slice(0, columns - 1)}…` : line}\n`;
    }
  }
}

function formatTableLine(order: string, verdict: string, quoter: string, sentence: string): string {
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
  const row = format === "csv" ? parseCsvRow(line) : parseJsonRow(line);
  return row !== null && /^0x[0-9a-f]{112}$/.test(row.order_id) ? row : null;
}

function parseCsvRow(line: string): TalliedRow | null {
  const cells = parseCsvLine(line);
  if (cells?.length !== TRIAGE_COLUMNS.length) return null;
  const entries = TRIAGE_COLUMNS.map((name, index) => [name, cells[index]]);
  const row: TalliedRow = Object.fromEntries(entries);
  return { ...row, quoter: row.quoter || null, quoter_name: row.quoter_name || null };
}

function parseJsonRow(line: string): TalliedRow | null {
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
  format(): string[] {
    const verdicts = [...this.#verdicts].sort(([, a], [, b]) => b - a);
    const quoters = [...this.#quoters.values()].sort((a, b) => b.orders - a.orders);
    if (verdicts.length === 0) return [];
    return [
      "By verdict",
      ...alignPairs(verdicts.map(([verdict, count]) => [verdict, formatCount(count)])),
      "By quoter",
      ...alignPairs(quoters.map(({ name, orders, expired, bid }) => [
        name,
        `${pluralize(orders, "order")}, ${formatCount(expired)} expired, bid on ${
          formatCount(bid)
        }`,
      ])),
    ];
  }
}
