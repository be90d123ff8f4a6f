/**
 * Exports a range of a recording, and kills its own process between two steps of a change.
 *
 * `deno run -A export_until_killed.ts <folder> <recording> <from> <to> <step> <tables>`
 *
 * @module
 */
import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { assertEquals } from "@std/assert";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { LATER } from "./exported.ts";

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
    args: ["run", "-A", "--no-check", new URL(import.meta.url).pathname, folder, recording]
      .concat([from, to, step, tables].map(String)),
    stdout: "null",
    stderr: "null",
  }).output();
  assertEquals(signal, "SIGKILL", `step ${step}`);
}

if (import.meta.main) {
  const [folder = "", recording = "", from, to, last, names = ""] = Deno.args;
  const book = connect(await replay(recording), { clock: LATER });
  let steps = 0;
  const auctions = { from: Number(from), to: Number(to) };
  await exportInSteps(book, folder, { auctions, tables: names.split(",") }, () => {
    if (++steps === Number(last)) Deno.kill(Deno.pid, "SIGKILL");
  });
}
