/** Milliseconds from one block to the next; every block has one auction. */
export const BLOCK_MS = 2_000;

/** When the virtual time of every sandbox begins. */
const OPENING_MS = Date.UTC(2026, 10, 21);
/** Microseconds of this age are safe integers. */
const MICROSECONDS_IN_MS = 1_000;
const NANOSECONDS_IN_MICROSECOND = 1_000n;

/** The time of a market: it advances by blocks, or with the system clock once it follows it. */
export class MarketTime {
  #ms = OPENING_MS;
  #wall: (() => number) | null = null;
  #lastMicroseconds = 0;

  /** Now, in milliseconds since the unix epoch. */
  get ms(): number {
    if (this.#wall !== null) this.#ms = Math.max(this.#ms, Math.floor(this.#wall()));
    return this.#ms;
  }

  /** Now, in whole unix seconds. */
  get seconds(): number {
    return Math.floor(this.ms / 1_000);
  }

  /** Now, as an instant. */
  get instant(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(this.ms);
  }

  /** Whether only blocks advance it. */
  get isVirtual(): boolean {
    return this.#wall === null;
  }

  /** Sets the time, in milliseconds since the unix epoch. */
  begin(ms: number): void {
    this.#ms = Math.floor(ms);
  }

  /** Advances by one block, unless it follows the system clock. */
  tick(): void {
    if (this.#wall === null) this.#ms += BLOCK_MS;
  }

  /** Follows a clock from now on, with an offset if the clock is behind: time never goes back. */
  follow(wall: () => number): void {
    const ahead = Math.max(0, this.ms - wall());
    this.#wall = () => wall() + ahead;
  }

  /** A timestamp for an event: in microseconds, and later than every earlier timestamp. */
  stamp(): Temporal.Instant {
    this.skipStamp();
    return Temporal.Instant.fromEpochNanoseconds(
      BigInt(this.#lastMicroseconds) * NANOSECONDS_IN_MICROSECOND,
    );
  }

  /** Skips one timestamp. */
  skipStamp(): void {
    const now = this.ms * MICROSECONDS_IN_MS;
    this.#lastMicroseconds = now > this.#lastMicroseconds ? now : this.#lastMicroseconds + 1;
  }
}
