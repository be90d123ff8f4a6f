import type { Engine } from "./engine.ts";
import { BLOCK_MS } from "./state/market_time.ts";

/**
 * Auctions that are held by the system clock until they are stopped, one per block. While one takes
 * longer than a block, the next ones are left out.
 */
export class RealTimeAuctions {
  readonly #timer: ReturnType<typeof setInterval>;
  #isIdle = true;
  #held: Promise<void> = Promise.resolve();

  /** Begins to hold them. */
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
   * Ends them, once the one that is on is over.
   *
   * @throws What an auction failed with: none was held after it.
   */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#held;
  }
}
