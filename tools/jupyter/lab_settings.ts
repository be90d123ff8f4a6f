import { dirname, join } from "node:path";
import type { JupyterEnvironment } from "./environment.ts";

/**
 * Writes the settings of JupyterLab: it does not ask whether to fetch news, because everything works
 * without a network.
 */
export async function writeLabSettings({ settings }: JupyterEnvironment): Promise<void> {
  const path = join(settings, "labconfig", "page_config.json");
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(
    path,
    `${
      JSON.stringify({
        disabledExtensions: { "@jupyterlab/apputils-extension:announcements": true },
      })
    }\n`,
  );
}
