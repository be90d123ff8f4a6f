import { InputError } from "../../errors/mod.ts";
import { statOf } from "../layout/put_in_place.ts";
import { noteOf } from "./sqlite_file.ts";

/** Format of the description of a conversion. */
export const CONVERSION_SCHEMA = "orderlens/conversion@1";

/** Name of the description in a folder of converted files. */
export const DESCRIPTION = "conversion.json";

/**
 * Rejects a place where something else is than the result of an earlier conversion.
 *
 * @throws {InputError} Names it.
 */
export async function requireConversion(output: string): Promise<void> {
  const found = await statOf(output);
  if (found === null) return;
  const isOwn = found.isDirectory
    ? await isConverted(output)
    : noteOf(output, "schema") === CONVERSION_SCHEMA;
  if (isOwn) return;
  throw new InputError(`Cannot convert into ${output}: something else is there`, {
    remedy: "Pass a path where nothing is, or the result of an earlier conversion to replace it",
  });
}

/** Whether a folder is empty, or has the description of a conversion. */
async function isConverted(folder: string): Promise<boolean> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  if (names.length === 0) return true;
  if (!names.includes(DESCRIPTION)) return false;
  try {
    const { schema } = Object(JSON.parse(await Deno.readTextFile(`${folder}/${DESCRIPTION}`)));
    return schema === CONVERSION_SCHEMA;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
