import { InputError } from "../../errors/mod.ts";
import { syncFolder } from "../layout/durable_files.ts";
import { noteOf } from "./sqlite_file.ts";

/** Format of the description of a conversion. */
export const CONVERSION_SCHEMA = "orderlens/conversion@1";

/** Name of the description in a folder of converted files. */
export const DESCRIPTION = "conversion.json";

/**
 * Makes something under a temporary name beside its place, and puts it there when it is complete.
 * Only an earlier result is replaced.
 *
 * @param output Where it goes, without a slash at its end.
 * @throws {InputError} If something else is there.
 */
export async function putInPlaceOf<Result>(
  output: string,
  make: (temporary: string) => Promise<Result>,
): Promise<Result> {
  await requireReplaceable(output);
  const [parent, name] = splitPath(output);
  await Deno.mkdir(parent, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: parent, prefix: `.${name}-` });
  try {
    const made = `${folder}/${name}`;
    const result = await make(made);
    await requireReplaceable(output);
    await moveTo(made, { output, aside: `${folder}/old` });
    await syncFolder(parent);
    return result;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A folder cannot replace another in one step: the old one is moved aside just before. */
async function moveTo(
  made: string,
  { output, aside }: { readonly output: string; readonly aside: string },
): Promise<void> {
  const old = await statOf(output);
  if (old?.isDirectory === true) await Deno.rename(output, aside);
  await Deno.rename(made, output);
}

/**
 * Rejects a place where something else is than the result of an earlier conversion.
 *
 * @throws {InputError} Names it.
 */
async function requireReplaceable(output: string): Promise<void> {
  const found = await statOf(output);
  if (found === null) return;
  if (found.isDirectory ? await isConverted(output) : noteOf(output, "schema") !== null) return;
  throw new InputError(`Cannot convert into ${output}: something else is there`, {
    remedy: "Pass a path where nothing is, or the result of an earlier conversion to replace it",
  });
}

async function isConverted(folder: string): Promise<boolean> {
  let isEmpty = true;
  for await (const { name } of Deno.readDir(folder)) {
    if (name === DESCRIPTION) {
      const { schema } = Object(JSON.parse(await Deno.readTextFile(`${folder}/${name}`)));
      return schema === CONVERSION_SCHEMA;
    }
    isEmpty = false;
  }
  return isEmpty;
}

async function statOf(path: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function splitPath(path: string): [parent: string, name: string] {
  const at = path.lastIndexOf("/");
  return at === -1 ? [".", path] : [path.slice(0, at) || "/", path.slice(at + 1)];
}
