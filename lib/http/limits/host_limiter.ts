import type { Clock } from "../requests/clock.ts";
import { type RateLimiter, SlidingWindow } from "./rate_limiter.ts";

/**
 * Requests of this process by host. The limit is per host: two networks of one operator share it,
 * so one transport alone cannot count the requests.
 */
const sentByHost = new Map<string, SlidingWindow>();

/** A limiter that counts all requests of the process to `host`, and allows `perMinute` of them. */
export function hostLimiter(host: string, perMinute: number, clock: Clock): RateLimiter {
  return {
    take(signal?: AbortSignal): Promise<void> {
      const sent = sentByHost.get(host) ?? new SlidingWindow();
      sentByHost.set(host, sent);
      return sent.take(perMinute, clock, signal);
    },
  };
}
