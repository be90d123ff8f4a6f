import { type DecodeError, IncompleteListError } from "../../errors/mod.ts";

/** Maximum number of failures that one error holds. */
const MOST_NAMED = 100;

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
  readonly #what: string;
  readonly #onFailure: ((failure: F) => void) | undefined;
  readonly #errors: DecodeError[] = [];
  #count = 0;

  /** Collects failures of `what`, such as `the orders of account 0x12…`. */
  constructor(what: string, onFailure: ((failure: F) => void) | undefined) {
    this.#what = what;
    this.#onFailure = onFailure;
  }

  /** Adds a failure. */
  add(failure: F): void {
    if (this.#onFailure !== undefined) return this.#onFailure(failure);
    this.#count++;
    if (this.#errors.length < MOST_NAMED) this.#errors.push(failure.error);
  }

  /**
   * Call this at the end of the list.
   *
   * @param items The valid elements, where they were not returned otherwise.
   * @throws {IncompleteListError} If there was a failure and no `onFailure`.
   */
  throwIfAny(items: readonly unknown[] = []): void {
    if (this.#count === 0) return;
    throw new IncompleteListError({
      what: this.#what,
      failures: this.#errors,
      failureCount: this.#count,
      items,
    });
  }
}
