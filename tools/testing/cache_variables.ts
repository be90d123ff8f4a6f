import { join } from "node:path";

/**
 * Variables that lead what this library keeps in the user's cache into another folder: a test that
 * leaves a rate limit there would slow down the user's exports. Modules and packages stay where they are.
 */
export async function redirectUserCache(folder: string): Promise<Record<string, string>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  const { HOME, XDG_CACHE_HOME = join(HOME ?? "", ".cache") } = Deno.env.toObject();
  return {
    XDG_CACHE_HOME: folder,
    DENO_DIR: denoDir,
    PIP_CACHE_DIR: Deno.env.get("PIP_CACHE_DIR") ?? join(XDG_CACHE_HOME, "pip"),
    UV_CACHE_DIR: Deno.env.get("UV_CACHE_DIR") ?? join(XDG_CACHE_HOME, "uv"),
  };
}
