import { unescaped } from "./unescaped.ts";

/**
 * A secret of this length is also found in parts and within other words; a shorter one only as a
 * whole word.
 */
const SHORTEST_IN_PARTS_CHARS = 8;

/** Length of the part that is searched for: half of the secret, within these bounds. */
const SHORTEST_PART_CHARS = 6;
const LONGEST_PART_CHARS = 16;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Marks a match: from the index of its first character to the index after its last. */
export type Mark = (from: number, to: number) => void;

/** Finds secrets, and large parts of them, in the output of {@linkcode unescaped}. */
export class SecretIndex {
  readonly #secrets = new Set<string>();
  readonly #wholes = new Set<string>();
  /** Parts by length: one lookup tells whether a part starts at a character. */
  readonly #parts = new Map<number, Set<string>>();
  readonly #alone = new Set<string>();

  /** Number of secrets. */
  get size(): number {
    return this.#secrets.size;
  }

  /** Whether a secret is indexed. */
  has(secret: string): boolean {
    return this.#secrets.has(secret);
  }

  /** Adds a secret. */
  add(secret: string): void {
    this.#secrets.add(secret);
    const { plain } = unescaped(secret);
    if (plain.length < SHORTEST_IN_PARTS_CHARS) {
      this.#alone.add(plain);
      return;
    }
    for (const word of [plain, ...base64Of(secret)]) {
      this.#wholes.add(word);
      const length = partLength(word);
      const parts = this.#parts.get(length) ?? new Set();
      this.#parts.set(length, parts);
      for (let at = 0; at + length <= word.length; at++) parts.add(word.slice(at, at + length));
    }
  }

  /** Marks every complete secret in a text. */
  findWhole(plain: string, mark: Mark): void {
    for (const word of this.#wholes) {
      for (const at of placesOf(word, plain)) mark(at, at + word.length);
    }
    for (const word of this.#alone) {
      for (const at of placesOf(word, plain)) {
        const isWithin = LETTER_OR_DIGIT.test(plain.charAt(at - 1)) ||
          LETTER_OR_DIGIT.test(plain.charAt(at + word.length));
        if (!isWithin) mark(at, at + word.length);
      }
    }
  }

  /** Marks every part of a secret that is at least half of it, or 16 characters long. */
  findParts(plain: string, mark: Mark): void {
    for (const [length, parts] of this.#parts) {
      for (let at = 0; at + length <= plain.length; at++) {
        if (parts.has(plain.slice(at, at + length))) mark(at, at + length);
      }
    }
  }
}

function partLength({ length }: string): number {
  return Math.min(LONGEST_PART_CHARS, Math.max(SHORTEST_PART_CHARS, Math.ceil(length / 2)));
}

function* placesOf(word: string, text: string): Generator<number> {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    yield at;
  }
}

/**
 * The base64 forms of a secret at any position in the encoded data: for each of its three
 * alignments to groups of three bytes, the characters that do not depend on the neighbouring bytes.
 */
function base64Of(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap((before) => {
    const shifted = new Uint8Array(before + bytes.length);
    shifted.set(bytes, before);
    const from = Math.ceil(before * 8 / 6);
    const to = Math.floor(shifted.length * 8 / 6);
    const whole = btoa(Array.from(shifted, (byte) => String.fromCharCode(byte)).join(""));
    const standard = whole.slice(from, to);
    const urlSafe = standard.replaceAll("+", "-").replaceAll("/", "_");
    return [...new Set([standard, urlSafe])].map((text) => unescaped(text).plain);
  });
}
