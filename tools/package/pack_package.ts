import { transform } from "esbuild";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECT_ROOT } from "../project_root.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { TaskError } from "../terminal/task_error.ts";
import { bundleProgram, MIN_NODE, PROGRAM_FOLDER, WORKER } from "./bundle_program.ts";
import { stampCommit } from "./stamp_commit.ts";
import {
  completeManifest,
  type DenoConfiguration,
  type Manifest,
  type PackedManifest,
  readExactVersions,
} from "./complete_manifest.ts";
import { createPeerModule, OPTIONAL_PEERS, PEERS_FOLDER, toPeerFile } from "./optional_peers.ts";

/** Options for packing. */
export interface PackOptions {
  /** Folder for the tarball; emptied first. */
  readonly folder: string;
  /** Whether to include uncommitted changes. @default {false} */
  readonly allowDirty?: boolean;
}

const MANIFEST = new URL("manifest.json", import.meta.url);

/** Packages of the command line alone, which are part of its program. */
const PROGRAM_PACKAGES: readonly string[] = ["@modelcontextprotocol/server"];

/**
 * Packs the library for npm: runs `deno pack` and completes its tarball.
 *
 * `deno pack` compiles, writes declarations and includes the files of `publish` in `deno.json`. This
 * adds the exact versions of packages; the modules that load optional ones; `Temporal` for platforms
 * without it; the command line; and the fields of `manifest.json` in this folder.
 *
 * @returns Path of the tarball.
 * @throws {TaskError} If packing fails.
 */
export async function packPackage({ folder, allowDirty = false }: PackOptions): Promise<string> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const bare = join(folder, "deno_pack.tgz");
  const dirty = allowDirty ? ["--allow-dirty"] : [];
  await runDeno("pack", "--no-source-maps", ...dirty, "--output", bare);
  await run("tar", ["-xzf", bare, "-C", folder]);
  await Deno.remove(bare);
  const unpacked = join(folder, "package");
  const configuration = await readJson<DenoConfiguration>(join(PROJECT_ROOT, "deno.json"));
  const manifest = await writeManifest(unpacked, configuration);
  // With changes, it is no commit.
  const commit = allowDirty ? null : await readCommit();
  await completeModules(unpacked, manifest.peerDependencies, commit);
  await addTemporal(unpacked, manifest);
  await addProgram(folder, unpacked, { manifest, configuration, commit });
  const name = manifest.name.replace("@", "").replace("/", "-");
  const tarball = join(folder, `${name}-${manifest.version}.tgz`);
  await run("tar", ["-czf", tarball, "-C", folder, basename(unpacked)]);
  return tarball;
}

async function writeManifest(
  unpacked: string,
  configuration: DenoConfiguration,
): Promise<Manifest> {
  const file = join(unpacked, "package.json");
  const manifest = completeManifest(await readJson<PackedManifest>(file), {
    configuration,
    additions: await readJson<Pick<Manifest, "bin">>(fileURLToPath(MANIFEST)),
  });
  await writeJson(file, manifest);
  return manifest;
}

/** Returns the commit of the clone; `null` outside of one. */
async function readCommit(): Promise<string | null> {
  const args = ["rev-parse", "HEAD"];
  const { success, output } = await runQuietly({ program: "git", args, folder: PROJECT_ROOT });
  return success ? output.trim() : null;
}

/**
 * Has every module of the library load optional packages with a clear error if they are missing, writes
 * the commit, and lowers `using`, which Node 22 does not have.
 */
async function completeModules(
  unpacked: string,
  versions: Readonly<Record<string, string>>,
  commit: string | null,
): Promise<void> {
  const folder = join(unpacked, PEERS_FOLDER);
  await Deno.mkdir(folder);
  for (const name of OPTIONAL_PEERS) {
    const text = await createPeerModule(name, versions, "../lib/errors/orderlens_error.js");
    await Deno.writeTextFile(join(folder, toPeerFile(name)), text);
  }
  for await (const file of walkModules(join(unpacked, "lib"))) {
    const source = await Deno.readTextFile(file);
    const text = stampCommit(file, source, commit);
    const to = relative(dirname(file), unpacked).replaceAll("\\", "/");
    const complete = OPTIONAL_PEERS.reduce(
      (code, name) =>
        code.replaceAll(`from "${name}"`, `from "${to}/${PEERS_FOLDER}/${toPeerFile(name)}"`),
      text.replace(WORKER, `new URL("${to}/${PROGRAM_FOLDER}/shard_worker.js", import.meta.url)`),
    );
    const lowered = /^ *(?:await )?using \w+ = /m.test(complete)
      ? (await transform(complete, { target: MIN_NODE })).code
      : complete;
    if (lowered !== source) await Deno.writeTextFile(file, lowered);
  }
}

async function* walkModules(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* walkModules(join(folder, name));
    else if (name.endsWith(".js")) yield join(folder, name);
  }
}

/** Loads `Temporal` before every entry point where it may lack: Node before 26, some browsers. */
async function addTemporal(unpacked: string, { exports }: Manifest): Promise<void> {
  await Deno.writeTextFile(join(unpacked, "platform_deno.js"), "// Deno has `Temporal`.\n");
  for (const { default: module } of Object.values(exports)) {
    const file = join(unpacked, module);
    await Deno.writeTextFile(file, `import "#platform";\n${await Deno.readTextFile(file)}`);
  }
}

/** Adds the command line, with the packages that it needs beside optional ones. */
async function addProgram(
  folder: string,
  unpacked: string,
  { manifest, configuration, commit }: {
    readonly manifest: Manifest;
    readonly configuration: DenoConfiguration;
    readonly commit: string | null;
  },
): Promise<void> {
  const programFolder = join(folder, "program");
  await Deno.mkdir(programFolder);
  const dependencies = {
    ...manifest.dependencies,
    ...readExactVersions(PROGRAM_PACKAGES, configuration),
  };
  await writeJson(join(programFolder, "package.json"), { type: "module", dependencies });
  await run(Deno.execPath(), ["install", "--no-lock"], programFolder);
  const packages = join(programFolder, "node_modules");
  await bundleProgram({ unpacked, packages, versions: manifest.peerDependencies, commit });
  await Deno.remove(programFolder, { recursive: true });
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(file));
}

async function writeJson(file: string, value: object): Promise<void> {
  await Deno.writeTextFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

async function runDeno(...args: readonly string[]): Promise<void> {
  await run(Deno.execPath(), args);
}

async function run(
  program: string,
  args: readonly string[],
  folder: string = PROJECT_ROOT,
): Promise<void> {
  const { success, output } = await runQuietly({ program, args, folder });
  if (!success) throw new TaskError(`Cannot pack the library\n${output}`);
}
