import type { BlockSpan, LogRefusal } from "./log_refusal.ts";

/** Blocks of the first window: what most providers accept. */
export const FIRST_WINDOW = 2_000;
/** Blocks of the largest window. */
export const LARGEST_WINDOW = 100_000;
/** Growth while nothing was refused, and after that. */
const FAST_GROWTH = 2;
const SLOW_GROWTH = 1.2;

/** How many blocks to ask for at once: as many as a node accepts, found by trying. */
export class LogWindows {
  #size: number;
  #most = LARGEST_WINDOW;
  #growth = FAST_GROWTH;

  /** Begins with windows of a size. */
  constructor(size: number) {
    this.#size = Math.min(size, LARGEST_WINDOW);
  }

  /** The next window of a range. */
  next({ from, to }: BlockSpan): BlockSpan {
    return { from, to: Math.min(to, from + this.#size - 1) };
  }

  /** Notes that a window was answered: the next one may be larger. */
  answered({ from, to }: BlockSpan): void {
    // A window that its range cuts short says nothing about larger ones.
    if (to - from + 1 < this.#size) return;
    const grown = Math.min(this.#most, Math.ceil(this.#size * this.#growth));
    this.#size = Math.max(this.#size, grown);
  }

  /** Notes that a window was refused: the next one is smaller. */
  refused({ from, to }: BlockSpan, { reason, blocks }: LogRefusal): void {
    const asked = to - from + 1;
    this.#growth = SLOW_GROWTH;
    this.#size = Math.max(1, blocks ?? Math.floor(asked / 2));
    if (reason === "range") this.#most = Math.max(1, blocks ?? asked - 1);
  }
}
