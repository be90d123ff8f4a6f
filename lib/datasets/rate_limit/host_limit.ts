import type { Clock } from "../../http/mod.ts";
import { raceAbort } from "../../http/transport.ts";
import { MINUTE_MS } from "../../units/instant.ts";
import { parseJson } from "../layout/files.ts";
import { isCorruptDatabase } from "../layout/folders.ts";

/** What a limit is for. */
interface HostLimitOptions {
  /** The host, such as `example.org:8080`. */
  readonly host: string;
  /** Folder of what the exports of this machine know together; `null` if it is that of this process. */
  readonly folder: string | null;
  /** Maximum requests per minute; infinite without a limit: then only pauses are kept. */
  readonly perMinute: number;
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
      await raceAbort(before, signal);
      await this.#takeTurn(signal);
    } finally {
      before.then(turn.resolve);
    }
  }

  /** No request is sent before a time; those of other exports wait too. */
  pauseUntil(untilMs: number): void {
    this.#update((state) => {
      return { ...state, pausedUntilMs: Math.max(state.pausedUntilMs, untilMs) };
    });
  }

  /** Halves the rate, since a request was refused that was sent at `sentMs`. */
  reduceRate(sentMs: number, minShare = MIN_SHARE): void {
    this.#update((state, nowMs) => halveRate(state, { sentMs, nowMs, minShare }));
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    const { clock, onPause } = this.#options;
    for (;;) {
      let placeMs: number | null = null;
      const { pausedUntilMs } = this.#update((state, nowMs) => {
        if (state.pausedUntilMs > nowMs) return state;
        placeMs = Math.max(nowMs, state.nextMs);
        const perMinute = this.#options.perMinute * shareAt(state, placeMs);
        return { ...state, nextMs: placeMs + MINUTE_MS / Math.max(1, perMinute) };
      });
      if (placeMs === null) onPause(pausedUntilMs);
      const waitMs = (placeMs ?? pausedUntilMs) - clock.now();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      if (placeMs === null) onPause(null);
      // A pause may have begun meanwhile.
      else if (this.#update((state) => state).pausedUntilMs <= clock.now()) return;
    }
  }

  #update(change: Change): HostState {
    return updateHost(this.#options, change);
  }
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
export const INITIAL_STATE: HostState = {
  atMs: 0,
  nextMs: 0,
  pausedUntilMs: 0,
  share: 1,
  slowedMs: 0,
};

/** Changes what is known of a host. */
type Change = (state: HostState, nowMs: number) => HostState;

/** No request waits longer for its turn, and no pause is longer: what says so is damaged. */
const MAX_WAIT_MS = 120 * MINUTE_MS;
/** Least share of the rate, however often the host refuses. */
export const MIN_SHARE = 1 / 32;
/** Least share where the host does not say how long to wait: refusals may not depend on the rate. */
export const MIN_UNTIMED_SHARE = 1 / 4;
const RECOVERY_PER_MINUTE = 0.05;

/** The share of the asked rate that is allowed now: it recovers by 5 % of the rate a minute. */
export function shareAt({ share, slowedMs }: HostState, nowMs: number): number {
  const minutes = Math.max(0, nowMs - slowedMs) / MINUTE_MS;
  return Math.min(1, share + minutes * RECOVERY_PER_MINUTE);
}

/**
 * Half the rate, since a request was refused that was sent at `sentMs`. Requests that were under way
 * when the rate was halved say nothing of the new one.
 */
export function halveRate(
  state: HostState,
  { sentMs, nowMs, minShare = MIN_SHARE }: {
    readonly sentMs: number;
    readonly nowMs: number;
    readonly minShare?: number;
  },
): HostState {
  if (sentMs < state.slowedMs) return state;
  const before = shareAt(state, nowMs);
  const share = Math.min(before, Math.max(minShare, before / 2));
  return { ...state, share, slowedMs: nowMs };
}

/**
 * What is known of a host as of now. Times that were written by a clock ahead of this one, or before
 * the clock was set back, are moved by the difference: so a wait is never longer than it was meant to
 * be.
 */
function correctClock(state: HostState, nowMs: number): HostState {
  const shift = Math.min(0, nowMs - state.atMs);
  const moved = (ms: number) => ms + shift > nowMs + MAX_WAIT_MS ? 0 : ms + shift;
  return {
    atMs: nowMs,
    nextMs: moved(state.nextMs),
    pausedUntilMs: moved(state.pausedUntilMs),
    share: state.share,
    slowedMs: moved(state.slowedMs),
  };
}

/** A process that stands still with the lock does not hold up the others for longer. */
const MAX_LOCK_MS = 1_000;

/** What this process knows of hosts, where no file can be used. */
const processStates = new Map<string, HostState>();

/**
 * Changes what the exports of a machine know together of one host, as of the time at which it is this
 * process's turn: one row of a database, which one of them changes at a time. Where it cannot be used,
 * the exports of this process know it together.
 */
export function updateHost(
  { host, folder, clock }: Pick<HostLimitOptions, "host" | "folder"> & {
    readonly clock: Pick<Clock, "now">;
  },
  change: Change,
): HostState {
  const changed = (before: HostState) => {
    const nowMs = clock.now();
    return change(correctClock(before, nowMs), nowMs);
  };
  const { mkdirSync, rmSync } = process.getBuiltinModule("node:fs");
  const file = `${folder}/limits/${host.replaceAll(/[^\w.-]/g, "_")}.sqlite`;
  for (const isDamaged of folder === null ? [] : [false, true]) {
    try {
      if (isDamaged) rmSync(file);
      mkdirSync(`${folder}/limits`, { recursive: true });
      return updateRow(file, changed);
    } catch (error) {
      if (!isCorruptDatabase(error)) break;
    }
  }
  const state = changed(processStates.get(host) ?? INITIAL_STATE);
  processStates.set(host, state);
  return state;
}

/** Changes the one row of a database. */
function updateRow(file: string, change: (before: HostState) => HostState): HostState {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  using database = new DatabaseSync(file);
  // Nothing is lost with the last row but a second of waiting.
  database.exec(
    `PRAGMA busy_timeout = ${MAX_LOCK_MS}; PRAGMA synchronous = OFF; BEGIN IMMEDIATE;
     CREATE TABLE IF NOT EXISTS host (id INTEGER PRIMARY KEY, state TEXT) STRICT`,
  );
  const row = database.prepare("SELECT state FROM host").get();
  const state = change({ ...INITIAL_STATE, ...Object(parseJson(String(row?.state))) });
  database.prepare("INSERT OR REPLACE INTO host VALUES (1, ?)").run(JSON.stringify(state));
  database.exec("COMMIT");
  return state;
}

/**
 * The folder in which this user's processes keep what they share: `orderlens` in `$XDG_CACHE_HOME`,
 * or in the usual place of the system. `null` where it is not known, or the process may not use it:
 * nothing is asked for.
 */
export function findUserCacheFolder(): string | null {
  const folder = process.platform === "win32"
    ? readEnv("LOCALAPPDATA")
    : readEnv("XDG_CACHE_HOME") ??
      inHome(process.platform === "darwin" ? "Library/Caches" : ".cache");
  if (folder === null) return null;
  const path = `${folder}/orderlens`;
  const mayUse = (["read", "write"] as const).every((name) => isGranted({ name, path }));
  return mayUse ? path : null;
}

function inHome(folder: string): string | null {
  const home = readEnv("HOME");
  return home === null ? null : `${home}/${folder}`;
}

/** A variable of the environment; `null` if it is not set, empty, or must not be read. */
function readEnv(name: string): string | null {
  return isGranted({ name: "env", variable: name }) ? process.env[name] || null : null;
}

/** Whether the process has a permission, which Node does not limit. */
function isGranted(permission: Deno.PermissionDescriptor): boolean {
  return typeof Deno === "undefined" || Deno.permissions.querySync(permission).state === "granted";
}
