import { shippedDatasets } from "../../datasets/mod.ts";
import { InputError } from "../../errors/mod.ts";

const OPENERS: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
  darwin: ["open"],
  windows: ["cmd", "/c", "start", ""],
};

/**
 * Opens a file as the system does.
 *
 * @throws {InputError} If the system has no such program.
 */
export async function openFile(file: string): Promise<void> {
  const [program, ...words] = OPENERS[Deno.build.os] ?? ["xdg-open"];
  try {
    const { success } = await new Deno.Command(program, {
      args: [...words, file],
      stdout: "null",
      stderr: "null",
    }).output();
    if (success) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  throw new InputError(`Cannot open ${file}: ${program} does not open it`, {
    remedy: "Open it in a browser",
  });
}

/** A folder that a command line names, and never the dataset of the same name that ships. */
export function localFolder(word: string): string {
  return shippedDatasets().includes(word) ? `./${word}` : word;
}
