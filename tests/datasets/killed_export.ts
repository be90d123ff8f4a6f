import { assertEquals } from "@std/assert";

const SCRIPT = new URL("./export_until_killed.ts", import.meta.url).pathname;

/** Exports a range of a recording in a process of its own, which kills itself at a step. */
export async function killedExport(
  folder: string,
  recording: string,
  { auctions: { from, to }, tables, step }: {
    readonly auctions: { readonly from: number; readonly to: number };
    readonly tables: readonly string[];
    readonly step: number;
  },
): Promise<void> {
  const { signal } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", SCRIPT, folder, recording]
      .concat([from, to, step, tables].map(String)),
    stdout: "null",
    stderr: "null",
  }).output();
  assertEquals(signal, "SIGKILL", `step ${step}`);
}
