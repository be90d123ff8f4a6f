import { HttpStatusError, InputError } from "../errors/mod.ts";
import { localFiles } from "./local_files.ts";
import { type HttpRequest, type HttpResponse, requestLine } from "./transport.ts";

/** The maximum size of 200 characters in bytes; enough of a body to show. */
const EXCERPT_BYTES = 800;

/** Limits on reading a body. */
interface ReadLimits {
  /** Aborts the reading. */
  readonly signal: AbortSignal;
  /** Maximum number of bytes, after decompression. */
  readonly maxBytes: number;
}

/**
 * Yields the chunks of a body until it ends, exceeds the limit or the signal aborts; leaving the
 * loop closes the body.
 *
 * @throws {HttpStatusError} If the body exceeds the limit; nothing beyond it is read.
 * @throws {TypeError} If the body ends before its announced length.
 */
export async function* readChunks(
  response: Response,
  request: HttpRequest,
  limits: ReadLimits,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { signal, maxBytes } = limits;
  if (response.body === null) return;
  const contentLength = parseContentLength(response);
  const reader = response.body.getReader();
  function stop(): void {
    reader.cancel(signal.reason).catch(() => {});
  }
  signal.addEventListener("abort", stop);
  let byteCount = 0;
  let start = new Uint8Array();
  try {
    signal.throwIfAborted();
    while (true) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      byteCount += value.byteLength;
      if (start.byteLength < EXCERPT_BYTES) {
        start = Uint8Array.of(...start, ...value.subarray(0, EXCERPT_BYTES - start.byteLength));
      }
      if (byteCount > maxBytes || (contentLength > maxBytes && byteCount >= EXCERPT_BYTES)) {
        throw createSizeError(response, request, { limits, start });
      }
      yield value;
    }
    if (byteCount < contentLength) {
      throw new TypeError(`the body ended after ${byteCount} of ${contentLength} bytes`);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/**
 * Reads a whole body as text. A file that was stored packed with gzip, and is served without saying
 * so, is unpacked too.
 *
 * @throws {HttpStatusError} If it exceeds the limit, or is JSON that is not UTF-8.
 * @throws {TypeError} If the body ends before its announced length, or is damaged gzip.
 */
export async function readBody(
  response: Response,
  request: HttpRequest,
  limits: ReadLimits,
): Promise<string> {
  const responseBytes = hasReliableLength(response, limits)
    ? await response.bytes()
    : await readBounded(response, request, limits);
  const bytes = isGzip(responseBytes)
    ? await readBounded(new Response(unpackGzip(responseBytes)), request, limits)
    : responseBytes;
  const isJson = /json/i.test(response.headers.get("content-type") ?? "");
  if (!isJson) return lenientDecoder.decode(bytes);
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new HttpStatusError(
      `Cannot read the response to ${requestLine(request)}: it is not UTF-8`,
      {
        request: requestLine(request),
        status: response.status,
        body: lenientDecoder.decode(bytes),
        remedy: "Retry; if it keeps failing, report it to the operator of the service",
      },
    );
  }
}

const lenientDecoder = new TextDecoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes bytes. A strict decoder takes several times as long, so it decides only where a lenient
 * one replaced.
 *
 * @throws {TypeError} If the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const text = lenientDecoder.decode(bytes);
  return text.includes("\ufffd") ? strictDecoder.decode(bytes) : text;
}

/**
 * Whether the announced length is within the limit. The runtime enforces that length for network
 * bodies, so such a body can be read at once, in half the time.
 */
function hasReliableLength(response: Response, { maxBytes }: ReadLimits): boolean {
  const contentLength = parseContentLength(response);
  return response.type === "basic" && contentLength > 0 && contentLength <= maxBytes;
}

async function readBounded(
  response: Response,
  request: HttpRequest,
  limits: ReadLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array();
  let length = 0;
  for await (const chunk of readChunks(response, request, limits)) {
    const newLength = length + chunk.byteLength;
    if (length === 0) {
      bytes = chunk;
    } else {
      if (newLength > bytes.byteLength) {
        // An array of chunks of a few bytes would take many times their size.
        const longer = new Uint8Array(Math.max(newLength, 2 * length));
        longer.set(bytes);
        bytes = longer;
      }
      bytes.set(chunk, length);
    }
    length = newLength;
  }
  return bytes.subarray(0, length);
}

/** Returns the number of bytes that `Content-Length` announces for the body; 0 if unknown. */
function parseContentLength({ headers }: Response): number {
  if (headers.has("content-encoding")) return 0;
  const bytes = Number(headers.get("content-length"));
  return Number.isSafeInteger(bytes) ? bytes : 0;
}

function createSizeError(
  { status }: Response,
  request: HttpRequest,
  { limits, start }: { limits: ReadLimits; start: Uint8Array },
): HttpStatusError {
  const line = requestLine(request);
  return new HttpStatusError(
    `Cannot read the response to ${line}: it is larger than ${limits.maxBytes} bytes`,
    {
      request: line,
      status,
      body: lenientDecoder.decode(start),
      remedy: "Request less at a time, or pass a larger `maxBodyBytes`",
    },
  );
}

/** Content types of JSON: `application/json` and types that end in `+json`. */
const JSON_TYPE = /^[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Parses a response's body as JSON.
 *
 * A body with another content type is rejected even if it parses, since a proxy's error page may
 * parse too; a body without a content type is accepted.
 *
 * @param response A response of any status.
 * @param request Its request; used in errors only.
 * @throws {HttpStatusError} If the content type is not JSON, or the text is not.
 * @example
 * ```ts
 * import { HttpStatusError } from "orderlens";
 * import { parseJson } from "orderlens/http";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const headers = new Headers();
 * const request = { method: "GET", path: "/api/v1/orders/0x00" } as const;
 * const page = { status: 200, contentType: "text/html", headers, body: "<html>" };
 *
 * assertEquals(parseJson({ ...page, contentType: "application/json", body: "[1]" }, request), [1]);
 * assertThrows(() => parseJson(page, request), HttpStatusError, "text/html instead of JSON");
 * ```
 */
export function parseJson(
  response: HttpResponse,
  request: Pick<HttpRequest, "method" | "path">,
): unknown {
  const { contentType, body } = response;
  if (contentType !== null && !JSON_TYPE.test(contentType.trim())) {
    throw createJsonError(response, request, { fault: `is ${contentType} instead of JSON` });
  }
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw createJsonError(response, request, { fault: "is not JSON", cause });
  }
}

function createJsonError(
  { status, body }: HttpResponse,
  request: Pick<HttpRequest, "method" | "path">,
  { fault, cause }: { fault: string; cause?: unknown },
): HttpStatusError {
  const line = requestLine(request);
  return new HttpStatusError(`Cannot read the response to ${line}: it ${fault}`, {
    request: line,
    status,
    body,
    remedy: "Check that the address is an order book's, and that no proxy answers for it",
    cause,
  });
}

/** Whether bytes start like gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Unpacks gzip, chunk by chunk. */
export function unpackGzip(
  bytes: Uint8Array<ArrayBuffer>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

/** Whether bytes start like a zstd frame. */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/**
 * Computes the default limit of unpacked bytes: 500 times the packed ones, at least 64 MiB and at most
 * 16 GiB. Recordings shrink some 40 times; a file that unpacks to more is made to fill the memory.
 */
export function computeUnpackedLimit(packedBytes: number): number {
  return Math.min(2 ** 34, Math.max(64 << 20, 500 * packedBytes));
}

/** Rejects the length of a line that is longer than any response: as a text it would not fit. */
export function requireLineLength(length: number): void {
  if (length > MAX_LINE_BYTES) {
    throw new TypeError(
      `it has a line of more than ${MAX_LINE_BYTES.toLocaleString("en-US")} bytes`,
    );
  }
}

const MAX_LINE_BYTES = 1 << 28;

/** Passes chunks on, up to a number of bytes. */
export async function* limitBytes<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  maxBytes: number,
): AsyncGenerator<Chunk, void, undefined> {
  let remainingBytes = maxBytes;
  for await (const chunk of chunks) {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) {
      throw new TypeError(`it unpacks to more than ${maxBytes.toLocaleString("en-US")} bytes`);
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

/**
 * Reads a whole file, locally or over HTTP: the latter where the library itself was loaded from a
 * URL.
 *
 * @throws {InputError} If the URL does not serve the file.
 */
export async function readBytes(file: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof file === "string" || file.protocol === "file:") {
    return new Uint8Array(await localFiles().readFile(file));
  }
  const response = await fetch(file);
  if (!response.ok) {
    await response.body?.cancel();
    throw new InputError(`Cannot read ${file}: HTTP status ${response.status}`, {
      remedy: "Serve the package's `data/` folder next to its `lib/` folder",
    });
  }
  return new Uint8Array(await response.arrayBuffer());
}
