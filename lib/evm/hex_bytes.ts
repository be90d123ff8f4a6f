import { InputError } from "../errors/mod.ts";

/** Kind of a hex text. */
export interface HexField {
  /** Name in errors, such as `an order UID` or `the sellToken of an order`. */
  readonly what: string;
  /** Length in bytes. */
  readonly bytes: number;
  /** Remedy for an invalid text. @default {a sentence that states the required form} */
  readonly remedy?: string;
  /**
   * Whether an invalid text is not quoted, since it may be a private key or a seed phrase. @default
   * {false}
   */
  readonly isUnquoted?: boolean;
}

const KNOWN_LENGTHS: ReadonlyMap<number, string> = new Map([
  [20, "an address"],
  [32, "a hash (of a transaction, an order or app data) or a private key"],
  [56, "an order UID"],
  [64, "a compact signature (EIP-2098), which the service does not accept"],
  [65, "a signature"],
]);

const LONGEST_SHOWN = 140;

/** Much faster than by hand; Node before 25 and older browsers have none. */
const fromHex: ((text: string) => Uint8Array) | undefined = Reflect.get(Uint8Array, "fromHex");

/** The value of every hex digit by its character code; other codes are absent. */
const DIGITS: readonly (number | undefined)[] = digits();

function digits(): (number | undefined)[] {
  const values = new Array<number | undefined>(128).fill(undefined);
  for (const [value, digit] of [..."0123456789abcdef"].entries()) {
    values[digit.charCodeAt(0)] = value;
    values[digit.toUpperCase().charCodeAt(0)] = value;
  }
  return values;
}

/**
 * The bytes of `0x…` text, which must be hex of the length that `field` has; digits may be of
 * either case.
 *
 * @throws {InputError} Otherwise; says what the text looks like instead.
 */
export function hexBytes(text: string, field: HexField): Uint8Array {
  if (typeof text !== "string" || !text.startsWith("0x")) throw unreadable(text, field);
  if (text.length !== 2 + 2 * field.bytes) throw unreadable(text, field);
  if (fromHex !== undefined) {
    try {
      return fromHex.call(Uint8Array, text.slice(2));
    } catch {
      throw unreadable(text, field);
    }
  }
  const bytes = new Uint8Array(field.bytes);
  for (let at = 0; at < bytes.length; at++) {
    const high = DIGITS[text.charCodeAt(2 + 2 * at)];
    const low = DIGITS[text.charCodeAt(3 + 2 * at)];
    if (high === undefined || low === undefined) throw unreadable(text, field);
    bytes[at] = high * 16 + low;
  }
  return bytes;
}

const TEXTS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

/** Writes bytes as `0x` and lower-case hex digits. */
export function hexOf(bytes: Uint8Array): `0x${string}` {
  let text = "";
  for (const byte of bytes) text += TEXTS[byte]!;
  return `0x${text}`;
}

function unreadable(text: unknown, field: HexField): InputError {
  const { what, bytes, remedy, isUnquoted = false } = field;
  const found = typeof text === "string" ? JSON.stringify(text) : String(text);
  const isHex = typeof text === "string" && /^0x[0-9a-fA-F]*$/.test(text);
  const looksLike = isHex ? KNOWN_LENGTHS.get(text.length / 2 - 1) : undefined;
  return new InputError(`Cannot read ${what}: ${fault(text, bytes)}`, {
    facts: {
      ...(isUnquoted
        ? {}
        : { found: found.length > LONGEST_SHOWN ? `${found.slice(0, LONGEST_SHOWN)}…` : found }),
      ...(looksLike === undefined ? {} : { "same length as": looksLike }),
    },
    remedy: remedy ?? `Pass ${what} as 0x and ${2 * bytes} hex digits`,
  });
}

function fault(text: unknown, bytes: number): string {
  if (typeof text !== "string") return `it is ${text === null ? "null" : typeof text}, not text`;
  if (!text.startsWith("0x")) return "it does not begin with 0x";
  const bad = text.slice(2).search(/[^0-9a-fA-F]/);
  if (bad >= 0) return `character ${bad + 3} is not a hex digit`;
  if (text.length % 2 === 1) return `it has ${text.length - 2} hex digits, an odd number`;
  const found = (text.length - 2) / 2;
  return `it has ${found} ${found === 1 ? "byte" : "bytes"} instead of ${bytes}`;
}

/** Text that is known to be `0x` and hex digits, typed as in viem. */
export function hexText(text: string): `0x${string}` {
  return text as `0x${string}`;
}
