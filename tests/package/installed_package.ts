import { delimiter, join } from "node:path";
import type { Manifest } from "../../tools/package/complete_manifest.ts";
import { packPackage } from "../../tools/package/pack_package.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

/** What a consumer has beside the library, to check types. */
export const TYPE_TOOLS: readonly string[] = ["typescript@7.0.2", "@types/node@24.19.2"];

/** A binary of the least Node that the package supports, for machines whose own is older. */
const LEAST_NODE = { major: 22, name: `node-${Deno.build.os}-x64`, version: "22.15.0" };
const NODE_FOLDER = join("node_modules", LEAST_NODE.name, "bin");

/** The packed library. */
export interface Packed {
  /** Path of the tarball. */
  readonly tarball: string;
  /** The library's `package.json`. */
  readonly manifest: Manifest;
}

/** Packs the library into a folder of `build/`. */
export async function packForTests(name: string): Promise<Packed> {
  const folder = join(PROJECT_ROOT, "build", name);
  const tarball = await packPackage({ folder, allowDirty: true });
  const text = await Deno.readTextFile(join(folder, "package", "package.json"));
  return { tarball, manifest: JSON.parse(text) };
}

/** What is installed, and where. */
export interface Install {
  /** Folder in `build/`. */
  readonly folder: string;
  /** Name under which the library is installed. */
  readonly name: string;
  /** What else is installed, with versions. */
  readonly others: readonly string[];
}

/** A folder that nothing is in but the packed library, what it needs, and what a test puts there. */
export interface Consumer {
  /** Path of the folder. */
  readonly folder: string;
  /** Runs a program there and gives its stdout; throws what it wrote if it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** A program there, with the least Node first on its path. */
  command(program: string, options: Deno.CommandOptions): Deno.Command;
}

/**
 * Installs the tarball with npm.
 *
 * The folder is kept: where the packages that the library needs are those of the last time, only the
 * library is unpacked anew.
 */
export async function installPackage(
  { tarball, manifest }: Packed,
  { folder: place, name: library, others }: Install,
): Promise<Consumer> {
  const folder = join(PROJECT_ROOT, "build", place);
  const command = (program: string, options: Deno.CommandOptions) =>
    new Deno.Command(program, {
      cwd: folder,
      env: {
        NO_COLOR: "1",
        PATH: [join(folder, NODE_FOLDER), Deno.env.get("PATH")].join(delimiter),
      },
      ...options,
    });
  const run = async (program: string, ...args: readonly string[]) => {
    const { success, stdout, stderr } = await command(program, { args: [...args] }).output();
    const decoder = new TextDecoder();
    const written = decoder.decode(stdout).trimEnd();
    if (success) return written;
    throw new Error(`${program} ${args.join(" ")}\n${written}\n${decoder.decode(stderr)}`);
  };
  await Deno.mkdir(folder, { recursive: true });
  const stamp = join(folder, "installed.json");
  const { major, name, version } = LEAST_NODE;
  const found = await new Deno.Command("node", { args: ["--version"] }).output();
  const own = new TextDecoder().decode(found.stdout).trim();
  const isOld = Number.parseInt(own.slice(1)) < major;
  const wanted = JSON.stringify([manifest.dependencies, others, isOld ? version : own]);
  if (await Deno.readTextFile(stamp).catch(() => "") === wanted) {
    const installed = join(folder, "node_modules", library);
    await Deno.remove(installed, { recursive: true });
    await Deno.mkdir(installed);
    await run("tar", "-xzf", tarball, "-C", installed, "--strip-components=1");
  } else {
    await Deno.remove(folder, { recursive: true });
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, "package.json"), `{ "type": "module" }`);
    await Deno.writeTextFile(join(folder, "deno.json"), `{ "nodeModulesDir": "manual" }`);
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    // npm leaves out what the Node that runs it does not support.
    if (isOld) await run("npm", "install", ...options, `${name}@${version}`);
    await run("npm", "install", ...options, `${library}@file:${tarball}`, ...others);
    await Deno.writeTextFile(stamp, wanted);
  }
  return { folder, run, command };
}

/** Optional packages as npm installs them. */
export function peersOf({ peerDependencies }: Manifest): string[] {
  return Object.entries(peerDependencies).map(([name, version]) => `${name}@${version}`);
}
