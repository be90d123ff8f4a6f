import type { z } from "zod";
import { leaf, REFUSED } from "./leaf.ts";

const HEX_TEXT = /^0x[0-9a-fA-F]*$/;

/** Receives the bytes of texts that only need checking. */
const bytesRead = new Uint8Array(1 << 14);

/** Shorter texts are checked as fast by the regular expression. */
const LEAST_CHARACTERS = 50;

const readsHex = "setFromHex" in bytesRead;

/** Whether a text is `0x` and an even number of hex digits. */
function isHexText(text: string): boolean {
  const { length } = text;
  if (!readsHex || length < LEAST_CHARACTERS || length > 2 * bytesRead.length) {
    return length % 2 === 0 && HEX_TEXT.test(text);
  }
  if (text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120) return false;
  try {
    bytesRead.setFromHex(text.slice(2));
    return true;
  } catch {
    return false;
  }
}

/** A place for a text, from digits that differ between addresses, hashes and UIDs alike. */
function placeOf(text: string): number {
  return text.charCodeAt(5) + 17 * text.charCodeAt(9) + 293 * text.charCodeAt(13) +
    4_903 * text.charCodeAt(17);
}

/**
 * Reads a text of so many bytes. Bodies repeat tokens, solvers and UIDs: to compare a text with one
 * that was valid takes half as long as to check its digits.
 *
 * @param kept Number of valid texts to remember; a power of two.
 */
function readBytes(length: number, kept: number): (value: unknown) => string | typeof REFUSED {
  const characters = 2 + 2 * length;
  const valid = new Array<string>(kept).fill("");
  return (value) => {
    if (typeof value !== "string" || value.length !== characters) return REFUSED;
    const place = placeOf(value) & (kept - 1);
    if (valid[place] === value) return value;
    if (!isHexText(value)) return REFUSED;
    valid[place] = value;
    return value;
  };
}

function fixedBytes(length: number, what: string, kept: number): z.ZodType<string> {
  return leaf({
    expected: `${what}: 0x and ${2 * length} hex digits`,
    read: readBytes(length, kept),
  });
}

/** A 20-byte address, in the letter case it was sent in. */
export const address: z.ZodType<string> = fixedBytes(20, "an address", 1 << 10);

/** A 32-byte hash. */
export const hash32: z.ZodType<string> = fixedBytes(32, "a 32-byte hash", 1 << 8);

/** A 56-byte order UID. */
export const orderUid: z.ZodType<string> = fixedBytes(56, "an order UID", 1 << 12);

/** Bytes of any length: `0x` and an even number of hex digits. */
export const bytes: z.ZodType<string> = leaf({
  expected: "bytes: 0x and an even number of hex digits",
  read: (value) => typeof value === "string" && isHexText(value) ? value : REFUSED,
});

const readHash32 = readBytes(32, 1 << 8);

/** The `appData` of an order: the hash that was signed, or the document itself as text. */
export const appDataField: z.ZodType<string> = leaf({
  expected: "app data: 0x and 64 hex digits, or a JSON document as text",
  read: (value) =>
    typeof value !== "string" ? REFUSED : value.startsWith("0x") ? readHash32(value) : value,
});
