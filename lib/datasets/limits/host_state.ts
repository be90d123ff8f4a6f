/** What the exports of a machine know together of one host; times are in unix milliseconds. */
export interface HostState {
  /** When this was written. */
  readonly atMs: number;
  /** When the next request may be sent. */
  readonly nextMs: number;
  /** Nothing is sent before. */
  readonly pausedUntilMs: number;
  /** Share of the asked rate that is allowed since the host last refused a request, up to 1. */
  readonly share: number;
  /** When it refused one last. */
  readonly slowedMs: number;
}

/** A host of which nothing is known. */
const UNKNOWN: HostState = { atMs: 0, nextMs: 0, pausedUntilMs: 0, share: 1, slowedMs: 0 };

const MINUTE_MS = 60_000;
/** No request waits longer for its turn, and no pause is longer: what says so is damaged. */
const LONGEST_MS = 120 * MINUTE_MS;
/** Least share of the rate, however often the host refuses. */
const LEAST_SHARE = 1 / 32;
const RECOVERY_PER_MINUTE = 0.05;

/**
 * What a file says of a host, as of now. Damaged text says nothing. Times that were written by a
 * clock ahead of this one, or before the clock was set back, are moved by the difference: so a wait is
 * never longer than it was meant to be.
 */
export function readHostState(text: string, nowMs: number): HostState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...UNKNOWN, atMs: nowMs };
  }
  if (!isHostState(value)) return { ...UNKNOWN, atMs: nowMs };
  const shift = Math.min(0, nowMs - value.atMs);
  return {
    atMs: nowMs,
    nextMs: value.nextMs + shift,
    pausedUntilMs: value.pausedUntilMs + shift,
    share: value.share,
    slowedMs: value.slowedMs + shift,
  };
}

function isHostState(value: unknown): value is HostState {
  if (typeof value !== "object" || value === null) return false;
  const { atMs, nextMs, pausedUntilMs, share, slowedMs } = value as Record<string, unknown>;
  const isTime = (time: unknown) =>
    typeof time === "number" && Number.isFinite(time) && time <= Number(atMs) + LONGEST_MS;
  return [atMs, nextMs, pausedUntilMs, slowedMs].every(isTime) &&
    typeof share === "number" && share > 0 && share <= 1;
}

/** The share of the asked rate that is allowed now: it recovers by 5 % of the rate a minute. */
export function shareAt({ share, slowedMs }: HostState, nowMs: number): number {
  const minutes = Math.max(0, nowMs - slowedMs) / MINUTE_MS;
  return Math.min(1, share + minutes * RECOVERY_PER_MINUTE);
}

/**
 * Half the rate, since a request was refused that was sent at `sentMs`. Requests that were under way
 * when the rate was halved say nothing of the new one.
 */
export function slowedDown(state: HostState, sentMs: number, nowMs: number): HostState {
  if (sentMs < state.slowedMs) return state;
  const share = Math.max(LEAST_SHARE, shareAt(state, nowMs) / 2);
  return { ...state, share, slowedMs: nowMs };
}

/** The state after one request took the next place, and when that is. */
export function withNextPlace(
  state: HostState,
  perMinute: number,
  nowMs: number,
): { readonly state: HostState; readonly placeMs: number } {
  const placeMs = Math.max(nowMs, state.nextMs);
  const intervalMs = MINUTE_MS / Math.max(1, perMinute * shareAt(state, placeMs));
  return { state: { ...state, nextMs: placeMs + intervalMs }, placeMs };
}
