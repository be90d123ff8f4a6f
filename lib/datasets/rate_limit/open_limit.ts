import { IN_PROCESS_URL } from "../../client/connect.ts";
import type { OrderBook } from "../../client/order_book.ts";
import type { Transport } from "../../http/mod.ts";
import { HostFile, HostLimit, userCacheFolder } from "./host_limit.ts";

/** Requests per minute to public networks, and in plans, if no rate is passed. */
export const PUBLIC_RATE = 80;

/** Share of the time that an export still takes for which it waits for a deployment that is down. */
const PATIENCE = 0.1;
/** An export that takes less is begun again as quickly as it is waited for. */
const LEAST_MINUTES = 30;
const MINUTE_MS = 60_000;

/**
 * The limit on the requests to a deployment: `rate`, otherwise 80 a minute for public networks, and
 * none for others. All exports of this machine share it by host, through a file in the cache folder of
 * the user.
 */
export function openLimit(
  { network, transport, clock }: OrderBook,
  rate: number | undefined,
  onPause: (untilMs: number | null) => void,
): HostLimit {
  const perMinute = rateOf({ network }, rate);
  const host = hostOf(transport.baseUrl);
  // What answers in this process has no host, and no other process asks it.
  const folder = perMinute === null || host === null ? null : userCacheFolder();
  const file = new HostFile(host ?? nameOf(transport), folder);
  return new HostLimit({ file, perMinute, clock, onPause });
}

/** Requests per minute; `null` without a limit. */
export function rateOf(
  { network }: Pick<OrderBook, "network">,
  rate: number | undefined,
): number | null {
  return rate ?? (network === null ? null : PUBLIC_RATE);
}

/** How long an export waits for a deployment that is down, in milliseconds, by what is left of it. */
export function patienceOf(requestsLeft: number | null, rate: number | null): number {
  const minutes = rate === null || requestsLeft === null ? 0 : requestsLeft / rate;
  return minutes < LEAST_MINUTES ? 0 : minutes * PATIENCE * MINUTE_MS;
}

const names = new WeakMap<Transport, string>();

function nameOf(transport: Transport): string {
  const name = names.get(transport) ?? crypto.randomUUID();
  names.set(transport, name);
  return name;
}

function hostOf(baseUrl: string): string | null {
  if (baseUrl === IN_PROCESS_URL) return null;
  try {
    const { protocol, host } = new URL(baseUrl);
    return /^https?:$/.test(protocol) && host !== "" ? host : null;
  } catch {
    return null;
  }
}
