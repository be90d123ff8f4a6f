// deno-lint-ignore-file no-console -- programs of pages print
import { pathToFileURL } from "node:url";
import { format } from "node:util";

const FOLDER = new URL("../../build/tests/programs/", import.meta.url).pathname;

/**
 * Runs a program in this process, as a module of its own, returns what it prints, and removes the temporary
 * folders that it makes.
 */
export async function printedBy(program: string): Promise<string> {
  await Deno.mkdir(FOLDER, { recursive: true });
  const file = await Deno.makeTempFile({ dir: FOLDER, suffix: ".ts" });
  const { log, warn, error } = console;
  const { makeTempDir } = Deno;
  const folders: string[] = [];
  Deno.makeTempDir = async (options) => {
    const folder = await makeTempDir(options);
    folders.push(folder);
    return folder;
  };
  const printed: string[] = [];
  console.log = console.warn = console.error = (...values) => printed.push(format(...values));
  try {
    await Deno.writeTextFile(file, program);
    await import(pathToFileURL(file).href);
  } finally {
    Object.assign(console, { log, warn, error });
    Deno.makeTempDir = makeTempDir;
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
    await Deno.remove(file);
  }
  return printed.join("\n");
}
