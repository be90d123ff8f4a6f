/** Bytes of lines that are kept. */
const ROOM_BYTES = 32 * 1024 * 1024;

/** The lines that were unpacked last, of all files together: as many as there is room for. */
export class RecentLines {
  readonly #room: number;
  readonly #lines = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Has nothing yet. */
  constructor(roomBytes: number = ROOM_BYTES) {
    this.#room = roomBytes;
  }

  /** Bytes of the lines that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A line by its file and its place in it, if it is kept. */
  get(file: string, place: number): Uint8Array | undefined {
    return this.#lines.get(`${place} ${file}`);
  }

  /** Keeps a line, and forgets the oldest ones that it leaves no room for. */
  keep(file: string, place: number, line: Uint8Array): void {
    const name = `${place} ${file}`;
    if (this.#lines.has(name) || line.length > this.#room) return;
    this.#lines.set(name, line);
    this.#bytes += line.length;
    for (const [oldest, { length }] of this.#lines) {
      if (this.#bytes <= this.#room) return;
      this.#lines.delete(oldest);
      this.#bytes -= length;
    }
  }
}
