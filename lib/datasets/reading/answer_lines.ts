import { readBytes } from "../../http/reading/read_bytes.ts";
import { atMost, mostUnpacked, requireLine, unpackZstd } from "../../http/reading/unpack_zstd.ts";
import { damagedFile } from "./damaged_file.ts";

const NEWLINE = 0x0a;

/**
 * The lines of a file of answers, one after another, as bytes without their newline: memory holds
 * one of them, and the packed file.
 *
 * @throws {InputError} If the file is damaged or truncated.
 */
export async function* answerLines(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  let parts: Uint8Array[] = [];
  try {
    const packed = await readBytes(file);
    for await (const chunk of atMost(unpackZstd(packed), mostUnpacked(packed.length))) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        yield joined([...parts, chunk.subarray(start, end)]);
        parts = [];
        start = end + 1;
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
      requireLine(parts.reduce((sum, part) => sum + part.length, 0));
    }
    if (parts.length > 0) yield joined(parts);
  } catch (cause) {
    if (cause instanceof TypeError) throw damagedFile(file, cause);
    throw cause;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What stands in front of the body of an answer, in a line as exports write it. */
export const BEFORE_BODY: Uint8Array = new TextEncoder().encode(',"responseBody":');

/** Where bytes have others as a part; -1 if they do not. */
export function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (part.every((byte, place) => bytes[at + place] === byte)) return at;
  }
  return -1;
}
