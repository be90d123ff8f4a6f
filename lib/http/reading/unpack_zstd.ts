import { InputError } from "../../errors/mod.ts";

/** Whether bytes start like a zstd frame. */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/**
 * Bytes that packed ones may stand for if nothing else is said: 500 times as many, at least 64 MiB and
 * at most 16 GiB. Recordings shrink some 40 times; a file that stands for more is made to fill the
 * memory.
 */
export function mostUnpacked(packed: number): number {
  return Math.min(2 ** 34, Math.max(64 << 20, 500 * packed));
}

/** Rejects a line that is longer than any answer: as a text it would not fit. */
export function requireLine(length: number): void {
  if (length > MOST_LINE) {
    throw new TypeError(`it has a line of more than ${MOST_LINE.toLocaleString("en-US")} bytes`);
  }
}

const MOST_LINE = 1 << 28;

/** The same chunks, up to a number of bytes. */
export async function* atMost<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  most: number,
): AsyncGenerator<Chunk, void, undefined> {
  let left = most;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) {
      throw new TypeError(`it stands for more than ${most.toLocaleString("en-US")} bytes`);
    }
    yield chunk;
  }
}

/** Each chunk takes a turn of the event loop, whatever its size. */
const CHUNK_BYTES = 1 << 18;

/**
 * Unpacks zstd, chunk by chunk: a file may unpack to more than fits in memory.
 *
 * @throws {InputError} Where the platform has no zstd, for example in a browser.
 * @throws {TypeError} If the bytes are damaged or truncated.
 */
export async function* unpackZstd(
  bytes: Uint8Array,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const unpack = globalThis.process?.getBuiltinModule?.("node:zlib")?.createZstdDecompress;
  if (unpack === undefined) {
    throw new InputError("Cannot unpack zstd: this platform cannot", {
      remedy: "Run it in Deno, or in Node 22.15 or newer",
    });
  }
  const stream = unpack({ chunkSize: CHUNK_BYTES });
  stream.end(bytes);
  try {
    for await (const chunk of stream) {
      yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  } catch (cause) {
    throw new TypeError("the zstd data is damaged or truncated", { cause });
  }
}
