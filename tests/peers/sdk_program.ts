import { fileURLToPath } from "node:url";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { installPeers, PEERS } from "./install_peers.ts";

/** What can run the official SDK; it is written for Node. */
export type SdkRuntime = "Node" | "Deno";

/** A program of this folder that uses the official SDK. */
export type SdkProgram = "sdk_client.mjs" | "sdk_trader.mjs";

/**
 * How to start a program that uses the official SDK; installs the SDK first where it is not.
 *
 * @throws {TaskError} If it cannot be installed, or there is no such runtime.
 */
export async function sdkProgram(
  name: SdkProgram,
  runtime: SdkRuntime,
): Promise<{ program: string; args: readonly string[] }> {
  await installPeers();
  const path = fileURLToPath(new URL(name, PEERS));
  if (runtime === "Node") {
    await checkNode();
    return { program: "node", args: [path] };
  }
  const configuration = fileURLToPath(new URL("sdk.json", PEERS));
  return {
    program: Deno.execPath(),
    args: ["run", "-A", "--frozen", "--config", configuration, path],
  };
}

async function checkNode(): Promise<void> {
  try {
    await new Deno.Command("node", { args: ["--version"], stdin: "null" }).output();
  } catch (cause) {
    throw new TaskError("There is no Node to run the official SDK with", {
      fix: "install Node 22 or later, or leave this measurement out",
      cause,
    });
  }
}
