import { InputError } from "../errors/mod.ts";
import { readBytes } from "../http/reading/read_bytes.ts";
import { isZstd, unpackZstd } from "../http/reading/unpack_zstd.ts";
import { type Exchange, parseExchange } from "./exchange.ts";

/** An incomplete last line, left by an interrupted writer. */
const partialExchange = /^\{"method":/;

/** Every exchange of one file at once; see {@linkcode exchangesIn}. */
export function readRecording(file: string | URL): Promise<Exchange[]> {
  return Array.fromAsync(exchangesIn(file));
}

/**
 * Reads the exchanges of one file one after another: plain, gzipped or packed with zstd (detected by
 * its first bytes, not its name).
 *
 * An incomplete last line is skipped: its writer was interrupted.
 *
 * @throws {InputError} If a line is not an exchange; the error names file and line.
 */
export async function* exchangesIn(
  file: string | URL,
): AsyncGenerator<Exchange, void, undefined> {
  let line = 0;
  let last = "";
  const rest = new LineStart();
  try {
    for await (const chunk of plainOf(await readBytes(file))) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        line++;
        const found = rest.endWith(chunk.subarray(start, end)).trim();
        if (found !== "") yield parseExchange(found, `${file}:${line}`);
        start = end + 1;
      }
      rest.add(chunk.subarray(start));
    }
    last = rest.endWith(new Uint8Array()).trim();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError(`Cannot read the recording ${file}: it cannot be decoded`, {
      facts: { "lines read": line },
      remedy: "Copy or record the file again: it is truncated, or neither packed nor UTF-8",
      cause,
    });
  }
  if (last === "") return;
  try {
    yield parseExchange(last, `${file}:${line + 1}`);
  } catch (error) {
    if (!partialExchange.test(last)) throw error;
  }
}

const NEWLINE = 0x0a;

/** The bytes of a line that has not ended yet: a body of one line comes in several chunks. */
class LineStart {
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #chunks: Uint8Array[] = [];

  /** Adds bytes that are followed by more of the line. */
  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#chunks.push(bytes);
  }

  /** The whole line; the next one begins. */
  endWith(bytes: Uint8Array): string {
    let text = "";
    for (const chunk of this.#chunks) text += this.#utf8.decode(chunk, { stream: true });
    this.#chunks = [];
    return text + this.#utf8.decode(bytes);
  }
}

/** Bytes as text, unpacked if they are packed. */
export function textOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<string> {
  return plainOf(bytes).pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
}

function plainOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (isZstd(bytes)) return ReadableStream.from(unpackZstd(bytes));
  const stream = new Blob([bytes]).stream();
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
}
