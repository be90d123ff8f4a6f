import { type Clock, systemClock } from "../../http/mod.ts";
import type { Engine } from "./engine.ts";

/**
 * The clock of a market. In virtual time, a wait holds the auctions that fall into it; concurrent
 * waits share them. If the market follows the system clock, so does this clock.
 */
export function marketClock(engine: Engine): Clock {
  const { time } = engine.market;
  let lastTurn: Promise<void> = Promise.resolve();

  async function holdOne(untilMs: number): Promise<void> {
    await nextMacrotask();
    if (time.isVirtual && time.ms < untilMs) await engine.advance(1);
  }

  return {
    get isVirtual() {
      return time.isVirtual;
    },
    now: () => time.ms,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      const untilMs = time.ms + ms;
      while (time.isVirtual && time.ms < untilMs) {
        const turned = lastTurn.then(() => holdOne(untilMs));
        lastTurn = turned.catch(() => {});
        await turned;
        signal.throwIfAborted();
      }
      if (time.ms < untilMs) await systemClock.sleep(untilMs - time.ms, signal);
    },
  };
}

/** Lets finished waits and timers run before the next auction. */
function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
