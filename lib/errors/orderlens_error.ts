import { hideSecrets, withoutSecrets } from "./secrets.ts";

/**
 * Kind of failure of an {@linkcode OrderlensError}; programs branch on this, never on the text.
 *
 * An aborted call has no code: it rejects with the signal's own reason, as web APIs do.
 */
export type OrderlensErrorCode =
  | "decode"
  | "input"
  | "network"
  | "timeout"
  | "http_status"
  | "not_found"
  | "rate_limited"
  | "unauthorized"
  | "unavailable"
  | "service"
  | "mismatch"
  | "unconfirmed"
  | "not_recorded";

/** Options of every error of this library, besides the sentence that says what failed. */
export interface OrderlensErrorOptions {
  /** What to do next, as one imperative sentence without a period. */
  remedy: string;
  /** Facts that locate the fault, printed in order as `key: value` lines. */
  facts?: Readonly<Record<string, string | number | bigint>>;
  /** The underlying error, if any. */
  cause?: unknown;
}

/** Longest line of a message, in characters: a server may send more than fits a screen. */
const LONGEST_LINE_CHARS = 2000;

function shortened(text: string): string {
  const more = text.length - LONGEST_LINE_CHARS;
  return more > 0 ? `${text.slice(0, LONGEST_LINE_CHARS)}… ${more} more characters` : text;
}

/**
 * Base class of all errors that this library throws.
 *
 * The message reads top-down: what failed with which input, the facts, the fix. No text of an
 * error, its cause included, shows a key, password or token that was passed to a transport, even
 * where a server repeats it: `[hidden]` takes its place.
 *
 * @example A message states the action, the facts and the fix
 * ```ts
 * import { InputError } from "orderlens";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const error = new InputError("Cannot price trade 7", {
 *   facts: { sellToken: "0xabc" },
 *   remedy: "Pass a price for 0xabc in `prices`",
 * });
 *
 * assertEquals(error.code, "input");
 * assertMatch(error.message, /^Cannot price trade 7\n {2}sellToken: 0xabc\nFix: Pass/);
 * ```
 */
export abstract class OrderlensError extends Error {
  /** Kind of failure. */
  abstract readonly code: OrderlensErrorCode;
  /** What to do next. */
  readonly remedy: string;

  /** Builds the message from the action, the facts and the remedy. */
  constructor(action: string, options: OrderlensErrorOptions) {
    const facts = Object.entries(options.facts ?? {}).map(([key, value]) =>
      `\n  ${key}: ${shortened(`${value}`)}`
    );
    const cause = withoutSecrets(options.cause);
    super(
      hideSecrets(`${shortened(action)}${facts.join("")}\nFix: ${options.remedy}`),
      cause === undefined ? undefined : { cause },
    );
    this.name = new.target.name;
    this.remedy = hideSecrets(options.remedy);
  }
}
