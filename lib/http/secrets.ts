import { HIDDEN } from "./redact.ts";

/** Shorter words of a header are too common to be looked for. */
const SHORTEST_SECRET_CHARS = 8;

/** Values that must not leave the transport again. */
export class Secrets {
  readonly #words: readonly string[];

  /** Takes the words of the headers' values as secrets, save very short ones. */
  constructor(headers: Headers) {
    this.#words = [...headers]
      .filter(([name]) => name !== "user-agent" && name !== "accept")
      .flatMap(([, value]) => [value, ...value.split(/[\s,;=]+/)])
      .filter((word) => word.length >= SHORTEST_SECRET_CHARS)
      .toSorted((a, b) => b.length - a.length);
  }

  /** Gives the text with every secret in it hidden. */
  hideIn(text: string): string {
    return this.#words.reduce((hidden, word) => hidden.replaceAll(word, HIDDEN), text);
  }
}
