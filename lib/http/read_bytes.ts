import { InputError } from "../errors/mod.ts";
import { localFiles } from "./local_files.ts";

/**
 * Reads a whole file: of this machine, or over HTTP, as the files beside a library that was itself
 * loaded from an address.
 *
 * @throws {InputError} If the address does not give the file.
 */
export async function readBytes(file: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof file === "string" || file.protocol === "file:") {
    return new Uint8Array(await localFiles().readFile(file));
  }
  const response = await fetch(file);
  if (!response.ok) {
    await response.body?.cancel();
    throw new InputError(`Cannot read ${file}: HTTP status ${response.status}`, {
      remedy: "Serve the folder `data/` of the package beside its folder `lib/`",
    });
  }
  return new Uint8Array(await response.arrayBuffer());
}
