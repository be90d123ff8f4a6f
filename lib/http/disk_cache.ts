import { InputError } from "../errors/mod.ts";
import { hideSecrets } from "../errors/secrets.ts";
import { localFiles } from "./local_files.ts";
import type { HttpResponse } from "./transport.ts";

/** Content of one file. Headers are not stored: they may be private. */
interface Entry {
  readonly url: string;
  readonly contentType: string | null;
  readonly sha256: string;
  readonly body: string;
}

/**
 * Final responses on disk, one file per response, named by the hash of the URL. Safe to share between
 * processes: files are written atomically, and a damaged one counts as absent.
 */
export class DiskCache {
  readonly #folder: string;
  #isReady = false;

  /** Uses a folder, which is created when it is first needed. */
  constructor(folder: string) {
    this.#folder = folder.replace(/\/+$/, "");
  }

  /**
   * Returns the cached response for a URL.
   *
   * @throws {InputError} If the folder cannot be used.
   */
  async get(url: string): Promise<HttpResponse | undefined> {
    await this.#ensureFolder();
    const file = await this.#resolveFile(url);
    try {
      const entry: Entry = JSON.parse(await localFiles().readFile(file, "utf8"));
      const { contentType, body } = entry;
      if (entry.url !== url || entry.sha256 !== await hashSha256(body)) return undefined;
      const headers = new Headers(contentType === null ? {} : { "content-type": contentType });
      return { status: 200, contentType, headers, body };
    } catch {
      return undefined;
    }
  }

  /**
   * Stores a response of status 200. A failed write is ignored: the caller has the response. One that has a
   * secret is not stored: a server may echo a key, and hiding it would alter the response.
   */
  async put(
    url: string,
    { contentType, body }: Pick<HttpResponse, "contentType" | "body">,
  ): Promise<void> {
    if (hideSecrets(url + body) !== url + body) return;
    const file = await this.#resolveFile(url);
    const part = `${file}.${crypto.randomUUID()}.part`;
    const entry: Entry = { url, contentType, sha256: await hashSha256(body), body };
    const files = localFiles();
    try {
      await files.writeFile(part, JSON.stringify(entry), { flag: "wx" });
      await files.rename(part, file);
    } catch {
      await files.rm(part).catch(() => {});
    }
  }

  async #ensureFolder(): Promise<void> {
    if (this.#isReady) return;
    const files = localFiles();
    try {
      await files.mkdir(this.#folder, { recursive: true });
      await files.stat(this.#folder);
    } catch (cause) {
      throw new InputError(`Cannot cache responses in the folder ${this.#folder}`, {
        facts: { because: cause instanceof Error ? cause.message : String(cause) },
        remedy:
          "Pass a readable and writable folder, and run with `--allow-read` and `--allow-write`",
        cause,
      });
    }
    this.#isReady = true;
  }

  async #resolveFile(url: string): Promise<string> {
    return `${this.#folder}/${await hashSha256(url)}.json`;
  }
}

async function hashSha256(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** Formats bytes as hex, by hand: Node before 25 and older browsers have no `Uint8Array.prototype.toHex`. */
export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
