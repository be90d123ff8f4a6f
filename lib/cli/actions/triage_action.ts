import type { OrderBook } from "../../client/order_book.ts";
import { useFile } from "../../datasets/layout/files.ts";
import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { tryParseJson } from "../../recordings/request_key.ts";
import { listPublicBooks } from "../../reports/locate.ts";
import { formatCommand } from "../../errors/shell_words.ts";
import { replaceControls } from "../../reports/page/text_page.ts";
import { triageOrders } from "../../reports/triage/triage_orders.ts";
import { TRIAGE_COLUMNS, type TriageRow } from "../../reports/triage/triage_row.ts";
import { formatCsvCell } from "../../tables/columns/csv_cell.ts";
import type { Args } from "../arguments/command_line.ts";
import { openBook, readTarget } from "../deployment.ts";
import { align, decodeText, EXIT, type ExitCode, formatCount, pluralize } from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { RowsFile } from "../terminal/rows_file.ts";
import { findUids } from "./find_uids.ts";

/** Output of rows, with those that an earlier run wrote. */
interface Sink extends AsyncDisposable {
  /** UIDs that have a row already. */
  readonly writtenUids: ReadonlySet<string>;
  /** Writes a row; `false` if it is left to the next run. */
  write(row: TriageRow): Promise<boolean>;
}

/** Prints a row with a verdict for each order UID in a text, and counts them. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const format = chooseFormat(session, args);
  // It fails before anything is written.
  const isParquet = await isParquetFile(args, args.word(0));
  const books = await openBooks(session, args);
  const tally = new TriageTally();
  const search = new SearchTally();
  let failedCount = 0;
  await using sink = await openSink(session, args, { format, tally });
  try {
    using line = new ProgressLine(session);
    const rows = triageOrders(
      books[0]!,
      readNewUids(session, args, { writtenUids: sink.writtenUids, isParquet, search }),
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
    session.say(search.format(), tally.format());
    const isResumable = args.has("--resume");
    if (failedCount > 0) session.warn(`${pluralize(failedCount, "order")} could not be read`);
    if (isResumable && (failedCount > 0 || session.signal.aborted)) {
      session.say(
        "Run the same command to continue:",
        `  ${formatCommand([args.command, ...args.raw])}`,
      );
    }
  }
  // Reached only if the text was read to its end.
  if (search.uidCount === 0) {
    session.say("No UIDs found");
    return EXIT.failed;
  }
  return failedCount > 0 ? EXIT.gaps : EXIT.done;
}

const MAX_NAMED = 5;

/** Counts the UIDs in a text, and collects strings that look like UIDs but are not valid. */
class SearchTally {
  /** UIDs found, including repeated ones. */
  uidCount = 0;
  readonly #texts = new Set<string>();

  addNearMiss(text: string): void {
    this.#texts.add(text);
  }

  /** Formats the number of invalid strings, and the first of them. */
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
    throw args.error(`with --table and ${clash}`, "Pass only one of them");
  }
  return session.isJson ? "ndjson" : isTable ? "table" : "csv";
}

/** Opens the deployment that was passed, otherwise all public ones, busiest first. */
async function openBooks(session: Session, args: Args): Promise<readonly OrderBook[]> {
  const target = readTarget(args);
  if (target !== null) return [await openBook(session, args, target)];
  session.say("Querying the public networks one after another: pass --network to query only one");
  return listPublicBooks();
}

async function* readNewUids(
  session: Session,
  args: Args,
  { writtenUids, isParquet, search }: {
    readonly writtenUids: ReadonlySet<string>;
    readonly isParquet: boolean;
    readonly search: SearchTally;
  },
): AsyncGenerator<string, void, undefined> {
  const pieces = readTexts(session, args, isParquet);
  for await (const uid of findUids(pieces, (text) => search.addNearMiss(text))) {
    search.uidCount++;
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
  let isHeadWritten = false;
  const file = await RowsFile.open(path, format === "csv" ? HEADER : ROW_START, (line) => {
    const row = parseRow(line, format);
    if (row === null) return false;
    isHeadWritten = true;
    if (row === "head") return true;
    writtenUids.add(row.order_id);
    tally.add(row);
    return true;
  });
  if (!isHeadWritten) await file.append(formatHead(format));
  if (writtenUids.size > 0) {
    session.say(`${path} already has ${pluralize(writtenUids.size, "row")}`);
  }
  return {
    writtenUids,
    async write(row) {
      // The next run requests an order that could not be read again.
      if (row.verdict === "not_read") return false;
      await file.append(formatRow(row, format, columns));
      return true;
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

const PARQUET_MAGIC = "PAR1";

/**
 * Reads a file or stdin as pieces of text. Of a Parquet file, the texts in its columns are read, row by
 * row.
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
    throw createReadError(args, file, cause);
  }
}

function createReadError(args: Args, file: string, cause: unknown): InputError {
  return new InputError(`${args.cannot}: ${file} cannot be read`, {
    facts: { reason: cause instanceof Error ? cause.message.split("\n")[0]! : String(cause) },
    remedy: isMissing(cause)
      ? "Pass the path of a file, or - for stdin"
      : "Pass a file that can be read; the name of a Parquet file must end in .parquet",
    cause,
  });
}

/** Whether a file is Parquet, by its first bytes. @throws {InputError} If it cannot be read. */
async function isParquetFile(args: Args, file: string): Promise<boolean> {
  if (file === "-") return false;
  try {
    return await useFile(file, "r", async (open) => {
      const { bytesRead, buffer } = await open.read(new Uint8Array(PARQUET_MAGIC.length));
      return new TextDecoder().decode(buffer.subarray(0, bytesRead)) === PARQUET_MAGIC;
    });
  } catch (cause) {
    throw createReadError(args, file, cause);
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
 * Formats a line of CSV (RFC 4180) that stays one line: control characters, which a terminal would
 * obey, are replaced.
 */
export function formatCsvLine(cells: readonly (string | number | null)[]): string {
  const texts = cells.map((cell) =>
    formatCsvCell(typeof cell === "string" ? replaceControls(cell) : cell)
  );
  return `${texts.join()}\r\n`;
}

/** Parses a line that {@linkcode formatCsvLine} wrote; `null` if it is not one. */
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

type TriageFormat = "csv" | "ndjson" | "table";

const SCHEMA = "orderlens/triage@1";
const HEADER = formatCsvLine(TRIAGE_COLUMNS);
/** Beginning of a row in JSON. */
const ROW_START = JSON.stringify({ schema: SCHEMA }).slice(0, -1);
const WIDTHS = { order: 17, verdict: 36, quoter: 18 };

/** Formats the line before the first row. */
function formatHead(format: TriageFormat): string {
  if (format === "csv") return HEADER;
  return format === "table" ? formatTableLine("order", "verdict", "quoter", "sentence") : "";
}

/** Formats a row as a line, with its line break. */
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
  return `${replaceControls(cells.join("  "))}\n`;
}

/** The columns of a row that are counted; its cells are text if it was read from CSV. */
type TalliedRow = Record<"order_id" | "verdict" | "expired" | "did_bid", string> & {
  readonly quoter: string | null;
  readonly quoter_name: string | null;
};

/** Parses a line of an earlier run: a row, `head` for the column names, or `null` for anything else. */
function parseRow(line: string, format: TriageFormat): TalliedRow | "head" | null {
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
  const row = Object(tryParseJson(line));
  return row.schema === SCHEMA && typeof row.order_id === "string" ? row : null;
}

/** Counts the rows of a triage by verdict and by quoter. */
class TriageTally {
  readonly #verdicts = new Map<string, number>();
  readonly #quoters = new Map<
    string,
    { name: string; orders: number; expired: number; bid: number }
  >();

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

  /** Formats the counts, largest first. */
  format(): string[] {
    const verdicts = [...this.#verdicts].sort(([, a], [, b]) => b - a);
    const quoters = [...this.#quoters.values()].sort((a, b) => b.orders - a.orders);
    if (verdicts.length === 0) return [];
    return [
      "By verdict",
      ...align(verdicts.map(([verdict, count]) => [verdict, formatCount(count)])),
      "By quoter",
      ...align(quoters.map(({ name, orders, expired, bid }) => [
        name,
        `${pluralize(orders, "order")}, ${formatCount(expired)} expired, bid on ${
          formatCount(bid)
        }`,
      ])),
    ];
  }
}
