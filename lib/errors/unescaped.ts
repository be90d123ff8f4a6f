/** A text with all escapes resolved, and the mapping back to the original. */
export interface Unescaped {
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
 *
 * @example
 * ```ts
 * import { unescaped } from "./unescaped.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(unescaped("K%65y \\u0041&#66;").plain, "key ab");
 * ```
 */
export function unescaped(text: string): Unescaped {
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
