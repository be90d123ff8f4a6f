import type { Engine } from "./engine.ts";
import { BLOCK_MS } from "./state/market_time.ts";

/**
 * Holds one auction per block in real time until stopped. While an auction takes longer than a block,
 * the next ones are skipped.
 */
export class RealTimeAuctions {
  readonly #timer: ReturnType<typeof setInterval>;
  #isIdle = true;
  #held: Promise<void> = Promise.resolve();

  /** Starts to hold auctions. */
  constructor(engine: Engine, { everyMs = BLOCK_MS }: { everyMs?: number } = {}) {
    engine.market.time.follow(() => Date.now());
    this.#timer = setInterval(() => {
      if (!this.#isIdle) return;
      this.#isIdle = false;
      this.#held = engine.advance(1);
      this.#held.then(() => this.#isIdle = true, () => clearInterval(this.#timer));
    }, everyMs);
  }

  /**
   * Stops after the current auction.
   *
   * @throws The error of a failed auction; no auction is held after it.
   */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#held;
  }
}
