import {
  DecodeError,
  IncompleteListError,
  InputError,
  MismatchError,
  NotFoundError,
} from "../errors/mod.ts";
import { type OptionRule, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import { detectSolana, NOT_SOLANA } from "../networks/network.ts";
import { sameHex } from "../units/mod.ts";

/** Options of {@linkcode mapInOrder}. */
export interface MapInOrderOptions {
  /** Maximum number of concurrent tasks, at least 1. */
  readonly concurrency: number;
  /** Aborts all tasks. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a task for each input, several concurrently, and yields the results in input order.
 *
 * At most `concurrency` tasks are running, or finished but not yet consumed, so memory stays
 * bounded however slow the consumer is. Nothing starts before the first result is requested. When
 * the consumer stops, or a task fails, the running tasks are aborted through their signal.
 */
export async function* mapInOrder<I, O>(
  inputs: Iterable<I>,
  task: (input: I, signal: AbortSignal) => Promise<O>,
  { concurrency, signal }: MapInOrderOptions,
): AsyncGenerator<O, void, undefined> {
  const controller = new AbortController();
  const taskSignal = signal === undefined
    ? controller.signal
    : AbortSignal.any([signal, controller.signal]);
  const iterator = Iterator.from(inputs);
  const running: Promise<O>[] = [];
  try {
    for (;;) {
      while (running.length < concurrency) {
        const next = iterator.next();
        if (next.done === true) break;
        const result = task(next.value, taskSignal);
        // Results are awaited in order; a failure must not count as an unhandled rejection until
        // its turn.
        result.catch(() => {});
        running.push(result);
      }
      const first = running.shift();
      if (first === undefined) return;
      yield await first;
    }
  } finally {
    if (running.length > 0) controller.abort();
  }
}

/**
 * Runs tasks concurrently, and returns their results in order. If one fails, the others are aborted,
 * and its error is thrown once they have ended: no request outlives the call.
 */
export async function runTogether<const Tasks extends readonly AbortableTask[]>(
  tasks: Tasks,
  signal: AbortSignal | undefined,
): Promise<{ -readonly [Index in keyof Tasks]: Awaited<ReturnType<Tasks[Index]>> }> {
  const controller = new AbortController();
  const taskSignal = signal === undefined
    ? controller.signal
    : AbortSignal.any([signal, controller.signal]);
  const running = tasks.map((task) => task(taskSignal));
  try {
    return await Promise.all(running) as Awaited<ReturnType<typeof runTogether<Tasks>>>;
  } catch (error) {
    controller.abort();
    await Promise.allSettled(running);
    throw error;
  }
}

/** A task that a signal aborts. */
type AbortableTask = (signal: AbortSignal) => Promise<unknown>;

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call at once, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Allowed values of the {@linkcode CallOptions}. */
export const CALL_OPTIONS: OptionRules<CallOptions> = { signal: AbortSignal };

/** Returns `null` for a {@linkcode NotFoundError}; throws any other error. */
export function ignoreNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

/** Default number of concurrent requests of a call that sends many. */
export const DEFAULT_CONCURRENCY = 4;

/** Allowed numbers of concurrent requests. */
export const CONCURRENCY: OptionRule<number> = wholeNumber(1, 64);

/** Progress of a call that sends many requests. */
export interface Progress {
  /** Number of finished items. */
  readonly done: number;
  /** Total number of items; `undefined` if unknown until the end. */
  readonly total?: number;
}

/** Offset of the owner in the text of a UID: after 0x and the 32 bytes of the digest. */
const OWNER_OFFSET = 66;
/** Offset of the expiry: after the 20 bytes of the owner. */
const VALID_TO_OFFSET = 106;

/** The expiry that all EthFlow orders are signed with; their UIDs name the contract, not the account. */
export const NO_EXPIRY: number = 2 ** 32 - 1;

/** The parts of a UID other than its digest. */
interface UidParts {
  /** Account that the order trades for; for EthFlow orders their contract. */
  readonly owner: string;
  /** Signed expiry, in unix seconds; 4294967295 for EthFlow orders. */
  readonly validTo: number;
}

/** Extracts the owner and the expiry of a valid UID. */
export function splitUid(uid: string): UidParts {
  return {
    owner: `0x${uid.slice(OWNER_OFFSET, VALID_TO_OFFSET)}`,
    validTo: Number.parseInt(uid.slice(VALID_TO_OFFSET), 16),
  };
}

/** Splits items into chunks of at most `size`, in their order. */
export function* splitIntoChunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Yields items in an order that separates neighbours: the first of each `stride` items, then the
 * second of each, and so on.
 */
export function* reorderByStride<Item>(
  items: readonly Item[],
  stride: number,
): Generator<Item, void, undefined> {
  for (let first = 0; first < stride; first++) {
    for (let index = first; index < items.length; index += stride) yield items[index]!;
  }
}

/** Maximum number of failures that one error holds. */
const MAX_ERRORS = 100;

/** An element that could not be decoded. */
export interface Failure {
  /** The error. */
  readonly error: DecodeError;
}

/**
 * Collects the elements of a list that could not be decoded, so that the valid ones are still
 * returned: failures go to the caller's `onFailure`, or into one error at the end.
 */
export class Failures<F extends Failure> {
  readonly #subject: string;
  readonly #onFailure: ((failure: F) => void) | undefined;
  readonly #errors: DecodeError[] = [];
  #count = 0;

  /** Collects failures of `subject`, such as `the orders of account 0x12…`. */
  constructor(subject: string, onFailure: ((failure: F) => void) | undefined) {
    this.#subject = subject;
    this.#onFailure = onFailure;
  }

  /** Adds a failure. */
  add(failure: F): void {
    if (this.#onFailure !== undefined) return this.#onFailure(failure);
    this.#count++;
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(failure.error);
  }

  /**
   * Reports the failures at the end of the list.
   *
   * @param items The valid elements, if they were not returned otherwise.
   * @throws {IncompleteListError} If there was a failure and no `onFailure`.
   */
  throwIfAny(items: readonly unknown[] = []): void {
    if (this.#count === 0) return;
    throw new IncompleteListError({
      what: this.#subject,
      failures: this.#errors,
      failureCount: this.#count,
      items,
    });
  }
}

/**
 * Serializes an encoded record as a body. A bigint in a field that the caller added, unknown to the
 * schema, becomes decimal text, like every amount on the wire.
 *
 * @throws {InputError} If a field that the caller added is circular, or nested too deeply.
 */
export function serializeBody(encoded: unknown): string {
  try {
    return JSON.stringify(
      encoded,
      (_key, value: unknown) => typeof value === "bigint" ? value.toString() : value,
    );
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    throw new InputError("Cannot write the request: a field is circular or nested too deeply", {
      remedy: "Remove the added field, or flatten it",
      cause,
    });
  }
}

/**
 * Maximum number of elements of an unpaged list: many times what a transaction has room for, or an
 * account is notified of.
 */
export const MAX_UNPAGED = 10_000;

/**
 * Rejects a list with too many elements before they are decoded: each invalid one would cost an error.
 *
 * @param json A parsed body; anything other than a list is left to its decoder.
 * @param rows Plural of its elements, such as `orders`.
 * @param source The request, as formatted by `requestLine`.
 * @throws {DecodeError} If there are more than `maxCount`.
 */
export function requireAtMost(
  json: unknown,
  maxCount: number,
  { rows, source }: { rows: string; source: string },
): void {
  if (!Array.isArray(json) || json.length <= maxCount) return;
  throw new DecodeError({
    what: `a list of ${rows}`,
    path: "",
    expected: `a list of at most ${maxCount} ${rows}`,
    found: `${json.length} elements`,
    source,
  });
}

/** A requested value and its value in the response. */
interface Comparison {
  /** Name of the field, such as `uid`. */
  readonly field: string;
  /** Value that was requested, or that follows from the request. */
  readonly asked: string | number | bigint;
  /** Value in the response. */
  readonly answered: string | number | bigint;
  /** Remedy that replaces the default one. */
  readonly remedy?: string;
}

/**
 * Rejects a response about something other than what was requested. Hex may differ in case.
 *
 * @param request The request, as formatted by `requestLine`.
 * @throws {MismatchError} If the two differ.
 */
export function requireSame(request: string, options: Comparison): void {
  const { field, remedy } = options;
  const asked = String(options.asked);
  const answered = String(options.answered);
  if (asked === answered) return;
  if (asked.startsWith("0x") && sameHex(asked, answered)) return;
  throw new MismatchError({ request, field, asked, answered, remedy });
}

const MAX_SHOWN_CHARS = 140;

/** Length of each kind of hex text, in bytes. */
const BYTES = { "an order UID": 56, "an address": 20, "a hash": 32 } as const;

/**
 * Returns the text if it is hex of the right length, so that a typo never reaches the service.
 *
 * @throws {InputError} Otherwise; the error says what the text looks like instead.
 */
export function requireHex(text: string, form: keyof typeof BYTES, label: string = form): string {
  const bytes = BYTES[form];
  if (typeof text === "string" && text.length === 2 + 2 * bytes && /^0x[0-9a-fA-F]*$/.test(text)) {
    return text;
  }
  const input = typeof text === "string" ? JSON.stringify(text) : String(text);
  throw new InputError(`Cannot use this as ${label}: it ${describeFault(text, bytes)}`, {
    facts: {
      found: input.length > MAX_SHOWN_CHARS ? `${input.slice(0, MAX_SHOWN_CHARS)}…` : input,
    },
    remedy: detectSolana(text) === null
      ? `Pass ${form} as 0x and ${2 * bytes} hex digits`
      : NOT_SOLANA,
  });
}

function describeFault(text: unknown, bytes: number): string {
  if (typeof text !== "string") return `is ${text === null ? "null" : typeof text}, not text`;
  const solana = detectSolana(text);
  if (solana !== null) return `is ${solana}`;
  if (!text.startsWith("0x")) return "does not begin with 0x";
  const bad = text.slice(2).search(/[^0-9a-fA-F]/);
  if (bad >= 0) return `has a character that is not a hex digit, at position ${bad + 3}`;
  const digits = text.length - 2;
  const guess = Object.entries(BYTES).find(([, length]) => 2 * length === digits);
  return `has ${digits} hex digits instead of ${2 * bytes}` +
    (guess === undefined ? "" : `, like ${guess[0]}`);
}
