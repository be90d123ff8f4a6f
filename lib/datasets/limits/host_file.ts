import { writeAll } from "../layout/durable_files.ts";
import { type HostState, readHostState } from "./host_state.ts";

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
