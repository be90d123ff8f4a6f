const PROJECT = new URL("../../../", import.meta.url);

/** Path of a file of the clone that this runs in; `null` if it is not there, as outside a clone. */
export async function cloneFile(path: string): Promise<string | null> {
  if (PROJECT.protocol !== "file:") return null;
  const file = decodeURIComponent(new URL(path, PROJECT).pathname);
  try {
    await Deno.stat(file);
    return file;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
