import { replaceFiles } from "../../datasets/layout/durable_files.ts";
import { InputError } from "../../errors/mod.ts";
import type { WatchEvent } from "../../reports/watch/watch_event.ts";
import type { WatchState } from "../../reports/watch/watch_state.ts";
import { lockOrReject, openOrReject } from "../terminal/rows_file.ts";

const SCHEMA = "orderlens/watch-file@1";

/** What a file of a watch has. */
interface Content {
  readonly watch: WatchState | null;
  readonly undelivered: readonly WatchEvent[];
}

/**
 * Where a watch stands, and the events that a webhook has not got yet: in a file that is replaced at
 * once, or in memory alone.
 */
export class WatchStore {
  readonly #path: string | null;
  #content: Content;
  #waiting: readonly WatchEvent[] = [];
  #saving: Promise<void> = Promise.resolve();

  /** Holds a content that was read. */
  constructor(path: string | null, content: Content) {
    this.#path = path;
    this.#content = content;
  }

  /** Where the watch stands; `undefined` at its beginning. */
  get watch(): WatchState | undefined {
    return this.#content.watch ?? undefined;
  }

  /** The oldest event that was kept and is to be delivered. */
  get next(): WatchEvent | undefined {
    return this.#content.undelivered[0];
  }

  /** Events that are to be delivered. */
  get size(): number {
    return this.#content.undelivered.length + this.#waiting.length;
  }

  /** Takes an event for delivery; it counts once it is kept, with the next state. */
  add(event: WatchEvent): void {
    this.#waiting = [...this.#waiting, event];
  }

  /** Keeps where the watch stands, and the events that were added. */
  async save(watch: WatchState): Promise<void> {
    const added = this.#waiting;
    this.#waiting = [];
    await this.#change(({ undelivered }) => ({ watch, undelivered: [...undelivered, ...added] }));
  }

  /** Keeps that the oldest event was delivered. */
  async delivered(): Promise<void> {
    await this.#change(({ watch, undelivered }) => ({ watch, undelivered: undelivered.slice(1) }));
  }

  async #change(change: (content: Content) => Content): Promise<void> {
    // One after the other: what is in the file is what is in memory.
    const saving = this.#saving.catch(() => {}).then(async () => {
      const content = change(this.#content);
      if (this.#path !== null) await write(this.#path, content);
      this.#content = content;
    });
    this.#saving = saving;
    await saving;
  }
}

async function write(path: string, content: Content): Promise<void> {
  const bytes = new TextEncoder().encode(`${JSON.stringify({ schema: SCHEMA, ...content })}\n`);
  await replaceFiles([{ file: path, bytes, temporary: `${path}.new` }]);
}

/**
 * Uses the file of a watch, which no other process may use meanwhile; `null` for none.
 *
 * @throws {InputError} If another process has it, or it is no such file.
 */
export async function withWatchStore<Result>(
  path: string | null,
  use: (store: WatchStore) => Promise<Result>,
): Promise<Result> {
  if (path === null) return await use(new WatchStore(null, { watch: null, undelivered: [] }));
  const whole = path.includes("/") ? path : `./${path}`;
  if (await isFolder(whole)) {
    throw new InputError(`Cannot watch with --state ${path}: it is a folder`, {
      remedy: "Pass the path of a file, which is created if it does not exist",
    });
  }
  using lock = await openOrReject(`${whole}.lock`);
  await lockOrReject(lock, path);
  try {
    return await use(new WatchStore(whole, await read(whole)));
  } finally {
    await lock.unlock();
  }
}

async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    // What is not there, or may not be read, fails where it is opened.
    return false;
  }
}

async function read(path: string): Promise<Content> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { watch: null, undelivered: [] };
    throw error;
  }
  const content = parsed(text);
  if (content?.schema === SCHEMA && Array.isArray(content.undelivered)) return content;
  throw new InputError(`Cannot go on with ${path}: it is no file of a watch`, {
    remedy: "Pass the file that an earlier watch was given, or a new one",
  });
}

function parsed(text: string): (Content & { readonly schema: string }) | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
