/** Decodes bytes as UTF-8, or as UTF-16 if the first two bytes indicate it. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head = new Uint8Array(0);
  let decoder: TextDecoder | undefined;
  for await (const part of bytes) {
    if (decoder !== undefined) {
      yield decoder.decode(part, { stream: true });
      continue;
    }
    head = new Uint8Array([...head, ...part]);
    if (head.length < 2) continue;
    decoder = new TextDecoder(detectEncoding(head));
    yield decoder.decode(head, { stream: true });
  }
  yield decoder === undefined ? new TextDecoder().decode(head) : decoder.decode();
}

/** Detects the encoding by a byte order mark, or by a zero next to the first letter. */
function detectEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe || second === 0) return "utf-16le";
  return first === 0xfe && second === 0xff || first === 0 ? "utf-16be" : "utf-8";
}

/** A text stream that a command writes to. */
export interface Output {
  /** Writes a text; ignored once the reader has gone. */
  write(text: string): void;
  /** Whether it is a terminal. */
  readonly isTerminal: boolean;
  /** Width of a line, in characters. */
  readonly columns: number;
}

/** The streams and the environment of the process, for a command. */
export interface Io {
  /** Output for data only. */
  readonly out: Output;
  /** Output for progress, warnings and errors. */
  readonly err: Output;
  /** Whether colors are enabled: `NO_COLOR` is not set. */
  readonly isColored: boolean;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  /** Returns an environment variable; `undefined` if it is unset or empty. */
  env(name: string): string | undefined;
  /** Reads all of stdin as text. */
  readInput(): Promise<string>;
  /** Reads stdin as pieces of text, as they arrive. */
  readPieces(): AsyncIterable<string>;
}

const MINUTE_SEC = 60;
const HOUR_SEC = 3_600;
const DAY_MIN = 1_440;
const DIGIT_GROUPS = /\B(?=(?:\d{3})+$)/g;
const SIZES = ["kB", "MB", "GB", "TB"] as const;

/** Formats a number with its digits in groups: `11,774,000`. */
export function formatCount(count: number): string {
  return `${count}`.replaceAll(DIGIT_GROUPS, ",");
}

/** Formats a number of things: `1 request`, `2,048 requests`. */
export function pluralize(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** Formats a duration, rounded to its two largest units: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function formatDuration(seconds: number): string {
  if (seconds < MINUTE_SEC) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / MINUTE_SEC);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(seconds / HOUR_SEC);
  return minutes < DAY_MIN ? formatPair(minutes, 60, "h", "min") : formatPair(hours, 24, "d", "h");
}

function formatPair(count: number, divisor: number, large: string, small: string): string {
  const remainder = count % divisor;
  return `${Math.floor(count / divisor)} ${large}${
    remainder === 0 ? "" : ` ${remainder} ${small}`
  }`;
}

/** Formats a size on disk: `512 B`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < SIZES.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${SIZES[unit]}`;
}

/** Formats pairs as lines with aligned values. */
export function align(pairs: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}

/** Formats a range of auctions: `Auctions 2620 to 2624`, or `Auction 2624`. */
export function formatAuctions(
  { from, to }: { readonly from: number; readonly to: number },
): string {
  return `${from === to ? "Auction" : "Auctions"} ${formatIds(from, to)}`;
}

/** Formats a range of ids: `2620 to 2624`, or one id. */
export function formatIds(from: number, to: number): string {
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** Exit codes of commands. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  gaps: 3,
  unauthorized: 4,
  notFound: 5,
  differs: 6,
  suspect: 7,
  comeBackLater: 75,
  interrupted: 130,
} as const;

/** An exit code of the command line. */
export type ExitCode = number;

/** Meaning of each exit code, for help. */
export const EXIT_MEANINGS: Readonly<Record<typeof EXIT[keyof typeof EXIT], string>> = {
  0: "success",
  1: "failure",
  2: "invalid command line",
  3: "finished, with gaps",
  4: "the service requires a key, or rejected it",
  5: "not found",
  6: "verification failed",
  7: "check has findings",
  75: "try again later: the service asks to wait, or the folder is in use",
  130: "interrupted; progress is saved",
};
