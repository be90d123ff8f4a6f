import { build, type Plugin, stop } from "esbuild";
import { basename, join, relative } from "node:path";
import { PROJECT_ROOT } from "../project_root.ts";
import { stampCommit } from "./stamp_commit.ts";
import { createPeerModule, OPTIONAL_PEERS } from "./optional_peers.ts";

/** Folder of the program in the package. */
export const PROGRAM_FOLDER = "bin";

/** The oldest Node that runs the package: it does not have `using`. */
export const MIN_NODE = "node22.15";

/** Inputs of the bundle. */
export interface ProgramParts {
  /** Folder of the package. */
  readonly unpacked: string;
  /** A `node_modules` with the packages that become part of the program. */
  readonly packages: string;
  /** Commit that is packed; `null` if unknown. */
  readonly commit: string | null;
  /** Exact versions of packages, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Bundles the command line for Node into a few files, of which each command loads its own. The packages
 * that it needs become part of it, since loading their many files takes longer than the work of most
 * commands; optional peers stay outside. `LICENSES.txt` beside it has their licenses.
 */
export async function bundleProgram(parts: ProgramParts): Promise<void> {
  const outdir = join(parts.unpacked, PROGRAM_FOLDER);
  try {
    const { metafile } = await build({
      absWorkingDir: PROJECT_ROOT,
      entryPoints: {
        orderlens: "lib/cli/node_main.ts",
        shard_worker: "lib/datasets/shards/shard_worker.ts",
      },
      outdir,
      chunkNames: "[hash]",
      bundle: true,
      splitting: true,
      metafile: true,
      format: "esm",
      // Not that of Node, for which some packages load its modules at once instead of when needed.
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["import", "module"],
      external: ["node:*"],
      target: MIN_NODE,
      nodePaths: [parts.packages],
      minifyWhitespace: true,
      lineLimit: 200,
      plugins: [createFilesPlugin(parts.commit), createPeersPlugin(parts.versions)],
      legalComments: "none",
      logLevel: "error",
    });
    await writeLicenses(Object.keys(metafile.inputs), join(outdir, "LICENSES.txt"));
  } finally {
    await stop();
  }
}

/** Expression that names the module of a worker in the library. */
export const WORKER = 'new URL("./shard_worker.ts", import.meta.url)';

/**
 * Points modules to their files, which the package has in the folder of the library, and writes the
 * commit.
 */
const createFilesPlugin = (commit: string | null): Plugin => ({
  name: "files-of-library",
  setup({ onLoad, onResolve }) {
    // Large texts stand in the package once.
    onResolve({ filter: /\/png\/\w+\.ts$/ }, ({ path }) => ({
      path: `../lib/charts/png/${basename(path, ".ts")}.js`,
      external: true,
    }));
    // Sockets of `viem`, which nothing here opens.
    onResolve({ filter: /^isows$/ }, ({ path }) => ({ path, namespace: "nothing" }));
    onLoad(
      { filter: /./, namespace: "nothing" },
      () => ({ contents: "export const WebSocket = null;" }),
    );
    onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, async ({ path }) => {
      const libraryPath = relative(PROJECT_ROOT, path).replaceAll("\\", "/");
      const moduleUrl = `new URL("../${libraryPath}", import.meta.url).href`;
      const source = stampCommit(path, await Deno.readTextFile(path), commit);
      const [first = "", ...parts] = source.split(WORKER)
        .map((text) => text.replaceAll("import.meta.url", moduleUrl));
      const contents = [first, ...parts].join('new URL("./shard_worker.js", import.meta.url)');
      return { contents, loader: "ts" };
    });
  },
});

function createPeersPlugin(versions: Readonly<Record<string, string>>): Plugin {
  const errors = join(PROJECT_ROOT, "lib/errors/orderlens_error.ts");
  return {
    name: "optional-peers",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) => {
        if (!OPTIONAL_PEERS.includes(path)) return;
        return kind === "dynamic-import" ? { path, external: true } : { path, namespace: "peer" };
      });
      onLoad({ filter: /./, namespace: "peer" }, async ({ path }) => ({
        contents: await createPeerModule(path, versions, errors),
        resolveDir: PROJECT_ROOT,
      }));
    },
  };
}

async function writeLicenses(inputs: readonly string[], file: string): Promise<void> {
  const folders = new Set(
    inputs.flatMap((path) => path.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/) ?? []),
  );
  const texts: string[] = [];
  for (const folder of [...folders].sort()) {
    const path = join(PROJECT_ROOT, folder);
    const { name, version, license } = JSON.parse(
      await Deno.readTextFile(join(path, "package.json")),
    );
    if (license === undefined) continue;
    const names = (await Array.fromAsync(Deno.readDir(path), ({ name }) => name)).sort();
    const licenseName = names.find((name) => /^licen[cs]e(?:\.md|\.txt|-MIT)?$/i.test(name));
    const text = licenseName === undefined
      ? ""
      : `\n${await Deno.readTextFile(join(path, licenseName))}`;
    texts.push(`${name} ${version}, ${license}\n${text}`);
  }
  await Deno.writeTextFile(file, texts.join(`\n${"-".repeat(80)}\n\n`));
}
