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

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
};

/**
 * Reads a text as one who looks for a word in it: in lower case, with percent-encoding, JSON's and
 * HTML's escapes resolved, and backslashes and the difference between `+` and a space ignored.
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
  if (!/[%\\&+]|\P{ASCII}/u.test(text)) {
    return { plain: text.toLowerCase(), startOf: (index) => index, endOf: (index) => index + 1 };
  }
  let plain = "";
  const starts: number[] = [];
  const ends: number[] = [];
  function add(characters: string, start: number, end: number): void {
    plain += characters;
    for (let index = 0; index < characters.length; index++) {
      starts.push(start);
      ends.push(end);
    }
  }
  let at = 0;
  function addUpTo(end: number): void {
    for (; at < end; at++) add(lowered(text.charAt(at)), at, at + 1);
  }
  for (const match of text.matchAll(ESCAPES)) {
    addUpTo(match.index);
    at += match[0].length;
    add(lowered(meantBy(match.groups ?? {})), match.index, at);
  }
  addUpTo(text.length);
  return { plain, startOf: (index) => starts[index] ?? 0, endOf: (index) => ends[index] ?? 0 };
}

function lowered(characters: string): string {
  return characters.toLowerCase().replaceAll("+", " ");
}

function meantBy(groups: Readonly<Record<string, string | undefined>>): string {
  const { bytes, unit, byte, hex, decimal, name, control } = groups;
  if (bytes !== undefined) {
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
