import { join } from "node:path";
import { PROJECT_ROOT } from "./project_root.ts";

/** Lists the files of the `exports` of `deno.json`. */
export async function listEntryPoints(): Promise<string[]> {
  const { exports }: { exports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(join(PROJECT_ROOT, "deno.json")),
  );
  return Object.values(exports);
}
