import { DamagedError } from "../../errors/mod.ts";
import { atMost, mostUnpacked, readBytes, requireLine, unpackZstd } from "../../http/read_body.ts";

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

/** The error of a file of answers that cannot be unpacked. */
function damagedFile(file: string, cause: unknown): DamagedError {
  return new DamagedError(`Cannot read the answers in ${file}: it is damaged or truncated`, {
    remedy: "Run `verifyDataset`, and resume the export or copy the file again",
    cause,
  });
}

/** Bytes of lines that are kept. */
const ROOM_BYTES = 32 * 1024 * 1024;

/** The lines that were unpacked last, of all files together: as many as there is room for. */
export class RecentLines {
  readonly #room: number;
  readonly #lines = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Has nothing yet. */
  constructor(roomBytes: number = ROOM_BYTES) {
    this.#room = roomBytes;
  }

  /** Bytes of the lines that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A line by its file and its place in it, if it is kept. */
  get(file: string, place: number): Uint8Array | undefined {
    return this.#lines.get(`${place} ${file}`);
  }

  /** Keeps a line, and forgets the oldest ones that it leaves no room for. */
  keep(file: string, place: number, line: Uint8Array): void {
    const name = `${place} ${file}`;
    if (this.#lines.has(name) || line.length > this.#room) return;
    this.#lines.set(name, line);
    this.#bytes += line.length;
    for (const [oldest, { length }] of this.#lines) {
      if (this.#bytes <= this.#room) return;
      this.#lines.delete(oldest);
      this.#bytes -= length;
    }
  }
}
