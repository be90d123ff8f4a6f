import { basename, dirname, join } from "node:path";

const NAME = /^snapshot\[`((?:[^`\\]|\\.)*)`\]/gm;

/** Returns the file of snapshots that Deno reads for a test module. */
export function toSnapshotPath(module: string): string {
  return join(dirname(module), "__snapshots__", `${basename(module)}.snap`);
}

/** Collects the snapshots of the test modules of one room, which is one module to Deno. */
export class RoomSnapshots {
  readonly #names = new Set<string>();
  readonly #texts: string[] = [];

  /**
   * Adds the content of a test module's file of snapshots.
   *
   * @returns `false` if the room has a snapshot of the same name already: then nothing is added.
   */
  add(text: string): boolean {
    const names = Array.from(text.matchAll(NAME), ([, name = ""]) => name);
    if (names.some((name) => this.#names.has(name))) return false;
    for (const name of names) this.#names.add(name);
    if (names.length > 0) this.#texts.push(text);
    return true;
  }

  /** Writes the file of snapshots of the room's module, if it has any. */
  async write(module: string): Promise<void> {
    if (this.#texts.length === 0) return;
    const file = toSnapshotPath(module);
    await Deno.mkdir(dirname(file), { recursive: true });
    // Deno reads the entries alone, and ignores anything else in the file.
    await Deno.writeTextFile(file, this.#texts.join("\n"));
  }
}
