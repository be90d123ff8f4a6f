import { hideSecrets, withoutSecrets } from "./secrets.ts";

/**
 * What kind of failure an {@linkcode OrderlensError} is; programs branch on this, never on the text.
 *
 * There is none for a call that its `signal` ended: that rejects with the signal's own reason, as
 * everywhere on the platform.
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

/** What every error of this library must carry beside the sentence that says what failed. */
export interface OrderlensErrorOptions {
  /** What the reader should do next, as one imperative sentence without a period. */
  remedy: string;
  /** Facts that locate the fault, printed as `key: value` lines, in order. */
  facts?: Readonly<Record<string, string | number | bigint>>;
  /** The lower-level error, when there is one. */
  cause?: unknown;
}

/** What one line of a message shows at most, in characters: a server may say more than fits a screen. */
const LONGEST_LINE_CHARS = 2000;

function shortened(text: string): string {
  const more = text.length - LONGEST_LINE_CHARS;
  return more > 0 ? `${text.slice(0, LONGEST_LINE_CHARS)}… ${more} more characters` : text;
}

/**
 * Base class of every error this library throws on purpose.
 *
 * The message reads top-down: what could not be done and with which input, the facts, the fix. No text
 * of an error, its cause included, shows a key, password or token that a transport was given, also where
 * a server repeats it: `[hidden]` stands in its place.
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
  /** What kind of failure this is. */
  abstract readonly code: OrderlensErrorCode;
  /** What the reader should do next. */
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
