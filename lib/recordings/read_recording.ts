import { InputError } from "../errors/mod.ts";
import { readBytes } from "../http/reading/read_bytes.ts";
import {
  atMost,
  isZstd,
  mostUnpacked,
  requireLine,
  unpackZstd,
} from "../http/reading/unpack_zstd.ts";
import { type Exchange, parseExchange } from "./exchange.ts";

/** An incomplete last line, left by an interrupted writer. */
const partialExchange = /^\{"method":/;

/** How much is read of a recording. */
export interface ReadingOptions {
  /**
   * Bytes that a packed file may stand for. @default {500 times its size, 64 MiB to 16 GiB}
   */
  readonly mostBytes?: number | undefined;
}

/** Every exchange of one file at once; see {@linkcode exchangesIn}. */
export function readRecording(
  file: string | URL,
  options: ReadingOptions = {},
): Promise<Exchange[]> {
  return Array.fromAsync(exchangesIn(file, parseExchange, options));
}

/**
 * Reads the exchanges of one file one after another: plain, gzipped or packed with zstd (detected by
 * its first bytes, not its name).
 *
 * An incomplete last line is skipped: its writer was interrupted.
 *
 * @param parse Reads a line; throws like {@linkcode parseExchange}.
 * @throws {InputError} If a line is not an exchange; the error names file and line.
 */
export async function* exchangesIn(
  file: string | URL,
  parse: (line: string, where: string) => Exchange = parseExchange,
  { mostBytes }: ReadingOptions = {},
): AsyncGenerator<Exchange, void, undefined> {
  let line = 0;
  let last = "";
  const rest = new LineStart();
  try {
    for await (const chunk of plainOf(await readBytes(file), mostBytes)) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        line++;
        const found = rest.endWith(chunk.subarray(start, end)).trim();
        if (found !== "") yield parse(found, `${file}:${line}`);
        start = end + 1;
      }
      rest.add(chunk.subarray(start));
    }
    last = rest.endWith(new Uint8Array()).trim();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError(`Cannot read the recording ${file}: it cannot be decoded`, {
      facts: { "lines read": line, reason: cause.message },
      remedy:
        "Copy or record the file again: it is truncated, or neither packed nor UTF-8; pass mostBytes " +
        "if it is as large as it says",
      cause,
    });
  }
  if (last === "") return;
  try {
    yield parse(last, `${file}:${line + 1}`);
  } catch (error) {
    if (!partialExchange.test(last)) throw error;
  }
}

const NEWLINE = 0x0a;

/** The bytes of a line that has not ended yet: a body of one line comes in several chunks. */
class LineStart {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  /** Adds bytes that are followed by more of the line. */
  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    requireLine(length);
    if (length > this.#bytes.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = longer;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  /** The whole line; the next one begins. */
  endWith(bytes: Uint8Array): string {
    if (this.#length === 0) return utf8Text(bytes);
    this.add(bytes);
    const line = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return utf8Text(line);
  }
}

const lenient = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/** A strict decoder takes several times as long, so it decides only where a lenient one replaced. */
function utf8Text(bytes: Uint8Array): string {
  const text = lenient.decode(bytes);
  return text.includes("\ufffd") ? strict.decode(bytes) : text;
}

/** Bytes as text, unpacked if they are packed. */
export function textOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<string> {
  return ReadableStream.from(plainOf(bytes))
    .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
}

function plainOf(
  bytes: Uint8Array<ArrayBuffer>,
  most: number = mostUnpacked(bytes.length),
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  if (isZstd(bytes)) return atMost(unpackZstd(bytes), most);
  const stream = new Blob([bytes]).stream();
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? atMost(stream.pipeThrough(new DecompressionStream("gzip")), most) : stream;
}
