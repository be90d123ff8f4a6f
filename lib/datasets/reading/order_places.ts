import { filesByValue } from "../../tables/columns/frame_files.ts";

/** Orders whose file is remembered: their fills and reports are asked for next. */
const REMEMBERED = 20_000;

/** Finds the files of orders through the table of orders. */
export class OrderPlaces {
  readonly #pattern: string;
  readonly #known = new Map<string, string>();

  /** Reads nothing yet. */
  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Names of the files that have some orders, without folder and extension. */
  async of(uids: readonly string[]): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    const unknown: string[] = [];
    for (const uid of uids) {
      const name = this.#known.get(uid);
      if (name === undefined) unknown.push(uid);
      else names.add(name);
    }
    if (unknown.length === 0) return names;
    for (const [uid, file] of await filesByValue(this.#pattern, "order_uid", unknown)) {
      const name = nameOf(file);
      names.add(name);
      this.#known.set(uid, name);
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(oldest);
    }
    return names;
  }
}

/** Name of a shard's file without folder and extension. */
export function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1)!.replace(/\..*$/, "");
}
