const WORD_DIGITS = 64;
const SELECTOR_END = 2 + 8;

/** A number as a word of 32 bytes: `0x` and 64 digits. */
export function numberWord(value: bigint | number): string {
  return `0x${BigInt(value).toString(16).padStart(WORD_DIGITS, "0")}`;
}

/** An address as a word of 32 bytes. */
export function addressWord(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(WORD_DIGITS, "0")}`;
}

/** A text as the only return value of a function. */
export function textResult(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const padded = digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0");
  return numberWord(32) + numberWord(bytes.length).slice(2) + padded;
}

/** An argument of calldata that is an address, by its index from 0; `null` if it is not one. */
export function addressArgument(data: string, place: number): string | null {
  const word = wordAt(data, place);
  return word !== null && /^0{24}/.test(word) ? `0x${word.slice(24).toLowerCase()}` : null;
}

/** An argument of calldata that is bytes, by its index from 0; `null` if it is not. */
export function bytesArgument(data: string, place: number): string | null {
  const offset = smallNumber(wordAt(data, place));
  if (offset === null || offset % 32 !== 0) return null;
  const length = smallNumber(wordAt(data, offset / 32));
  if (length === null) return null;
  const start = SELECTOR_END + 2 * offset + WORD_DIGITS;
  const bytes = data.slice(start, start + 2 * length);
  return bytes.length === 2 * length ? `0x${bytes.toLowerCase()}` : null;
}

function wordAt(data: string, place: number): string | null {
  const start = SELECTOR_END + WORD_DIGITS * place;
  const word = data.slice(start, start + WORD_DIGITS);
  return word.length === WORD_DIGITS ? word : null;
}

function smallNumber(word: string | null): number | null {
  return word !== null && /^0{56}/.test(word) ? Number.parseInt(word, 16) : null;
}

const WORD = 32;
const LIMB_BITS = 64n;

/**
 * Values as the 32-byte words that EIP-712 hashes: each padded with zeros on the left.
 *
 * @param values Bytes, at most 32 each, or numbers of 0 to 2^256 - 1.
 */
export function packWords(values: readonly (Uint8Array | bigint)[]): Uint8Array {
  const packed = new Uint8Array(WORD * values.length);
  const view = new DataView(packed.buffer);
  let end = 0;
  for (const value of values) {
    end += WORD;
    if (typeof value !== "bigint") {
      packed.set(value, end - value.length);
      continue;
    }
    let rest = value;
    for (let at = end - 8; rest > 0n; at -= 8, rest >>= LIMB_BITS) {
      view.setBigUint64(at, BigInt.asUintN(64, rest));
    }
  }
  return packed;
}
