import type { Engine } from "./engine.ts";
import { BLOCK_MS } from "./market_time.ts";

/** Auctions that are held by the clock on the wall until they are stopped, one a block. */
export class WallAuctions {
  readonly #timer: ReturnType<typeof setInterval>;
  #held: Promise<void> = Promise.resolve();

  /** Begins to hold them. */
  constructor(engine: Engine, { everyMs = BLOCK_MS }: { everyMs?: number } = {}) {
    engine.market.time.follow(() => Date.now());
    this.#timer = setInterval(() => {
      this.#held = this.#held.then(() => engine.advance(1));
      this.#held.catch(() => clearInterval(this.#timer));
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
