import { dirname, join } from "node:path";

/** Name of the kernel in notebooks. */
export const KERNEL = "deno";

/**
 * Registers the Deno program at `deno` as the kernel `deno` of the Jupyter in `folder`.
 *
 * `deno jupyter --install` would write to the home folder. The file is replaced atomically, and only if
 * it changes, because a kernel may be reading it.
 */
export async function writeKernelSpec(folder: string, deno: string): Promise<void> {
  const path = join(folder, "share", "jupyter", "kernels", KERNEL, "kernel.json");
  const spec = {
    argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
    // Committed outputs must not contain color codes.
    env: { NO_COLOR: "1" },
  };
  const text = `${JSON.stringify(spec, null, 2)}\n`;
  if (await readOptionalText(path) === text) return;
  await Deno.mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${Deno.pid}`;
  await Deno.writeTextFile(fresh, text);
  await Deno.rename(fresh, path);
}

async function readOptionalText(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
