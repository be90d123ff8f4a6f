/** Number of characters that decide the place of a text. */
const PLACED_BY = 8;

/**
 * Values by the text that they were read from; the newest of those that share a place. Quotes of one
 * time repeat prices: to compare a text with one that was read takes less than to read it, and no new
 * memory.
 */
export class KnownTexts<Value> {
  readonly #texts: string[];
  readonly #values: (Value | undefined)[];

  /** @param places Number of places; a power of two. */
  constructor(places: number) {
    this.#texts = new Array<string>(places).fill("");
    this.#values = new Array<Value | undefined>(places).fill(undefined);
  }

  /** The value of a text, read by `read` unless it is known; `undefined` if it cannot be read. */
  of(text: string, read: (text: string) => Value | undefined): Value | undefined {
    const length = Math.min(text.length, PLACED_BY);
    let hash = text.length;
    for (let index = 0; index < length; index++) {
      hash = (hash * 11 + text.charCodeAt(index)) | 0;
    }
    const place = hash & (this.#texts.length - 1);
    if (this.#texts[place] === text) return this.#values[place];
    const value = read(text);
    if (value === undefined) return undefined;
    this.#texts[place] = text;
    this.#values[place] = value;
    return value;
  }
}
