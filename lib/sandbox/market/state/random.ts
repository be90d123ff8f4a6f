/**
 * Pseudorandom numbers that are the same for the same seed on every machine (xoshiro128**).
 *
 * Integers only, so that no decision depends on floating-point rounding.
 */
export class Random {
  readonly #state: Uint32Array;

  /**
   * Starts a stream.
   *
   * @param seed The seed.
   * @param stream Name of the stream; streams of one seed are independent.
   */
  constructor(seed: number, stream: string) {
    let mixed = seed >>> 0;
    for (let at = 0; at < stream.length; at++) {
      mixed = Math.imul(mixed ^ stream.charCodeAt(at), 0x9e3779b1) >>> 0;
    }
    mixed ^= Math.floor(seed / 0x1_0000_0000) >>> 0;
    this.#state = new Uint32Array(4).map(() => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let word = mixed;
      word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
      word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
      return (word ^ (word >>> 16)) >>> 0;
    });
    this.#state[3]! |= 1;
  }

  /** The next 32 bits. */
  next(): number {
    const state = this.#state;
    const scrambled = Math.imul(rotated(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = rotated(state[3]!, 11);
    return scrambled;
  }

  /** A whole number from 0 to below `limit`, which is at most 2^32. */
  below(limit: number): number {
    return Math.floor(this.next() / 0x1_0000_0000 * limit);
  }

  /** A whole number from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True with a probability of `thousandths` in a thousand. */
  chance(thousandths: number): boolean {
    return this.below(1000) < thousandths;
  }

  /** One of `choices`. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** Random bytes as hex with `0x`. */
  hex(bytes: number): string {
    let text = "0x";
    for (let at = 0; at < bytes; at += 4) {
      text += this.next().toString(16).padStart(8, "0").slice(0, Math.min(8, (bytes - at) * 2));
    }
    return text;
  }
}

function rotated(word: number, by: number): number {
  return ((word << by) | (word >>> (32 - by))) >>> 0;
}
