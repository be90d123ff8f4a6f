let collect: (() => void) | undefined;

/**
 * Frees the memory of frames that are no longer used. It stands outside of what the engine counts, so
 * that it would not be freed in time.
 */
export async function freeFrames(): Promise<void> {
  if (collect === undefined) {
    process.getBuiltinModule("node:v8").setFlagsFromString("--expose-gc");
    collect = process.getBuiltinModule("node:vm").runInNewContext("gc") as () => void;
  }
  collect();
  await Promise.resolve();
}
