/** Maximum length of a symbol, in characters; known ones have at most about 30. */
const MOST_CHARS = 32;
/**
 * Characters that nobody sees, or that change the text around them: controls, line ends, marks of
 * writing direction, spaces without width, fillers.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const WORD_DIGITS = 64;
const DIGITS = /^0x(?:[0-9a-fA-F]{2})*$/;

/**
 * Reads the return data of a token's `symbol()`: a string, or 32 bytes padded with zeros as in old
 * tokens.
 *
 * Anyone can deploy a token, so the text may be anything: characters that nobody sees and marks of
 * writing direction are replaced by `\ufffd`, and it is cut after 32 characters.
 *
 * @param data Hex data; `undefined` where the call failed.
 * @returns `null` if it is not text, or empty.
 */
export function readSymbol(data: string | undefined): string | null {
  if (data === undefined || !DIGITS.test(data)) return null;
  const hex = data.slice(2);
  const text = hex.length === WORD_DIGITS ? wordText(hex) : stringOf(hex);
  if (text === null) return null;
  const clean = text.replace(UNSEEN, "\ufffd").trim();
  if (clean === "") return null;
  const chars = Array.from(clean.slice(0, 4 * MOST_CHARS));
  return chars.length > MOST_CHARS ? `${chars.slice(0, MOST_CHARS - 1).join("")}…` : clean;
}

/** The text of 32 bytes; `null` if they start with zeros, as a number does. */
function wordText(hex: string): string | null {
  return hex.startsWith("00") ? null : textOf(hex.replace(/(?:00)+$/, ""));
}

/** The text of an ABI-encoded string: its offset, its length, its bytes. */
function stringOf(hex: string): string | null {
  const offset = wordAt(hex, 0);
  const length = offset === null ? null : wordAt(hex, 2 * offset);
  if (offset === null || length === null) return null;
  const start = 2 * offset + WORD_DIGITS;
  return start + 2 * length > hex.length ? null : textOf(hex.slice(start, start + 2 * length));
}

/** A word as an offset in the data; `null` if it cannot be one. */
function wordAt(hex: string, start: number): number | null {
  const word = hex.slice(start, start + WORD_DIGITS);
  if (word.length < WORD_DIGITS) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(hex.length) ? Number(value) : null;
}

function textOf(hex: string): string | null {
  // Only the start is shown: a character has at most four bytes.
  const pairs = hex.slice(0, 16 * MOST_CHARS).match(/../g) ?? [];
  const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
