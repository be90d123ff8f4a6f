import { sha256 } from "../layout/file_hash.ts";

/** Some of many, by the hashes of seed and name: the same seed draws the same. */
export class Draw<T> {
  readonly #count: number;
  readonly #seed: number;
  #lots: { readonly lot: string; readonly value: T }[] = [];

  /** Draws at most `count`. */
  constructor(count: number, seed: number) {
    this.#count = count;
    this.#seed = seed;
  }

  /** What was drawn, in an order that depends on the seed alone. */
  get drawn(): T[] {
    return this.#lots.map(({ value }) => value);
  }

  /** Adds one to draw from; the same name counts once. */
  add(name: string, value: T): void {
    const lot = sha256(`${this.#seed} ${name}`);
    if (this.#lots.some((one) => one.lot === lot)) return;
    this.#lots.push({ lot, value });
    this.#lots.sort((a, b) => a.lot < b.lot ? -1 : 1);
    this.#lots.length = Math.min(this.#lots.length, this.#count);
  }
}
