import { hideSecrets, hideSecretsDeep, redactUrls } from "./secrets.ts";

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

/** Options of every error of this library, in addition to the sentence that says what failed. */
export interface OrderlensErrorOptions {
  /** The next step, as one imperative sentence without a period. */
  remedy: string;
  /** Facts that locate the fault, printed in order as `key: value` lines. */
  facts?: Readonly<Record<string, string | number | bigint>>;
  /** The underlying error, if any. */
  cause?: unknown;
}

/** Maximum length of a line of a message, in characters: a server may send more than fits a screen. */
const MAX_LINE_CHARS = 2000;

function shortenLine(line: string): string {
  const text = redactUrls(hideSecrets(line));
  const excess = text.length - MAX_LINE_CHARS;
  return excess > 0 ? `${text.slice(0, MAX_LINE_CHARS)}… ${excess} more characters` : text;
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
  /** The next step. */
  readonly remedy: string;

  /** Builds the message from the action, the facts and the remedy. */
  constructor(action: string, options: OrderlensErrorOptions) {
    const facts = Object.entries(options.facts ?? {}).map(([key, value]) =>
      `\n  ${key}: ${shortenLine(`${value}`)}`
    );
    const cause = hideSecretsDeep(options.cause);
    super(
      hideSecrets(`${shortenLine(action)}${facts.join("")}\nFix: ${options.remedy}`),
      cause === undefined ? undefined : { cause },
    );
    this.name = new.target.name;
    this.remedy = hideSecrets(options.remedy);
  }
}

/** Source of a body that failed to decode, and its first fault. */
export interface DecodeFailure {
  /** Name of the decoded record, such as `an order` or `solver competition 17`. */
  what: string;
  /**
   * Path of the first invalid value, such as `solutions[3].orders[0].sellAmount`; `""` is the whole
   * body.
   */
  path: string;
  /** The value expected there, such as `an amount below 2^256: decimal digits as text`. */
  expected: string;
  /**
   * The value there as JSON, cut to 80 characters, or the field's name where that is invalid; `nothing`
   * where it is missing.
   */
  found: string;
  /** Origin of the body (method and path, or file and line), when known. */
  source?: string;
}

/**
 * Thrown when a body does not match its schema. Never retried: the same body fails again.
 *
 * @example The path, the value found and the value expected are properties as well as text
 * ```ts
 * import { DecodeError } from "orderlens";
 * import { decodeOrderStatus } from "orderlens/schemas";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const error = assertThrows(() => decodeOrderStatus({ type: 7 }), DecodeError);
 *
 * assertEquals(error.failure.path, "type");
 * assertEquals(error.failure.found, "7");
 * ```
 */
export class DecodeError extends OrderlensError {
  /** Always `"decode"`. */
  override readonly code = "decode" as const;
  /** Place and reason of the first fault. */
  readonly failure: DecodeFailure;

  /** Builds the error from what failed. */
  constructor(failure: DecodeFailure, cause?: unknown) {
    super(
      `Cannot decode ${failure.what}: ${failure.path || "the body"} must be ${failure.expected}`,
      {
        facts: {
          found: failure.found,
          ...(failure.source === undefined ? {} : { source: failure.source }),
        },
        remedy:
          "Check that the body is complete and of the right kind; if it is, the service has changed: update orderlens, or report this message to its maintainers",
        cause,
      },
    );
    this.failure = hideSecretsDeep(failure);
  }
}

/** Options of an {@linkcode IncompleteListError}. */
export interface IncompleteListOptions {
  /** Name of the list, such as `the orders of account 0x12…`. */
  what: string;
  /** Errors of the missing elements, in list order; at least one. */
  failures: readonly DecodeError[];
  /**
   * Number of missing elements, where `failures` does not include all of them. @default
   * {failures.length}
   */
  failureCount?: number;
  /** The elements that decoded, where the call had no other way to return them. @default {[]} */
  items?: readonly unknown[];
}

/**
 * Thrown after a whole list was read if some of its elements could not be decoded. The valid
 * elements were yielded before, or are in `items`.
 *
 * @example
 * ```ts
 * import { DecodeError, IncompleteListError } from "orderlens";
 * import { decodeTrade } from "orderlens/schemas";
 * import { assert, assertEquals, assertThrows } from "@std/assert";
 *
 * const failure = assertThrows(() => decodeTrade({ blockNumber: -1 }), DecodeError);
 * const error = new IncompleteListError({ what: "the trades of order 0x12", failures: [failure] });
 *
 * assert(error instanceof DecodeError);
 * assertEquals(error.failureCount, 1);
 * ```
 */
export class IncompleteListError extends DecodeError {
  /** Errors of the missing elements, in list order; the first hundred. */
  readonly failures: readonly DecodeError[];
  /** Number of missing elements. */
  readonly failureCount: number;
  /** The elements that decoded, where the call had no other way to return them. */
  readonly items: readonly unknown[];

  /** Builds the error from the failures; its text names the first. */
  constructor(options: IncompleteListOptions) {
    const { failures, failureCount = failures.length, items = [] } = options;
    const first = failures[0];
    if (first === undefined) {
      throw new RangeError("An IncompleteListError needs at least one failure");
    }
    super(
      { ...first.failure, what: `${failureCount} of ${options.what}, first ${first.failure.what}` },
      failures.length === 1 ? first : new AggregateError(failures),
    );
    this.failures = failures;
    this.failureCount = failureCount;
    this.items = hideSecretsDeep(items);
  }
}

/** Options of a {@linkcode NotRecordedError}. */
export interface NotRecordedErrorOptions extends OrderlensErrorOptions {
  /** Whether other requests of the same route were recorded. @default {true} */
  isRouteRecorded?: boolean;
}

/**
 * Thrown by a replay when a request was not recorded; the facts name the closest recorded requests.
 */
export class NotRecordedError extends OrderlensError {
  /** Always `"not_recorded"`. */
  override readonly code = "not_recorded" as const;
  /**
   * Whether other requests of the same route were recorded, such as debug reports of other orders.
   */
  readonly isRouteRecorded: boolean;

  /** Builds the error. */
  constructor(action: string, options: NotRecordedErrorOptions) {
    super(action, options);
    this.isRouteRecorded = options.isRouteRecorded ?? true;
  }
}

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
      typeof fact === "string" ? shortenKeys(fact) : fact,
    ]);
    super(shortenKeys(action), { ...options, facts: Object.fromEntries(facts) });
  }
}

/**
 * Thrown when a file of a dataset or a recording is damaged, missing, or not the one that its manifest
 * names. Its `code` is that of an {@linkcode InputError}.
 */
export class DamagedError extends InputError {}

/** Returns the beginning of a hash: whole, it would be shortened like a key. */
export function shortenHash(sha256: string | undefined): string {
  return sha256 === undefined ? "no file" : `${sha256.slice(0, 16)}…`;
}

function shortenKeys(text: string): string {
  return text.replaceAll(KEY_LIKE, SHORTENED);
}

const MAX_TEXT_CHARS = 40;

/**
 * Finds the candidate nearest to `text`: the one that needs the fewest edits (insert, delete or
 * replace a letter, or swap two neighbours). `undefined` when every candidate needs more edits than
 * a third of its letters.
 */
export function findNearestText(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > MAX_TEXT_CHARS) return undefined;
  let nearest: string | undefined;
  let fewest = Infinity;
  for (const candidate of candidates) {
    const edits = countEdits(text, candidate);
    if (edits < fewest && edits <= Math.max(1, Math.floor(candidate.length / 3))) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

/** Counts edits by the optimal string alignment distance, one table row per letter of `a`. */
function countEdits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        readCell(last, column) + 1,
        readCell(current, column - 1) + 1,
        readCell(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? readCell(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return readCell(last, b.length);
}

function readCell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
