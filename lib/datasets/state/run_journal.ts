import { OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { VERSION } from "../../http/mod.ts";
import { MINUTE_MS } from "../../units/instant.ts";
import { type DatasetPaths, useFile, writeAll } from "../layout/files.ts";
import type { RequestCounts } from "../rate_limit/polite_transport.ts";
import type { ExportState } from "./export_state.ts";

/** A run to tell of. */
interface JournaledRun {
  /** The folder, which is locked. */
  readonly paths: DatasetPaths;
  /** What is known of it. */
  readonly state: ExportState;
  /** The time in unix milliseconds. */
  readonly now: () => number;
  /** Its requests so far. */
  readonly counts: RequestCounts;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Tells of a run in one line of `.orderlens/runs.ndjson`: when it began and ended, its requests by
 * route and status, repetitions and pauses, and how it ended: `done`, `max_requests`, `aborted`,
 * `killed`, or the code of an error with its first line. The begin of a run stands in the state, so that
 * the next run tells of one that was killed.
 */
export async function journalRun<Result extends { readonly stopped: string | null }>(
  { paths, state, now, counts, signal }: JournaledRun,
  run: () => Promise<Result>,
): Promise<Result> {
  const time = () => new Date(now()).toISOString();
  const before = state.readMeta("runStarted") ?? "";
  if (before !== "") {
    const [started = "", library = ""] = before.split(" ");
    const nothing = { ended: null, requests: null, retries: null, waits: null, error: null };
    await appendLine(paths.runs, { started, library, ...nothing, how: "killed" });
  }
  const started = time();
  state.setMeta("runStarted", `${started} ${VERSION}`);
  const end = async (how: string, error: string | null) => {
    const { routes, retries, waits } = counts;
    const requests = Object.fromEntries([...routes].sort(([a], [b]) => a < b ? -1 : 1));
    const line = { started, ended: time(), library: VERSION, requests, retries, waits, how, error };
    await appendLine(paths.runs, line);
    state.runInTransaction(() => {
      state.setMeta("runStarted", "");
      state.setMeta("runEnded", how);
    });
  };
  try {
    const result = await run();
    await end(result.stopped ?? "done", null);
    return result;
  } catch (error) {
    const [first = ""] = error instanceof Error ? error.message.split("\n") : [];
    // What ended the run matters more than that it could not be told.
    await end(endReason(error, signal), hideSecrets(first)).catch(() => {});
    throw error;
  }
}

/** Appends a line, and waits until it is on the disk; a torn one before it stays alone. */
async function appendLine(runs: string, line: object): Promise<void> {
  await useFile(runs, "a+", async (file) => {
    const last = new Uint8Array([NEWLINE]);
    const { size } = await file.stat();
    if (size > 0) await file.read(last, 0, 1, size - 1);
    const text = `${last[0] === NEWLINE ? "" : "\n"}${
      JSON.stringify({ schema: "orderlens/run@1", ...line })
    }\n`;
    await writeAll(file, new TextEncoder().encode(text));
    await file.sync();
  });
}

const NEWLINE = 0x0a;

/** How a run ended with an error, as one word. */
function endReason(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true) return "aborted";
  if (error instanceof OrderlensError) return error.code;
  return error instanceof Error ? error.name : "error";
}

/**
 * The times by which an export decides that something can no longer change. A clock that is wrong
 * must not end it too early: what is over is over by this machine's clock and by the host's, and
 * something was asked for first at the latest of them and of all earlier runs.
 */
export class ExportClock {
  readonly #clock: { now(): number };
  readonly #host: { readonly hostTimeMs: number | null };
  readonly #state: ExportState;
  #latestMs: number;
  #keptMs: number;

  /** The times of one run: by the clock of the deployment, and as its host tells. */
  constructor(
    clock: { now(): number },
    host: { readonly hostTimeMs: number | null },
    state: ExportState,
  ) {
    [this.#clock, this.#host, this.#state] = [clock, host, state];
    this.#latestMs = this.#keptMs = Number(state.readMeta("latestMs") ?? 0);
  }

  /** The time that has passed for certain. */
  readonly now = (): number => Math.min(this.#clock.now(), this.#host.hostTimeMs ?? Infinity);

  /** The latest time that it may be; kept to the minute, so that it never runs backwards. */
  readonly latest = (): number => {
    const latestMs = Math.max(this.#latestMs, this.#clock.now(), this.#host.hostTimeMs ?? 0);
    if (latestMs > this.#keptMs + MINUTE_MS) {
      this.#state.setMeta("latestMs", String(latestMs));
      this.#keptMs = latestMs;
    }
    this.#latestMs = latestMs;
    return latestMs;
  };
}
