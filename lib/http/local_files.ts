import { InputError } from "../errors/mod.ts";

/** How a file is opened: `a` appends, `wx` creates a file that must not exist yet. */
interface OpenOptions {
  readonly flag: "a" | "wx";
}

/** File operations that the library uses: a part of Node's `fs/promises`. */
interface LocalFiles {
  /** Reads a whole file. */
  readFile(file: string | URL): Promise<Uint8Array>;
  /** Reads a whole file of UTF-8 text. */
  readFile(file: string | URL, encoding: "utf8"): Promise<string>;
  /** Writes a file. */
  writeFile(file: string | URL, text: string, options: OpenOptions): Promise<void>;
  /** Renames a file. */
  rename(from: string | URL, to: string | URL): Promise<void>;
  /** Removes a file. */
  rm(file: string | URL): Promise<void>;
  /** Creates a folder and its parents. */
  mkdir(folder: string | URL, options: { readonly recursive: true }): Promise<unknown>;
  /** Lists a folder. */
  readdir(
    folder: string | URL,
    options: { readonly withFileTypes: true },
  ): Promise<{ readonly name: string; isDirectory(): boolean }[]>;
  /** Returns what is at a path. */
  stat(path: string | URL): Promise<{ isDirectory(): boolean }>;
}

/**
 * Local files, in Deno and in Node. Looked up at run time, so that importing the library loads
 * nothing for it and works in a browser.
 *
 * @throws {InputError} Where there are no files, for example in a browser.
 */
export function localFiles(): LocalFiles {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (files === undefined) {
    throw new InputError("Cannot use files: this platform has no file system", {
      remedy: "Run it in Deno, or in Node 22.15 or newer",
    });
  }
  return files;
}

/** Whether an operation failed because the path does not exist. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error));
}

/** Whether an operation failed because the path already exists. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === "EEXIST";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
