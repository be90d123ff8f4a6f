import { dirname, hashWritten, useFile, writeAll } from "../../datasets/layout/files.ts";
import { localFiles } from "../../http/local_files.ts";
import type { Reply } from "../reply.ts";

/**
 * Writes the files of a site into a folder. It does not wait for the disk, which takes as long as to
 * render a page: a site can be checked by its sums, and made again.
 */
export class SiteWriter {
  readonly #folder: string;
  readonly #written = new Map<string, number>();
  readonly #pending = new Map<string, string>();

  /** @param folder The folder of the site. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Paths of all written files, with their sizes in bytes. */
  get files(): ReadonlyMap<string, number> {
    return this.#written;
  }

  /** Notes a file that was written otherwise. */
  async note(path: string): Promise<void> {
    this.#written.set(path, (await localFiles().stat(`${this.#folder}/${path}`)).size);
  }

  /** Adds a file that several pages share; it is written with the next page. */
  share(path: string, text: string): void {
    if (!this.#written.has(path)) this.#pending.set(path, text);
  }

  /** Writes a reply as a file, and the files that it shares with other pages. */
  async write(path: string, { body }: Pick<Reply, "body">): Promise<void> {
    await localFiles().mkdir(dirname(`${this.#folder}/${path}`), { recursive: true });
    await useFile(`${this.#folder}/${path}`, "w", async (handle) => {
      if (body instanceof Uint8Array) await writeAll(handle, body);
      else for await (const part of body) await writeAll(handle, part);
    });
    await this.note(path);
    const shared = [...this.#pending];
    this.#pending.clear();
    for (const [path, text] of shared) {
      await this.write(path, { body: new TextEncoder().encode(text) });
    }
  }

  /** Writes the SHA-256 of all files, in the form that `sha256sum -c` reads. */
  async writeSums(): Promise<void> {
    const lines: string[] = [];
    for (const path of [...this.#written.keys()].sort()) {
      lines.push(`${(await hashWritten(`${this.#folder}/${path}`)).sha256}  ${path}\n`);
    }
    await this.write("SHA256SUMS", { body: new TextEncoder().encode(lines.join("")) });
  }
}
