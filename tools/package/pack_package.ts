import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT_ROOT } from "../project_root.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { TaskError } from "../terminal/task_error.ts";
import { completeManifest, type DenoConfiguration, type Manifest } from "./complete_manifest.ts";

/** Options for packing. */
export interface PackOptions {
  /** Folder for the tarball; emptied first. */
  readonly folder: string;
  /** Whether to include uncommitted changes. @default {false} */
  readonly allowDirty?: boolean;
}

const OWN = fileURLToPath(new URL(".", import.meta.url));

/**
 * Packs the library for npm: runs `deno pack` and completes its tarball.
 *
 * `deno pack` compiles, writes declarations and includes the files of `publish` in `deno.json`. This
 * adds the exact versions of packages; `platform/`, which provides what an older Node or a browser
 * lacks before other modules load; and the fields of `manifest.json` in this folder.
 *
 * @returns Path of the tarball.
 * @throws {TaskError} If packing fails.
 */
export async function packPackage({ folder, allowDirty = false }: PackOptions): Promise<string> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const bare = join(folder, "deno_pack.tgz");
  const dirty = allowDirty ? ["--allow-dirty"] : [];
  await deno("pack", "--no-source-maps", ...dirty, "--output", bare);
  await run("tar", ["-xzf", bare, "-C", folder]);
  await Deno.remove(bare);
  const unpacked = join(folder, "package");
  const manifest = await writeManifest(unpacked);
  await addPlatform(unpacked, manifest);
  const name = manifest.name.replace("@", "").replace("/", "-");
  const tarball = join(folder, `${name}-${manifest.version}.tgz`);
  await run("tar", ["-czf", tarball, "-C", folder, basename(unpacked)]);
  return tarball;
}

async function writeManifest(unpacked: string): Promise<Manifest> {
  const file = join(unpacked, "package.json");
  const manifest = completeManifest(await readJson<Manifest>(file), {
    configuration: await readJson<DenoConfiguration>(join(PROJECT_ROOT, "deno.json")),
    additions: await readJson<Record<string, unknown>>(join(OWN, "manifest.json")),
  });
  await Deno.writeTextFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Adds `platform/` to the tarball, and an import of it to the top of every entry point. */
async function addPlatform(unpacked: string, { exports }: Manifest): Promise<void> {
  const platform = join(unpacked, "platform");
  await Deno.mkdir(platform);
  for await (const { name } of Deno.readDir(join(OWN, "platform"))) {
    await Deno.copyFile(join(OWN, "platform", name), join(platform, name));
  }
  const bundled = join(platform, "node_20.cjs");
  const options = ["--platform", "browser", "--format", "iife", "--minify"];
  await deno("bundle", ...options, "--output", bundled, join(OWN, "node_20.ts"));
  await prepend(bundled, "// Parts of core-js, https://github.com/zloirock/core-js, MIT licence\n");
  for (const { default: module } of Object.values(exports)) {
    await prepend(join(unpacked, module), `import "#platform";\n`);
  }
}

async function prepend(file: string, text: string): Promise<void> {
  await Deno.writeTextFile(file, text + await Deno.readTextFile(file));
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(file));
}

async function deno(...args: readonly string[]): Promise<void> {
  await run(Deno.execPath(), args);
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { success, output } = await runQuietly({ program, args, folder: PROJECT_ROOT });
  if (!success) throw new TaskError(`Cannot pack the library\n${output}`);
}
