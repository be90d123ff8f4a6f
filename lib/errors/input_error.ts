import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";

/** 32 bytes of hex standing alone, as private keys are written. */
const KEY_LIKE = /(?<![0-9a-z])((?:0x)?[0-9a-f]{4})[0-9a-f]{56}([0-9a-f]{4})(?![0-9a-z])/gi;
const SHORTENED = "$1…$2 (32 bytes, shortened as they could be a private key)";

/**
 * Thrown before anything is sent or computed, when the caller's input cannot mean anything:
 * a name that does not exist, a UID of the wrong length, an amount that is not a number.
 *
 * Where the input that it quotes could be a private key in a wrong place, only its ends are told.
 */
export class InputError extends OrderlensError {
  /** Always `"input"`. */
  override readonly code = "input" as const;

  /** Builds the message as every error does, without what could be a key. */
  constructor(action: string, options: OrderlensErrorOptions) {
    const facts = Object.entries(options.facts ?? {}).map(([name, fact]) => [
      name,
      typeof fact === "string" ? withoutKeys(fact) : fact,
    ]);
    super(withoutKeys(action), { ...options, facts: Object.fromEntries(facts) });
  }
}

function withoutKeys(text: string): string {
  return text.replaceAll(KEY_LIKE, SHORTENED);
}
