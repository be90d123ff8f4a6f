import { unescaped } from "./unescaped.ts";

/** A secret this long is looked for in parts and within other words; a shorter one, standing alone. */
const SHORTEST_IN_PARTS_CHARS = 8;

/** The shortest part that is looked for, and the longest; between them, half of the secret. */
const SHORTEST_PART_CHARS = 6;
const LONGEST_PART_CHARS = 16;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Marks what is found: from the index of the first character to that behind the last. */
export type Mark = (from: number, to: number) => void;

/** Finds secrets, and large parts of them, in texts that {@linkcode unescaped} read. */
export class SecretIndex {
  readonly #secrets = new Set<string>();
  readonly #wholes = new Set<string>();
  /** Parts by their length: one look-up tells whether one of them begins at a character. */
  readonly #parts = new Map<number, Set<string>>();
  readonly #alone = new Set<string>();

  /** How many secrets there are. */
  get size(): number {
    return this.#secrets.size;
  }

  /** Whether a secret is among them. */
  has(secret: string): boolean {
    return this.#secrets.has(secret);
  }

  /** Takes one more secret. */
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

  /** Marks every secret in a text that stands there whole. */
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
 * How a secret looks in base64, wherever it stands in what was encoded: for each of the three ways
 * that it can lie in the groups of three bytes, the characters that nothing beside it changes.
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
