import { DamagedError } from "../../errors/mod.ts";
import { computeUnpackedLimit, limitBytes, readBytes, unpackZstd } from "../../http/read_body.ts";
import { isByUids, parseRowRange, parseUids } from "../../recordings/recorded_lists.ts";
import { parseSettlementCall, splitLines } from "../../recordings/recording.ts";
import { type Exchange, normalizePath, parseExchange } from "../../recordings/request_key.ts";

const AUCTION_ID = /^"\{\\"auctionId\\":(\d+)/;
/** Bytes of a body that contain its auction id. */
const HEAD_BYTES = 64;
const BY_HASH = "/api/v2/solver_competition/by_tx_hash/";

/**
 * One file of responses: an index of its lines, and the lines, unpacked on demand and cached while
 * there is room.
 *
 * Lines that are requested in the order of the file are unpacked once; a line before the last one
 * unpacks the file from its beginning, unless it is cached.
 */
export class ResponseFile {
  readonly #file: string;
  readonly #recent: LineCache;
  #lines: AsyncGenerator<Uint8Array, void, undefined> | undefined;
  /** Number of the line that is unpacked next. */
  #next = 0;
  #groups: Promise<ReadonlyMap<string, readonly number[]>> | undefined;
  /** End of the last request: the file is unpacked for one after another. */
  #turn: Promise<unknown> = Promise.resolve();

  /** Opens a file by its path; its lines share the cache with those of other files. */
  constructor(file: string, recent: LineCache) {
    this.#file = file;
    this.#recent = recent;
  }

  /** Lists its groups of responses, as {@linkcode toGroup} names them, with their lines. */
  async listGroups(): Promise<ReadonlyMap<string, readonly number[]>> {
    return await (this.#groups ??= this.#enqueue(() => this.#index()));
  }

  /** Reads the exchanges of a group, in the order of the file. */
  async readExchanges(group: string): Promise<Exchange[]> {
    const indexes = (await this.listGroups()).get(group) ?? [];
    return await this.#enqueue(async () => {
      const exchanges: Exchange[] = [];
      for (const index of indexes) exchanges.push(await this.#exchange(index));
      return exchanges;
    });
  }

  /** Stops unfinished unpacking. */
  async close(): Promise<void> {
    await this.#enqueue(() => this.#restart());
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #index(): Promise<ReadonlyMap<string, readonly number[]>> {
    const groups = new Map<string, number[]>();
    await this.#restart();
    for (let index = 0;; index++) {
      const line = await this.#unpackNext();
      if (line === null) break;
      for (const group of parseGroups(line, `${this.#file}:${index + 1}`)) {
        const indexes = groups.get(group);
        if (indexes === undefined) groups.set(group, [index]);
        else indexes.push(index);
      }
    }
    return groups;
  }

  async #exchange(index: number): Promise<Exchange> {
    const line = this.#recent.get(this.#file, index) ?? await this.#unpackTo(index);
    return parseExchange(new TextDecoder().decode(line), `${this.#file}:${index + 1}`);
  }

  async #unpackTo(index: number): Promise<Uint8Array> {
    if (index < this.#next) await this.#restart();
    for (;;) {
      const unpacked = this.#next;
      const line = await this.#unpackNext();
      if (line === null) throw new TypeError(`${this.#file} has no line ${index + 1}`);
      if (unpacked === index) return line;
    }
  }

  async #unpackNext(): Promise<Uint8Array | null> {
    this.#lines ??= readLines(this.#file);
    const { value, done } = await this.#lines.next();
    if (done === true) return null;
    this.#recent.add(this.#file, this.#next++, value);
    return value;
  }

  async #restart(): Promise<void> {
    await this.#lines?.return();
    this.#lines = undefined;
    this.#next = 0;
  }
}

/** Returns the group of an order: its body, from whichever route. */
export function toOrderGroup(uid: string): string {
  return `order ${uid}`;
}

const ORDER = /^\/api\/v1\/orders\/(0x[0-9a-f]{112})$/;

/** Returns the group of a GET: the responses of one group belong to one item. */
export function toGroup(path: string): string {
  const key = normalizePath(path);
  const uid = ORDER.exec(key)?.[1];
  return uid === undefined ? parseRowRange(key)?.list ?? key : toOrderGroup(uid);
}

function parseGroups(line: Uint8Array, where: string): string[] {
  const end = findBytes(line, BEFORE_BODY);
  const decoder = new TextDecoder();
  const { method, path, requestBody } = end === -1
    ? parseExchange(decoder.decode(line), where)
    : JSON.parse(`${decoder.decode(line.subarray(0, end))}}`) as Exchange;
  if (isByUids(method, path)) return (parseUids(requestBody) ?? []).map(toOrderGroup);
  if (path === "/rpc" && method === "POST") {
    const call = parseSettlementCall(requestBody);
    return call === null ? [] : [toSettlementGroup(call.txHash)];
  }
  if (method !== "GET") return [];
  const group = toGroup(path);
  if (!group.startsWith(BY_HASH)) return [group];
  // A competition that was requested by a settlement is that of an id as well.
  const body = line.subarray(end + BEFORE_BODY.length, end + BEFORE_BODY.length + HEAD_BYTES);
  const id = AUCTION_ID.exec(decoder.decode(body))?.[1];
  return id === undefined ? [group] : [group, toCompetitionGroup(Number(id))];
}

/** Returns the group of a settlement: its transaction and its receipt. */
export function toSettlementGroup(txHash: string): string {
  return `settlement ${txHash}`;
}

/** Returns the group of a competition by its auction id. */
export function toCompetitionGroup(auctionId: number): string {
  return `/api/v2/solver_competition/${auctionId}`;
}

/**
 * Reads the lines of a file of responses, as bytes without their newline: memory holds one of them, and
 * the packed file.
 *
 * @throws {InputError} If the file is damaged or truncated.
 */
export async function* readLines(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const packed = await readBytes(file);
    const chunks = limitBytes(unpackZstd(packed), computeUnpackedLimit(packed.length));
    for await (const { bytes } of splitLines(chunks)) yield bytes;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new DamagedError(`Cannot read the responses in ${file}: it is damaged or truncated`, {
      remedy: "Run `verifyDataset`, and resume the export or copy the file again",
      cause,
    });
  }
}

/** Text in front of the body of a response, in a line as exports write it. */
export const BEFORE_BODY: Uint8Array = new TextEncoder().encode(',"responseBody":');

/** Finds the index of bytes in others; -1 if absent. */
export function findBytes(bytes: Uint8Array, part: Uint8Array): number {
  const [first = 0] = part;
  for (let start = bytes.indexOf(first); start !== -1; start = bytes.indexOf(first, start + 1)) {
    if (part.every((byte, offset) => bytes[start + offset] === byte)) return start;
  }
  return -1;
}

/** Maximum bytes of cached lines. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** A cache of the lines of all files that were unpacked last. */
export class LineCache {
  readonly #room: number;
  readonly #lines = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(roomBytes: number = CACHE_BYTES) {
    this.#room = roomBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a line by its file and its index in it, if it is cached. */
  get(file: string, index: number): Uint8Array | undefined {
    return this.#lines.get(`${index} ${file}`);
  }

  /** Caches a line, and evicts the oldest ones if there is no room. */
  add(file: string, index: number, line: Uint8Array): void {
    const name = `${index} ${file}`;
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
