import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { holdLock } from "../../tools/jupyter/hold_lock.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { Progress } from "../../tools/terminal/progress.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { say } from "../../tools/terminal/say.ts";
import { formatSeconds } from "../../tools/terminal/seconds.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";

/** This folder. */
export const PEERS: URL = new URL("./", import.meta.url);

/** Packages that the project is held against. */
export interface PeerPackages {
  /** What they are, for messages. */
  readonly what: string;
  /** Configuration that names them; beside it, they are installed into `node_modules`. */
  readonly configuration: URL;
}

/** The official SDK. */
export const OFFICIAL_SDK: PeerPackages = {
  what: "the official SDK",
  configuration: new URL("sdk.json", PEERS),
};

/**
 * Installs the packages that the project is held against, unless they are there. Nothing else needs
 * them.
 *
 * @throws {TaskError} If that fails.
 */
export async function installPeers(peers: PeerPackages = OFFICIAL_SDK): Promise<void> {
  const { what, configuration } = peers;
  using _lock = await holdLock(
    join(PROJECT_ROOT, "build", "peers.lock"),
    () => say(`Waiting for another task that is installing ${what}`),
  );
  if (await areInstalled(peers)) return;
  using progress = new Progress(`Installing ${what}, once`);
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    args: ["install", "--frozen", "--config", fileURLToPath(configuration)],
    folder: fileURLToPath(new URL("./", configuration)),
    variables: { NO_COLOR: "1" },
    onLine: (line) => {
      const [, name] = /^(?:Download|Initialize) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        progress.update(`Installing ${what}: ${name}`);
      }
    },
  });
  if (!success) {
    throw new TaskError(
      `Cannot install ${what} (${lastError(output)})`,
      {
        fix: "check that the npm registry can be reached, then run this again",
      },
    );
  }
  progress.say(`Installed ${what} in ${formatSeconds(progress.elapsed)}`);
}

/** Whether each package is there in the version that the configuration names. */
async function areInstalled({ configuration }: PeerPackages): Promise<boolean> {
  const { imports }: { imports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(configuration),
  );
  for (const specifier of Object.values(imports)) {
    const [, name, version] = /^npm:(.+)@(.+)$/.exec(specifier) ?? [];
    const installed = new URL(`node_modules/${name}/package.json`, configuration);
    if (await installedVersion(installed) !== version) return false;
  }
  return true;
}

async function installedVersion(packageFile: URL): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(packageFile)).version;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function lastError(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? "no output";
}
