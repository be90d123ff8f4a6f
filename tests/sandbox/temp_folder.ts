import { dirname, join } from "node:path";
import { locateAtCaller } from "../../tools/testing/test_example.ts";

/** Runs a test with a temporary folder, in another one if it is told. */
export async function withFolder<Result>(
  use: (folder: string) => Promise<Result>,
  options: Deno.MakeTempOptions = {},
): Promise<Result> {
  const folder = await Deno.makeTempDir(options);
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Tests that each have a temporary folder. */
export const inFolder = {
  /** Registers one. */
  test(name: string, run: (folder: string, t: Deno.TestContext) => Promise<void>): void {
    Deno.test(
      name,
      locateAtCaller((t: Deno.TestContext) => withFolder((folder) => run(folder, t))),
    );
  },
};

/** Runs a test with a temporary folder that has these files, by their paths; programs can run. */
export async function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  return await withFolder(async (temporary) => {
    const folder = await Deno.realPath(temporary);
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path);
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(file, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    }
    return await use(folder);
  });
}

/** The text of the error that a promise rejects with, with the folder's path replaced. */
export async function errorText(promise: Promise<unknown>, folder = "\0"): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) {
      return `${error.name}: ${error.message.replaceAll(folder, "<folder>")}`;
    }
  }
  throw new Error("Expected a rejection with an error");
}

/** Writes a recording of the given exchanges; returns its path. */
export async function writeRecording(file: string, exchanges: readonly object[]): Promise<string> {
  await Deno.writeTextFile(file, exchanges.map((each) => `${JSON.stringify(each)}\n`).join(""));
  return file;
}

/** A GET exchange with a JSON response. */
export function got(path: string, body: unknown, status = 200): Record<string, unknown> {
  return {
    method: "GET",
    path,
    status,
    contentType: "application/json",
    responseBody: JSON.stringify(body),
  };
}
