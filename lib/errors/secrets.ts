/** Replaces a secret in a text. */
export const HIDDEN = "[hidden]";

/** Anything shorter occurs in too many texts by chance. */
const SHORTEST_SECRET_CHARS = 4;

/** At least this many of the most recently used secrets are remembered. */
const SECRETS_PER_GENERATION = 1000;

/** Longer texts are searched for whole secrets only: a text truncated for display is short. */
const LONGEST_IN_PARTS_CHARS = 64 * 1024;

/** Values nested deeper are left out instead of searched. */
const DEEPEST = 100;

/**
 * A secret of this length is also found in parts and within other words; a shorter one only as a
 * whole word.
 */
const SHORTEST_IN_PARTS_CHARS = 8;

/** Length of the part that is searched for: half of the secret, within these bounds. */
const SHORTEST_PART_CHARS = 6;

const LONGEST_PART_CHARS = 16;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Finds secrets, and large parts of them, in the output of {@linkcode unescaped}. */
class SecretIndex {
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

let young = new SecretIndex();

let old = new SecretIndex();

/**
 * Registers a key, a password or a token that no error, recording or cache may show from now on.
 *
 * Secrets are kept for the whole process, not per transport: errors about an answer are also built
 * in decoders, which know no transport, and one list that every error checks cannot be forgotten in
 * any of them. The price is that a secret is also hidden where it occurs by chance in an error
 * about another transport. To bound memory in a process that uses many people's keys, the 1,000
 * most recently used secrets are remembered, and never more than 2,000.
 *
 * A secret of fewer than 4 characters is not registered, since it would match everywhere; one of 4
 * to 7 characters is hidden as a whole word, not within a longer word or number.
 */
export function keepSecret(secret: string): void {
  if (secret.length < SHORTEST_SECRET_CHARS || young.has(secret)) return;
  if (young.size === SECRETS_PER_GENERATION) {
    old = young;
    young = new SecretIndex();
  }
  young.add(secret);
}

/**
 * A text with every secret hidden: complete ones, and parts of at least half the secret or 16
 * characters, which remain where a text was truncated. Secrets are found in upper and lower case,
 * percent-encoded, escaped as in JSON or HTML, and within base64; in a text of more than a million
 * characters, encoded or escaped secrets are not found.
 */
export function hideSecrets(text: string): string {
  return text.length > LONGEST_IN_PARTS_CHARS ? hideWholeSecrets(text) : hidden(text, "findParts");
}

/**
 * A text with complete secrets hidden. For data, in which a part of a secret may occur by chance.
 */
export function hideWholeSecrets(text: string): string {
  return hidden(text, "findWhole");
}

/**
 * A value with the secrets in all its texts hidden; the value itself if there are none. Lists,
 * plain objects and errors are copied as far as needed, with their causes; other objects are left
 * unchanged.
 */
export function withoutSecrets<T>(value: T): T {
  return knowsNone() ? value : cleaned(value, 0) as T;
}

function knowsNone(): boolean {
  return young.size + old.size === 0;
}

function hidden(text: string, how: "findParts" | "findWhole"): string {
  if (text === "" || knowsNone()) return text;
  const { plain, startOf, endOf } = unescaped(text);
  const found: [from: number, to: number][] = [];
  function mark(from: number, to: number): void {
    const last = found.at(-1);
    if (last === undefined || from < last[0] || from > last[1]) found.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  for (const index of [young, old]) {
    if (how === "findParts") index.findParts(plain, mark);
    index.findWhole(plain, mark);
  }
  if (found.length === 0) return text;
  let shown = "";
  let at = 0;
  let isHiding = false;
  for (const [from, to] of found.sort(([a], [b]) => a - b)) {
    const start = startOf(from);
    if (start > at || !isHiding) shown += text.slice(at, start) + HIDDEN;
    isHiding = true;
    at = Math.max(at, endOf(to - 1));
  }
  return shown + text.slice(at);
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === "string") return hideSecrets(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return HIDDEN;
  if (value instanceof Error) return cleanedError(value, depth);
  if (Array.isArray(value)) {
    const copy = value.map((element) => cleaned(element, depth + 1));
    return copy.every((element, index) => Object.is(element, value[index])) ? value : copy;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const entries = Object.entries(value);
  const copy = entries.map(([key, one]) => [hideSecrets(key), cleaned(one, depth + 1)] as const);
  const isClean = copy.every(([key, one], index) =>
    key === entries[index]?.[0] && Object.is(one, entries[index]?.[1])
  );
  return isClean ? value : Object.fromEntries(copy);
}

/**
 * An error of the same class and with the same properties, or the error itself if it holds no
 * secret.
 */
function cleanedError(error: Error, depth: number): Error {
  const names = new Set(["message", "stack", ...Object.getOwnPropertyNames(error)]);
  const before = [...names].map((name) => [name, Reflect.get(error, name)] as const);
  const after = before.map(([name, value]) => [name, cleaned(value, depth + 1)] as const);
  if (after.every(([, value], index) => Object.is(value, before[index]?.[1]))) return error;
  const copy = new Error();
  // An error whose texts are not own properties would read them from itself, not from a copy.
  if (Object.hasOwn(error, "message")) Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  else copy.name = hideSecrets(error.name);
  for (const [name, value] of after) {
    const isEnumerable = Object.prototype.propertyIsEnumerable.call(error, name);
    Object.defineProperty(copy, name, {
      value,
      enumerable: isEnumerable,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

/** Marks a match: from the index of its first character to the index after its last. */
type Mark = (from: number, to: number) => void;

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

/** A text with all escapes resolved, and the mapping back to the original. */
interface Unescaped {
  /** The text in lower case, escapes resolved. */
  readonly plain: string;
  /** Index in the original where the character at `index` of `plain` begins. */
  startOf(index: number): number;
  /** Index in the original where the character at `index` of `plain` ends. */
  endOf(index: number): number;
}

/** Escapes of a character: percent-encoding, JSON or JavaScript, HTML; also nested. */
const ESCAPES =
  /(?<bytes>(?:%(?:25)*[0-9a-f]{2})+)|\\+u(?<unit>[0-9a-f]{4})|\\+x(?<byte>[0-9a-f]{2})|&#x(?<hex>[0-9a-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>amp|quot|apos|lt|gt);|\\+(?<control>[nrt])?/gi;

/** A hostile answer can consist of escapes only, each as slow as many plain characters. */
const LONGEST_UNESCAPED_CHARS = 1_000_000;

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
};

/**
 * Normalizes a text for searching: lower case, percent-encoding and the escapes of JSON and HTML
 * resolved, backslashes removed, and `+` read as a space. In a text of more than a million
 * characters, escapes are left unresolved.
 */
function unescaped(text: string): Unescaped {
  if (text.length > LONGEST_UNESCAPED_CHARS || !/[%\\&+]|\P{ASCII}/u.test(text)) {
    return { plain: lowered(text), startOf: (index) => index, endOf: (index) => index + 1 };
  }
  const parts: Part[] = [];
  const plain: string[] = [];
  let length = 0;
  function add(characters: string, place: Omit<Part, "at">): void {
    if (characters === "") return;
    parts.push({ ...place, at: length });
    plain.push(characters);
    length += characters.length;
  }
  let at = 0;
  for (const match of text.matchAll(ESCAPES)) {
    const end = match.index + match[0].length;
    add(lowered(text.slice(at, match.index)), { start: at, end: match.index, isEscape: false });
    add(lowered(meantBy(match.groups ?? {})), { start: match.index, end, isEscape: true });
    at = end;
  }
  add(lowered(text.slice(at)), { start: at, end: text.length, isEscape: false });
  return {
    plain: plain.join(""),
    startOf(index) {
      const part = partAt(parts, index);
      return part.isEscape ? part.start : part.start + index - part.at;
    },
    endOf(index) {
      const part = partAt(parts, index);
      return part.isEscape ? part.end : part.start + index - part.at + 1;
    },
  };
}

/** A run of plain characters of the original, or one escape. */
interface Part {
  /** Start in the normalized text. */
  readonly at: number;
  /** Start in the original. */
  readonly start: number;
  /** End in the original. */
  readonly end: number;
  readonly isEscape: boolean;
}

/** The part that contains the character at `index`. */
function partAt(parts: readonly Part[], index: number): Part {
  let low = 0;
  for (let high = parts.length - 1; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if (parts[middle]!.at <= index) low = middle;
    else high = middle - 1;
  }
  return parts[low]!;
}

/** In lower case, with the same length: this is the only letter that becomes two. */
function lowered(characters: string): string {
  return characters.replaceAll("İ", "i").toLowerCase().replaceAll("+", " ");
}

function meantBy(groups: Readonly<Record<string, string | undefined>>): string {
  const { bytes, unit, byte, hex, decimal, name, control } = groups;
  if (bytes !== undefined) {
    const ascii = bytes.length === 3 ? parseInt(bytes.slice(1), 16) : NaN;
    if (ascii < 0x80) return String.fromCharCode(ascii);
    const values = bytes.replaceAll(/%(?:25)*(?=[0-9a-f]{2})/gi, "%").slice(1).split("%");
    return utf8.decode(Uint8Array.from(values, (value) => parseInt(value, 16)));
  }
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? "";
  if (control !== undefined) return " ";
  const code = unit ?? byte ?? hex;
  const value = code === undefined ? Number(decimal ?? NaN) : parseInt(code, 16);
  return value <= 0x10ffff ? String.fromCodePoint(value) : "";
}

const utf8 = new TextDecoder();
