const ENCODER = new TextEncoder();

/** The bytes that a page may still take, so that no report makes it longer than its limit. */
export class PageRoom {
  #left: number;

  /** Begins with all bytes. */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#left;
  }

  /** Takes the room of a text; `false`, and nothing taken, if there is too little. */
  take(text: string): boolean {
    // No text has fewer bytes than UTF-16 units; most texts of a page have exactly as many.
    if (text.length > this.#left) return false;
    const bytes = byteLength(text);
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Length of a text in UTF-8. */
export function byteLength(text: string): number {
  return ENCODER.encode(text).length;
}
