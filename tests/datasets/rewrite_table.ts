import pl, { type DataFrame } from "nodejs-polars";
import type { Frame } from "orderlens/tables";
import { describeRows } from "../../lib/datasets/shards/file_columns.ts";
import { selectTables } from "../../lib/datasets/shards/published_tables.ts";
import { DatasetPaths, sha256 } from "../../lib/datasets/layout/files.ts";
import { buildDescriptions } from "../../lib/datasets/state/write_manifest.ts";

/** Changes the manifest of a dataset, and nothing that follows from it. */
export async function changeManifest(
  folder: string,
  // deno-lint-ignore no-explicit-any -- any part of a manifest may be changed
  change: (manifest: any) => void,
): Promise<void> {
  const file = `${folder}/manifest.json`;
  const manifest = JSON.parse(await Deno.readTextFile(file));
  change(manifest);
  await Deno.writeTextFile(file, JSON.stringify(manifest));
}

/**
 * Replaces a table's file by another one that the manifest agrees with, and returns what undoes it.
 */
export function rewriteTable(
  folder: string,
  path: string,
  change: (frame: DataFrame) => DataFrame,
): Promise<() => Promise<void>> {
  const [table] = selectTables(path.split("/"));
  return rewriteFile(folder, path, (file) => {
    const changed = change(pl.readParquet(file));
    changed.writeParquet(file, { compression: "zstd" });
    return { rows: changed.height, ...describeRows(changed as Frame, table!.key) };
  });
}

/**
 * Replaces a file by another one that the manifest, sums and descriptions agree with, and returns what
 * undoes it.
 *
 * @param change Writes the file, and returns what the manifest says of it besides hash and length.
 */
export async function rewriteFile(
  folder: string,
  path: string,
  change: (file: string) => object,
): Promise<() => Promise<void>> {
  const names = [
    path,
    "manifest.json",
    "SHA256SUMS",
    "README.md",
    "croissant.json",
    "datapackage.json",
  ];
  const files = names.map((name) => `${folder}/${name}`);
  const before = await Promise.all(files.map((name) => Deno.readFile(name)));
  const [file = "", manifestFile = "", sums = ""] = files;
  const manifest = JSON.parse(await Deno.readTextFile(manifestFile));
  const entry = manifest.files.find((one: { path: string }) => one.path === path);
  const facts = change(file);
  const bytes = await Deno.readFile(file);
  Object.assign(entry, { sha256: sha256(bytes), bytes: bytes.length, ...facts });
  await Deno.writeTextFile(manifestFile, JSON.stringify(manifest, null, 1) + "\n");
  for (const [name, text] of buildDescriptions(new DatasetPaths(folder), manifest)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const lines = (await Deno.readTextFile(sums)).split("\n").map(async (line) => {
    const name = names.find((one) => line.endsWith(`  ${one}`));
    return name === undefined
      ? line
      : `${sha256(await Deno.readFile(`${folder}/${name}`))}  ${name}`;
  });
  await Deno.writeTextFile(sums, (await Promise.all(lines)).join("\n"));
  return async () => {
    for (const [place, name] of files.entries()) await Deno.writeFile(name, before[place]!);
  };
}
