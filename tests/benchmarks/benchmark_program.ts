import type { LineProgram } from "../line_process.ts";

/** A TypeScript program beside this file, run by the Deno that runs this one. */
export function benchmarkProgram(
  file: string,
  { args = [], v8Flags = [] }: {
    readonly args?: readonly string[];
    readonly v8Flags?: readonly string[];
  } = {},
): LineProgram {
  const path = new URL(file, import.meta.url).href;
  const flags = v8Flags.length === 0 ? [] : [`--v8-flags=${v8Flags.join(",")}`];
  return { program: Deno.execPath(), args: ["run", "-A", ...flags, path, ...args] };
}
