import { InputError } from "../../errors/mod.ts";
import { isMissing, localFiles } from "../../http/reading/local_files.ts";

/** One line: values that JSON can represent. */
export type CacheLine = readonly (string | number | null)[];

/**
 * Lines on disk that are only ever appended, each with a checksum: `[18000000,1694000000] 1f3a09c2`.
 *
 * Safe to share between processes, and to interrupt: lines of one append are written at once,
 * starting on a new line, so that a line cut short damages no other. A damaged line counts as absent.
 */
export class LineCache {
  readonly #folder: string;
  readonly #file: string;
  #isReady = false;

  /** Uses a file `<name>.lines` of a folder; both are created when first needed. */
  constructor(folder: string, name: string) {
    this.#folder = folder.replace(/(?<=.)\/+$/, "");
    this.#file = `${this.#folder}/${name}.lines`;
  }

  /**
   * All undamaged lines, oldest first.
   *
   * @throws {InputError} If the folder cannot be used.
   */
  async read(): Promise<CacheLine[]> {
    await this.#ready();
    const text = await localFiles().readFile(this.#file, "utf8").catch((error) => {
      if (isMissing(error)) return "";
      throw this.#unusable(error);
    });
    return text.split("\n").flatMap((line) => {
      const read = parseLine(line);
      return read === null ? [] : [read];
    });
  }

  /** Appends lines. A failed write is ignored: the caller has the answers. */
  async append(lines: readonly CacheLine[]): Promise<void> {
    if (lines.length === 0) return;
    const text = lines.map((line) => {
      const json = JSON.stringify(line);
      return `${json} ${checksum(json)}\n`;
    }).join("");
    await localFiles().writeFile(this.#file, `\n${text}`, { flag: "a" }).catch(() => {});
  }

  async #ready(): Promise<void> {
    if (this.#isReady) return;
    try {
      await localFiles().mkdir(this.#folder, { recursive: true });
    } catch (error) {
      throw this.#unusable(error);
    }
    this.#isReady = true;
  }

  #unusable(cause: unknown): InputError {
    return new InputError(`Cannot cache answers of a node in the folder ${this.#folder}`, {
      facts: { because: cause instanceof Error ? cause.message : String(cause) },
      remedy:
        "Pass a readable and writable folder, and run with `--allow-read` and `--allow-write`",
      cause,
    });
  }
}

function parseLine(line: string): CacheLine | null {
  const at = line.lastIndexOf(" ");
  const json = line.slice(0, at);
  if (at < 0 || line.slice(at + 1) !== checksum(json)) return null;
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}

/** FNV-1a of 32 bits over the text's UTF-16 units, as 8 hex digits: finds damage, not malice. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
