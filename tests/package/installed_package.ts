import { delimiter, join } from "node:path";
import type { Manifest } from "../../tools/package/complete_manifest.ts";
import { packPackage } from "../../tools/package/pack_package.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

/** What a consumer has beside the library, to check types. */
const TOOLS = ["typescript@7.0.2", "@types/node@24.19.2"];

/** A binary of the least Node that the package supports, for machines whose own is older. */
const LEAST_NODE = { major: 22, name: `node-${Deno.build.os}-x64`, version: "22.15.0" };
const NODE_FOLDER = join("node_modules", LEAST_NODE.name, "bin");

/** A folder that nothing is in but the packed library, what it needs, and what a test puts there. */
export interface Consumer {
  /** Path of the folder. */
  readonly folder: string;
  /** The library's `package.json`. */
  readonly manifest: Manifest;
  /** Runs a program there and gives its stdout; throws what it wrote if it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
}

/**
 * Packs the library and installs the tarball with npm, under the name that the examples use.
 *
 * The folder is kept: where the packages that the library needs are those of the last time, only the
 * library is unpacked anew.
 */
export async function installPackage(): Promise<Consumer> {
  const packed = join(PROJECT_ROOT, "build", "package_for_tests");
  const folder = join(PROJECT_ROOT, "build", "consumer");
  const tarball = await packPackage({ folder: packed, allowDirty: true });
  const manifest: Manifest = JSON.parse(
    await Deno.readTextFile(join(packed, "package", "package.json")),
  );
  const stamp = join(folder, "installed.json");
  const { major, name, version } = LEAST_NODE;
  const found = await runIn(packed, "node", ["--version"]);
  const isOld = Number.parseInt(found.slice(1)) < major;
  const wanted = JSON.stringify([manifest.dependencies, TOOLS, isOld ? version : found]);
  const run = (program: string, ...args: readonly string[]) => runIn(folder, program, args);
  if (await Deno.readTextFile(stamp).catch(() => "") === wanted) {
    const library = join(folder, "node_modules", "orderlens");
    await Deno.remove(library, { recursive: true });
    await Deno.mkdir(library);
    await run("tar", "-xzf", tarball, "-C", library, "--strip-components=1");
  } else {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(folder, "package.json"), `{ "type": "module" }`);
    await Deno.writeTextFile(join(folder, "deno.json"), `{ "nodeModulesDir": "manual" }`);
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    // npm leaves out what the Node that runs it does not support.
    if (isOld) await run("npm", "install", ...options, `${name}@${version}`);
    await run("npm", "install", ...options, `orderlens@file:${tarball}`, ...TOOLS);
    await Deno.writeTextFile(stamp, wanted);
  }
  return { folder, manifest, run };
}

async function runIn(folder: string, program: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1", PATH: [join(folder, NODE_FOLDER), Deno.env.get("PATH")].join(delimiter) },
  }).output();
  const decoder = new TextDecoder();
  const written = decoder.decode(stdout).trimEnd();
  if (success) return written;
  throw new Error(`${program} ${args.join(" ")}\n${written}\n${decoder.decode(stderr)}`);
}
