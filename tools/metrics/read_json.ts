/** Whether a file exists. */
export async function exists(file: string): Promise<boolean> {
  try {
    return (await Deno.stat(file)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Parses a JSON file, or its gzipped form under the same name and `.gz`; `null` without either. */
export async function readJson(file: string): Promise<unknown> {
  if (await exists(file)) return JSON.parse(await Deno.readTextFile(file));
  if (!await exists(`${file}.gz`)) return null;
  const packed = await Deno.open(`${file}.gz`);
  return await new Response(packed.readable.pipeThrough(new DecompressionStream("gzip"))).json();
}
