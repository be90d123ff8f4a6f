import type { Clock } from "../../http/mod.ts";
import { orAborted } from "../../http/transport.ts";
import { writeAll } from "../layout/files.ts";

/** What a limit is for. */
interface HostLimitOptions {
  /** What is known of the host. */
  readonly file: HostFile;
  /** Maximum requests per minute; `null` without a limit: then only pauses are kept. */
  readonly perMinute: number | null;
  /** Source of time. */
  readonly clock: Clock;
  /** Called when all requests wait, with the time until which, and with `null` when they go on. */
  readonly onPause: (untilMs: number | null) => void;
}

/**
 * Gives requests their turns, evenly spaced, so that all exports of the machine together stay within
 * the rate of a host; and lets all wait when the host asks for it.
 */
export class HostLimit {
  readonly #options: HostLimitOptions;
  #pausedUntilMs = 0;
  #lastTurn: Promise<void> = Promise.resolve();

  /** A limit on the requests to one host. */
  constructor(options: HostLimitOptions) {
    this.#options = options;
  }

  /** Resolves when the next request may be sent, in call order. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // One at a time: what waits behind takes no place from the exports of other processes.
    const before = this.#lastTurn;
    const turn = Promise.withResolvers<void>();
    this.#lastTurn = turn.promise;
    try {
      await orAborted(before, signal);
      await this.#takePlace(signal);
    } finally {
      before.then(turn.resolve);
    }
  }

  /** No request is sent before a time; those of other exports wait too. */
  async pauseUntil(untilMs: number): Promise<void> {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
    const { file, perMinute, clock } = this.#options;
    if (perMinute === null) return;
    await file.update(() => clock.now(), (state) => ({
      ...state,
      pausedUntilMs: Math.max(state.pausedUntilMs, untilMs),
    }));
  }

  /** Halves the rate, since a request was refused that was sent at `sentMs`. */
  async slowDown(sentMs: number): Promise<void> {
    const { file, perMinute, clock } = this.#options;
    if (perMinute === null) return;
    await file.update(() => clock.now(), (state, nowMs) => slowedDown(state, sentMs, nowMs));
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await this.#pause(this.#pausedUntilMs, signal);
      const placeMs = await this.#nextPlace();
      if (placeMs === null) continue;
      const waitMs = placeMs - clock.now();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      // A pause may have begun meanwhile.
      if (this.#pausedUntilMs <= clock.now()) return;
    }
  }

  /** The next place; `null` if the host is to be left alone for now. */
  async #nextPlace(): Promise<number | null> {
    const { file, perMinute, clock } = this.#options;
    if (perMinute === null) return clock.now();
    let placeMs: number | null = null;
    const { pausedUntilMs } = await file.update(() => clock.now(), (state, nowMs) => {
      if (state.pausedUntilMs > nowMs) return state;
      const next = withNextPlace(state, perMinute, nowMs);
      placeMs = next.placeMs;
      return next.state;
    });
    if (placeMs === null) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, pausedUntilMs);
    return placeMs;
  }

  async #pause(untilMs: number, signal: AbortSignal): Promise<void> {
    const { clock, onPause } = this.#options;
    const waitMs = untilMs - clock.now();
    if (waitMs <= 0) return;
    onPause(untilMs);
    await clock.sleep(waitMs, signal);
    if (this.#pausedUntilMs === untilMs) this.#pausedUntilMs = 0;
    onPause(null);
  }
}

/** A process that stands still with the lock does not hold up the others for longer. */
const LONGEST_LOCK_MS = 2_000;
const LONGEST_LOCK_PAUSE_MS = 8;

/** Changes what is known of a host. */
type Change = (state: HostState, nowMs: number) => HostState;

/** What this process knows of hosts, where no file can be used. */
const inThisProcess = new Map<string, string>();

/**
 * What the exports of a machine know together of one host: a file of a few bytes, which one of them
 * changes at a time. Where it cannot be used, the exports of this process know it together.
 */
export class HostFile {
  readonly #name: string;
  readonly #folder: string | null;

  /** The file of a host (`example.org:8080`) in a folder, which is created when needed. */
  constructor(host: string, folder: string | null) {
    this.#name = `${host.replaceAll(/[^\w.-]/g, "_")}.json`;
    this.#folder = folder === null ? null : `${folder}/limits`;
  }

  /** Changes what is known, as of the time at which it is this process's turn. */
  async update(now: () => number, change: Change): Promise<HostState> {
    const file = await this.#open();
    if (file === null) return this.#updateHere(now(), change);
    try {
      if (!await isLocked(file)) return this.#updateHere(now(), change);
      const nowMs = now();
      const state = change(readHostState(await textOf(file), nowMs), nowMs);
      await replaceText(file, JSON.stringify(state));
      // Closing is not enough: a process that is just being started still has a copy of the file.
      await file.unlock();
      return state;
    } catch {
      return this.#updateHere(now(), change);
    } finally {
      file.close();
    }
  }

  #updateHere(nowMs: number, change: Change): HostState {
    const state = change(readHostState(inThisProcess.get(this.#name) ?? "", nowMs), nowMs);
    inThisProcess.set(this.#name, JSON.stringify(state));
    return state;
  }

  async #open(): Promise<Deno.FsFile | null> {
    if (this.#folder === null) return null;
    const path = `${this.#folder}/${this.#name}`;
    const options = { create: true, read: true, write: true };
    try {
      return await Deno.open(path, options);
    } catch {
      try {
        await Deno.mkdir(this.#folder, { recursive: true });
        return await Deno.open(path, options);
      } catch {
        return null;
      }
    }
  }
}

/** Whether the file could be locked in time; closing the file ends the lock at the latest. */
async function isLocked(file: Deno.FsFile): Promise<boolean> {
  const endMs = performance.now() + LONGEST_LOCK_MS;
  while (!await file.tryLock(true)) {
    if (performance.now() > endMs) return false;
    const pauseMs = 1 + Math.random() * LONGEST_LOCK_PAUSE_MS;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return true;
}

const LONGEST_TEXT = 1_024;

async function textOf(file: Deno.FsFile): Promise<string> {
  const bytes = new Uint8Array(LONGEST_TEXT);
  const length = await file.read(bytes);
  return new TextDecoder().decode(bytes.subarray(0, length ?? 0));
}

async function replaceText(file: Deno.FsFile, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  await file.seek(0, 0);
  await writeAll(file, bytes);
  await file.truncate(bytes.length);
}

/** What the exports of a machine know together of one host; times are in unix milliseconds. */
interface HostState {
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
function withNextPlace(
  state: HostState,
  perMinute: number,
  nowMs: number,
): { readonly state: HostState; readonly placeMs: number } {
  const placeMs = Math.max(nowMs, state.nextMs);
  const intervalMs = MINUTE_MS / Math.max(1, perMinute * shareAt(state, placeMs));
  return { state: { ...state, nextMs: placeMs + intervalMs }, placeMs };
}

/**
 * The folder in which this user's processes keep what they share: `orderlens` in `$XDG_CACHE_HOME`,
 * or in the usual place of the system. `null` where it is not known, or the process may not use it:
 * nothing is asked for.
 */
export function userCacheFolder(): string | null {
  const folder = Deno.build.os === "windows"
    ? variable("LOCALAPPDATA")
    : variable("XDG_CACHE_HOME") ??
      inHome(Deno.build.os === "darwin" ? "Library/Caches" : ".cache");
  if (folder === null) return null;
  const path = `${folder}/orderlens`;
  const mayUse = (["read", "write"] as const).every((name) =>
    Deno.permissions.querySync({ name, path }).state === "granted"
  );
  return mayUse ? path : null;
}

function inHome(folder: string): string | null {
  const home = variable("HOME");
  return home === null ? null : `${home}/${folder}`;
}

/** A variable of the environment; `null` if it is not set, empty, or must not be read. */
function variable(name: string): string | null {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || null : null;
}
