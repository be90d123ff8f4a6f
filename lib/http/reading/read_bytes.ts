import { InputError } from "../../errors/mod.ts";
import { localFiles } from "./local_files.ts";

/**
 * Reads a whole file, locally or over HTTP: the latter where the library itself was loaded from a
 * URL.
 *
 * @throws {InputError} If the URL does not serve the file.
 */
export async function readBytes(file: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof file === "string" || file.protocol === "file:") {
    return new Uint8Array(await localFiles().readFile(file));
  }
  const response = await fetch(file);
  if (!response.ok) {
    await response.body?.cancel();
    throw new InputError(`Cannot read ${file}: HTTP status ${response.status}`, {
      remedy: "Serve the package's `data/` folder next to its `lib/` folder",
    });
  }
  return new Uint8Array(await response.arrayBuffer());
}
