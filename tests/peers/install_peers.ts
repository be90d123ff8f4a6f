import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { holdLock } from "../../tools/jupyter/hold_lock.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { Progress } from "../../tools/terminal/progress.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { say } from "../../tools/terminal/say.ts";
import { seconds } from "../../tools/terminal/seconds.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import peers from "./sdk.json" with { type: "json" };

/** This folder. */
export const PEERS: URL = new URL("./", import.meta.url);

/**
 * Installs the packages that the project is held against into `node_modules` of this folder, unless
 * they are there. Nothing else needs them.
 *
 * @throws {TaskError} If that fails.
 */
export async function installPeers(): Promise<void> {
  using _lock = await holdLock(
    join(PROJECT_ROOT, "build", "peers.lock"),
    () => say("Waiting for another task that is installing the official SDK"),
  );
  if (await areInstalled()) return;
  using progress = new Progress("Installing the official SDK, once");
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    args: ["install", "--frozen", "--config", fileURLToPath(new URL("sdk.json", PEERS))],
    folder: fileURLToPath(PEERS),
    variables: { NO_COLOR: "1" },
    onLine: (line) => {
      const [, name] = /^(?:Download|Initialize) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        progress.update(`Installing the official SDK: ${name}`);
      }
    },
  });
  if (!success) {
    throw new TaskError(
      `Cannot install the official SDK (${lastError(output)})`,
      {
        fix: "check that the npm registry can be reached, then run this again",
      },
    );
  }
  progress.say(`Installed the official SDK in ${seconds(progress.elapsed)}`);
}

/** Whether each package of `sdk.json` is there in the version it names. */
async function areInstalled(): Promise<boolean> {
  for (const specifier of Object.values(peers.imports)) {
    const [, name, version] = /^npm:(.+)@(.+)$/.exec(specifier) ?? [];
    if (
      await installedVersion(
        new URL(`node_modules/${name}/package.json`, PEERS),
      ) !== version
    ) {
      return false;
    }
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
