import { InputError } from "../../errors/mod.ts";
import { DatasetPaths } from "./files.ts";

/** The datasets of `data/datasets`. */
const SHIPPED: readonly string[] = ["market_1"];

const folder = new URL("../../../data/datasets/", import.meta.url);

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
 * Where a dataset is: one that ships by its name, any other by its folder.
 *
 * @throws {InputError} If one that ships is not in the file system.
 */
export function datasetAt(nameOrFolder: string | URL): DatasetPaths {
  if (typeof nameOrFolder !== "string" || !SHIPPED.includes(nameOrFolder)) {
    return new DatasetPaths(nameOrFolder);
  }
  if (folder.protocol === "file:") return new DatasetPaths(new URL(nameOrFolder, folder));
  throw new InputError(`Cannot open the dataset ${nameOrFolder}: it is not a local folder`, {
    facts: { library: folder.origin },
    remedy: "Copy its folder, and pass the path of the copy",
  });
}
