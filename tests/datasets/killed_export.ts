import { assertEquals } from "@std/assert";

const SCRIPT = new URL("./export_until_killed.ts", import.meta.url).pathname;

/** Exports a range of a recording in a process of its own, which kills itself at a step. */
export async function killedExport(
  folder: string,
  recording: string,
  { auctions: { from, to }, tables, step, with: word }: {
    /** Auction ids, or with `"settlements"` blocks. */
    readonly auctions: { readonly from: number; readonly to: number };
    readonly tables: readonly string[];
    readonly step: number;
    /** Whether there is a node, and whether its settlements are walked. */
    readonly with?: "node" | "settlements";
  },
): Promise<void> {
  const { signal } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", SCRIPT, folder, recording]
      .concat([from, to, step, tables, word ?? ""].map(String)),
    stdout: "null",
    stderr: "null",
  }).output();
  assertEquals(signal, "SIGKILL", `step ${step}`);
}
