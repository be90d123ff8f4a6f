import { InputError } from "../errors/mod.ts";
import type { RpcCall, RpcNode } from "../evm/mod.ts";
import { RECEIPT, TRANSACTION } from "../evm/node/read_settlement_logs.ts";
import {
  decodeUtf8,
  isZstd,
  limitBytes,
  limitUnpackedBytes,
  readBytes,
  requireLine,
  unpackZstd,
} from "../http/read_body.ts";
import { bodyKey, type Exchange, jsonIn, parseExchange, pathKey, routeOf } from "./request_key.ts";

/** Paths that differ between the service and its OpenAPI document: [service, document]. */
const spellings: readonly (readonly [string, string])[] = [
  ["/restricted/api/v1/debug/order/$1", "/api/v1/debug/order/$1"],
  ["/api/v1/transactions/$1/orders", "/api/v1/orders/tx/$1"],
];

/** An exchange with its normalized path. */
export interface KeyedExchange {
  /** Key of the path, from `pathKey`. */
  readonly key: string;
  /** The exchange. */
  readonly exchange: Exchange;
}

/**
 * The exchanges of one recording, indexed by request.
 */
export class Recording {
  /** Every exchange with its key, in recorded order. */
  readonly keyed: readonly KeyedExchange[];
  readonly #gets = new Map<string, Exchange>();
  #others: ReadonlyMap<string, readonly Exchange[]> | undefined;
  #routes: ReadonlyMap<string, readonly KeyedExchange[]> | undefined;

  /** Indexes the exchanges by method and path; no body is parsed. */
  constructor(exchanges: readonly Exchange[]) {
    this.keyed = exchanges.map((exchange) => ({ key: pathKey(exchange.path), exchange }));
    for (const { key, exchange } of this.keyed) {
      if (exchange.method !== "GET") continue;
      this.#gets.delete(key);
      this.#gets.set(key, exchange);
    }
  }

  /** The last exchange of each recorded GET, by key, in recorded order. */
  get gets(): ReadonlyMap<string, Exchange> {
    return this.#gets;
  }

  /** The last exchange of a GET, also under the other spelling of its path. */
  get(path: string): Exchange | undefined {
    const key = pathKey(path);
    const exact = this.#gets.get(key);
    if (exact !== undefined) return exact;
    const other = otherSpelling(key);
    const answer = other === undefined ? undefined : this.#gets.get(other);
    // An empty 404 means that the route is unknown under this spelling; the resource may exist.
    return answer?.status === 404 && answer.responseBody === "" ? undefined : answer;
  }

  /** The exchanges of each method and route, such as `GET /api/v1/orders/{uid}`. */
  get routes(): ReadonlyMap<string, readonly KeyedExchange[]> {
    return this.#routes ??= Map.groupBy(
      this.keyed,
      ({ key, exchange }) => `${exchange.method} ${routeOf(key)}`,
    );
  }

  /** All exchanges of a request other than GET with an equal body, in recorded order. */
  others(method: string, path: string, body: string | undefined): readonly Exchange[] {
    this.#others ??= Map.groupBy(
      this.keyed.map(({ exchange }) => exchange).filter((each) => each.method !== "GET"),
      (each) => requestKey(each.method, each.path, each.requestBody),
    );
    return this.#others.get(requestKey(method, path, body)) ?? [];
  }
}

function requestKey(method: string, path: string, body: string | undefined): string {
  return `${method} ${pathKey(path)} ${bodyKey(body)}`;
}

/** The other spelling of a path: the service's for the document's, and the reverse. */
export function otherSpelling(key: string): string | undefined {
  for (const [service, document] of spellings) {
    for (const [from, to] of [[service, document], [document, service]] as const) {
      const found = patternOf(from).exec(key)?.[1];
      if (found !== undefined) return to.replace("$1", found);
    }
  }
}

function patternOf(spelling: string): RegExp {
  return new RegExp(`^${spelling.replace("$1", "(0x[0-9a-f]+)")}$`);
}

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
  try {
    for await (const { bytes, isEnded } of linesOf(plainOf(await readBytes(file), mostBytes))) {
      if (isEnded) line++;
      const found = decodeUtf8(bytes).trim();
      if (!isEnded) last = found;
      else if (found !== "") yield parse(found, `${file}:${line}`);
    }
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

/** A line of a file, without its newline. */
interface Line {
  readonly bytes: Uint8Array;
  /** Whether its newline was there; it is the last one otherwise. */
  readonly isEnded: boolean;
}

/**
 * The lines of a file that comes in chunks: a body of one line comes in several of them.
 *
 * @throws {TypeError} If a line is longer than any answer.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Line, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield { bytes: joined([...parts, chunk.subarray(start, end)]), isEnded: true };
      [parts, length, start] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(start));
    requireLine(length += chunk.length - start);
  }
  if (length > 0) yield { bytes: joined(parts), isEnded: false };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    bytes.set(part, start);
    start += part.length;
  }
  return bytes;
}

/** Bytes as text, unpacked if they are packed. */
export function textOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<string> {
  return ReadableStream.from(plainOf(bytes))
    .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
}

function plainOf(
  bytes: Uint8Array<ArrayBuffer>,
  most: number = limitUnpackedBytes(bytes.length),
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  if (isZstd(bytes)) return limitBytes(unpackZstd(bytes), most);
  const stream = new Blob([bytes]).stream();
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? limitBytes(stream.pipeThrough(new DecompressionStream("gzip")), most) : stream;
}

/** One of the two answers of a node about a settlement. */
export interface RecordedSettlementAnswer {
  /** Hash of the transaction that was asked for, in lower case. */
  readonly txHash: string;
  /** Which of the two. */
  readonly of: "transaction" | "receipt";
  /** What the node returned. */
  readonly result: unknown;
}

const HASH = /^0x[0-9a-f]{64}$/i;

/** Which answer about a settlement a call of a node, or its text, asks for; `null` for other calls. */
export function settlementAsked(
  call: RpcCall | string | undefined,
): Pick<RecordedSettlementAnswer, "txHash" | "of"> | null {
  const { method, params } = typeof call === "object" ? call : Object(jsonIn(call));
  if (method !== TRANSACTION && method !== RECEIPT) return null;
  const [hash] = Array.isArray(params) ? params : [];
  if (typeof hash !== "string" || !HASH.test(hash)) return null;
  return { txHash: hash.toLowerCase(), of: method === TRANSACTION ? "transaction" : "receipt" };
}

/** What an exchange says about a settlement; `null` for other exchanges. */
export function recordedSettlement(exchange: Exchange): RecordedSettlementAnswer | null {
  if (!isRpc(exchange) || exchange.status !== 200) return null;
  const request = exchange.requestBody ?? "";
  const asked = /eth_getTransaction/.test(request) ? settlementAsked(request) : null;
  if (asked === null) return null;
  const { result } = Object(jsonIn(exchange.responseBody));
  return result === undefined ? null : { ...asked, result };
}

/** The node of the settlements among exchanges: it answers their calls, and another the others. */
export function withSettlements(exchanges: Iterable<Exchange>, node: RpcNode): RpcNode {
  const kept = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    if (!isRpc(exchange)) continue;
    const asked = settlementAsked(exchange.requestBody);
    if (asked !== null) kept.set(`${asked.of} ${asked.txHash}`, exchange);
  }
  if (kept.size === 0) return node;
  const answerTo = (call: RpcCall) => {
    const asked = settlementAsked(call);
    const exchange = asked === null ? undefined : kept.get(`${asked.of} ${asked.txHash}`);
    return exchange === undefined ? null : recordedSettlement(exchange);
  };
  return answeringFirst(node, (calls) => Promise.resolve(calls.map(answerTo)));
}

/** A node that answers some calls by itself, and has another answer those that it cannot. */
export function answeringFirst(
  node: RpcNode,
  own: (calls: readonly RpcCall[]) => Promise<({ readonly result: unknown } | null)[]>,
): RpcNode {
  return async (calls) => {
    const found = await own(calls);
    const others = calls.filter((_, place) => found[place] === null);
    const answered = others.length === 0 ? [] : await node(others);
    let next = 0;
    return found.map((one) => one === null ? answered[next++]! : { result: one.result });
  };
}

const RPC = /^\/rpc(?:\?|$)/;
const QUANTITY = /^0x[0-9a-f]{1,13}$/i;

/** Whether an exchange is a call of a node, as datasets keep those for timestamps of blocks. */
export function isRpc({ method, path }: Exchange): boolean {
  return method === "POST" && RPC.test(path);
}

/** The block of an answer to `eth_getBlockByNumber`; `null` for other exchanges. */
export function recordedBlock(exchange: Exchange): { number: number; seconds: number } | null {
  if (!isRpc(exchange) || exchange.status !== 200) return null;
  const { method } = Object(jsonIn(exchange.requestBody));
  const { number, timestamp } = Object(Object(jsonIn(exchange.responseBody)).result);
  const isBlock = method === "eth_getBlockByNumber" &&
    [number, timestamp].every((value) => typeof value === "string" && QUANTITY.test(value));
  return isBlock ? { number: Number(number), seconds: Number(timestamp) } : null;
}

/** Timestamps of blocks by number, in unix seconds, among exchanges. */
export function recordedBlocks(exchanges: Iterable<Exchange>): Record<string, number> {
  const blocks: Record<string, number> = {};
  for (const exchange of exchanges) {
    const block = recordedBlock(exchange);
    if (block !== null) blocks[block.number] = block.seconds;
  }
  return blocks;
}
