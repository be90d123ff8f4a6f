/** A trade as the calldata has it. */
export interface PlainTrade {
  readonly sellTokenIndex: bigint;
  readonly buyTokenIndex: bigint;
  readonly receiver: `0x${string}`;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly validTo: number;
  readonly appData: `0x${string}`;
  readonly feeAmount: bigint;
  readonly flags: bigint;
  readonly executedAmount: bigint;
  readonly signature: `0x${string}`;
}

/** An interaction as the calldata has it. */
export interface PlainInteraction {
  readonly target: `0x${string}`;
  readonly value: bigint;
  readonly callData: `0x${string}`;
}

/** The arguments of `settle`. */
export type PlainSettlement = readonly [
  tokens: readonly `0x${string}`[],
  clearingPrices: readonly bigint[],
  trades: readonly PlainTrade[],
  interactions: readonly [
    readonly PlainInteraction[],
    readonly PlainInteraction[],
    readonly PlainInteraction[],
  ],
];

/** Hex digits of a word, of a selector and its prefix. */
const WORD = 64;
const START = 10;
const ADDRESS_ZEROS = "0".repeat(24);
const NUMBER_ZEROS = "0".repeat(52);
const VALID_TO_ZEROS = "0".repeat(56);

/**
 * Reads the arguments of `settle` in the layout that compilers and solvers write, which takes a
 * fraction of the time of a decoder of any layout.
 *
 * @param calldata Lower-case hex with `0x`, of whole bytes.
 * @returns `null` where anything is not as expected, such as an offset that does not lead onwards or an
 * address with other bytes in front: a decoder decides what it is. Addresses are in lower case.
 */
export function plainSettlement(calldata: string): PlainSettlement | null {
  const reader = new Reader(calldata);
  try {
    reader.take(START, 4);
    const tokens = reader.list(reader.place(START, 0), (at) => reader.address(at));
    const prices = reader.list(reader.place(START, 1), (at) => reader.uint(at));
    const trades = reader.list(reader.place(START, 2), (at, base) => trade(reader, base, at));
    const interactions = reader.place(START, 3);
    reader.take(interactions, 3);
    const called = (place: number) =>
      reader.list(reader.place(interactions, place), (at, base) => interaction(reader, base, at));
    return [tokens, prices, trades, [called(0), called(1), called(2)]];
  } catch (error) {
    if (error instanceof Unexpected) return null;
    throw error;
  }
}

/** Something that is not laid out as expected. */
class Unexpected extends Error {}

function trade(reader: Reader, base: number, at: number): PlainTrade {
  const start = reader.target(base, at);
  reader.take(start, 11);
  const word = (place: number) => start + WORD * place;
  return {
    sellTokenIndex: reader.uint(word(0)),
    buyTokenIndex: reader.uint(word(1)),
    receiver: reader.address(word(2)),
    sellAmount: reader.uint(word(3)),
    buyAmount: reader.uint(word(4)),
    validTo: reader.validTo(word(5)),
    appData: `0x${reader.word(word(6))}`,
    feeAmount: reader.uint(word(7)),
    flags: reader.uint(word(8)),
    executedAmount: reader.uint(word(9)),
    signature: reader.bytes(reader.place(start, 10)),
  };
}

function interaction(reader: Reader, base: number, at: number): PlainInteraction {
  const start = reader.target(base, at);
  reader.take(start, 3);
  return {
    target: reader.address(start),
    value: reader.uint(start + WORD),
    callData: reader.bytes(reader.place(start, 2)),
  };
}

/** Reads words of a text of hex digits, at places in characters. */
class Reader {
  readonly #text: string;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Requires words behind all that were taken before: parts that overlap are not the usual layout,
   * and small calldata cannot stand for much.
   */
  take(at: number, words: number): void {
    const end = at + WORD * words;
    if (at < this.#end || end > this.#text.length) throw new Unexpected();
    this.#end = end;
  }

  /** The digits of a word. */
  word(at: number): string {
    if (at + WORD > this.#text.length) throw new Unexpected();
    return this.#text.slice(at, at + WORD);
  }

  uint(at: number): bigint {
    return BigInt(`0x${this.word(at)}`);
  }

  address(at: number): `0x${string}` {
    const word = this.word(at);
    if (!word.startsWith(ADDRESS_ZEROS)) throw new Unexpected();
    return `0x${word.slice(ADDRESS_ZEROS.length)}`;
  }

  validTo(at: number): number {
    const word = this.word(at);
    if (!word.startsWith(VALID_TO_ZEROS)) throw new Unexpected();
    return Number.parseInt(word, 16);
  }

  /** A length or an offset. */
  small(at: number): number {
    const word = this.word(at);
    if (!word.startsWith(NUMBER_ZEROS)) throw new Unexpected();
    return Number.parseInt(word, 16);
  }

  /** Where the offset in one of the words after `base` points to. */
  place(base: number, word: number): number {
    return this.target(base, base + WORD * word);
  }

  /** Where an offset points to, which counts bytes from `base`. */
  target(base: number, at: number): number {
    const target = base + 2 * this.small(at);
    if (target >= this.#text.length) throw new Unexpected();
    return target;
  }

  /** A list: its length, then a word for each item; `base` is what offsets in it count from. */
  list<Item>(at: number, read: (at: number, base: number) => Item): Item[] {
    const length = this.small(at);
    const base = at + WORD;
    this.take(at, 1 + length);
    return Array.from({ length }, (_, place) => read(base + WORD * place, base));
  }

  /** Bytes: their number, then they, with zeros up to a whole word. */
  bytes(at: number): `0x${string}` {
    const length = 2 * this.small(at);
    const start = at + WORD;
    this.take(at, 1 + Math.ceil(length / WORD));
    return `0x${this.#text.slice(start, start + length)}`;
  }
}
