import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";

/** 32 bytes of hex on their own, the form of a private key. */
const KEY_LIKE = /(?<![0-9a-z])((?:0x)?[0-9a-f]{4})[0-9a-f]{56}([0-9a-f]{4})(?![0-9a-z])/gi;
const SHORTENED = "$1…$2 (32 bytes, shortened because they could be a private key)";

/**
 * Thrown before anything is sent or computed when the caller's input is invalid: an unknown name, a
 * UID of the wrong length, an amount that is not a number.
 *
 * Quoted input that could be a misplaced private key is shortened to its ends.
 */
export class InputError extends OrderlensError {
  /** Always `"input"`. */
  override readonly code = "input" as const;

  /** Builds the message like every error, without anything that could be a private key. */
  constructor(action: string, options: OrderlensErrorOptions) {
    const facts = Object.entries(options.facts ?? {}).map(([name, fact]) => [
      name,
      typeof fact === "string" ? withoutKeys(fact) : fact,
    ]);
    super(withoutKeys(action), { ...options, facts: Object.fromEntries(facts) });
  }
}

/**
 * Thrown when a file of a dataset or a recording is damaged, missing, or not the one that its manifest
 * names. Its `code` is that of an {@linkcode InputError}.
 */
export class DamagedError extends InputError {}

/** The beginning of a hash: whole, it would be shortened like a key. */
export function shortSum(sha256: string | undefined): string {
  return sha256 === undefined ? "no file" : `${sha256.slice(0, 16)}…`;
}

function withoutKeys(text: string): string {
  return text.replaceAll(KEY_LIKE, SHORTENED);
}
