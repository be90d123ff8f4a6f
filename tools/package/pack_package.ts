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

const MANIFEST = new URL("manifest.json", import.meta.url);

/**
 * Packs the library for npm: runs `deno pack` and completes its tarball.
 *
 * `deno pack` compiles, writes declarations and includes the files of `publish` in `deno.json`. This
 * adds the exact versions of packages; `Temporal` for platforms without it; and the fields of
 * `manifest.json` in this folder.
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
  await addTemporal(unpacked, manifest);
  const name = manifest.name.replace("@", "").replace("/", "-");
  const tarball = join(folder, `${name}-${manifest.version}.tgz`);
  await run("tar", ["-czf", tarball, "-C", folder, basename(unpacked)]);
  return tarball;
}

async function writeManifest(unpacked: string): Promise<Manifest> {
  const file = join(unpacked, "package.json");
  const manifest = completeManifest(await readJson<Manifest>(file), {
    configuration: await readJson<DenoConfiguration>(join(PROJECT_ROOT, "deno.json")),
    additions: await readJson<Record<string, unknown>>(fileURLToPath(MANIFEST)),
  });
  await Deno.writeTextFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Loads `Temporal` before every entry point where it may lack: Node before 26, some browsers. */
async function addTemporal(unpacked: string, { exports }: Manifest): Promise<void> {
  await Deno.writeTextFile(join(unpacked, "platform_deno.js"), "// Deno has `Temporal`.\n");
  for (const { default: module } of Object.values(exports)) {
    const file = join(unpacked, module);
    await Deno.writeTextFile(file, `import "#platform";\n${await Deno.readTextFile(file)}`);
  }
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
