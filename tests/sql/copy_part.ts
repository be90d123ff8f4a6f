import { copyFolder } from "../copy_folder.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { changeManifest } from "../datasets/rewrite_table.ts";

type Change = Parameters<typeof changeManifest>[1];

/** Copies the shipped dataset, of which its manifest then says something else. */
export async function copyPart(to: string, change: Change): Promise<void> {
  await copyFolder(`${SHIPPED_FOLDER}/market_1`, to);
  await changeManifest(to, change);
}

/** A manifest that has only the files with a part of a path. */
export function filesWith(part: string): Change {
  return (manifest) => {
    manifest.files = manifest.files.filter(({ path }: { path: string }) => path.includes(part));
  };
}

/** A manifest of an export that made no such tables. */
export function withoutTables(...names: string[]): Change {
  return (manifest) => {
    const { request, files } = manifest;
    request.tables = request.tables.filter((name: string) => !names.includes(name));
    manifest.files = files.filter(({ path }: { path: string }) =>
      !names.includes(path.split("/")[0]!)
    );
  };
}
