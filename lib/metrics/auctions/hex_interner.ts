/**
 * Gives each different hex text one small number, in the order of first sight; texts that differ
 * only in case are the same.
 *
 * Addresses come in lower case from the service, so that lower-casing is done once per spelling and
 * not once per look-up.
 */
export class HexInterner {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  /** The texts as first written; the place of each is its number. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The number of a text; a new one is given its own. */
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
