/** So much may be added to the resident memory before it is freed, in bytes. */
const ENOUGH_BYTES = 32 * 1024 * 1024;

let collect: (() => void) | undefined;
let keptBytes = 0;

/**
 * Frees the memory of frames that are no longer used, once there is enough of it. It stands outside
 * of what the engine counts, so that it would not be freed in time.
 */
export async function freeFrames(): Promise<void> {
  if (Deno.memoryUsage().rss - keptBytes < ENOUGH_BYTES) return;
  if (collect === undefined) {
    process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
    collect = process.getBuiltinModule("node:vm").runInNewContext("gc") as () => void;
  }
  collect();
  await Promise.resolve();
  keptBytes = Deno.memoryUsage().rss;
}
