import { type DecodeError, IncompleteListError } from "../errors/mod.ts";

/** How many failures one error names. */
const MOST_NAMED = 100;

/** Something that could not be decoded, beside what could. */
export interface Failure {
  /** What is wrong with it. */
  readonly error: DecodeError;
}

/**
 * Takes the elements of a list that could not be decoded, so that the good ones go on and the bad
 * ones are not lost: to the caller's `onFailure` where there is one, else into an error at the end.
 */
export class Failures<F extends Failure> {
  readonly #what: string;
  readonly #onFailure: ((failure: F) => void) | undefined;
  readonly #errors: DecodeError[] = [];
  #count = 0;

  /** Takes failures of `what`, as `the orders of account 0x12…`. */
  constructor(what: string, onFailure: ((failure: F) => void) | undefined) {
    this.#what = what;
    this.#onFailure = onFailure;
  }

  /** Takes one. */
  add(failure: F): void {
    if (this.#onFailure !== undefined) return this.#onFailure(failure);
    this.#count++;
    if (this.#errors.length < MOST_NAMED) this.#errors.push(failure.error);
  }

  /**
   * To be called when the list is over.
   *
   * @param items The good elements, where this is the last chance to give them.
   * @throws {IncompleteListError} If a failure was taken that nobody was told of.
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
