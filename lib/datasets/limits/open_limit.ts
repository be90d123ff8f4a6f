import type { OrderBook } from "../../client/order_book.ts";
import { userCacheFolder } from "./cache_folder.ts";
import { HostFile } from "./host_file.ts";
import { HostLimit } from "./host_limit.ts";

/** Requests per minute to public networks, and in plans, if no rate is passed. */
export const PUBLIC_RATE = 80;

/**
 * The limit on the requests to a deployment: `rate`, otherwise 80 a minute for public networks, and
 * none for others. All exports of this machine share it by host, through a file in the cache folder of
 * the user.
 */
export function openLimit(
  { network, baseUrl, clock }: OrderBook,
  rate: number | undefined,
  onPause: (untilMs: number | null) => void,
): HostLimit {
  const perMinute = rate ?? (network === null ? null : PUBLIC_RATE);
  const host = hostOf(baseUrl);
  // What answers in this process has no host to share.
  const folder = perMinute === null || host === null ? null : userCacheFolder();
  const file = new HostFile(host ?? crypto.randomUUID(), folder);
  return new HostLimit({ file, perMinute, clock, onPause });
}

function hostOf(baseUrl: string): string | null {
  try {
    const { protocol, host } = new URL(baseUrl);
    return /^https?:$/.test(protocol) && host !== "" ? host : null;
  } catch {
    return null;
  }
}
