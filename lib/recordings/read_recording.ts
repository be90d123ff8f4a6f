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
  let rest = "";
  try {
    for await (const chunk of textOf(await readBytes(file))) {
      const text = rest + chunk;
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        line++;
        const found = text.slice(start, end).trim();
        if (found !== "") yield parseExchange(found, `${file}:${line}`);
        start = end + 1;
      }
      rest = text.slice(start);
    }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError(`Cannot read the recording ${file}: it cannot be decoded`, {
      facts: { "lines read": line },
      remedy: "Copy or record the file again: it is truncated, or neither packed nor UTF-8",
      cause,
    });
  }
  if (rest.trim() === "") return;
  try {
    yield parseExchange(rest.trim(), `${file}:${line + 1}`);
  } catch (error) {
    if (!partialExchange.test(rest)) throw error;
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
