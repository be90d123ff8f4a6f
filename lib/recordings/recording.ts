import { InputError } from "../errors/mod.ts";
import type { RpcCall, RpcNode } from "../evm/mod.ts";
import { GET_RECEIPT, GET_TRANSACTION } from "../evm/node/read_settlement_logs.ts";
import { readSafeQuantity } from "../evm/node/rpc_batches.ts";
import {
  computeUnpackedLimit,
  decodeUtf8,
  isGzip,
  isZstd,
  limitBytes,
  readBytes,
  requireLineLength,
  unpackGzip,
  unpackZstd,
} from "../http/read_body.ts";
import {
  type Exchange,
  normalizeBody,
  normalizePath,
  parseExchange,
  toRoute,
  tryParseJson,
} from "./request_key.ts";

/** Paths that differ between the service and its OpenAPI document: [service, document]. */
const spellings: readonly (readonly [string, string])[] = [
  ["/restricted/api/v1/debug/order/$1", "/api/v1/debug/order/$1"],
  ["/api/v1/transactions/$1/orders", "/api/v1/orders/tx/$1"],
];

/** An exchange with its normalized path. */
export interface KeyedExchange {
  /** Key of the path, from `normalizePath`. */
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
    this.keyed = exchanges.map((exchange) => ({ key: normalizePath(exchange.path), exchange }));
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

  /** Returns the last exchange of a GET, also under the other spelling of its path. */
  get(path: string): Exchange | undefined {
    const key = normalizePath(path);
    const exact = this.#gets.get(key);
    if (exact !== undefined) return exact;
    const spelling = findOtherSpelling(key);
    const exchange = spelling === undefined ? undefined : this.#gets.get(spelling);
    // An empty 404 means that the route is unknown under this spelling; the resource may exist.
    return exchange?.status === 404 && exchange.responseBody === "" ? undefined : exchange;
  }

  /** The exchanges of each method and route, such as `GET /api/v1/orders/{uid}`. */
  get routes(): ReadonlyMap<string, readonly KeyedExchange[]> {
    return this.#routes ??= Map.groupBy(
      this.keyed,
      ({ key, exchange }) => `${exchange.method} ${toRoute(key)}`,
    );
  }

  /** Finds all exchanges of a request other than GET with an equal body, in recorded order. */
  findByBody(method: string, path: string, body: string | undefined): readonly Exchange[] {
    this.#others ??= Map.groupBy(
      this.keyed.map(({ exchange }) => exchange).filter((exchange) => exchange.method !== "GET"),
      (exchange) => createRequestKey(exchange.method, exchange.path, exchange.requestBody),
    );
    return this.#others.get(createRequestKey(method, path, body)) ?? [];
  }
}

function createRequestKey(method: string, path: string, body: string | undefined): string {
  return `${method} ${normalizePath(path)} ${normalizeBody(body)}`;
}

/** Finds the other spelling of a path: the service's for the document's, and the reverse. */
export function findOtherSpelling(key: string): string | undefined {
  for (const [service, document] of spellings) {
    for (const [from, to] of [[service, document], [document, service]] as const) {
      const hex = toPattern(from).exec(key)?.[1];
      if (hex !== undefined) return to.replace("$1", hex);
    }
  }
}

function toPattern(spelling: string): RegExp {
  return new RegExp(`^${spelling.replace("$1", "(0x[0-9a-f]+)")}$`);
}

/** An incomplete last line, left by an interrupted writer. */
const partialExchange = /^\{"method":/;

/** Limits on reading a recording. */
export interface ReadingOptions {
  /**
   * Maximum number of bytes that a packed file unpacks to. @default {500 times its size, 64 MiB to 16 GiB}
   */
  readonly mostBytes?: number | undefined;
}

/** Reads every exchange of one file; see {@linkcode readExchanges}. */
export function readRecording(
  file: string | URL,
  options: ReadingOptions = {},
): Promise<Exchange[]> {
  return Array.fromAsync(readExchanges(file, parseExchange, options));
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
export async function* readExchanges(
  file: string | URL,
  parse: (line: string, where: string) => Exchange = parseExchange,
  { mostBytes }: ReadingOptions = {},
): AsyncGenerator<Exchange, void, undefined> {
  let line = 0;
  let last = "";
  try {
    for await (const { bytes, isEnded } of splitLines(unpack(await readBytes(file), mostBytes))) {
      if (isEnded) line++;
      const text = decodeUtf8(bytes).trim();
      if (!isEnded) last = text;
      else if (text !== "") yield parse(text, `${file}:${line}`);
    }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError(`Cannot read the recording ${file}: it cannot be decoded`, {
      facts: { "lines read": line, reason: cause.message },
      remedy:
        "Copy or record the file again: it is truncated, or neither packed nor UTF-8; if it really is " +
        "that large, raise mostBytes",
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
 * Splits the chunks of a file into lines; a line may span several chunks.
 *
 * @throws {TypeError} If a line is longer than any response.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Line, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield { bytes: joinBytes([...parts, chunk.subarray(start, end)]), isEnded: true };
      [parts, length, start] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(start));
    requireLineLength(length += chunk.length - start);
  }
  if (length > 0) yield { bytes: joinBytes(parts), isEnded: false };
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    bytes.set(part, start);
    start += part.length;
  }
  return bytes;
}

/** Streams bytes as text, unpacked if they are packed. */
export function streamText(bytes: Uint8Array<ArrayBuffer>): ReadableStream<string> {
  return ReadableStream.from(unpack(bytes))
    .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
}

function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number = computeUnpackedLimit(bytes.length),
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  if (isZstd(bytes)) return limitBytes(unpackZstd(bytes), maxBytes);
  return isGzip(bytes) ? limitBytes(unpackGzip(bytes), maxBytes) : new Blob([bytes]).stream();
}

/** One of a node's two answers about a settlement. */
export interface RecordedSettlement {
  /** Hash of the requested transaction, in lower case. */
  readonly txHash: string;
  /** Kind of answer. */
  readonly of: "transaction" | "receipt";
  /** Result that the node returned. */
  readonly result: unknown;
}

const HASH = /^0x[0-9a-f]{64}$/i;

/** Parses a call, or its JSON, that requests a transaction or its receipt; `null` for other calls. */
export function parseSettlementCall(
  call: RpcCall | string | undefined,
): Pick<RecordedSettlement, "txHash" | "of"> | null {
  const { method, params } = typeof call === "object" ? call : Object(tryParseJson(call));
  if (method !== GET_TRANSACTION && method !== GET_RECEIPT) return null;
  const [hash] = Array.isArray(params) ? params : [];
  if (typeof hash !== "string" || !HASH.test(hash)) return null;
  return { txHash: hash.toLowerCase(), of: method === GET_TRANSACTION ? "transaction" : "receipt" };
}

/** Parses an exchange about a transaction or its receipt; `null` for others, and without a result. */
export function parseSettlement(exchange: Exchange): RecordedSettlement | null {
  if (!isRpc(exchange) || exchange.status !== 200) return null;
  const request = exchange.requestBody ?? "";
  const target = /eth_getTransaction/.test(request) ? parseSettlementCall(request) : null;
  if (target === null) return null;
  const { result } = Object(tryParseJson(exchange.responseBody));
  return result === undefined ? null : { ...target, result };
}

/** Creates a node that answers calls for recorded settlements from exchanges, and others with `node`. */
export function addSettlements(exchanges: Iterable<Exchange>, node: RpcNode): RpcNode {
  const exchangeByCall = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    if (!isRpc(exchange)) continue;
    const target = parseSettlementCall(exchange.requestBody);
    if (target !== null) exchangeByCall.set(`${target.of} ${target.txHash}`, exchange);
  }
  if (exchangeByCall.size === 0) return node;
  const findAnswer = (call: RpcCall) => {
    const target = parseSettlementCall(call);
    const exchange = target === null
      ? undefined
      : exchangeByCall.get(`${target.of} ${target.txHash}`);
    return exchange === undefined ? null : parseSettlement(exchange);
  };
  return combineNodes(node, (calls) => Promise.resolve(calls.map(findAnswer)));
}

/** Creates a node that answers some calls with `answerSome`, and the others with `node`. */
export function combineNodes(
  node: RpcNode,
  answerSome: (calls: readonly RpcCall[]) => Promise<({ readonly result: unknown } | null)[]>,
): RpcNode {
  return async (calls) => {
    const answers = await answerSome(calls);
    const openCalls = calls.filter((_, index) => answers[index] === null);
    const nodeAnswers = openCalls.length === 0 ? [] : await node(openCalls);
    let next = 0;
    return answers.map((answer) =>
      answer === null ? nodeAnswers[next++]! : { result: answer.result }
    );
  };
}

const RPC = /^\/rpc(?:\?|$)/;

/** Whether an exchange is a call of a node, as datasets store them. */
export function isRpc({ method, path }: Exchange): boolean {
  return method === "POST" && RPC.test(path);
}

/** Parses the block of an answer to `eth_getBlockByNumber`; `null` for other exchanges. */
export function parseBlock(exchange: Exchange): { number: number; seconds: number } | null {
  if (!isRpc(exchange) || exchange.status !== 200) return null;
  const { method } = Object(tryParseJson(exchange.requestBody));
  const { number, timestamp } = Object(Object(tryParseJson(exchange.responseBody)).result);
  if (method !== "eth_getBlockByNumber") return null;
  const [block, seconds] = [readSafeQuantity(number), readSafeQuantity(timestamp)];
  return block === null || seconds === null ? null : { number: block, seconds };
}

/** Collects the timestamps of blocks among exchanges by number, in unix seconds. */
export function collectBlocks(exchanges: Iterable<Exchange>): Record<string, number> {
  const blocks: Record<string, number> = {};
  for (const exchange of exchanges) {
    const block = parseBlock(exchange);
    if (block !== null) blocks[block.number] = block.seconds;
  }
  return blocks;
}
