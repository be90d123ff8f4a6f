import type { Clock } from "../../http/mod.ts";
import { raceAbort } from "../../http/transport.ts";
import { tryParseJson } from "../../recordings/request_key.ts";
import { MINUTE_MS } from "../../units/instant.ts";
import { isCorruptDatabase } from "../layout/folders.ts";

interface HostLimitOptions {
  /** The host, such as `example.org:8080`. */
  readonly host: string;
  /** Folder of the state that the exports of this machine share; `null` to share it in this process. */
  readonly folder: string | null;
  /** Maximum requests per minute; infinite without a limit: then only pauses count. */
  readonly perMinute: number;
  readonly clock: Clock;
  /** Called with the end of a pause when all requests wait, and with `null` when they continue. */
  readonly onPause: (untilMs: number | null) => void;
}

/**
 * Schedules requests evenly, so that all exports of the machine together stay within the rate of a
 * host, and pauses all of them when the host requests it.
 */
export class HostLimit {
  readonly #options: HostLimitOptions;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(options: HostLimitOptions) {
    this.#options = options;
  }

  /** Resolves when the next request may be sent, in call order. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // One at a time: a waiting request takes no turn from the exports of other processes.
    const previousTurn = this.#lastTurn;
    const turn = Promise.withResolvers<void>();
    this.#lastTurn = turn.promise;
    try {
      await raceAbort(previousTurn, signal);
      await this.#takeTurn(signal);
    } finally {
      previousTurn.then(turn.resolve);
    }
  }

  /** Pauses all requests until a time, those of other exports too. */
  pauseUntil(untilMs: number): void {
    this.#update((state) => {
      return { ...state, pausedUntilMs: Math.max(state.pausedUntilMs, untilMs) };
    });
  }

  /** Halves the rate, since a request was refused that was sent at `sentMs`. */
  cutRate(sentMs: number, minShare = MIN_SHARE): void {
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

/** State of one host that the exports of a machine share; times are in unix milliseconds. */
interface HostState {
  readonly atMs: number;
  /** Time from which the next request may be sent. */
  readonly nextMs: number;
  readonly pausedUntilMs: number;
  /** Share of the requested rate that is allowed since the host last refused a request, up to 1. */
  readonly share: number;
  readonly slowedMs: number;
}

export const NEW_HOST: HostState = { atMs: 0, nextMs: 0, pausedUntilMs: 0, share: 1, slowedMs: 0 };

type Change = (state: HostState, nowMs: number) => HostState;

/** Longest wait for a turn, and longest pause: a longer one is damaged data. */
const MAX_WAIT_MS = 120 * MINUTE_MS;
/** Least share of the rate, however often the host refuses. */
export const MIN_SHARE = 1 / 32;
/** Least share where the host does not say how long to wait: refusals may not depend on the rate. */
export const MIN_UNTIMED_SHARE = 1 / 4;
const RECOVERY_PER_MINUTE = 0.05;

/** The share of the requested rate that is allowed now: it recovers by 5 % of the rate a minute. */
export function shareAt({ share, slowedMs }: HostState, nowMs: number): number {
  const minutes = Math.max(0, nowMs - slowedMs) / MINUTE_MS;
  return Math.min(1, share + minutes * RECOVERY_PER_MINUTE);
}

/**
 * Halves the rate, since a request was refused that was sent at `sentMs`. Requests that were in
 * flight when the rate was halved say nothing about the new one.
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
  const current = shareAt(state, nowMs);
  const share = Math.min(current, Math.max(minShare, current / 2));
  return { ...state, share, slowedMs: nowMs };
}

/**
 * Shifts times that were written by a clock ahead of this one, or before the clock was set back, by
 * the difference: so a wait is never longer than it was meant to be.
 */
function correctClock(state: HostState, nowMs: number): HostState {
  const shift = Math.min(0, nowMs - state.atMs);
  const shiftTime = (ms: number) => ms + shift > nowMs + MAX_WAIT_MS ? 0 : ms + shift;
  return {
    atMs: nowMs,
    nextMs: shiftTime(state.nextMs),
    pausedUntilMs: shiftTime(state.pausedUntilMs),
    share: state.share,
    slowedMs: shiftTime(state.slowedMs),
  };
}

/** A process that hangs with the lock delays the others by no more. */
const MAX_LOCK_MS = 1_000;

/** States of hosts in this process, where no file can be used. */
const processStates = new Map<string, HostState>();

/**
 * Changes the state of one host that the exports of a machine share, as of the time at which it is
 * this process's turn: one row of a database, which one of them changes at a time. Where it cannot
 * be used, the exports of this process share it.
 */
export function updateHost(
  { host, folder, clock }: Pick<HostLimitOptions, "host" | "folder"> & {
    readonly clock: Pick<Clock, "now">;
  },
  change: Change,
): HostState {
  const applyChange = (previous: HostState) => {
    const nowMs = clock.now();
    return change(correctClock(previous, nowMs), nowMs);
  };
  const { mkdirSync, rmSync } = process.getBuiltinModule("node:fs");
  const file = `${folder}/limits/${host.replaceAll(/[^\w.-]/g, "_")}.sqlite`;
  for (const isDamaged of folder === null ? [] : [false, true]) {
    try {
      if (isDamaged) rmSync(file);
      mkdirSync(`${folder}/limits`, { recursive: true });
      return updateRow(file, applyChange);
    } catch (error) {
      if (!isCorruptDatabase(error)) break;
    }
  }
  const state = applyChange(processStates.get(host) ?? NEW_HOST);
  processStates.set(host, state);
  return state;
}

function updateRow(file: string, change: (before: HostState) => HostState): HostState {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  using database = new DatabaseSync(file);
  // Nothing is lost with the last row but a second of waiting.
  database.exec(
    `PRAGMA busy_timeout = ${MAX_LOCK_MS}; PRAGMA synchronous = OFF; BEGIN IMMEDIATE;
     CREATE TABLE IF NOT EXISTS host (id INTEGER PRIMARY KEY, state TEXT) STRICT`,
  );
  const row = database.prepare("SELECT state FROM host").get();
  const state = change({ ...NEW_HOST, ...Object(tryParseJson(String(row?.state))) });
  database.prepare("INSERT OR REPLACE INTO host VALUES (1, ?)").run(JSON.stringify(state));
  database.exec("COMMIT");
  return state;
}

/**
 * Returns the folder that this user's processes share: `orderlens` in `$XDG_CACHE_HOME`, or in the
 * usual cache folder of the system. `null` where it is not known, or the process may not use it: no
 * permission is requested.
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

/** Reads an environment variable; `null` if it is not set, empty, or must not be read. */
function readEnv(name: string): string | null {
  return isGranted({ name: "env", variable: name }) ? process.env[name] || null : null;
}

/** Whether the process has a permission, which Node does not limit. */
function isGranted(permission: Deno.PermissionDescriptor): boolean {
  return typeof Deno === "undefined" || Deno.permissions.querySync(permission).state === "granted";
}
