import type { Clock } from "./clock.ts";
import { type RateLimiter, SlidingWindow } from "./rate_limiter.ts";

/**
 * What this process sent to each host. The limit is the host's, whoever asks: two networks of one
 * operator share it, so what was sent cannot be known by one transport alone.
 */
const sentByHost = new Map<string, SlidingWindow>();

/** A limiter that counts every request of the process to `host`, and lets `perMinute` pass. */
export function hostLimiter(host: string, perMinute: number, clock: Clock): RateLimiter {
  return {
    take(signal?: AbortSignal): Promise<void> {
      const sent = sentByHost.get(host) ?? new SlidingWindow();
      sentByHost.set(host, sent);
      return sent.take(perMinute, clock, signal);
    },
  };
}
