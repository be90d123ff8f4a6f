import { InputError } from "../errors/mod.ts";

/** An open file, in Deno and in Node. */
export type OpenFile = import("node:fs/promises").FileHandle;

/** File type and size at a path. */
export type FileStats = Awaited<ReturnType<ReturnType<typeof localFiles>["lstat"]>>;

/**
 * Returns local files, in Deno and in Node. Looked up at run time, so that importing the library loads
 * nothing for it and works in a browser.
 *
 * @throws {InputError} Where there are no files, for example in a browser.
 */
export function localFiles(): typeof import("node:fs/promises") {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (files === undefined) {
    throw new InputError("Cannot use files: this platform has no file system", {
      remedy: "Run it in Deno, or in Node 22.15 or newer",
    });
  }
  return files;
}

/** Creates a folder in the system's temporary folder, and returns its path. */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
  // Deno finds it without permission to read the environment.
  if (typeof Deno !== "undefined") return await Deno.makeTempDir({ prefix });
  return await localFiles().mkdtemp(`${findTemporaryFolder()}/${prefix}`);
}

/** Returns the system's temporary folder; `/tmp` without permission to read its variables. */
export function findTemporaryFolder(): string {
  const { tmpdir } = process.getBuiltinModule("node:os");
  try {
    return tmpdir();
  } catch (error) {
    if (error instanceof Error && error.name === "NotCapable") return "/tmp";
    throw error;
  }
}

/** Returns what is at a path; `null` if nothing is. */
export async function statPath(path: string | URL): Promise<FileStats | null> {
  try {
    return await localFiles().stat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether an operation failed because the path does not exist. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(readErrorCode(error));
}

/** Whether an operation failed because the path already exists. */
export function isTaken(error: unknown): boolean {
  return readErrorCode(error) === "EEXIST";
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
