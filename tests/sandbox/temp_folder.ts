/** Runs a test with a temporary folder, in another one if it is told. */
export async function withFolder(
  use: (folder: string) => Promise<void>,
  options: Deno.MakeTempOptions = {},
): Promise<void> {
  const folder = await Deno.makeTempDir(options);
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Tests that each have a temporary folder. */
export const inFolder = {
  /** Registers one. */
  test(name: string, run: (folder: string) => Promise<void>): void {
    Deno.test(name, () => withFolder(run));
  },
};

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
