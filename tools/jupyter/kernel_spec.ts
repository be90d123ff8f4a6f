import { dirname, join } from "node:path";

/** Name under which notebooks ask for the kernel. */
export const KERNEL = "deno";

/**
 * Tells the Jupyter in `folder` that the kernel named `deno` is the Deno program at `deno`.
 *
 * `deno jupyter --install` would write to the home folder. The file is replaced in one step, and
 * only when it changes: a kernel may be starting from it.
 */
export async function writeKernelSpec(folder: string, deno: string): Promise<void> {
  const path = join(folder, "share", "jupyter", "kernels", KERNEL, "kernel.json");
  const spec = {
    argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
    // Colour codes have no business in the outputs of committed notebooks.
    env: { NO_COLOR: "1" },
  };
  const text = `${JSON.stringify(spec, null, 2)}\n`;
  if (await textOf(path) === text) return;
  await Deno.mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${Deno.pid}`;
  await Deno.writeTextFile(fresh, text);
  await Deno.rename(fresh, path);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
