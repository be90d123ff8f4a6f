/**
 * Assigns a small number to each distinct hex text, in the order of first occurrence; texts that
 * differ only in case are the same.
 *
 * Lower-cases once per spelling, not once per lookup: the service sends addresses in lower case.
 */
export class HexInterner {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  /** The texts as first written; the index of each is its number. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The number of a text; a new text gets the next one. */
  numberOf(text: string): number {
    return this.#numbers.get(text) ?? this.#add(text);
  }

  #add(text: string): number {
    const lowerCase = text.toLowerCase();
    let number = this.#numbers.get(lowerCase);
    if (number === undefined) {
      number = this.#texts.length;
      this.#texts.push(text);
      this.#numbers.set(lowerCase, number);
    }
    if (text !== lowerCase) this.#numbers.set(text, number);
    return number;
  }
}
