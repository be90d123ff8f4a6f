import { DamagedError } from "../../errors/mod.ts";
import { limitBytes, limitUnpackedBytes, readBytes, unpackZstd } from "../../http/read_body.ts";
import { isByUids, parseRowRange, parseUids } from "../../recordings/recorded_lists.ts";
import { parseSettlementCall, splitLines } from "../../recordings/recording.ts";
import { type Exchange, normalizePath, parseExchange } from "../../recordings/request_key.ts";

const AUCTION_ID = /^"\{\\"auctionId\\":(\d+)/;
/** Bytes of a body in which its auction id stands. */
const HEAD_BYTES = 64;
const BY_HASH = "/api/v2/solver_competition/by_tx_hash/";

/**
 * One file of answers: which line answers what, and its lines, unpacked when one is asked for and
 * kept while there is room.
 *
 * Lines that are asked for in the order of the file are unpacked once; a line before the last one
 * unpacks the file from its beginning, unless it is among the lines that are kept.
 */
export class ResponseFile {
  readonly #file: string;
  readonly #recent: LineCache;
  #lines: AsyncGenerator<Uint8Array, void, undefined> | undefined;
  /** Number of the line that is unpacked next. */
  #next = 0;
  #groups: Promise<ReadonlyMap<string, readonly number[]>> | undefined;
  /** The end of the last thing that was asked for: the file is unpacked for one after another. */
  #turn: Promise<unknown> = Promise.resolve();

  /** A file by its path; its lines share the room for what is kept with those of other files. */
  constructor(file: string, recent: LineCache) {
    this.#file = file;
    this.#recent = recent;
  }

  /** The groups that it has answers of, as {@linkcode toGroup} names them. */
  async listGroups(): Promise<ReadonlyMap<string, readonly number[]>> {
    return await (this.#groups ??= this.#enqueue(() => this.#index()));
  }

  /** The exchanges of a group, in the order of the file. */
  async readExchanges(group: string): Promise<Exchange[]> {
    const places = (await this.listGroups()).get(group) ?? [];
    return await this.#enqueue(async () => {
      const found: Exchange[] = [];
      for (const place of places) found.push(await this.#exchange(place));
      return found;
    });
  }

  /** Ends the unpacking that was not finished. */
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
    for (let place = 0;; place++) {
      const line = await this.#unpackNext();
      if (line === null) break;
      for (const group of parseGroups(line, `${this.#file}:${place + 1}`)) {
        const places = groups.get(group);
        if (places === undefined) groups.set(group, [place]);
        else places.push(place);
      }
    }
    return groups;
  }

  async #exchange(place: number): Promise<Exchange> {
    const line = this.#recent.get(this.#file, place) ?? await this.#unpackTo(place);
    return parseExchange(new TextDecoder().decode(line), `${this.#file}:${place + 1}`);
  }

  async #unpackTo(place: number): Promise<Uint8Array> {
    if (place < this.#next) await this.#restart();
    for (;;) {
      const at = this.#next;
      const line = await this.#unpackNext();
      if (line === null) throw new TypeError(`${this.#file} has no line ${place + 1}`);
      if (at === place) return line;
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

/** The group of an order: its body, from whichever route. */
export function toOrderGroup(uid: string): string {
  return `order ${uid}`;
}

const ORDER = /^\/api\/v1\/orders\/(0x[0-9a-f]{112})$/;

/** The group of a GET: answers of one group together are what there is of one thing. */
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
    const asked = parseSettlementCall(requestBody);
    return asked === null ? [] : [toSettlementGroup(asked.txHash)];
  }
  if (method !== "GET") return [];
  const group = toGroup(path);
  if (!group.startsWith(BY_HASH)) return [group];
  // A competition that was asked for by a settlement is that of an id as well.
  const body = line.subarray(end + BEFORE_BODY.length, end + BEFORE_BODY.length + HEAD_BYTES);
  const id = AUCTION_ID.exec(decoder.decode(body))?.[1];
  return id === undefined ? [group] : [group, toCompetitionGroup(Number(id))];
}

/** The group of a settlement: its transaction and its receipt. */
export function toSettlementGroup(txHash: string): string {
  return `settlement ${txHash}`;
}

/** The group of a competition by its auction id. */
export function toCompetitionGroup(auctionId: number): string {
  return `/api/v2/solver_competition/${auctionId}`;
}

/**
 * The lines of a file of answers, one after another, as bytes without their newline: memory holds
 * one of them, and the packed file.
 *
 * @throws {InputError} If the file is damaged or truncated.
 */
export async function* readLines(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const packed = await readBytes(file);
    const chunks = limitBytes(unpackZstd(packed), limitUnpackedBytes(packed.length));
    for await (const { bytes } of splitLines(chunks)) yield bytes;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new DamagedError(`Cannot read the answers in ${file}: it is damaged or truncated`, {
      remedy: "Run `verifyDataset`, and resume the export or copy the file again",
      cause,
    });
  }
}

/** What stands in front of the body of an answer, in a line as exports write it. */
export const BEFORE_BODY: Uint8Array = new TextEncoder().encode(',"responseBody":');

/** Where bytes have others as a part; -1 if they do not. */
export function findBytes(bytes: Uint8Array, part: Uint8Array): number {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (part.every((byte, place) => bytes[at + place] === byte)) return at;
  }
  return -1;
}

/** Bytes of lines that are kept. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** The lines that were unpacked last, of all files together: as many as there is room for. */
export class LineCache {
  readonly #room: number;
  readonly #lines = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Has nothing yet. */
  constructor(roomBytes: number = CACHE_BYTES) {
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
  add(file: string, place: number, line: Uint8Array): void {
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
