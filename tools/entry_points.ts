import { join } from "node:path";
import { PROJECT_ROOT } from "./project_root.ts";

/** The files behind the `exports` of `deno.json`. */
export async function entryPoints(): Promise<string[]> {
  const { exports }: { exports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(join(PROJECT_ROOT, "deno.json")),
  );
  return Object.values(exports);
}
