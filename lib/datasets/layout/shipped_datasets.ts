import { InputError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import { DatasetPaths } from "./files.ts";

/** The datasets of `data/datasets`. */
const SHIPPED: readonly string[] = ["market_1"];

const shipped = new URL("../../../data/datasets/", import.meta.url);

/**
 * Names of the datasets that ship with the library.
 *
 * @example
 * ```ts
 * import { shippedDatasets } from "orderlens/datasets";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(shippedDatasets(), ["market_1"]);
 * ```
 */
export function shippedDatasets(): string[] {
  return [...SHIPPED];
}

/**
 * Finds a dataset: one that ships by its name, any other by its folder.
 *
 * @throws {InputError} If one that ships is not in the file system, or a folder here has its name too.
 */
export async function findDataset(nameOrFolder: string | URL): Promise<DatasetPaths> {
  if (!isShipped(nameOrFolder)) return new DatasetPaths(nameOrFolder);
  const action = `Cannot open the dataset ${nameOrFolder}`;
  const manifest = new DatasetPaths(nameOrFolder).file("manifest.json");
  // Without permission to look there, nothing there is meant.
  if (await localFiles().stat(manifest).then(() => true, () => false)) {
    throw new InputError(`${action}: one that ships and a folder here have this name`, {
      remedy: `Pass ./${nameOrFolder} for the folder, or work in another one for the other`,
    });
  }
  if (shipped.protocol === "file:") return new DatasetPaths(new URL(nameOrFolder, shipped));
  throw new InputError(`${action}: it is not a local folder`, {
    facts: { library: shipped.origin },
    remedy: "Copy its folder, and pass the path of the copy",
  });
}

/** Whether a text is the name of a dataset that ships. */
export function isShipped(nameOrFolder: string | URL): nameOrFolder is string {
  return typeof nameOrFolder === "string" && SHIPPED.includes(nameOrFolder);
}
