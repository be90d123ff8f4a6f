import { join, relative } from "node:path";

const PASSED_OVER = "node_modules";

/** Walks the files below `paths`, relative to `root`, sorted. */
export async function* walkFiles(
  root: string,
  paths: readonly string[],
): AsyncGenerator<string> {
  for (const path of paths) {
    const { isDirectory } = await Deno.stat(join(root, path));
    if (!isDirectory) {
      yield relative(root, join(root, path)).replaceAll("\\", "/");
      continue;
    }
    const names = (await Array.fromAsync(Deno.readDir(join(root, path))))
      .map(({ name }) => name)
      .filter((name) => name !== PASSED_OVER && !name.startsWith("."))
      .toSorted();
    yield* walkFiles(root, names.map((name) => `${path}/${name}`));
  }
}
