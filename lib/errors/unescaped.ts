/** A text with the spellings undone that servers give to characters, and the way back. */
export interface Unescaped {
  /** The text in lower case, escapes resolved. */
  readonly plain: string;
  /** Where in the original the character at `index` of `plain` begins. */
  startOf(index: number): number;
  /** Where in the original the character at `index` of `plain` ends. */
  endOf(index: number): number;
}

/** Ways of writing a character: percent-encoded, as JSON or JavaScript, as HTML; also several times over. */
const ESCAPES =
  /(?<bytes>(?:%(?:25)*[0-9a-f]{2})+)|\\+u(?<unit>[0-9a-f]{4})|\\+x(?<byte>[0-9a-f]{2})|&#x(?<hex>[0-9a-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>amp|quot|apos|lt|gt);|\\+(?<control>[nrt])?/gi;

/** A hostile answer can consist of escapes only, each of which takes as long as many characters. */
const LONGEST_UNESCAPED_CHARS = 1_000_000;

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
};

/**
 * Reads a text as one who looks for a word in it: in lower case, with percent-encoding, JSON's and
 * HTML's escapes resolved, and backslashes and the difference between `+` and a space ignored. Of a text
 * of more than a million characters, escapes are left as they are.
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

/** Characters of the original that stand together as they are, or for what an escape means. */
interface Part {
  /** Where it begins in the text that was read. */
  readonly at: number;
  /** Where it begins in the original. */
  readonly start: number;
  /** Where it ends there. */
  readonly end: number;
  readonly isEscape: boolean;
}

/** The part in which the character at `index` lies. */
function partAt(parts: readonly Part[], index: number): Part {
  let low = 0;
  for (let high = parts.length - 1; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if (parts[middle]!.at <= index) low = middle;
    else high = middle - 1;
  }
  return parts[low]!;
}

/** In lower case, as long as before: of all letters only this one becomes two. */
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
