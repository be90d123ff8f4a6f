import { OrderlensError } from "../../errors/mod.ts";
import { hideSecrets } from "../../errors/secrets.ts";
import { VERSION } from "../../http/mod.ts";
import { MINUTE_MS } from "../../units/instant.ts";
import { type DatasetPaths, useFile, writeAll } from "../layout/files.ts";
import type { RequestCounts } from "../rate_limit/polite_transport.ts";
import type { ExportState } from "./export_state.ts";

interface JournaledRun {
  readonly paths: DatasetPaths;
  readonly state: ExportState;
  /** The time in unix milliseconds. */
  readonly now: () => number;
  readonly counts: RequestCounts;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs an export and appends one line to `.orderlens/runs.ndjson`: start and end, requests by route and
 * status, retries and pauses, and how it ended: `done`, `max_requests`, `aborted`, `killed`, or the
 * code of an error with its first line. The start of a run is in the state, so that the next run adds
 * the line of one that was killed.
 */
export async function journalRun<Result extends { readonly stopped: string | null }>(
  { paths, state, now, counts, signal }: JournaledRun,
  run: () => Promise<Result>,
): Promise<Result> {
  const stamp = () => new Date(now()).toISOString();
  const earlier = state.readMeta("runStarted") ?? "";
  if (earlier !== "") {
    const [started = "", library = ""] = earlier.split(" ");
    const nothing = { ended: null, requests: null, retries: null, waits: null, error: null };
    await appendLine(paths.runs, { started, library, ...nothing, how: "killed" });
  }
  const started = stamp();
  state.setMeta("runStarted", `${started} ${VERSION}`);
  const end = async (how: string, error: string | null) => {
    const { routes, retries, waits } = counts;
    const requests = Object.fromEntries([...routes].sort(([a], [b]) => a < b ? -1 : 1));
    const line = {
      started,
      ended: stamp(),
      library: VERSION,
      requests,
      retries,
      waits,
      how,
      error,
    };
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
    // The error of the run matters more than one of the journal.
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

/** Returns how a run ended with an error, as one word. */
function endReason(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true) return "aborted";
  if (error instanceof OrderlensError) return error.code;
  return error instanceof Error ? error.name : "error";
}

/**
 * Times by which an export decides that an item can no longer change. A wrong clock must not end it too
 * early: a time has passed by this machine's clock and by the host's, and an item was requested first
 * at the latest of them and of all earlier runs.
 */
export class ExportClock {
  readonly #clock: { now(): number };
  readonly #host: { readonly hostTimeMs: number | null };
  readonly #state: ExportState;
  #latestMs: number;
  #keptMs: number;

  /** Times of one run, by the clock of the deployment and of its host. */
  constructor(
    clock: { now(): number },
    host: { readonly hostTimeMs: number | null },
    state: ExportState,
  ) {
    [this.#clock, this.#host, this.#state] = [clock, host, state];
    this.#latestMs = this.#keptMs = Number(state.readMeta("latestMs") ?? 0);
  }

  /** The time that has certainly passed. */
  readonly now = (): number => Math.min(this.#clock.now(), this.#host.hostTimeMs ?? Infinity);

  /** The latest possible time; stored to the minute, so that it never runs backwards. */
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
