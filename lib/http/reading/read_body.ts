import { HttpStatusError } from "../../errors/mod.ts";
import { requestLine } from "../requests/request_line.ts";
import type { HttpRequest } from "../requests/transport.ts";

/** The maximum size of 200 characters in bytes; enough of a body to show. */
const SHOWN_BYTES = 800;

/** Limits on reading a body. */
export interface ReadLimits {
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
export async function* bodyChunks(
  response: Response,
  request: HttpRequest,
  limits: ReadLimits,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { signal, maxBytes } = limits;
  if (response.body === null) return;
  const announced = announcedBytes(response);
  const reader = response.body.getReader();
  function stop(): void {
    reader.cancel(signal.reason).catch(() => {});
  }
  signal.addEventListener("abort", stop);
  let read = 0;
  try {
    signal.throwIfAborted();
    while (true) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      read += value.byteLength;
      if (read > maxBytes || (announced > maxBytes && read >= SHOWN_BYTES)) {
        throw tooLarge(response, request, { limits, start: value });
      }
      yield value;
    }
    if (read < announced) throw new TypeError(`the body ended after ${read} of ${announced} bytes`);
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/**
 * Reads a whole body as text.
 *
 * @throws {HttpStatusError} If it exceeds the limit, or is JSON that is not UTF-8.
 * @throws {TypeError} If the body ends before its announced length.
 */
export async function readBody(
  response: Response,
  request: HttpRequest,
  limits: ReadLimits,
): Promise<string> {
  const bytes = hasReliableLength(response, limits)
    ? await response.bytes()
    : await boundedBytes(response, request, limits);
  const text = utf8.decode(bytes);
  const isJson = /json/i.test(response.headers.get("content-type") ?? "");
  if (!isJson || !text.includes(REPLACEMENT) || isUtf8(bytes)) return text;
  throw new HttpStatusError(
    `Cannot read the answer to ${requestLine(request)}: it is not UTF-8`,
    {
      request: requestLine(request),
      status: response.status,
      body: text,
      remedy: "Retry; if it keeps failing, report it to the operator of the service",
    },
  );
}

const utf8 = new TextDecoder();

/** Replacement character of a lenient decoder; a body may also contain it itself. */
const REPLACEMENT = "\ufffd";

/** Only checked for a suspicious text: a strict decoder takes several times as long. */
function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the announced length is within the limit. The runtime enforces that length for network
 * bodies, so such a body can be read at once, in half the time.
 */
function hasReliableLength(response: Response, { maxBytes }: ReadLimits): boolean {
  const announced = announcedBytes(response);
  return response.type === "basic" && announced > 0 && announced <= maxBytes;
}

async function boundedBytes(
  response: Response,
  request: HttpRequest,
  limits: ReadLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array();
  let length = 0;
  for await (const chunk of bodyChunks(response, request, limits)) {
    const needed = length + chunk.byteLength;
    if (length === 0) {
      bytes = chunk;
    } else {
      if (needed > bytes.byteLength) bytes = enlarged(bytes, Math.max(needed, 2 * length));
      bytes.set(chunk, length);
    }
    length = needed;
  }
  return bytes.subarray(0, length);
}

/** A larger copy: keeping every chunk of a few bytes would take many times their size. */
function enlarged(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}

/** Number of bytes that `Content-Length` announces for the body as read here; 0 if unknown. */
function announcedBytes({ headers }: Response): number {
  if (headers.has("content-encoding")) return 0;
  const bytes = Number(headers.get("content-length"));
  return Number.isSafeInteger(bytes) ? bytes : 0;
}

function tooLarge(
  { status }: Response,
  request: HttpRequest,
  { limits, start }: { limits: ReadLimits; start: Uint8Array },
): HttpStatusError {
  const line = requestLine(request);
  return new HttpStatusError(
    `Cannot read the answer to ${line}: it is larger than ${limits.maxBytes} bytes`,
    {
      request: line,
      status,
      body: new TextDecoder().decode(start.subarray(0, SHOWN_BYTES)),
      remedy: "Request less at a time, or pass a larger `maxBodyBytes`",
    },
  );
}
