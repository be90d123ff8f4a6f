import { OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { VERSION } from "../../http/mod.ts";
import { type DatasetPaths, withFile, writeAll } from "../layout/files.ts";
import type { RequestCounts } from "../rate_limit/polite_transport.ts";
import type { ExportState } from "./export_state.ts";

/**
 * Tells of every run in one line of `.orderlens/runs.ndjson`: when it began and ended, its requests by
 * route and status, repetitions and pauses, and how it ended: `done`, `max_requests`, `aborted`,
 * `killed`, or the code of an error with its first line. The begin of a run stands in the state, so that
 * the next run tells of one that was killed.
 */
export class RunJournal {
  readonly #paths: DatasetPaths;
  readonly #state: ExportState;
  readonly #now: () => number;
  #started = "";

  /** The journal of a folder that is locked. */
  constructor(paths: DatasetPaths, state: ExportState, now: () => number) {
    this.#paths = paths;
    this.#state = state;
    this.#now = now;
  }

  /** Notes that a run begins, and tells of the one before if it was killed. */
  async begin(): Promise<void> {
    const before = this.#state.meta("runStarted") ?? "";
    if (before !== "") {
      const [started = "", library = ""] = before.split(" ");
      const nothing = { ended: null, requests: null, retries: null, waits: null, error: null };
      await this.#append({ started, library, ...nothing, how: "killed" });
    }
    this.#started = this.#time();
    this.#state.setMeta("runStarted", `${this.#started} ${VERSION}`);
  }

  /** Tells of the run that ends. */
  async end(requests: RequestCounts, how: string, error?: unknown): Promise<void> {
    const { routes, retries, waits } = requests;
    const [first = ""] = error instanceof Error ? error.message.split("\n") : [];
    await this.#append({
      started: this.#started,
      ended: this.#time(),
      library: VERSION,
      requests: Object.fromEntries([...routes].sort(([a], [b]) => a < b ? -1 : 1)),
      retries,
      waits,
      how,
      error: error === undefined ? null : hideSecrets(first),
    });
    this.#state.inOneStep(() => {
      this.#state.setMeta("runStarted", "");
      this.#state.setMeta("runEnded", how);
    });
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }

  /** Appends a line, and waits until it is on the disk; a torn one before it stays alone. */
  async #append(line: object): Promise<void> {
    const options = { create: true, read: true, write: true } as const;
    await withFile(this.#paths.runs, options, async (file) => {
      const end = await file.seek(0, 2);
      const isTorn = end > 0 && !await endsWithNewline(file, end);
      await file.seek(0, 2);
      const text = `${isTorn ? "\n" : ""}${
        JSON.stringify({ schema: "orderlens/run@1", ...line })
      }\n`;
      await writeAll(file, new TextEncoder().encode(text));
      await file.sync();
    });
  }
}

async function endsWithNewline(file: Deno.FsFile, end: number): Promise<boolean> {
  const last = new Uint8Array(1);
  await file.seek(end - 1, 0);
  await file.read(last);
  return last[0] === 0x0a;
}

/** How a run ended with an error, as one word. */
export function wordOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true) return "aborted";
  if (error instanceof OrderlensError) return error.code;
  return error instanceof Error ? error.name : "error";
}

const MINUTE_MS = 60_000;

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
    this.#latestMs = this.#keptMs = Number(state.meta("latestMs") ?? 0);
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
