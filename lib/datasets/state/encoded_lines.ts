import type { Outcome } from "./items.ts";

const encoder = new TextEncoder();
/** A unit of a text takes at most so many bytes. */
const MOST_BYTES = 3;

/** The lines of outcomes as one piece of bytes, to be written by one call of the system. */
export class EncodedLines {
  /** Number of bytes; may be set to what it was before, to leave out the last lines. */
  length = 0;
  #all: Uint8Array;

  /** Takes room for the lines of outcomes, which are ASCII but for the texts of users. */
  constructor(outcomes: readonly Outcome[]) {
    let characters = 0;
    for (const { answers } of outcomes) for (const { line } of answers) characters += line.length;
    this.#all = new Uint8Array(characters);
  }

  /** Adds a line; its bytes, which are those of the next line once the length is set back. */
  add(line: string): Uint8Array {
    const start = this.length;
    let { read, written } = encoder.encodeInto(line, this.#all.subarray(start));
    if (read < line.length) {
      const longer = new Uint8Array(2 * this.#all.length + MOST_BYTES * line.length);
      longer.set(this.#all.subarray(0, start));
      this.#all = longer;
      ({ written } = encoder.encodeInto(line, longer.subarray(start)));
    }
    this.length += written;
    return this.#all.subarray(start, this.length);
  }

  /** All bytes. */
  get bytes(): Uint8Array {
    return this.#all.subarray(0, this.length);
  }
}
