import { DecodeError } from "./decode_error.ts";
import { withoutSecrets } from "./secrets.ts";

/** What an {@linkcode IncompleteListError} carries. */
export interface IncompleteListOptions {
  /** What was listed, as `the orders of account 0x12…`. */
  what: string;
  /** What is wrong with the elements that are missing, in their order; at least one. */
  failures: readonly DecodeError[];
  /** How many elements are missing, where `failures` does not name all. @default {failures.length} */
  failureCount?: number;
  /** The elements that did decode, where the call had no other way to give them. @default {[]} */
  items?: readonly unknown[];
}

/**
 * Thrown once a whole list was read and some of its elements could not be decoded: the good ones were
 * given before, or are in `items`.
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
  /** What is wrong with the missing elements, in their order; the first hundred. */
  readonly failures: readonly DecodeError[];
  /** How many elements are missing. */
  readonly failureCount: number;
  /** The elements that did decode, where the call had no other way to give them. */
  readonly items: readonly unknown[];

  /** Builds the error from the failures; its text names the first. */
  constructor(options: IncompleteListOptions) {
    const { what, failures, failureCount = failures.length, items = [] } = options;
    const first = failures[0];
    if (first === undefined) throw new RangeError("An incomplete list needs a failure");
    super(
      { ...first.failure, what: `${failureCount} of ${what}, first ${first.failure.what}` },
      failures.length === 1 ? first : new AggregateError(failures),
    );
    this.failures = failures;
    this.failureCount = failureCount;
    this.items = withoutSecrets(items);
  }
}
