import { DecodeError } from "./decode_error.ts";
import { withoutSecrets } from "./secrets.ts";

/** Options of an {@linkcode IncompleteListError}. */
export interface IncompleteListOptions {
  /** What was listed, such as `the orders of account 0x12…`. */
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
    const { what, failures, failureCount = failures.length, items = [] } = options;
    const first = failures[0];
    if (first === undefined) {
      throw new RangeError("An IncompleteListError needs at least one failure");
    }
    super(
      { ...first.failure, what: `${failureCount} of ${what}, first ${first.failure.what}` },
      failures.length === 1 ? first : new AggregateError(failures),
    );
    this.failures = failures;
    this.failureCount = failureCount;
    this.items = withoutSecrets(items);
  }
}
